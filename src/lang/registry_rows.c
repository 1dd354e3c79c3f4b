/* SPDX-License-Identifier: BSD-3-Clause */
/* The rows of the registry, as functions.def lists them, and the C function that runs each. */
#include "lang/rows/rows.h"
#include "lang/linalg_table.h"
#include "stria/compare.h"
#include "stria/analysis.h"
#include "stria/join.h"
#include "stria/order_statistics.h"
#include "stria/sort.h"

/* Returns an end of a slice. */
static int64_t bound(const struct arg *arg)
{
    if (!arg->given) return STRIA_NONE;
    return arg->integer == STRIA_NONE ? STRIA_NONE + 1 : arg->integer;
}

/* An entry is identified by its line in functions.def. */
#define PASTE(a, b)           a##b
#define OF_LINE(prefix, line) PASTE(prefix, line)
#define HERE(prefix)          OF_LINE(prefix, __LINE__)
#define INSIDE(...)           __VA_ARGS__

enum { NO_OPERATION = -1 };
#define NUMBER(constant, name, ...) operation_##name = constant,
enum { STRIA_OP_LIST(NUMBER) };
#undef NUMBER
#define NUMBER(constant, name, ...) reduction_##name = constant,
enum { STRIA_REDUCTION_LIST(NUMBER) };

/* Indices of entries, which follow those of the operations. */
#define THEME(rows, name, kind) theme_##rows, before_##rows = theme_##rows - 1,
#define ROW(...)                HERE(at_),
#define FORM_BY(...)            HERE(at_),
#define PIECES(...)             HERE(at_),
enum {
#include "lang/functions.def"
};

#define ANSWERS                 .gives = STRIA_GIVES_ANSWER
#define ARRAYS                  .gives = STRIA_GIVES_ARRAYS
#define COPIES                  .gives = STRIA_GIVES_ARRAYS, .moves = true
#define VIEWS                   .gives = STRIA_GIVES_VIEWS, .moves = true
#define WRITES                  .gives = STRIA_GIVES_ARRAYS, .writes = true
#define SPARSE                  .gives = STRIA_GIVES_ARRAYS, .sparse = true
#define THEME(rows, name, kind) {name, STRIA_OPS + theme_##rows, kind},
static const struct theme themes[] = {
#include "lang/functions.def"
};

/* The function of each entry that has none of its own. */
#define ROW(operation, waiting, world, names, whose, parameters, name, first, call, sentence)      \
    static stria_status HERE(form_)(struct invocation * c)                                         \
    {                                                                                              \
        STRIA_TRY(first);                                                                          \
        return call;                                                                               \
    }
#define INSTEAD(operation, waiting, names, whose, parameters, name, first, call, sentence)         \
    ROW(operation, waiting, ANY, names, whose, parameters, name, first, call, sentence)
/* Pieces are counted first, so that a dim of any length costs no memory before it is refused. */
#define PIECES(world, names, whose, parameters, name, arguments, sentence)                         \
    static stria_status HERE(form_)(struct invocation * c)                                         \
    {                                                                                              \
        c->many = true;                                                                            \
        STRIA_TRY(stria_##name(NULL, 0, &c->count, A, INSIDE arguments));                          \
        STRIA_TRY(stria__row_count_pieces(c));                                                     \
        return stria_##name(c->pieces, c->count, &c->count, A, INSIDE arguments);                  \
    }
#include "lang/functions.def"

#define FILLED(op, waiting, of, called, letters, runs, name, sentence)                             \
    {                                                                                              \
        .signature = called, .whose = letters, .run = runs, .world = WORLD_##of,                   \
        .c = "stria_" #name, .doc = sentence, .operation = op, .waits = waiting                    \
    }
#define ROW(operation, waiting, world, names, whose, parameters, name, first, call, sentence)      \
    [STRIA_OPS + HERE(at_)] =                                                                      \
        FILLED(operation, waiting, world, names parameters, whose, HERE(form_), name, sentence),
#define FORM_BY(world, names, whose, parameters, name, by, sentence)                               \
    [STRIA_OPS + HERE(at_)] = FILLED(NO_OPERATION, NOTHING_WAITS, world, names parameters, whose,  \
                                     stria__row_##by, name, sentence),
#define PIECES(world, names, whose, parameters, name, arguments, sentence)                         \
    ROW(NO_OPERATION, NOTHING_WAITS, world, names, whose, parameters, name, , , sentence)
#define INSTEAD(operation, waiting, names, whose, parameters, name, first, call, sentence)         \
    [operation] =                                                                                  \
        FILLED(NO_OPERATION, waiting, ANY, names parameters, whose, HERE(form_), name, sentence),
#define MATH(name, more, whose, parameters, sentence)                                              \
    [operation_##name] = FILLED(operation_##name, ALL_WAIT, ANY, #name more parameters, whose,     \
                                stria__row_operation, name, sentence),

/* The entry, by number of inputs, of an operation that functions.def has none for. */
#define OPERATION(constant, name, inputs, ...)                                                     \
    MATH(name, "|" #name "_", "", PARAMETERS_##inputs, "Computes " #name " of each element.")
#define PARAMETERS_1 ONE
#define PARAMETERS_2 TWO
#define PARAMETERS_3 THREE

#pragma GCC diagnostic push
#ifdef __clang__
#pragma GCC diagnostic ignored "-Winitializer-overrides"
#else
#pragma GCC diagnostic ignored "-Woverride-init"
#endif
static const struct function rows[] = {STRIA_OP_LIST(OPERATION)
#include "lang/functions.def"
};
#pragma GCC diagnostic pop

const struct function *stria__registry_row(size_t i)
{
    return i < sizeof rows / sizeof *rows ? &rows[i] : NULL;
}

const struct theme *stria__registry_theme(const struct function *row)
{
    size_t t = 0;
    while (t + 1 < sizeof themes / sizeof *themes && themes[t + 1].first <= row - rows)
        t++;
    return &themes[t];
}
