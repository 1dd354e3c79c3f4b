/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Expressions from text: a recursive descent over Python's levels of precedence that makes nodes as
 * it goes. A value is a node or, so that -9223372036854775808 can be written, a number without one.
 */
#include <stdbool.h>
#include <string.h>

#include "fp_mode.h"
#include "ops/expr/number_text.h"
#include "status.h"
#include "stria/expr.h"

enum {
    MOST_DEPTH = 40, /* some 700 bytes of stack each */
    MOST_ARGUMENTS = 3
};

struct parser {
    stria_expr *expr;
    const char *text, *at; /* the next character to read */
    int n;
    const char *const *names;
    int depth;
};

struct value {
    bool is_number;
    struct number number;
    int node;
};

/* The level of a comparison is the lowest. */
struct infix {
    const char *text;
    stria_op op;
    int level;
};

enum { COMPARISON = 1, BITS_OR, BITS_XOR, BITS_AND, SHIFT, SUM, PRODUCT };

/* Those that begin like others stand before them. */
static const struct infix infixes[] = {
    {"<<", STRIA_LEFT_SHIFT, SHIFT},      {">>", STRIA_RIGHT_SHIFT, SHIFT},
    {"<=", STRIA_LESS_EQUAL, COMPARISON}, {">=", STRIA_GREATER_EQUAL, COMPARISON},
    {"==", STRIA_EQUAL, COMPARISON},      {"!=", STRIA_NOT_EQUAL, COMPARISON},
    {"<", STRIA_LESS, COMPARISON},        {">", STRIA_GREATER, COMPARISON},
    {"|", STRIA_BITWISE_OR, BITS_OR},     {"^", STRIA_BITWISE_XOR, BITS_XOR},
    {"&", STRIA_BITWISE_AND, BITS_AND},   {"+", STRIA_ADD, SUM},
    {"-", STRIA_SUBTRACT, SUM},           {"//", STRIA_FLOOR_DIVIDE, PRODUCT},
    {"/", STRIA_DIVIDE, PRODUCT},         {"%", STRIA_REMAINDER, PRODUCT},
    {"*", STRIA_MULTIPLY, PRODUCT},
};

static stria_status parse_level(struct parser *p, int level, struct value *out);

/* ---- characters ------------------------------------------------------------------------------ */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool begins_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip_spaces(struct parser *p)
{
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n')
        p->at++;
}

static int column(const struct parser *p)
{
    return (int)(p->at - p->text) + 1;
}

static bool takes(struct parser *p, const char *mark)
{
    skip_spaces(p);
    const size_t length = strlen(mark);
    if (strncmp(p->at, mark, length) != 0) return false;
    p->at += length;
    return true;
}

static stria_status unexpected(struct parser *p, const char *wanted)
{
    skip_spaces(p);
    if (*p->at == 0)
        return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: %s expected, but the text ends",
                           column(p), wanted);
    return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: %s expected before '%.20s'", column(p),
                       wanted, p->at);
}

static stria_status expect(struct parser *p, const char *mark, const char *wanted)
{
    return takes(p, mark) ? STRIA_OK : unexpected(p, wanted);
}

/* Takes a name and returns its length. */
static size_t take_name(struct parser *p, const char **out)
{
    skip_spaces(p);
    *out = p->at;
    if (!begins_name(*p->at)) return 0;
    while (begins_name(*p->at) || is_digit(*p->at))
        p->at++;
    return (size_t)(p->at - *out);
}

static bool is_name(const char *name, size_t length, const char *wanted)
{
    return strlen(wanted) == length && memcmp(name, wanted, length) == 0;
}

/* ---- values ---------------------------------------------------------------------------------- */

static stria_status make_node(struct parser *p, struct value *value)
{
    if (!value->is_number) return STRIA_OK;
    value->is_number = false;
    return stria_expr_scalar(p->expr, &value->node, value->number.kind, value->number.item);
}

static stria_status apply(struct parser *p, struct value *out, stria_op op, int n,
                          struct value *operands)
{
    int nodes[MOST_ARGUMENTS];
    for (int i = 0; i < n; i++) {
        STRIA_TRY(make_node(p, &operands[i]));
        nodes[i] = operands[i].node;
    }
    out->is_number = false;
    return stria_expr_op(p->expr, &out->node, op, n, nodes);
}

static stria_status combine(struct parser *p, struct value *out, const struct infix *infix,
                            struct value *right)
{
    struct value operands[] = {*out, *right};
    return apply(p, out, infix->op, 2, operands);
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool find_op(stria_op *out, const char *name, size_t length)
{
    for (int i = 0; i < STRIA_OPS; i++) {
        *out = (stria_op)i;
        if (is_name(name, length, stria_op_name(*out))) return true;
    }
    return false;
}

/* The arguments of a call behind its '('; given: those that stand before it already. */
static stria_status parse_call(struct parser *p, struct value *out, stria_op op, int given)
{
    struct value arguments[MOST_ARGUMENTS] = {*out};
    const int begin = column(p);
    int n = given;
    for (bool more = !takes(p, ")"); more; more = !takes(p, ")")) {
        if (n > given) STRIA_TRY(expect(p, ",", "',' or ')'"));
        struct value extra;
        STRIA_TRY(parse_level(p, COMPARISON, n < MOST_ARGUMENTS ? &arguments[n] : &extra));
        n++;
    }
    if (n != stria_op_inputs(op))
        return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: %s of %d operands, takes %d", begin,
                           stria_op_name(op), n, stria_op_inputs(op));
    return apply(p, out, op, n, arguments);
}

/* .to(f32), .astype('f4') */
static stria_status parse_cast(struct parser *p, struct value *out)
{
    char name[32] = "";
    stria_dtype dtype;
    const bool quoted = takes(p, "'") || takes(p, "\"");
    const int begin = column(p);
    const size_t length = strcspn(p->at, quoted ? "'\"" : ") ,");
    if (length < sizeof name) memcpy(name, p->at, length);
    if (stria_dtype_parse(&dtype, name) != STRIA_OK || dtype.swapped)
        return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: '%.20s' is no dtype", begin, p->at);
    p->at += length;
    if (quoted && !takes(p, "'") && !takes(p, "\"")) return unexpected(p, "a quote");
    STRIA_TRY(expect(p, ")", "')'"));
    STRIA_TRY(make_node(p, out));
    return stria_expr_cast(p->expr, &out->node, out->node, (stria_kind)dtype.kind);
}

/* .exp(), .maximum(y), .to(f32): the value is the first operand. */
static stria_status parse_methods(struct parser *p, struct value *out)
{
    const char *name;
    stria_op op;
    while (takes(p, ".")) {
        const int begin = column(p);
        const size_t length = take_name(p, &name);
        const bool casts = is_name(name, length, "to") || is_name(name, length, "astype");
        if (length == 0) return unexpected(p, "a name");
        if (!casts && !find_op(&op, name, length))
            return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: there is no operation '%.*s'",
                               begin, (int)length, name);
        STRIA_TRY(expect(p, "(", "'('"));
        STRIA_TRY(casts ? parse_cast(p, out) : parse_call(p, out, op, 1));
    }
    return STRIA_OK;
}

static stria_status parse_name(struct parser *p, struct value *out)
{
    const char *name;
    const int begin = column(p);
    const size_t length = take_name(p, &name);
    stria_op op;
    *out = (struct value){0};
    for (int i = 0; i < p->n; i++)
        if (is_name(name, length, p->names[i])) return stria_expr_input(p->expr, &out->node, i);
    out->is_number = stria__number_named(&out->number, name, length);
    if (out->is_number) return STRIA_OK;
    if (!find_op(&op, name, length))
        return stria__fail(STRIA_ERR_FORMAT,
                           "expr, column %d: '%.*s' is no input, no operation and no number", begin,
                           (int)(length < 40 ? length : 40), name);
    STRIA_TRY(expect(p, "(", "'('"));
    return parse_call(p, out, op, 0);
}

/* ---- levels ---------------------------------------------------------------------------------- */

static stria_status parse_primary(struct parser *p, struct value *out)
{
    skip_spaces(p);
    if (begins_name(*p->at)) {
        STRIA_TRY(parse_name(p, out));
    } else if (is_digit(*p->at) || (*p->at == '.' && is_digit(p->at[1]))) {
        const size_t length = stria__number_read(&out->number, p->at);
        out->is_number = true;
        if (length == 0 || begins_name(p->at[length]) || p->at[length] == '.')
            return stria__fail(STRIA_ERR_FORMAT,
                               "expr, column %d: '%.20s' is no number, or one that does not fit",
                               column(p), p->at);
        p->at += length;
    } else if (takes(p, "(")) {
        STRIA_TRY(parse_level(p, COMPARISON, out));
        STRIA_TRY(expect(p, ")", "')'"));
    } else {
        return unexpected(p, "a value");
    }
    return parse_methods(p, out);
}

static stria_status enter(struct parser *p)
{
    if (++p->depth <= MOST_DEPTH) return STRIA_OK;
    return stria__fail(STRIA_ERR_FORMAT, "expr, column %d: it is nested deeper than %d", column(p),
                       MOST_DEPTH);
}

static stria_status parse_sign(struct parser *p, struct value *out);

/* Binds more tightly than a sign before it, and less than one behind it: -x ** -2. */
static stria_status parse_power(struct parser *p, struct value *out)
{
    static const struct infix power = {"**", STRIA_POW, 0};
    struct value right;
    STRIA_TRY(parse_primary(p, out));
    if (!takes(p, "**")) return STRIA_OK;
    STRIA_TRY(enter(p));
    STRIA_TRY(parse_sign(p, &right));
    p->depth--;
    return combine(p, out, &power, &right);
}

static stria_status parse_sign(struct parser *p, struct value *out)
{
    skip_spaces(p);
    const char sign = *p->at;
    if (sign != '-' && sign != '+' && sign != '~') return parse_power(p, out);
    STRIA_TRY(enter(p));
    p->at++;
    STRIA_TRY(parse_sign(p, out));
    p->depth--;
    if (out->is_number && sign != '~' && stria__number_sign(&out->number, sign)) return STRIA_OK;
    struct value operand = *out;
    return apply(p, out,
                 sign == '-'   ? STRIA_NEGATIVE
                 : sign == '+' ? STRIA_POSITIVE
                               : STRIA_BITWISE_NOT,
                 1, &operand);
}

static const struct infix *next_infix(struct parser *p)
{
    skip_spaces(p);
    for (size_t i = 0; i < sizeof infixes / sizeof *infixes; i++)
        if (strncmp(p->at, infixes[i].text, strlen(infixes[i].text)) == 0) return &infixes[i];
    return NULL;
}

static stria_status parse_level(struct parser *p, int level, struct value *out)
{
    const struct infix *infix;
    bool compared = false;
    STRIA_TRY(enter(p));
    STRIA_TRY(parse_sign(p, out));
    while ((infix = next_infix(p)) && infix->level >= level) {
        struct value right;
        if (compared && infix->level == COMPARISON)
            return stria__fail(STRIA_ERR_FORMAT,
                               "expr, column %d: comparisons do not chain: write (a < b) & (b < c)",
                               column(p));
        compared = infix->level == COMPARISON;
        p->at += strlen(infix->text);
        STRIA_TRY(parse_level(p, infix->level + 1, &right));
        STRIA_TRY(combine(p, out, infix, &right));
    }
    p->depth--;
    return STRIA_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static stria_status check(const stria_expr *const *out, const char *text, int n,
                          const char *const *names)
{
    if (!out || !text || (n > 0 && !names))
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %s is NULL",
                           !out    ? "out"
                           : !text ? "text"
                                   : "names");
    if (n < 0 || n > STRIA_EXPR_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "expr: %d names, must be 0 to %d", n,
                           STRIA_EXPR_INPUTS);
    for (int i = 0; i < n; i++)
        if (!names[i]) return stria__fail(STRIA_ERR_ARGUMENT, "expr: name %d is NULL", i);
    return STRIA_OK;
}

static stria_status parse(struct parser *p)
{
    struct value value;
    STRIA_TRY(parse_level(p, COMPARISON, &value));
    skip_spaces(p);
    if (*p->at != 0) return unexpected(p, "an operator or the end");
    return make_node(p, &value);
}

stria_status stria_expr_parse(stria_expr **out, const char *text, int n, const char *const *names)
{
    IN_DEFAULT_FP_MODE;
    struct parser p = {.text = text, .at = text, .n = n, .names = names};
    STRIA_TRY(check((const stria_expr *const *)out, text, n, names));
    STRIA_TRY(stria_expr_new(&p.expr));
    const stria_status status = parse(&p);
    if (status == STRIA_OK)
        *out = p.expr;
    else
        stria_expr_free(p.expr);
    return status;
}
