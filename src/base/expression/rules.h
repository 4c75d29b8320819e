/* SPDX-License-Identifier: BSD-3-Clause */
/* Which dimensions an operation takes and gives, and what to say if they do not fit. */
#ifndef HOLON_BASE_EXPRESSION_RULES_H
#define HOLON_BASE_EXPRESSION_RULES_H

#include "base/expression/code.h"

HolStatus hol_rule_of_one(const HolOperation *operation, HolDimension a, HolDimension *result, HolMessage *message);
/* `exponent`: the value of b, NaN if it is not constant. */
HolStatus hol_rule_of_two(const HolOperation *operation, HolDimension a, HolDimension b, double exponent,
                          HolDimension *result, HolMessage *message);
/* Values of which the operation takes the one or the other. */
HolStatus hol_rule_merge(const HolOperation *operation, HolDimension a, HolDimension b, HolDimension *common,
                         HolMessage *message);

#endif
