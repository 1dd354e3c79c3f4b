/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The language of text, of which docs/language.md has the grammar.
 *
 * Text becomes tokens (syntax_lex.c), tokens a tree (syntax_parse.c); eval.c gives the tree a
 * meaning.
 */
#ifndef STRIA_LANG_SYNTAX_H
#define STRIA_LANG_SYNTAX_H

#include <stdbool.h>
#include <stdint.h>

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
    LEVEL_POWER /* from right to left; its right operand may have a sign */
};

/*
 * The operators before one operand and between two: text, code, level, and what stands for it where
 * there are arrays, an op of the registry or NULL.
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
    const char *op; /* NULL: there is none */
};

/* The operator of that text before one operand, or between two; NULL when it is none. */
const struct operation *stria__operation_before(const char *text, size_t length);
const struct operation *stria__operation_between(const char *text, size_t length);
bool stria__is_identifier(const char *name);
/* Words of Python that are no names: and, or, not, if, ... */
bool stria__operation_is_word(const char *name);

/* ---- tokens, trees --------------------------------------------------------------------------- */

enum {
    EXPR_MAX_LENGTH = 4 << 20, /* bytes */
    EXPR_MAX_DEPTH = 200,      /* nested brackets and signs, as in Python */
    EXPR_MAX_NESTED = 2000     /* the same, and right operands within each other */
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
    char mark;          /* MARK: the character; 0: one of several characters, as // */
    bool huge;          /* INT: the magnitude does not fit in 64 bits */
    size_t start, end;  /* bytes of the source */
    uint64_t magnitude; /* INT */
    double number;      /* FLOAT, IMAGINARY */
    const char *text;   /* NAME, STRING: terminated, escapes resolved */
    size_t length;      /* of text, which may contain zeros when it is a STRING */
};

struct lexer {
    const char *source; /* terminated */
    size_t at;
    struct pool *pool;
    struct failure *failure;
};

/* The next token, or FORMAT with the place. */
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
    NODE_DICT,      /* key, value, key, value, ... */
    NODE_OPERATOR,  /* operation, a, b; b NULL: before one operand; c: the comparison before it */
    NODE_SLICE,     /* parts, NULL where omitted */
    NODE_STAR,      /* *a among arguments */
    NODE_KEYWORD,   /* name = a among arguments */
    NODE_CHAIN,     /* a (NULL: x), then the postfixes of the list */
    NODE_ATTRIBUTE, /* postfix .name */
    NODE_CALL,      /* postfix (list) */
    NODE_SUBSCRIPT  /* postfix [list] */
};

struct node {
    enum node_kind kind;
    const struct operation *operation;
    bool huge;  /* INT */
    bool comma; /* brackets: there is one between them */
    uint32_t start, end;
    uint32_t at;    /* OPERATOR: where it stands */
    uint32_t count; /* of the list */
    uint64_t magnitude;
    double number;
    const char *text; /* NAME, STRING, KEYWORD, ATTRIBUTE */
    size_t length;
    struct node *a, *b, *c; /* operands; start, stop and step of a SLICE */
    struct node *first;     /* the list, linked by next */
    struct node *next;      /* of a left operand: its operator */
};

/*
 * The operand that a row of operators (a + b - c) begins with; the operators follow it as next does
 * up to `last`, each with what was so far as its left operand. So rows of any length are walked
 * without recursion. `last` itself where it is no operator between two operands.
 */
const struct node *stria__row_begin(const struct node *last);

/*
 * Reads source (terminated) into a tree that lives in the pool. most: brackets, signs and right
 * operands within each other, at most; a walk of the tree recurses as deep. FORMAT or OVERFLOW.
 */
stria_status stria__syntax_parse(struct node **out, const char *source, int most, struct pool *pool,
                                 struct failure *failure);

#endif
