/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the reader share. */
#ifndef HOLON_MODEL_READER_INTERNAL_H
#define HOLON_MODEL_READER_INTERNAL_H

#include "model/reader.h"

/* A number with its dimension. */
bool hol_read_quantity(HolReader *reader, const HolNode *node, double *value, HolDimension *dimension);

/* One field of a table into its target; false after an error. */
bool hol_read_value(HolReader *reader, const HolNode *node, const HolField *field, void *target);

/* Whether a key may be a name in expressions, and no table has it; else an error. */
bool hol_check_name(HolReader *reader, const HolNode *node, const char *what);

/* The section of inputs, after parameters. HOL_NO_MEMORY or HOL_OK. */
HolStatus hol_read_inputs(HolReader *reader);

/* Whether a scalar without quotes has lost the end of an expression at a comma: "if(t < 1". */
bool hol_is_torn(const HolNode *node);

/* Lists the breakpoints of a function that was read, and its parts that depend on time alone. */
void hol_reader_list_function(HolReader *reader, const HolSymbols *symbols, const HolExpression *expression);

#endif
