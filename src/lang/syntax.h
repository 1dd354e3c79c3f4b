/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language of text, of which docs/language.md has the grammar.
 *
 * Text becomes tokens (syntax_lex.c), tokens a tree (syntax_parse.c); eval.c gives the tree a
 * meaning.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/tool_api.h"
#include "failure.h"
#include "view/pool.h"

/* ---- operators ------------------------------------------------------------------------------- */

/* Levels go from loose to tight, as in Python's grammar. */
enum level {
    LEVEL_OR = 1,
    LEVEL_AND,
    LEVEL_NOT,
    LEVEL_COMPARISON,
    LEVEL_BIT_OR,
    LEVEL_BIT_XOR,
    LEVEL_BIT_AND,
    LEVEL_SHIFT,
    LEVEL_SUM,
    LEVEL_PRODUCT,
    LEVEL_SIGN,
    LEVEL_POWER /* It binds from right to left; its right operand may have a sign. */
};

/*
 * The operators before one operand and between two: text, code, level, and the op of the registry
 * that they stand for with arrays, or NULL.
 */
#define OPERATORS_BEFORE(OPERATOR)                                                                 \
    OPERATOR("not", NOT, NOT, NULL)                                                                \
    OPERATOR("+", POSITIVE, SIGN, "positive")                                                      \
    OPERATOR("-", NEGATIVE, SIGN, "neg")                                                           \
    OPERATOR("~", INVERT, SIGN, "bitwise_not")
#define OPERATORS_BETWEEN(OPERATOR)                                                                \
    OPERATOR("or", OR, OR, NULL)                                                                   \
    OPERATOR("and", AND, AND, NULL)                                                                \
    OPERATOR("<", LESS, COMPARISON, "less")                                                        \
    OPERATOR("<=", LESS_EQUAL, COMPARISON, "less_equal")                                           \
    OPERATOR(">", GREATER, COMPARISON, "greater")                                                  \
    OPERATOR(">=", GREATER_EQUAL, COMPARISON, "greater_equal")                                     \
    OPERATOR("==", EQUAL, COMPARISON, "eq")                                                        \
    OPERATOR("!=", NOT_EQUAL, COMPARISON, "ne")                                                    \
    OPERATOR("|", BIT_OR, BIT_OR, "bitwise_or")                                                    \
    OPERATOR("^", BIT_XOR, BIT_XOR, "bitwise_xor")                                                 \
    OPERATOR("&", BIT_AND, BIT_AND, "bitwise_and")                                                 \
    OPERATOR("<<", LEFT, SHIFT, "bitwise_left_shift")                                              \
    OPERATOR(">>", RIGHT, SHIFT, "bitwise_right_shift")                                            \
    OPERATOR("+", ADD, SUM, "add")                                                                 \
    OPERATOR("-", SUBTRACT, SUM, "subtract")                                                       \
    OPERATOR("*", MULTIPLY, PRODUCT, "multiply")                                                   \
    OPERATOR("/", DIVIDE, PRODUCT, "divide")                                                       \
    OPERATOR("//", FLOOR_DIVIDE, PRODUCT, "floor_divide")                                          \
    OPERATOR("%", REMAINDER, PRODUCT, "remainder")                                                 \
    OPERATOR("@", MATMUL, PRODUCT, "matmul")                                                       \
    OPERATOR("**", POWER, POWER, "pow")

#define OPERATION_CODE(text, code, level, op) OPERATION_##code,
enum operation_code { OPERATORS_BEFORE(OPERATION_CODE) OPERATORS_BETWEEN(OPERATION_CODE) };

struct operation {
    const char *text;
    enum operation_code code;
    enum level level;
    const char *op; /* NULL if there is none. */
};

/* Finds the operator of that text before one operand, or between two; NULL if there is none. */
const struct operation *stria__operation_before(const char *text, size_t length);
const struct operation *stria__operation_between(const char *text, size_t length);
bool stria__is_identifier(const char *name);
/* Tells whether the name is a word of Python that cannot be a name: and, or, not, if, ... */
bool stria__operation_is_word(const char *name);

/* ---- tokens, trees --------------------------------------------------------------------------- */

enum {
    EXPR_MAX_LENGTH = 4 << 20, /* Most bytes of a text. */
    EXPR_MAX_DEPTH = 200,      /* Most nested brackets and signs, as in Python. */
    EXPR_MAX_NESTED = 2000     /* Most of these and of right operands within each other. */
};

enum token_kind {
    TOKEN_END,
    TOKEN_NAME,
    TOKEN_INT,
    TOKEN_FLOAT,
    TOKEN_IMAGINARY,
    TOKEN_STRING,
    TOKEN_ELLIPSIS,
    TOKEN_MARK
};

struct token {
    enum token_kind kind;
    char mark;          /* The character of a MARK; 0 for several characters, such as //. */
    bool huge;          /* The magnitude of an INT does not fit in 64 bits. */
    size_t start, end;  /* Bytes of the source. */
    uint64_t magnitude; /* Value of an INT. */
    double number;      /* Value of a FLOAT or IMAGINARY. */
    const char *text;   /* Value of a NAME or STRING: terminated, escapes resolved. */
    size_t length;      /* Length of text; a STRING may contain zeros. */
};

struct lexer {
    const char *source; /* Terminated. */
    size_t at;
    struct pool *pool;
    struct failure *failure;
};

/* Reads the next token; FORMAT with the place. */
stria_status stria__lex(struct lexer *lexer, struct token *token);

enum node_kind {
    NODE_NAME,
    NODE_INT,
    NODE_FLOAT,
    NODE_IMAGINARY,
    NODE_STRING,
    NODE_ELLIPSIS,
    NODE_TUPLE,
    NODE_LIST,
    NODE_DICT, /* Items: key, value, key, value, ... */
    /* An operation on a and b (NULL: on one operand); c is the comparison before it in a chain. */
    NODE_OPERATOR,
    NODE_SLICE,     /* Parts, NULL where omitted. */
    NODE_STAR,      /* *a among arguments. */
    NODE_KEYWORD,   /* name = a among arguments. */
    NODE_CHAIN,     /* a (NULL: x), then the postfixes in the list. */
    NODE_ATTRIBUTE, /* The postfix .name. */
    NODE_CALL,      /* The postfix (list). */
    NODE_SUBSCRIPT  /* The postfix [list]. */
};

struct node {
    enum node_kind kind;
    const struct operation *operation;
    bool huge;  /* An INT does not fit in 64 bits. */
    bool comma; /* Brackets have a comma between them. */
    uint32_t start, end;
    uint32_t at;    /* Byte where an OPERATOR stands. */
    uint32_t count; /* Length of the list. */
    uint64_t magnitude;
    double number;
    const char *text; /* Text of a NAME, STRING, KEYWORD or ATTRIBUTE. */
    size_t length;
    struct node *a, *b, *c; /* Operands; start, stop and step of a SLICE. */
    struct node *first;     /* The list, linked by next. */
    struct node *next;      /* A left operand's operator. */
};

/*
 * Returns the operand that a row of operators (a + b - c) begins with. The operators follow it by
 * next up to `last`; the left operand of each is the value so far. So rows of any length are walked
 * without recursion. If `last` is no operator between two operands, it is returned itself.
 */
const struct node *stria__row_begin(const struct node *last);

/*
 * Parses source (terminated) into a tree that lives in the pool. most: limit of brackets, signs and
 * right operands within each other; a walk of the tree recurses as deep. FORMAT or OVERFLOW.
 */
TOOL_API stria_status stria__syntax_parse(struct node **out, const char *source, int most,
                                          struct pool *pool, struct failure *failure);
