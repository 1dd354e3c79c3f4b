/* SPDX-License-Identifier: BSD-3-Clause */
/* The arrays of a case besides x: those that are described, and the names that are left in EXPR. */
#include <string.h>

#include "bench_case.h"
#include "lang/environment.h"
#include "must.h"
#include "report.h"

static bool is_there(const struct bench_inputs *inputs, const char *name)
{
    for (int i = 0; i < inputs->count; i++)
        if (!strcmp(inputs->items[i].name, name)) return true;
    return false;
}

static stria_status add(struct bench_inputs *inputs, const char *name,
                        const struct array_spec *array, struct failure *failure)
{
    if (inputs->count == BENCH_MAX_INPUTS)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "a case has at most %d arrays",
                                   BENCH_MAX_INPUTS);
    inputs->items[inputs->count++] = (struct bench_input){name, *array};
    return STRIA_OK;
}

/* ---- descriptions ---------------------------------------------------------------------------- */

/* Makes an array smaller as x was: dim by dim from the last, or as the dim of x of that size. */
static void scale(struct array_spec *array, const struct array_spec *x, const struct smaller *how)
{
    for (int i = 1; i <= array->ndim; i++) {
        int64_t *n = &array->shape[array->ndim - i];
        int d = x->ndim - i;
        for (int k = 0; k < x->ndim && how->by_size; k++)
            if (how->shape[k] == *n) d = k;
        if (d < 0) continue;
        const int64_t before = how->shape[d], now = x->shape[d];
        if (before != now && *n <= INT64_MAX / before) *n = (*n * now + before - 1) / before;
    }
}

/* NAME=SHAPE or NAME=SHAPE:DTYPE */
static stria_status add_described(struct bench_inputs *inputs, const char *text,
                                  const struct smaller *how, struct pool *pool,
                                  struct failure *failure)
{
    const struct array_spec *x = &inputs->items[0].array;
    struct array_spec array = array_spec_default();
    const char *equals = strchr(text, '='), *colon = strrchr(text, ':');
    array.dtype = x->dtype;
    if (equals) {
        const size_t length = colon > equals ? (size_t)(colon - equals) - 1 : strlen(equals + 1);
        array.ndim =
            read_integers(array.shape, STRIA_MAX_NDIM, must_text(pool, equals + 1, length));
    }
    if (!equals || array.ndim < 0)
        return stria__fail_request(
            failure, STRIA_ERR_FORMAT,
            "an array beside x is written y=4096,1 or y=4096,1:f64, not '%.60s'", text);
    if (colon > equals) STRIA_TRY(dtype_text_read(&array.dtype, colon + 1, pool, failure));
    scale(&array, x, how);
    return add(inputs, must_text(pool, text, (size_t)(equals - text)), &array, failure);
}

/* ---- names in EXPR --------------------------------------------------------------------------- */

struct search {
    struct bench_inputs *inputs;
    struct pool *pool; /* names are needed longer than the tree */
    struct failure *failure;
};

/* Neither an array that is there nor a word of EXPR, as None and float32. */
static bool is_free(const struct bench_inputs *inputs, const char *name)
{
    enum world world;
    struct value value;
    return !is_there(inputs, name) && !stria__name_is_module(name, &world) &&
           !stria__name_value(&value, name, WORLD_ANY);
}

static stria_status add_free(const struct search *s, const struct node *node)
{
    if (!node) return STRIA_OK;
    if (node->kind == NODE_NAME && is_free(s->inputs, node->text))
        STRIA_TRY(add(s->inputs, must_text(s->pool, node->text, node->length),
                      &s->inputs->items[0].array, s->failure));
    const struct node *a = node->a;
    const bool function = node->kind == NODE_CHAIN && a && a->kind == NODE_NAME && node->first &&
                          node->first->kind == NODE_CALL;
    if (!function) STRIA_TRY(add_free(s, a));
    STRIA_TRY(add_free(s, node->b));
    if (node->kind == NODE_SLICE) STRIA_TRY(add_free(s, node->c));
    for (const struct node *item = node->first; item; item = item->next)
        STRIA_TRY(add_free(s, item));
    return STRIA_OK;
}

stria_status bench_inputs_add(struct bench_inputs *inputs, const struct suite_case *c,
                              const struct smaller *how, const struct node *tree, struct pool *pool,
                              struct failure *failure)
{
    for (int i = 0; i < BENCH_MAX_INPUTS - 1 && c->with[i]; i++)
        STRIA_TRY(add_described(inputs, c->with[i], how, pool, failure));
    return add_free(&(struct search){inputs, pool, failure}, tree);
}
