/* SPDX-License-Identifier: BSD-3-Clause */
/* Quantities with units: the first byte chooses the unit that is wanted, the rest is the text. A value that is read,
 * written in SI units and read again has the same bits; so has its dimension. */
#include <holon/model.h>
#include <holon/number.h>

#include "base/expression/expression.h"
#include "base/units.h"
#include "fuzz.h"

#include <math.h>
#include <string.h>

static const char *const units[] = {"",       "m",     "kg",     "s",   "rad",     "N",        "N*m",     "m/s",
                                    "rad/s",  "m/s^2", "kg*m^2", "N/m", "N*s/m",   "m^2",      "N*m/rad", "kg/m",
                                    "kg/m^3", "N/m^2", "N*m^2",  "m^4", "rad/s^2", "N*m*s/rad"};
enum { UNIT_COUNT = sizeof units / sizeof *units };

static void check_again(double value, const char *unit)
{
    char number[HOL_NUMBER_SIZE], text[HOL_NUMBER_SIZE + 40];
    double again = 0;
    HolMessage message = {""};
    hol_number_text(value, number);
    snprintf(text, sizeof text, "%s %s", number, unit);
    HolStatus status = hol_quantity_parse(text, unit, &again, &message);
    FUZZ_CHECK(status == HOL_OK, "'%s' is refused: %s", text, message.text);
    FUZZ_CHECK(fuzz_same_bits(value, again), "'%s' is read as %a, not %a", text, again, value);
}

static void check_dimension(const char *text)
{
    double value = 0, one = 0;
    HolDimension dimension = {0}, again = {0};
    HolExpressionError error = {0};
    char name[32], named[40];
    if (hol_number_parse(text, NULL, &value, &dimension, &error) != HOL_OK) {
        FUZZ_CHECK(error.offset >= 0 && (size_t)error.offset <= strlen(text), "the offset is %d", error.offset);
        fuzz_check_sentence(error.message.text);
        return;
    }
    FUZZ_CHECK(isfinite(value), "'%s' is read as %a", text, value);
    hol_dimension_name(dimension, name);
    FUZZ_CHECK(strlen(name) < sizeof name, "the name of a dimension is too long");
    if (dimension.state != HOL_KNOWN)
        return;
    snprintf(named, sizeof named, "1 %s", name);
    if (hol_number_parse(named, NULL, &one, &again, &error) == HOL_OK && one == 1 && again.state == HOL_KNOWN)
        FUZZ_CHECK(again.length == dimension.length && again.mass == dimension.mass && again.time == dimension.time,
                   "the dimension of '%s' is called '%s', which is another", text, name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FuzzBytes bytes = {data, size};
    const char *unit = units[fuzz_byte(&bytes) % UNIT_COUNT];
    char *text = fuzz_text(bytes.data, bytes.size);
    double value = NAN;
    HolMessage message = {""};
    HolStatus status = hol_quantity_parse(text, unit, &value, &message);
    if (status == HOL_OK)
        check_again(value, unit);
    else
        FUZZ_CHECK(message.text[0], "'%s' is refused without a sentence", text);
    fuzz_check_sentence(message.text);
    check_dimension(text);
    free(text);
    return 0;
}
