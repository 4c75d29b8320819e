/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads values out of a model's tree by tables of fields, and collects every mistake with its place.
 *
 * A table says for each key which values it takes and where they go in a struct:
 *
 *     typedef struct Spring { int body[2]; double from[3], to[3], stiffness; } Spring;
 *     static const HolField fields[] = {
 *         {"spring", HOL_FIELD_BODIES, offsetof(Spring, body), .needed = true, .help = "the two bodies"},
 *         {"stiffness", HOL_FIELD_NUMBER, offsetof(Spring, stiffness), .unit = "N/m", .rule = HOL_NOT_NEGATIVE, ...},
 *     };
 *
 * The same table is what `holon list` prints. */
#ifndef HOLON_MODEL_READER_H
#define HOLON_MODEL_READER_H

#include "base/expression/function.h"
#include "model/model.h"

#include <stdint.h>

typedef enum HolFieldType {
    HOL_FIELD_NUMBER,     /* double */
    HOL_FIELD_WHOLE,      /* int */
    HOL_FIELD_FLAG,       /* bool */
    HOL_FIELD_CHOICE,     /* int: index into names */
    HOL_FIELD_TEXT,       /* const char * */
    HOL_FIELD_FUNCTION,   /* HolFunction of the variables in names */
    HOL_FIELD_VECTOR,     /* double[3]: three numbers, two in the plane */
    HOL_FIELD_FUNCTIONS,  /* HolFunction[3] of the variables in names, as a vector */
    HOL_FIELD_NUMBERS,    /* HolNumbers: one number or a list of them */
    HOL_FIELD_POINT,      /* double[3] in global axes: the name of a point, or its coordinates */
    HOL_FIELD_POINTS,     /* double[2][3] */
    HOL_FIELD_DIRECTION,  /* double[3] of length 1 */
    HOL_FIELD_DIRECTIONS, /* double[2][3] */
    HOL_FIELD_BODY,       /* int: 0 the ground, i + 1 body i */
    HOL_FIELD_BODIES,     /* int[2] */
    HOL_FIELD_JOINT,      /* int */
    HOL_FIELD_JOINTS,     /* int[2] */
    HOL_FIELD_TABLE,      /* const HolTable *: a list of pairs */
    HOL_FIELD_NODE        /* const HolNode *: read by the code of the kind */
} HolFieldType;

/* Where a field has a meaning. */
typedef enum HolSpace { HOL_EVERYWHERE, HOL_IN_SPACE, HOL_IN_PLANE } HolSpace;

typedef enum HolRule { HOL_ANY, HOL_POSITIVE, HOL_NOT_NEGATIVE } HolRule;

typedef struct HolField {
    const char *name;
    HolFieldType type;
    size_t offset;
    const char *help;
    const char *unit;     /* of numbers; NULL: any */
    bool needed;          /* without it there is an error */
    double otherwise;     /* the value of a number, whole, flag, choice or constant function that is not given */
    const char *fallback; /* the printed default, where it is not `otherwise` */
    HolRule rule;
    HolSpace space;
    const char *const *names; /* NULL-terminated choices, or variables of a function */
    bool inputs;              /* a function may depend on the model's inputs too, which follow its variables */
} HolField;

/* A row of a table, for tables that several kinds share. */
#define HOL_FIELD(key, TYPE, Values, member, ...)                                                                      \
    {                                                                                                                  \
        key, HOL_FIELD_##TYPE, offsetof(Values, member), __VA_ARGS__                                                   \
    }

typedef struct HolNumbers {
    int count;
    double *x;
} HolNumbers;

/* A named entry of a section: the body 'crank', the joint 'pin_A'. */
typedef struct HolPart {
    const char *what, *name; /* "joint", "pin_A" */
    const HolNode *node;
    const struct HolKind *kind;
    uint64_t given; /* bit i: field i was there */
    uint64_t named; /* or its key was, readable or not, or an unknown key that seems to mean it */
} HolPart;

typedef struct HolParameter HolParameter;

/* A function of time that jumps or has kinks at some times. */
typedef struct HolSwitching {
    const HolExpression *expression;
    int variable; /* the index of t */
    const struct HolSwitching *next;
} HolSwitching;

/* A part of a function that depends on time alone. */
typedef struct HolTimeFunction {
    HolTimePart part;
    const char *what, *name; /* of the part of the model that it belongs to: "force", "push"; or NULL */
    bool is_velocity;        /* a prescribed one */
    struct HolTimeFunction *next;
} HolTimeFunction;

/* Numbers that may be changed from outside between two steps. The limit keeps them on the stack of an evaluation. */
enum { HOL_MAX_INPUTS = 16, HOL_MAX_VARIABLES = 8 };

typedef struct HolReader {
    HolModel *model;
    HolArena *arena; /* for what must live as long as the mechanism */
    bool planar;
    HolSymbols symbols;
    HolParameter *parameters;
    HolNames *parameter_names;
    bool has_lost_parameters; /* the whole section; see hol_reader_has_lost() */
    HolNames *table_names;
    const HolTable **tables;
    HolNames *input_names;
    double inputs[HOL_MAX_INPUTS];      /* their values at the start */
    HolNames *points, *bodies, *joints; /* bodies and joints without the ground */
    int joint_count;                    /* drivers have indices from this number on */
    double (*point_at)[3];
    unsigned char *point_is_known; /* its coordinates could be read */
    double largest;                /* of these coordinates, which distances are compared with */
    const char *what, *name;       /* the part that is being read, for sentences; NULL: none */
    const char *field;             /* and its key, or NULL */
    uint64_t named;                /* the fields that the last map names; see HolPart */
    int depth;                     /* of parameters that wait for each other */
    int waiting;                   /* the innermost of these */
    const HolSwitching *switching; /* of all functions that have been read, */
    HolTimeFunction *time_functions;
    int time_function_count; /* and the number of these */
} HolReader;

/* Reads parameters, tables and inputs; errors are added to the model. HOL_NO_MEMORY or HOL_OK. */
HolStatus hol_reader_open(HolModel *model, HolArena *arena, HolReader *reader);
/* Points, after `repeat` has been expanded; entries that are maps give at and on, the latter read by the caller. */
HolStatus hol_reader_points(HolReader *reader);

/* Complains of unknown keys at the top of a model and of its variants, and of variants that are no maps. */
void hol_check_keys(HolModel *model);
/* A function of time that has been read prescribes a position, or a velocity. */
void hol_reader_prescribe(HolReader *reader, const HolFunction *function, bool is_position);
/* A section of the model, or NULL if it is not there or not a map. */
const HolNode *hol_reader_section(HolReader *reader, const char *name);
/* Whether a section is not a map, or was probably meant by an unknown key. That error has been reported, so that
 * missing names of the section are not reported, too. */
bool hol_reader_has_lost(const HolReader *reader, const char *section);

/* Which part is being read, for sentences: joint 'pin_A'. */
void hol_reader_enter(HolReader *reader, const char *what, const char *name);
void hol_reader_leave(HolReader *reader);

/* The sentence begins with the part that is being read: "joint 'pin_B': ...". Returns false. */
__attribute__((format(printf, 3, 4))) bool hol_reader_error(HolReader *reader, HolPlace place, const char *format, ...);

/* Fills `values` from a map. Unknown keys, wrong types and missing fields are errors; the rest is read all the same.
 * Returns the fields that were given and could be read. */
uint64_t hol_read_fields(HolReader *reader, const HolNode *map, const HolField *fields, int count, void *values);

/* One value; false after an error. */
bool hol_read_number(HolReader *reader, const HolNode *node, const char *unit, double *value);
bool hol_read_vector(HolReader *reader, const HolNode *node, const char *unit, double *x);
bool hol_read_point(HolReader *reader, const HolNode *node, double *x);
/* Whether two points coincide but for the rounding of coordinates. */
bool hol_is_same_place(const HolReader *reader, const double *a, const double *b);
bool hol_read_body(HolReader *reader, const HolNode *node, int *body);
bool hol_read_function(HolReader *reader, const HolNode *node, const HolField *field, HolFunction *function);
const HolTable *hol_read_table(HolReader *reader, const HolNode *node, bool cubic); /* NULL after an error */
/* Whether it is a list of three entries, in the plane of two; else an error. */
bool hol_read_components(HolReader *reader, const HolNode *node);
/* Whether it is a list of exactly count entries; else an error that says what was expected. */
bool hol_read_list(HolReader *reader, const HolNode *node, int count, const char *expected);
/* The text of a scalar, or NULL after an error. */
const char *hol_read_text(HolReader *reader, const HolNode *node, const char *expected);

/* Whether a field was given and could be read; whether its key is named at all (HolPart.named). */
bool hol_part_was_given(const HolPart *part, const char *name);
bool hol_part_is_named(const HolPart *part, const char *name);
/* The place of the value of a key, or of the part if the key is not given. */
HolPlace hol_part_place(const HolPart *part, const char *key);

/* A part as a model file writes it, in a model with bodies a and b, points O, P and Q, joints pin_a and pin_b that have
 * an angle, a joint slide that has a displacement, and a beam c. 'holon list' prints it; contract.parts checks it. */
typedef struct HolSample {
    const char *text;
    HolSpace space;
    int row_count, nonholonomic_count; /* of a joint: its constraint equations, and the nonholonomic ones among them */
} HolSample;

/* What a part may be. The name is the key that says so, the first field is the same key. */
typedef struct HolKind {
    const char *name, *title, *connects; /* connects: a description of that value for users */
    HolSpace space;                      /* where it has a meaning */
    const HolField *fields;
    int field_count;
    size_t size;              /* of the struct that the fields fill, at most HOL_LARGEST_VALUES */
    const HolSample *samples; /* at least one for the plane and for space, as far as the kind has a meaning there */
    int sample_count;
    bool natural; /* it exists in natural coordinates only */
} HolKind;

/* Members of a HolKind, from arrays. */
#define HOL_FIELDS(list, Values) .fields = (list), .field_count = sizeof(list) / sizeof(list)[0], .size = sizeof(Values)
#define HOL_SAMPLES(list) .samples = (list), .sample_count = sizeof(list) / sizeof(list)[0]

enum { HOL_LARGEST_VALUES = 1024, HOL_MAX_KINDS = 64 };

/* Which of several kinds (NULL-terminated) a part is: the one whose name is among its keys. Where several are, one of
 * them must have the others as fields ({spring: ..., force: ...} is a spring). NULL after an error. */
const HolKind *hol_read_kind(HolReader *reader, const HolNode *map, const char *what, const HolKind *const *kinds);

/* Reads a part of that kind into `values`, which has room for HOL_LARGEST_VALUES bytes. False if something that it
 * needs is missing or wrong, or if the kind has no meaning in such a model. */
bool hol_read_part(HolReader *reader, const HolKind *kind, HolPart *part, void *values);

/* "number", "[body, body]", ...: what people read in lists. */
const char *hol_field_type_name(const HolField *field);

#endif
