/* SPDX-License-Identifier: BSD-3-Clause */
/* What expressions say about mistakes, where they point to, and that no text does harm. */
#include "check.h"
#include "expression_scope.h"
#include "random.h"

typedef struct Mistake {
    const char *text;
    int offset;
    const char *sentence;
} Mistake;

static const Mistake mistakes[] = {
    {"", 0, "a number is expected"},
    {"  ", 2, "a number is expected"},
    {"1 +", 2, "a value is expected after '+'"},
    {"1 + )", 2, "a value is expected after '+'"},
    {"2 * * 3", 2, "a value is expected after '*'"},
    {"-", 0, "a value is expected after '-'"},
    {"not", 0, "a value is expected after 'not'"},
    {"1 and", 2, "a value is expected after 'and'"},
    {"2^", 1, "a value is expected after '^'"},
    {"()", 0, "a value is expected after '('"},
    {"(", 0, "a value is expected after '('"},
    {"max(1,)", 5, "a value is expected after ','"},
    {"max(,1)", 3, "a value is expected after '('"},
    {")", 0, "unexpected ')'"},
    {"1 )", 2, "unexpected ')'"},
    {"(1))", 3, "unexpected ')'"},
    {"*2", 0, "unexpected '*'"},
    {"1, 2", 1, "unexpected ','"},
    {"(1, 2)", 2, "unexpected ','"},
    {"and 1", 0, "unexpected 'and'"},
    {"1 $ 2", 2, "unexpected '$'"},
    {"1.2.3", 3, "an operator is missing before '.3'"},
    {".", 0, "unexpected '.'"},
    {"1 + ?", 4, "unexpected '?'"},
    {"1 \x01", 2, "unexpected control character 1"},
    {"2 ** 3", 2, "unexpected '**' (did you mean '^'?)"},
    {"t = 2", 2, "unexpected '=' (did you mean '=='?)"},
    {"t && 1", 2, "unexpected '&&' (did you mean 'and'?)"},
    {"t || 1", 2, "unexpected '||' (did you mean 'or'?)"},
    {"!t", 0, "unexpected '!' (did you mean 'not'?)"},
    {"(1", 2, "')' is missing"},
    {"sin(1", 5, "')' is missing"},
    {"2*(1+2", 6, "')' is missing"},
    {"x y", 2, "an operator is missing before 'y'"},
    {"x 2", 2, "an operator is missing before '2'"},
    {"2 (3)", 2, "an operator is missing before '('"},
    {"(2) (3)", 4, "an operator is missing before '('"},
    {"2 sin(t)", 2, "an operator is missing before 'sin'"},
    {"2 min(1, 2)", 2, "an operator is missing before 'min'"},
    {"x not y", 2, "an operator is missing before 'not'"},
    {"2*pi rad", 5, "the unit 'rad' must follow a number"},
    {"(2) m", 4, "the unit 'm' must follow a number"},
    {"lenght", 0, "'lenght' is unknown (did you mean 'length'?)"},
    {"1 + lenght*2", 4, "'lenght' is unknown (did you mean 'length'?)"},
    {"qqqqqqqq", 0, "'qqqqqqqq' is unknown (variables here: x, y, t)"},
    {"roat(2)", 0, "'roat' is unknown (did you mean 'road'?)"},
    {"sqr(2)", 0, "'sqr' is unknown (did you mean 'sqrt'?)"},
    {"piecwise(1, 2, 3)", 0, "'piecwise' is unknown (did you mean 'piecewise'?)"},
    {"5*m", 2, "'m' is unknown (a unit must follow a number)"},
    {"sin", 0, "'sin' is a function, '(' must follow"},
    {"road + 1", 0, "'road' is a function, '(' must follow"},
    {"x(2)", 0, "'x' is not a function"},
    {"length(2)", 0, "'length' is not a function"},
    {"60 rpn", 3, "'rpn' is not a unit (did you mean 'rpm'?)"},
    {"2 x", 2, "'x' is not a unit (did you mean '2*x'?)"},
    {"2.5length", 3, "'length' is not a unit (did you mean '2.5*length'?)"},
    {"2 pi", 2, "'pi' is not a unit (did you mean '2*pi'?)"},
    {"2e", 1, "'e' is not a unit (did you mean '2*e'?)"},
    {"5 Nm", 2, "'Nm' is not a unit (did you mean 'N*m'?)"},
    {"5 kt", 2, "'kt' is not a unit (did you mean 't'?)"},
    {"5 dm", 2, "'dm' is not a unit (did you mean 'm'?)"},
    {"5 \u00b5g", 2, "'\u00b5g' is not a unit (did you mean 'ug'?)"},
    {"5 N/(mm/s", 9, "')' is missing"},
    {"5 N/(mm/s 2)", 10, "an operator is missing before '2'"},
    {"5 N/(mm/s)^2^2", 12, "unexpected '^'"},
    {"5 N/(m^9*m^9)^9", 4, "the powers of the unit become too high"},
    {"5 KG", 2, "'KG' is not a unit (did you mean 'kg'?)"},
    {"5 \u00b0", 2, "'\u00b0' is not a unit (did you mean 'deg'?)"},
    {"0x10", 1, "'x10' is not a unit"},
    {"5 m^0.5", 4, "the exponent of a unit must be a whole number up to 9"},
    {"5 m^x", 4, "the exponent of a unit must be a whole number up to 9"},
    {"5 m^10", 4, "the exponent of a unit must be a whole number up to 9"},
    {"5 m^2^2", 5, "unexpected '^'"},
    {"1e999", 0, "'1e999' is not a finite number"},
    {"2 + 1e400", 4, "'1e400' is not a finite number"},
    {".nan", 0, "'.nan' is not a finite number"},
    {".NaN", 0, "'.NaN' is not a finite number"},
    {"nan", 0, "'nan' is not a finite number"},
    {"inf", 0, "'inf' is not a finite number"},
    {"Infinity", 0, "'Infinity' is not a finite number"},
    {"-.inf", 1, "'.inf' is not a finite number"},
    {"1/0", 0, "'1/0' is not a finite number"},
    {"2 + 3*(1 / zero)", 7, "'1 / zero' is not a finite number"},
    {"2*((2 - 1)/zero)", 3, "'(2 - 1)/zero' is not a finite number"},
    {"t + sqrt(-1)*2", 4, "'sqrt(-1)' is not a finite number"},
    {"t*(1/(1/0))", 6, "'1/0' is not a finite number"},
    {"if(t > 0, 1/zero, 2)", 10, "'1/zero' is not a finite number"},
    {"if(1/0, 1, 2)", 3, "'1/0' is not a finite number"},
    {"log(0)", 0, "'log(0)' is not a finite number"},
    {"10^400", 0, "'10^400' is not a finite number"},
    {"mod(1, 0)", 0, "'mod(1, 0)' is not a finite number"},
    {"1e300 km*km*km", 0, "'1e300 km*km*km' is not a finite number"},
    {"sin(1, 2)", 0, "'sin' takes 1 value, not 2"},
    {"1 + sin()", 4, "'sin' takes 1 value, not 0"},
    {"atan2(1)", 0, "'atan2' takes 2 values, not 1"},
    {"min(1)", 0, "'min' takes 2 or more values, not 1"},
    {"if(1, 2)", 0, "'if' takes 3 values, not 2"},
    {"piecewise(1, 2, 3, 4)", 0, "'piecewise' takes an odd number of values, 3 or more, not 4"},
    {"piecewise(1)", 0, "'piecewise' takes an odd number of values, 3 or more, not 1"},
    {"table(t, 1, 2)", 0, "'table' takes an odd number of values, 5 or more, not 3"},
    {"table(t, 1, 2, 3)", 0, "'table' takes an odd number of values, 5 or more, not 4"},
    {"road(1, 2)", 0, "'road' takes 1 value, not 2"},
    {"table(t, 0, x, 1, 2)", 12, "the points of 'table' must be constant"},
    {"1 + table(t, 1, 0, 0, 1)", 4, "the points of a table must ascend, but 0 comes after 1"},
    {"1 < 2 < 3", 6, "comparisons do not chain (write 'a < b and b < c')"},
    {"1 + not 2", 4, "'not' must be in parentheses here"},
    {"wrong", 0, ""},
    {"2*(1 + wrong)", 7, ""},
};

static void mistakes_are_said_in_a_sentence(void)
{
    HolArena *arena = hol_arena_create();
    HolTable *road;
    HolExpression *f;
    REQUIRE_OK(hol_table_create(arena, 2, (double[]){0, 1}, (double[]){0, 1}, false, &road, NULL));
    HolSymbols symbols = scope_symbols(road);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        HolExpressionError error = {-1, {"old"}};
        CHECK_CONTEXT("%s", mistakes[i].text);
        CHECK_STATUS(hol_expression_parse(mistakes[i].text, &symbols, arena, &f, &error), HOL_BAD_INPUT);
        CHECK_STRING(error.message.text, mistakes[i].sentence);
        CHECK_EQUAL_INT(error.offset, mistakes[i].offset);
    }
    hol_arena_destroy(arena);
}

/* Numbers fail alike; variables do not exist there. */
static void numbers_have_the_same_sentences(void)
{
    static const Mistake of_numbers[] = {
        {"", 0, "a number is expected"},
        {"1e999", 0, "'1e999' is not a finite number"},
        {"-1e999", 1, "'1e999' is not a finite number"},
        {"1/0", 0, "'1/0' is not a finite number"},
        {"x + 1", 0, "'x' is unknown"},
        {"wrong", 0, ""},
        {"table(2, 0, 0)", 0, "'table' takes an odd number of values, 5 or more, not 3"},
        {"table(2, 0, 0, 0, 0)", 0, "the points of a table must ascend, but 0 comes after 0"},
    };
    HolSymbols symbols = scope_symbols(NULL);
    for (size_t i = 0; i < sizeof of_numbers / sizeof of_numbers[0]; i++) {
        HolExpressionError error = {-1, {"old"}};
        HolDimension dimension;
        double value;
        CHECK_CONTEXT("%s", of_numbers[i].text);
        CHECK_STATUS(hol_number_parse(of_numbers[i].text, &symbols, &value, &dimension, &error), HOL_BAD_INPUT);
        CHECK_STRING(error.message.text, of_numbers[i].sentence);
        CHECK_EQUAL_INT(error.offset, of_numbers[i].offset);
    }
}

static void long_names_are_cut(void)
{
    char text[5000];
    HolSymbols symbols = scope_symbols(NULL);
    HolExpressionError error;
    HolDimension dimension;
    double value;
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '\0';
    CHECK_STATUS(hol_number_parse(text, &symbols, &value, &dimension, &error), HOL_BAD_INPUT);
    CHECK_CONTAINS(error.message.text, "' is unknown");
    CHECK(strlen(error.message.text) < 80);
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\u00e4", 2); /* two bytes each, never cut in the middle */
    text[sizeof text - 2] = '\0';
    CHECK_STATUS(hol_number_parse(text, &symbols, &value, &dimension, &error), HOL_BAD_INPUT);
    CHECK_CONTAINS(error.message.text, "\u00e4' is unknown");
}

/* Whatever the text, the parser comes back, and what it accepts can be evaluated. */

static const char *const words[] = {
    "1", "2.5", ".5",   "1e3", "x", "t", "length", "wrong", "width", "g",  "+",   "-",     "*",     "/",   "^",
    "(", "(",   ")",    ")",   ",", "<", ">=",     "==",    "and",   "or", "not", "sin(",  "max(",  "if(", "sqrt(",
    "e", "pi",  "mod(", "log", " ", "m", "kg",     "rpm",   "N*m/s", "^2", "0",   "road(", "atan2("};

enum { WORDS = sizeof words / sizeof words[0] };

static void random_text(char *text, size_t size)
{
    int count = random_between(1, 25);
    bool of_words = random_between(0, 3) > 0;
    for (int i = 0; i < count; i++) {
        const char letter[] = {(char)random_between(1, 255), '\0'};
        strncat(text, of_words ? words[random_between(0, WORDS - 1)] : letter, size - strlen(text) - 1);
    }
}

/* Well-formed ones by chance are rare: these are grown by the grammar, appended to the text. */
static void grow_expression(char *text, int depth)
{
    static const char *const leaves[] = {"1", "2", "x", "t", "length", "0.5", "3 m", "angle", "y", "zero"};
    static const char *const shapes[][3] = {
        {"(", ")+(", ")"},     {"(", ")*(", ")"},     {"(", ")/(", ")"},
        {"(", ")^(", ")"},     {"sin(", ")-(", ")"},  {"max(", ",", ")"},
        {"if(", ",", ",1)"},   {"-(", ")<(", ")"},    {"hypot(", ",", ")"},
        {"(", ") and (", ")"}, {"sqrt(", ")*(", ")"}, {"table(", ",0,0,1,", ")"},
        {"mod(", ",", ")"},    {"atan2(", ",", ")"},  {"piecewise(", ",1,x,", ",3)"},
    };
    if (depth == 0) {
        strcat(text, leaves[random_between(0, 9)]);
        return;
    }
    const char *const *shape = shapes[random_between(0, 14)];
    strcat(text, shape[0]);
    grow_expression(text, depth - 1);
    strcat(text, shape[1]);
    grow_expression(text, depth - 1);
    strcat(text, shape[2]);
}

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* True if the text was accepted. */
static bool try_text(const char *text, HolArena *arena, HolTable *road)
{
    const double x[] = {0.3, 0.7, 1.1};
    const HolJet jets[] = {{0.3, 1, 0.5}, {0.7, -1, 0.2}, {1.1, 1, 0}};
    HolSymbols symbols = scope_symbols(road);
    HolExpressionError error = {-1, {"?"}};
    HolExpression *f;
    HolStatus status = hol_expression_parse(text, &symbols, arena, &f, &error);
    if (status == HOL_OK) {
        CHECK(same(hol_expression_value(f, x), hol_expression_jet(f, jets).f));
        CHECK(!hol_expression_is_constant(f) || isfinite(hol_expression_value(f, x)));
        return true;
    }
    CHECK_STATUS(status, HOL_BAD_INPUT);
    CHECK(error.offset >= 0 && (size_t)error.offset <= strlen(text));
    CHECK(strcmp(error.message.text, "?") != 0);
    return false;
}

static void no_text_does_harm(void)
{
    char text[2000];
    int accepted = 0, grown = 0;
    random_seed(7);
    for (int i = 0; i < 40000; i++) {
        HolArena *arena = hol_arena_create();
        HolTable *road = NULL;
        REQUIRE(arena && !hol_table_create(arena, 2, (double[]){0, 1}, (double[]){0, 1}, false, &road, NULL));
        text[0] = '\0';
        if (i % 2 == 0)
            random_text(text, sizeof text);
        else
            grow_expression(text, random_between(1, 4));
        CHECK_CONTEXT("%s", text);
        bool fine = try_text(text, arena, road);
        accepted += fine && i % 2 == 0;
        grown += fine && i % 2 == 1;
        hol_arena_destroy(arena);
    }
    CHECK_CONTEXT("%d and %d accepted", accepted, grown);
    CHECK(accepted > 100 && grown > 5000);
}

CHECK_MAIN(TEST(mistakes_are_said_in_a_sentence), TEST(numbers_have_the_same_sentences), TEST(long_names_are_cut),
           TEST(no_text_does_harm))
