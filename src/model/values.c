/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/format.h"
#include "base/letters.h"
#include "base/message.h"
#include "model/reader_internal.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* "'mass': " in front of a sentence, or nothing where no key is being read. */
static const char *field_prefix(const HolReader *reader, char text[80])
{
    text[0] = '\0';
    if (reader->field)
        hol_format(text, 80, "'%s': ", reader->field);
    return text;
}

__attribute__((format(printf, 3, 4))) static bool values_report(HolReader *reader, HolPlace place, const char *format,
                                                                ...)
{
    char prefix[80];
    HolMessage sentence;
    va_list arguments;
    va_start(arguments, format);
    hol_vformat(sentence.text, sizeof sentence.text, format, arguments);
    va_end(arguments);
    return hol_reader_error(reader, place, "%s%s", field_prefix(reader, prefix), sentence.text);
}

/* Reports the expected type and the actual one. */
static bool report_type(HolReader *reader, const HolNode *node, const char *expected)
{
    if (node->type == HOL_SCALAR && !hol_node_is_null(node))
        return values_report(reader, node->place, "%s is expected, not '%.80s'", expected, node->text);
    return values_report(reader, node->place, "%s is expected, not %s", expected, hol_node_type_name(node));
}

/* The place of a mistake inside a scalar. */
static HolPlace place_inside(const HolNode *node, int offset)
{
    HolPlace place = node->place;
    if (place.line > 0 && !node->is_rewritten)
        place.column += offset + (node->is_quoted ? 1 : 0);
    return place;
}

bool hol_is_torn(const HolNode *node)
{
    int open = 0;
    for (const char *c = node->type == HOL_SCALAR && !node->is_quoted ? node->text : ""; *c; ++c)
        open += (*c == '(') - (*c == ')');
    return open > 0;
}

static bool report_torn(HolReader *reader, const HolNode *node)
{
    return values_report(reader, node->place, "an expression that contains a comma needs quotes around it");
}

static bool report_expression(HolReader *reader, const HolNode *node, const HolExpressionError *error)
{
    if (node->key && node->next && hol_node_is_null(node->next) && hol_is_torn(node))
        return report_torn(reader, node);
    return error->message.text[0] &&
           values_report(reader, place_inside(node, error->offset), "%s", error->message.text);
}

const char *hol_read_text(HolReader *reader, const HolNode *node, const char *expected)
{
    if (node->type == HOL_SCALAR && !hol_node_is_null(node))
        return node->text;
    report_type(reader, node, expected);
    return NULL;
}

bool hol_read_list(HolReader *reader, const HolNode *node, int count, const char *expected)
{
    if (node->type == HOL_LIST && node->count == count)
        return true;
    for (const HolNode *entry = node->type == HOL_LIST ? node->first : NULL; entry; entry = entry->next)
        if (hol_is_torn(entry))
            return report_torn(reader, entry);
    if (node->type == HOL_LIST)
        return values_report(reader, node->place, "%s is expected, not a list of %d", expected, node->count);
    return report_type(reader, node, expected);
}

/* Whether the mistake is that a number is to be a function of the time. */
static bool is_about_time(const char *text, const HolExpressionError *error)
{
    const char *at = text + error->offset;
    return at[0] == 't' && !hol_is_letter_or_digit(at[1]) && at[1] != '_' &&
           strncmp(error->message.text, "'t' is unknown", strlen("'t' is unknown")) == 0;
}

/* Explains that inputs are not allowed outside forces. */
static void explain_input(const HolReader *reader, const char *text, HolExpressionError *error)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const char *name = text + error->offset;
    int input = hol_names_find_part(reader->input_names, name, strspn(name, letters));
    if (input >= 0 && strstr(error->message.text, "is unknown"))
        hol_fail(&error->message, HOL_OK, "'%s' is an input, and only forces may depend on inputs",
                 hol_names_get(reader->input_names, input));
}

bool hol_read_quantity(HolReader *reader, const HolNode *node, double *value, HolDimension *dimension)
{
    HolExpressionError error = {0};
    const char *text = hol_read_text(reader, node, "a number");
    if (!text)
        return false;
    if (hol_number_parse(text, &reader->symbols, value, dimension, &error) == HOL_OK)
        return true;
    if (is_about_time(text, &error))
        hol_fail(&error.message, HOL_OK, "'t' is unknown; this is a number and cannot depend on the time");
    explain_input(reader, text, &error);
    return report_expression(reader, node, &error);
}

static bool check_dimension(HolReader *reader, const HolNode *node, HolDimension found, const char *unit)
{
    char name[32];
    if (!unit || hol_dimension_fits(found, hol_dimension_of(unit)))
        return true;
    hol_dimension_name(found, name);
    return values_report(reader, node->place, "a value in %s is expected, not in %s", unit[0] ? unit : "plain numbers",
                         name);
}

bool hol_read_number(HolReader *reader, const HolNode *node, const char *unit, double *value)
{
    HolDimension dimension = {0};
    return hol_read_quantity(reader, node, value, &dimension) && check_dimension(reader, node, dimension, unit);
}

static bool check_rule(HolReader *reader, const HolNode *node, HolRule rule, double value)
{
    if (rule == HOL_ANY || value > 0 || (rule == HOL_NOT_NEGATIVE && value == 0))
        return true;
    const char *wanted = rule == HOL_POSITIVE ? "positive" : "zero or positive";
    if (reader->field)
        return hol_reader_error(reader, node->place, "'%s' must be %s, not %g", reader->field, wanted, value);
    return hol_reader_error(reader, node->place, "it must be %s, not %g", wanted, value);
}

static bool values_read_whole(HolReader *reader, const HolNode *node, const HolField *field, int *value)
{
    double number;
    if (!hol_read_number(reader, node, field->unit, &number) || !check_rule(reader, node, field->rule, number))
        return false;
    if (number == floor(number) && fabs(number) < 1e9) {
        *value = (int)number;
        return true;
    }
    return report_type(reader, node, "a whole number");
}

static bool read_flag(HolReader *reader, const HolNode *node, bool *value)
{
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on", NULL};
    const char *text = hol_read_text(reader, node, "true or false");
    for (int i = 0; text && words[i]; ++i)
        if (strcmp(text, words[i]) == 0) {
            *value = i % 2 == 1;
            return true;
        }
    return text && report_type(reader, node, "true or false");
}

/* "linear, cubic" */
static void values_list_names(const char *const *names, char *list, size_t size)
{
    size_t used = 0;
    list[0] = '\0';
    for (int i = 0; names[i] && used < size; ++i)
        used += (size_t)hol_format(list + used, size - used, "%s%s", i ? ", " : "", names[i]);
}

static bool values_read_choice(HolReader *reader, const HolNode *node, const char *const *names, int *value)
{
    HolMessage expected;
    char list[200];
    values_list_names(names, list, sizeof list);
    hol_fail(&expected, HOL_OK, "a word (%s)", list);
    const char *text = hol_read_text(reader, node, expected.text);
    for (int i = 0; text && names[i]; ++i)
        if (strcmp(text, names[i]) == 0) {
            *value = i;
            return true;
        }
    if (!text)
        return false;
    const char *near = hol_nearest_name(text, names);
    if (near)
        return values_report(reader, node->place, "'%.80s' is not among the choices (did you mean '%s'?)", text, near);
    return values_report(reader, node->place, "'%.80s' is not among the choices (%s)", text, list);
}

bool hol_read_function(HolReader *reader, const HolNode *node, const HolField *field, HolFunction *function)
{
    HolExpressionError error = {0};
    HolExpression *expression;
    HolSymbols symbols = reader->symbols;
    const char *text = hol_read_text(reader, node, "a number or an expression");
    if (!text)
        return false;
    const char *variables[HOL_MAX_VARIABLES + HOL_MAX_INPUTS];
    symbols.variables = variables;
    while (field->names && field->names[symbols.variable_count]) {
        variables[symbols.variable_count] = field->names[symbols.variable_count];
        ++symbols.variable_count;
    }
    for (int i = 0; field->inputs && i < hol_names_count(reader->input_names); ++i)
        variables[symbols.variable_count++] = hol_names_get(reader->input_names, i);
    if (hol_expression_parse(text, &symbols, reader->arena, &expression, &error) != HOL_OK) {
        explain_input(reader, text, &error);
        return report_expression(reader, node, &error);
    }
    if (!check_dimension(reader, node, hol_expression_dimension(expression), field->unit))
        return false;
    *function = (HolFunction){.expression = expression};
    hol_reader_list_function(reader, &symbols, expression);
    if (hol_expression_is_constant(expression)) {
        const double nothing[HOL_MAX_VARIABLES + HOL_MAX_INPUTS] = {0};
        *function = (HolFunction){.constant = hol_expression_value(expression, nothing)};
        return check_rule(reader, node, field->rule, function->constant);
    }
    return true;
}

bool hol_read_components(HolReader *reader, const HolNode *node)
{
    int count = reader->planar ? 2 : 3, other = 5 - count;
    if (node->type != HOL_LIST || node->count != other)
        return hol_read_list(reader, node, count, reader->planar ? "a list of 2 numbers" : "a list of 3 numbers");
    return values_report(reader, node->place,
                         reader->planar
                             ? "a list of 2 numbers is expected in the plane, not of 3"
                             : "a list of 3 numbers is expected in space, not of 2 (a planar model needs 'plane: xy')");
}

bool hol_read_vector(HolReader *reader, const HolNode *node, const char *unit, double *x)
{
    int count = reader->planar ? 2 : 3;
    if (!hol_read_components(reader, node))
        return false;
    const HolNode *entry = node->first;
    bool ok = true;
    x[2] = 0;
    for (int i = 0; i < count; ++i, entry = entry->next)
        ok = hol_read_number(reader, entry, unit, &x[i]) && ok;
    return ok;
}

static bool read_functions(HolReader *reader, const HolNode *node, const HolField *field, HolFunction *functions)
{
    int count = reader->planar ? 2 : 3;
    if (!hol_read_components(reader, node))
        return false;
    const HolNode *entry = node->first;
    bool ok = true;
    functions[2] = (HolFunction){0};
    for (int i = 0; i < count; ++i, entry = entry->next)
        ok = hol_read_function(reader, entry, field, &functions[i]) && ok;
    return ok;
}

static bool values_read_numbers(HolReader *reader, const HolNode *node, const HolField *field, HolNumbers *numbers)
{
    const HolNode *entry = node->type == HOL_LIST ? node->first : node;
    int count = node->type == HOL_LIST ? node->count : 1;
    bool ok = true;
    numbers->count = count;
    numbers->x = hol_arena_doubles(reader->arena, (size_t)count);
    for (int i = 0; i < count && numbers->x; ++i, entry = entry->next)
        ok = hol_read_number(reader, entry, field->unit, &numbers->x[i]) &&
             check_rule(reader, entry, field->rule, numbers->x[i]) && ok;
    return ok && numbers->x;
}

/* A name that must be in a table; its number or -1 after an error, its own or that of the section. */
static int read_name(HolReader *reader, const HolNode *node, const HolNames *names, const char *what,
                     const char *section)
{
    HolMessage expected;
    hol_fail(&expected, HOL_OK, "the name of a %s", what);
    const char *text = hol_read_text(reader, node, expected.text);
    int index = text ? hol_names_find(names, text) : -1;
    if (!text || index >= 0 || hol_reader_has_lost(reader, section) ||
        hol_model_has_reported(reader->model, node->place))
        return index;
    const char *near = hol_names_nearest(names, text);
    if (near)
        hol_reader_error(reader, node->place, "%s '%s' is unknown (did you mean '%s'?)", what, text, near);
    else
        hol_reader_error(reader, node->place, "%s '%s' is unknown", what, text);
    return -1;
}

bool hol_read_point(HolReader *reader, const HolNode *node, double *x)
{
    if (node->type == HOL_LIST)
        return hol_read_vector(reader, node, "m", x);
    int index = read_name(reader, node, reader->points, "point", "points");
    if (index >= 0)
        memcpy(x, reader->point_at[index], 3 * sizeof *x);
    return index >= 0 && reader->point_is_known[index];
}

static bool values_normalise(HolReader *reader, const HolNode *node, double *x)
{
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (!(length > 0))
        return values_report(reader, node->place, "this direction has no length");
    for (int i = 0; i < 3; ++i)
        x[i] /= length;
    return true;
}

/* x, -y, ... */
static bool read_axis(HolReader *reader, const HolNode *node, double *x)
{
    const char *expected =
        reader->planar ? "a direction (x, -y, [1, 2] or two points)" : "a direction (x, -y, [1, 0, 1] or two points)";
    const char *text = hol_read_text(reader, node, expected);
    if (!text)
        return false;
    bool negative = text[0] == '-';
    const char *letter = text + (negative || text[0] == '+' ? 1 : 0);
    int axis = letter[0] - 'x';
    x[0] = x[1] = x[2] = 0;
    if (letter[0] == '\0' || letter[1] != '\0' || axis < 0 || axis > (reader->planar ? 1 : 2))
        return report_type(reader, node, expected);
    x[axis] = negative ? -1 : 1;
    return true;
}

static bool is_point(const HolReader *reader, const HolNode *node)
{
    return node->type == HOL_SCALAR && hol_names_find(reader->points, node->text) >= 0;
}

/* Two names stand for two points, in the plane if one of them is a point; two numbers are a vector. */
static bool is_point_pair(const HolReader *reader, const HolNode *node)
{
    if (node->count != 2 || node->first->type != HOL_SCALAR)
        return false;
    return is_point(reader, node->first) || is_point(reader, node->first->next) ||
           (!reader->planar && hol_is_letter(node->first->text[0]));
}

static bool read_direction(HolReader *reader, const HolNode *node, double *x)
{
    if (node->type == HOL_SCALAR)
        return read_axis(reader, node, x);
    if (node->type != HOL_LIST)
        return report_type(reader, node, "a direction");
    if (!is_point_pair(reader, node))
        return hol_read_vector(reader, node, NULL, x) && values_normalise(reader, node, x);
    double from[3], to[3];
    bool first = hol_read_point(reader, node->first, from), second = hol_read_point(reader, node->first->next, to);
    for (int i = 0; i < 3; ++i)
        x[i] = !first || !second ? 1 : hol_is_same_place(reader, from, to) ? 0 : to[i] - from[i];
    return first && second && values_normalise(reader, node, x);
}

bool hol_read_body(HolReader *reader, const HolNode *node, int *body)
{
    if (node->type == HOL_SCALAR && strcmp(node->text, "ground") == 0) {
        *body = 0;
        return true;
    }
    if (node->type == HOL_SCALAR && hol_names_count(reader->bodies) == 0)
        return false; /* their absence has been reported */
    if (node->type == HOL_SCALAR && hol_node_find(hol_node_find(reader->model->root, "beams"), node->text))
        return hol_reader_error(reader, node->place,
                                "'%s' is a beam; name one of its nodes, '%s.start', '%s.1', ... or '%s.end'",
                                node->text, node->text, node->text, node->text);
    int index = read_name(reader, node, reader->bodies, "body", "bodies");
    *body = index + 1;
    return index >= 0;
}

static bool read_joint(HolReader *reader, const HolNode *node, int *joint)
{
    *joint = read_name(reader, node, reader->joints, "joint", "joints");
    if (*joint < reader->joint_count)
        return *joint >= 0;
    return hol_reader_error(reader, node->place, "'%s' is a driver; name a joint", node->text);
}

static bool read_bodies(HolReader *reader, const HolNode *node, int *body)
{
    if (!hol_read_list(reader, node, 2, "a pair of bodies [first, second]"))
        return false;
    bool first = hol_read_body(reader, node->first, &body[0]);
    bool second = hol_read_body(reader, node->first->next, &body[1]);
    if (!first || !second || body[0] != body[1])
        return first && second;
    return hol_reader_error(reader, node->place, "it connects '%s' with itself", node->first->text);
}

const HolTable *hol_read_table(HolReader *reader, const HolNode *node, bool cubic)
{
    HolTable *table;
    HolMessage message = {{0}};
    int count = node->type == HOL_LIST ? node->count : 0, i = 0;
    bool ok = true;
    double *x = hol_arena_doubles(reader->arena, (size_t)count), *y = hol_arena_doubles(reader->arena, (size_t)count);
    if (node->type != HOL_LIST) {
        report_type(reader, node, "a list of pairs [x, y]");
        return NULL;
    }
    for (const HolNode *pair = node->first; pair && x && y; pair = pair->next, ++i)
        ok = hol_read_list(reader, pair, 2, "a pair [x, y]") && hol_read_number(reader, pair->first, NULL, &x[i]) &&
             hol_read_number(reader, pair->first->next, NULL, &y[i]) && ok;
    if (!ok || !x || !y)
        return NULL;
    HolStatus status = hol_table_create(reader->arena, count, x, y, cubic, &table, &message);
    if (status == HOL_BAD_INPUT)
        values_report(reader, node->place, "%s", message.text);
    return status == HOL_OK ? table : NULL;
}

static bool read_two(HolReader *reader, const HolNode *node, const char *expected,
                     bool (*read)(HolReader *, const HolNode *, double *), double (*target)[3])
{
    if (!hol_read_list(reader, node, 2, expected))
        return false;
    bool first = read(reader, node->first, target[0]);
    return read(reader, node->first->next, target[1]) && first;
}

static bool read_joints(HolReader *reader, const HolNode *node, int *joints)
{
    if (!hol_read_list(reader, node, 2, "a pair of joints [first, second]"))
        return false;
    bool first = read_joint(reader, node->first, &joints[0]);
    return read_joint(reader, node->first->next, &joints[1]) && first;
}

bool hol_read_value(HolReader *reader, const HolNode *node, const HolField *field, void *target)
{
    switch (field->type) {
    case HOL_FIELD_NUMBER:
        return hol_read_number(reader, node, field->unit, target) &&
               check_rule(reader, node, field->rule, *(double *)target);
    case HOL_FIELD_WHOLE: return values_read_whole(reader, node, field, target);
    case HOL_FIELD_FLAG: return read_flag(reader, node, target);
    case HOL_FIELD_CHOICE: return values_read_choice(reader, node, field->names, target);
    case HOL_FIELD_TEXT: return (*(const char **)target = hol_read_text(reader, node, "a text")) != NULL;
    case HOL_FIELD_FUNCTION: return hol_read_function(reader, node, field, target);
    case HOL_FIELD_VECTOR: return hol_read_vector(reader, node, field->unit, target);
    case HOL_FIELD_FUNCTIONS: return read_functions(reader, node, field, target);
    case HOL_FIELD_NUMBERS: return values_read_numbers(reader, node, field, target);
    case HOL_FIELD_POINT: return hol_read_point(reader, node, target);
    case HOL_FIELD_POINTS: return read_two(reader, node, "a pair of points", hol_read_point, target);
    case HOL_FIELD_DIRECTION: return read_direction(reader, node, target);
    case HOL_FIELD_DIRECTIONS: return read_two(reader, node, "a pair of directions", read_direction, target);
    case HOL_FIELD_BODY: return hol_read_body(reader, node, target);
    case HOL_FIELD_BODIES: return read_bodies(reader, node, target);
    case HOL_FIELD_JOINT: return read_joint(reader, node, target);
    case HOL_FIELD_JOINTS: return read_joints(reader, node, target);
    case HOL_FIELD_TABLE: return (*(const HolTable **)target = hol_read_table(reader, node, false)) != NULL;
    case HOL_FIELD_NODE: *(const HolNode **)target = node; return true;
    }
    return false;
}
