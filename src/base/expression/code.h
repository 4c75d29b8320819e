/* SPDX-License-Identifier: BSD-3-Clause */
/* What an expression is compiled to: instructions in postfix order for a machine with a stack.
 *
 *     2*sin(t)    number 2, variable t, unary sin, binary *
 *
 * Operators and functions are rows of one table; another function is another row. */
#ifndef HOLON_BASE_EXPRESSION_CODE_H
#define HOLON_BASE_EXPRESSION_CODE_H

#include "base/expression/expression.h"

enum { HOL_CODE_STACK = 128 }; /* values; build.c rejects expressions that need more */

/* How the dimension of the result follows from those of the values. */
typedef enum HolDimensionRule {
    HOL_RULE_SAME,    /* all values agree, the result is like them */
    HOL_RULE_COMPARE, /* all values agree, the result is a number */
    HOL_RULE_MULTIPLY,
    HOL_RULE_DIVIDE,
    HOL_RULE_POWER, /* the exponent is a number */
    HOL_RULE_SQUARE_ROOT,
    HOL_RULE_CUBE_ROOT,
    HOL_RULE_OF_ANGLE,  /* of an angle or a number; the result is a number */
    HOL_RULE_OF_NUMBER, /* of a number; the result is a number */
    HOL_RULE_OF_ANY     /* of anything; the result is a number */
} HolDimensionRule;

typedef enum HolCodeKind {
    HOL_CODE_NUMBER,   /* puts a number on the stack */
    HOL_CODE_VARIABLE, /* puts a variable there */
    HOL_CODE_UNARY,    /* replaces the value on top */
    HOL_CODE_BINARY,   /* replaces two by one */
    HOL_CODE_CHOICE,   /* replaces condition, value, condition, value, ..., otherwise by the chosen value */
    HOL_CODE_TABLE     /* replaces x by y(x) */
} HolCodeKind;

/* How the range of values of an operation follows from the ranges of what it is applied to (range.c). */
typedef enum HolShape {
    HOL_SHAPE_HULL, /* value and derivatives are extreme at the ends, or at 0 if that lies between them */
    HOL_SHAPE_ADD,
    HOL_SHAPE_SUBTRACT,
    HOL_SHAPE_MULTIPLY,
    HOL_SHAPE_DIVIDE,
    HOL_SHAPE_POWER,
    HOL_SHAPE_PERIODIC, /* sin, cos */
    HOL_SHAPE_TANGENT,
    HOL_SHAPE_ATAN2,
    HOL_SHAPE_HYPOT,
    HOL_SHAPE_ABS,
    HOL_SHAPE_STAIRS, /* constant between jumps, never descending */
    HOL_SHAPE_LOWER,  /* the smaller, */
    HOL_SHAPE_UPPER,  /* the larger of two */
    HOL_SHAPE_MODULO,
    HOL_SHAPE_ORDER, /* <, <=, >, >= */
    HOL_SHAPE_EQUAL, /* ==, != */
    HOL_SHAPE_AND,
    HOL_SHAPE_OR,
    HOL_SHAPE_NOT
} HolShape;

/* An operator or function. Those of one value have `value` and `jet`, of two `value2` and `jet2`; without a jet
 * function the derivatives are zero. More than two values: one after the other. */
typedef struct HolOperation {
    const char *name; /* of operators their sign; "-x" is the minus of one value */
    HolCodeKind kind;
    int fewest, most; /* values; most 0: no limit */
    bool odd;         /* the number of values must be odd */
    HolDimensionRule rule;
    double (*value)(double);
    HolJet (*jet)(HolJet);
    double (*value2)(double, double);
    HolJet (*jet2)(HolJet, HolJet);
    HolShape shape;
    double bend; /* HOL_SHAPE_HULL: the second derivative is extreme at +bend and -bend, too; 0: only as the others */
} HolOperation;

extern const HolOperation hol_operations[];                              /* the last one has no name */
const HolOperation *hol_operation_find(const char *name, size_t length); /* NULL: there is none */

typedef struct HolInstruction {
    HolCodeKind kind;
    int count; /* values that a choice takes */
    union {
        double number;
        int variable;
        const HolOperation *operation;
        const HolTable *table;
    };
} HolInstruction;

struct HolExpression {
    HolDimension dimension;
    int count;
    HolInstruction code[];
};

/* How many values it takes from the stack. */
static inline int hol_code_operands(const HolInstruction *c)
{
    switch (c->kind) {
    case HOL_CODE_NUMBER:
    case HOL_CODE_VARIABLE: return 0;
    case HOL_CODE_BINARY: return 2;
    case HOL_CODE_CHOICE: return c->count;
    default: return 1;
    }
}

/* The index of the chosen value among condition, value, condition, value, ..., otherwise; -1 if a condition is NaN.
 * Successive entries are `stride` doubles apart. */
int hol_code_chosen(const double *values, int count, int stride);
/* One instruction on a stack of jets; top is one past the topmost value, before and as returned. */
HolJet *hol_code_apply(const HolInstruction *instruction, const HolJet *x, HolJet *top);
double hol_code_value(const HolInstruction *code, int count, const double *x);

#endif
