/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/units.h"

#include "base/format.h"
#include "base/message.h"
#include "base/tolerances.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { HIGHEST_POWER = 99, DIMENSIONS = 4 };

#define PI 3.14159265358979323846

typedef enum Quantity { LENGTH, MASS, TIME, ANGLE, TURNING, FREQUENCY, FORCE, ENERGY, POWER, PRESSURE } Quantity;

static const HolDimension dimensions[] = {
    [LENGTH] = {HOL_KNOWN, 1, 0, 0, 0},   [MASS] = {HOL_KNOWN, 0, 1, 0, 0},
    [TIME] = {HOL_KNOWN, 0, 0, 1, 0},     [ANGLE] = {HOL_KNOWN, 0, 0, 0, 1},
    [TURNING] = {HOL_KNOWN, 0, 0, -1, 1}, [FREQUENCY] = {HOL_KNOWN, 0, 0, -1, 0},
    [FORCE] = {HOL_KNOWN, 1, 1, -2, 0},   [ENERGY] = {HOL_KNOWN, 2, 1, -2, 0},
    [POWER] = {HOL_KNOWN, 2, 1, -3, 0},   [PRESSURE] = {HOL_KNOWN, -1, 1, -2, 0},
};

typedef struct Unit {
    const char *name;
    double times, over; /* as in HolScale */
    Quantity quantity;
} Unit;

static const Unit units[] = {
    {"m", 1, 1, LENGTH},
    {"mm", 1, 1e3, LENGTH},
    {"cm", 1, 1e2, LENGTH},
    {"km", 1e3, 1, LENGTH},
    {"um", 1, 1e6, LENGTH},
    {"in", 254, 1e4, LENGTH},
    {"ft", 3048, 1e4, LENGTH},
    {"kg", 1, 1, MASS},
    {"g", 1, 1e3, MASS},
    {"t", 1e3, 1, MASS},
    {"lb", 45359237, 1e8, MASS},
    {"s", 1, 1, TIME},
    {"ms", 1, 1e3, TIME},
    {"us", 1, 1e6, TIME},
    {"min", 60, 1, TIME},
    {"h", 3600, 1, TIME},
    {"rad", 1, 1, ANGLE},
    {"deg", PI, 180, ANGLE},
    {"rev", 2 * PI, 1, ANGLE},
    {"rpm", 2 * PI, 60, TURNING},
    {"N", 1, 1, FORCE},
    {"kN", 1e3, 1, FORCE},
    {"mN", 1, 1e3, FORCE},
    {"lbf", 44482216152605, 1e13, FORCE},
    {"Hz", 1, 1, FREQUENCY},
    {"J", 1, 1, ENERGY},
    {"kJ", 1e3, 1, ENERGY},
    {"W", 1, 1, POWER},
    {"kW", 1e3, 1, POWER},
    {"Pa", 1, 1, PRESSURE},
    {"kPa", 1e3, 1, PRESSURE},
    {"MPa", 1e6, 1, PRESSURE},
    {"GPa", 1e9, 1, PRESSURE},
    {"bar", 1e5, 1, PRESSURE},
    {"nm", 1, 1e9, LENGTH},
    {"yd", 9144, 1e4, LENGTH},
    {"mi", 1609344, 1e3, LENGTH},
    {"mg", 1, 1e6, MASS},
    {"ug", 1, 1e9, MASS},
    {"oz", 45359237, 16e8, MASS},
    {"slug", 44482216152605, 3048e9, MASS},
    {"ns", 1, 1e9, TIME},
    {"mrad", 1, 1e3, ANGLE},
    {"uN", 1, 1e6, FORCE},
    {"MN", 1e6, 1, FORCE},
    {"kgf", 980665, 1e5, FORCE},
    {"kHz", 1e3, 1, FREQUENCY},
    {"mJ", 1, 1e3, ENERGY},
    {"MJ", 1e6, 1, ENERGY},
    {"mW", 1, 1e3, POWER},
    {"MW", 1e6, 1, POWER},
    {"psi", 44482216152605, 64516e5, PRESSURE},
};

enum { UNITS = sizeof units / sizeof units[0] };

/* What is often written instead. */
static const struct {
    const char *name, *unit;
} habits[] = {
    {"Nm", "N*m"},      {"Nmm", "N*mm"},   {"kNm", "kN*m"},   {"Ns", "N*s"},      {"sec", "s"},      {"second", "s"},
    {"seconds", "s"},   {"meter", "m"},    {"metre", "m"},    {"meters", "m"},    {"metres", "m"},   {"degree", "deg"},
    {"degrees", "deg"}, {"\u00b0", "deg"}, {"radian", "rad"}, {"radians", "rad"}, {"hr", "h"},       {"minute", "min"},
    {"minutes", "min"}, {"inch", "in"},    {"mile", "mi"},    {"\u00b5g", "ug"},  {"\u03bcg", "ug"}, {"\u00b5s", "us"},
    {"\u03bcs", "us"},  {"kph", "km/h"},   {"kmh", "km/h"},   {"fps", "ft/s"},    {"kn", "kN"},      {"lbs", "lb"},
    {"\u00b5m", "um"},  {"\u03bcm", "um"}, {"mps", "m/s"},
};

static const Unit *units_find_unit(const char *name, size_t length)
{
    for (int i = 0; i < UNITS; i++) {
        if (strncmp(units[i].name, name, length) == 0 && units[i].name[length] == '\0')
            return &units[i];
    }
    return NULL;
}

bool hol_unit_exists(const char *name, size_t length)
{
    return units_find_unit(name, length) != NULL;
}

/* Units of the same dimension with another prefix: t for kt. */
static const Unit *units_without_prefix(const char *name)
{
    return name[0] && strchr("TGMkhdcmunp", name[0]) ? units_find_unit(name + 1, strlen(name + 1)) : NULL;
}

const char *hol_unit_nearest(const char *name)
{
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        if (strcmp(habits[i].name, name) == 0)
            return habits[i].unit;
    }
    const char *names[UNITS + 1] = {NULL};
    for (int i = 0; i < UNITS; i++) {
        if (strcasecmp(units[i].name, name) == 0)
            return units[i].name;
        names[i] = units[i].name;
    }
    const Unit *plain = units_without_prefix(name);
    if (plain)
        return plain->name;
    return hol_nearest_name(name, names);
}

HolScale hol_scale_one(void)
{
    return (HolScale){1, 1, {.state = HOL_KNOWN}};
}

HolScale hol_scale_of(const char *name, size_t length)
{
    const Unit *unit = units_find_unit(name, length);
    assert(unit);
    return (HolScale){unit->times, unit->over, dimensions[unit->quantity]};
}

bool hol_scale_multiply(HolScale *scale, const HolScale *factor, int power)
{
    assert(abs(power) <= HOL_UNIT_HIGHEST_POWER);
    for (int i = 0; i < abs(power); i++) {
        scale->times *= power > 0 ? factor->times : factor->over;
        scale->over *= power > 0 ? factor->over : factor->times;
    }
    return isfinite(scale->times) && isfinite(scale->over) &&
           hol_dimension_multiply(scale->dimension, factor->dimension, power, &scale->dimension);
}

/* Dimensions as arrays of powers. */

static void get_powers(HolDimension a, int powers[DIMENSIONS])
{
    bool known = a.state == HOL_KNOWN;
    powers[0] = known ? a.length : 0;
    powers[1] = known ? a.mass : 0;
    powers[2] = known ? a.time : 0;
    powers[3] = known ? a.angle : 0;
}

static bool set_powers(const int powers[DIMENSIONS], HolDimension *a)
{
    for (int i = 0; i < DIMENSIONS; i++) {
        if (abs(powers[i]) > HIGHEST_POWER)
            return false;
    }
    *a = (HolDimension){HOL_KNOWN, (signed char)powers[0], (signed char)powers[1], (signed char)powers[2],
                        (signed char)powers[3]};
    return true;
}

static bool same_but_angle(HolDimension a, HolDimension b)
{
    return a.length == b.length && a.mass == b.mass && a.time == b.time;
}

static bool is_mechanical(HolDimension a)
{
    return a.length != 0 || a.mass != 0;
}

bool hol_dimension_multiply(HolDimension a, HolDimension b, int power_of_b, HolDimension *product)
{
    if (a.state != HOL_KNOWN && b.state != HOL_KNOWN) {
        *product = (HolDimension){.state = a.state == HOL_PURE && b.state == HOL_PURE ? HOL_PURE : HOL_FREE};
        return true;
    }
    if (a.state == HOL_FREE || b.state == HOL_FREE) {
        *product = (HolDimension){.state = HOL_FREE};
        return true;
    }
    int powers[DIMENSIONS], more[DIMENSIONS];
    get_powers(a, powers);
    get_powers(b, more);
    for (int i = 0; i < DIMENSIONS; i++)
        powers[i] += power_of_b * more[i];
    return set_powers(powers, product);
}

bool hol_dimension_power(HolDimension a, double power, HolDimension *result)
{
    *result = a;
    if (a.state != HOL_KNOWN)
        return true;
    int powers[DIMENSIONS];
    get_powers(a, powers);
    for (int i = 0; i < DIMENSIONS; i++) {
        double p = powers[i] * power, whole = nearbyint(p);
        if (!(fabs(whole) <= HIGHEST_POWER))
            return false;
        if (fabs(p - whole) > HOL_TOL_AMPLIFIED) {
            *result = (HolDimension){.state = HOL_FREE};
            return true;
        }
        powers[i] = (int)whole;
    }
    return set_powers(powers, result);
}

bool hol_dimension_merge(HolDimension a, HolDimension b, HolDimension *common)
{
    if (a.state != HOL_KNOWN || b.state != HOL_KNOWN) {
        bool take_b = b.state == HOL_KNOWN || (a.state == HOL_PURE && b.state == HOL_FREE);
        *common = take_b ? b : a;
        return true;
    }
    *common = a.angle < b.angle ? a : b;
    bool angles_agree = a.angle == b.angle || (is_mechanical(a) && a.angle >= 0 && b.angle >= 0);
    return same_but_angle(a, b) && angles_agree;
}

bool hol_dimension_is_number(HolDimension a)
{
    return a.state != HOL_KNOWN || (same_but_angle(a, (HolDimension){.state = HOL_KNOWN}) && a.angle == 0);
}

bool hol_dimension_is_angle(HolDimension a)
{
    return hol_dimension_is_number(a) || (same_but_angle(a, dimensions[ANGLE]) && a.angle == 1);
}

bool hol_dimension_fits(HolDimension value, HolDimension wanted)
{
    if (value.state != HOL_KNOWN)
        return true;
    return same_but_angle(value, wanted) &&
           (value.angle == wanted.angle || (is_mechanical(wanted) && value.angle >= 0));
}

bool hol_dimension_read(const char *unit, HolDimension *dimension)
{
    HolScale scale = hol_scale_one();
    int sign = 1;
    for (const char *at = unit + (unit[0] == '1'); *at != '\0';) {
        if (*at == '*' || *at == '/')
            sign = *at++ == '/' ? -1 : 1;
        size_t length = strcspn(at, "*/^");
        const char *name = at;
        int power = sign;
        at += length;
        if (*at == '^') {
            char *end;
            power *= (int)strtol(at + 1, &end, 10);
            at = end;
        }
        HolScale factor = hol_unit_exists(name, length) ? hol_scale_of(name, length) : (HolScale){0};
        if (!(factor.over > 0) || !hol_scale_multiply(&scale, &factor, power))
            return false;
    }
    *dimension = scale.dimension;
    return true;
}

HolDimension hol_dimension_of(const char *unit)
{
    HolDimension dimension = hol_scale_one().dimension;
    bool is_known = hol_dimension_read(unit, &dimension);
    assert(is_known);
    (void)is_known;
    return dimension;
}

/* Puts a factor into the name: "kg*m^2/s". */
static void append_power(char name[32], const char *unit, int power)
{
    size_t used = strlen(name);
    const char *sign = power < 0 ? "/" : used > 0 ? "*" : "";
    if (power < 0 && used == 0)
        sign = "1/";
    if (abs(power) == 1)
        hol_format(name + used, 32 - used, "%s%s", sign, unit);
    else if (power != 0)
        hol_format(name + used, 32 - used, "%s%s^%d", sign, unit, abs(power));
}

void hol_dimension_name(HolDimension dimension, char name[32])
{
    static const char *const common[] = {"m",       "kg",     "s",   "rad",     "m/s",       "m/s^2", "rad/s",
                                         "rad/s^2", "N",      "N/m", "N*s/m",   "Pa",        "W",     "Hz",
                                         "kg*m^2",  "kg/m^3", "N*m", "N*m/rad", "N*m*s/rad", "N*s",   "N*m*s"};
    static const char *const base[DIMENSIONS] = {"m", "kg", "s", "rad"};
    static const int order[DIMENSIONS] = {1, 0, 2, 3};
    int powers[DIMENSIONS], others[DIMENSIONS];
    name[0] = '\0';
    if (hol_dimension_is_number(dimension)) {
        hol_format(name, 32, "%s", dimension.state == HOL_FREE ? "any unit" : "a pure number");
        return;
    }
    get_powers(dimension, powers);
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        get_powers(hol_dimension_of(common[i]), others);
        if (memcmp(powers, others, sizeof powers) == 0) {
            hol_format(name, 32, "%s", common[i]);
            return;
        }
    }
    for (int sign = 1; sign >= -1; sign -= 2) {
        for (int k = 0; k < DIMENSIONS; k++) {
            if (powers[order[k]] * sign > 0)
                append_power(name, base[order[k]], powers[order[k]]);
        }
    }
}
