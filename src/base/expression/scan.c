/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/expression/scan.h"

#include "base/format.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}

static int digits_length(const char *text)
{
    int length = 0;
    while (is_digit(text[length]))
        length++;
    return length;
}

int hol_decimal_length(const char *text)
{
    int whole = digits_length(text), length = whole, fraction = 0;
    if (text[length] == '.') {
        fraction = digits_length(text + length + 1);
        length += 1 + fraction;
    }
    if (whole + fraction == 0)
        return 0;
    if (text[length] == 'e' || text[length] == 'E') {
        int sign = text[length + 1] == '+' || text[length + 1] == '-';
        int exponent = digits_length(text + length + 1 + sign);
        length += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return length;
}

/* Digits without leading zeros and without point, times ten to the exponent. 768 digits decide the rounding of every
 * double; of more only matters whether one is not zero. */
enum { MOST_DIGITS = 780, MOST_EXPONENT = 100000000 };

typedef struct Decimal {
    char digits[MOST_DIGITS + 32]; /* and room for the exponent */
    int count, exponent;
    bool more;
} Decimal;

static void add_digit(Decimal *decimal, char digit, bool after_point)
{
    bool leading = decimal->count == 0 && digit == '0';
    bool kept = !leading && decimal->count < MOST_DIGITS;
    if (kept)
        decimal->digits[decimal->count++] = digit;
    else
        decimal->more = decimal->more || digit != '0';
    decimal->exponent += (kept || leading ? 0 : 1) - (after_point ? 1 : 0);
}

static int exponent_value(const char *text, const char *end)
{
    bool negative = *text == '-';
    int value = 0;
    for (text += *text == '-' || *text == '+'; text < end; text++)
        value = value < MOST_EXPONENT ? 10 * value + (*text - '0') : value;
    return negative ? -value : value;
}

static void read_decimal(const char *text, int length, Decimal *decimal)
{
    bool after_point = false;
    decimal->count = decimal->exponent = 0;
    decimal->more = false;
    for (int i = 0; i < length; i++) {
        if (is_digit(text[i])) {
            add_digit(decimal, text[i], after_point);
        } else if (text[i] == '.') {
            after_point = true;
        } else {
            decimal->exponent += exponent_value(text + i + 1, text + length);
            return;
        }
    }
}

/* Whole numbers up to 2^53 and ten to the 22 are exact in doubles, so that one operation rounds once. */
static bool is_short(const Decimal *decimal, double *value)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    long long whole = 0;
    if (decimal->count > 16 || abs(decimal->exponent) > 22)
        return false;
    for (int i = 0; i < decimal->count; i++)
        whole = 10 * whole + (decimal->digits[i] - '0');
    double exact = (double)whole;
    *value = decimal->exponent < 0 ? exact / tens[-decimal->exponent] : exact * tens[decimal->exponent];
    return whole <= 1LL << 53;
}

/* strtod() never meets the decimal point, the only thing that a locale changes. */
double hol_decimal_value(const char *text, int length)
{
    Decimal decimal;
    double value;
    read_decimal(text, length, &decimal);
    if (decimal.count == 0)
        return 0;
    if (is_short(&decimal, &value))
        return value;
    if (decimal.more) {
        decimal.digits[decimal.count++] = '1';
        decimal.exponent--;
    }
    hol_format(decimal.digits + decimal.count, 32 - 1, "e%d", decimal.exponent);
    return strtod(decimal.digits, NULL);
}

static int scan_name_length(const char *text)
{
    int length = 0;
    if (text[0] == '.' && (strncasecmp(text, ".nan", 4) == 0 || strncasecmp(text, ".inf", 4) == 0))
        length = 4;
    else if (!is_letter(text[0]))
        return 0;
    while (is_letter(text[length]) || is_digit(text[length]))
        length++;
    return length;
}

static int sign_length(const char *text)
{
    static const char *const pairs[] = {"<=", ">=", "==", "!=", "**", "&&", "||"};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (strncmp(text, pairs[i], 2) == 0)
            return 2;
    }
    return 1;
}

HolToken hol_token_at(const char *text, int start)
{
    start += (int)strspn(text + start, " \t\r\n");
    HolToken token = {.start = start};
    if (text[start] == '\0')
        return token;
    if ((token.length = hol_decimal_length(text + start)) > 0)
        token.kind = HOL_TOKEN_NUMBER;
    else if ((token.length = scan_name_length(text + start)) > 0)
        token.kind = HOL_TOKEN_NAME;
    else {
        token.length = sign_length(text + start);
        token.kind = HOL_TOKEN_SIGN;
    }
    return token;
}

bool hol_token_is(const char *text, HolToken token, const char *word)
{
    return text[token.start] == word[0] && strncmp(text + token.start, word, (size_t)token.length) == 0 &&
           word[token.length] == '\0';
}
