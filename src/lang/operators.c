/* SPDX-License-Identifier: BSD-3-Clause */
#include "operators.h"

#include <string.h>

static const char truth_advice[] =
    "whether an array of several elements is true is ambiguous: write &, | and ~ between "
    "comparisons in parentheses";

static const struct operation before[] = {
    {"not", OPERATION_NOT, LEVEL_NOT, NULL, false, truth_advice},
    {"+", OPERATION_POSITIVE, LEVEL_SIGN, "positive", false, NULL},
    {"-", OPERATION_NEGATIVE, LEVEL_SIGN, "neg", false, NULL},
    {"~", OPERATION_INVERT, LEVEL_SIGN, "bitwise_not", false, NULL},
};

static const struct operation between[] = {
    {"or", OPERATION_OR, LEVEL_OR, NULL, false, truth_advice},
    {"and", OPERATION_AND, LEVEL_AND, NULL, false, truth_advice},
    {"<", OPERATION_LESS, LEVEL_COMPARISON, "less", false, NULL},
    {"<=", OPERATION_LESS_EQUAL, LEVEL_COMPARISON, "less_equal", false, NULL},
    {">", OPERATION_GREATER, LEVEL_COMPARISON, "greater", false, NULL},
    {">=", OPERATION_GREATER_EQUAL, LEVEL_COMPARISON, "greater_equal", false, NULL},
    {"==", OPERATION_EQUAL, LEVEL_COMPARISON, "eq", false, NULL},
    {"!=", OPERATION_NOT_EQUAL, LEVEL_COMPARISON, "ne", false, NULL},
    {"|", OPERATION_BIT_OR, LEVEL_BIT_OR, "bitwise_or", false, NULL},
    {"^", OPERATION_BIT_XOR, LEVEL_BIT_XOR, "bitwise_xor", false, NULL},
    {"&", OPERATION_BIT_AND, LEVEL_BIT_AND, "bitwise_and", false, NULL},
    {"<<", OPERATION_LEFT, LEVEL_SHIFT, "bitwise_left_shift", false, NULL},
    {">>", OPERATION_RIGHT, LEVEL_SHIFT, "bitwise_right_shift", false, NULL},
    {"+", OPERATION_ADD, LEVEL_SUM, "add", false, NULL},
    {"-", OPERATION_SUBTRACT, LEVEL_SUM, "subtract", false, NULL},
    {"*", OPERATION_MULTIPLY, LEVEL_PRODUCT, "multiply", false, NULL},
    {"/", OPERATION_DIVIDE, LEVEL_PRODUCT, "divide", false, NULL},
    {"//", OPERATION_FLOOR_DIVIDE, LEVEL_PRODUCT, "floor_divide", false, NULL},
    {"%", OPERATION_REMAINDER, LEVEL_PRODUCT, "remainder", false, NULL},
    {"@", OPERATION_MATMUL, LEVEL_PRODUCT, "matmul", false, NULL},
    {"**", OPERATION_POWER, LEVEL_POWER, "pow", false, NULL},
};

static const struct operation *find(const struct operation *table, size_t count, const char *text,
                                    size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(table[i].text) == length && !memcmp(table[i].text, text, length))
            return &table[i];
    return NULL;
}

const struct operation *stria__operation_before(const char *text, size_t length)
{
    return find(before, sizeof before / sizeof *before, text, length);
}

const struct operation *stria__operation_between(const char *text, size_t length)
{
    return find(between, sizeof between / sizeof *between, text, length);
}

bool stria__operation_is_word(const char *name)
{
    static const char *const words[] = {"and", "or", "not", "if", "else", "in", "is", "lambda"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(name, words[i])) return true;
    return false;
}
