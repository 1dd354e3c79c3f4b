/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs.h"

#include "pages.h"
#include "reordered_file.h"
#include "tool.h"

enum {
    /* Bytes; a smaller copy at the end is made at once, if there is memory for it. */
    LARGE = 8 << 20
};

static void append(struct inputs *inputs, const char *name, stria_array array)
{
    inputs->items = must_realloc(inputs->items, (inputs->count + 1) * sizeof *inputs->items);
    const size_t size = strlen(name) + 1;
    inputs->items[inputs->count].name = memcpy(must_malloc(size), name, size);
    inputs->items[inputs->count].array = array;
    inputs->items[inputs->count].mapped = false;
    inputs->count++;
    stria_named *const views =
        must_take_array(&inputs->pool, inputs->count, sizeof *views); /* The arrays have moved. */
    for (size_t i = 0; i < inputs->count; i++)
        views[i] = (stria_named){inputs->items[i].name, &inputs->items[i].array.view};
    inputs->environment.views = views;
    inputs->environment.count = inputs->count;
}

stria_status inputs_add(struct inputs *inputs, const char *name, stria_array array,
                        struct failure *failure)
{
    const char *why = strcmp(name, "x") != 0 ? stria__environment_refuses(name) : NULL;
    if (!why && inputs->count && stria__environment_find(&inputs->environment, name))
        why = "is given twice";
    if (why) {
        stria_array_release(&array);
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT, "array name '%.60s' %s", name, why);
    }
    append(inputs, name, array);
    return STRIA_OK;
}

stria_status inputs_without_x(struct inputs *inputs, bool explained, struct failure *failure)
{
    stria_array nothing = {0}, meta = {0};
    stria_status status = stria_zeros(&nothing, stria_dtype_of(STRIA_F32), 0, NULL);
    if (status == STRIA_OK && explained) {
        status = stria__meta_of(&meta, &nothing.view);
        stria_array_release(&nothing);
        nothing = meta;
    }
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    append(inputs, "", nothing);
    return STRIA_OK;
}

void inputs_free(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].mapped) pages_forget(inputs->items[i].array.owned);
        stria_array_release(&inputs->items[i].array);
        free(inputs->items[i].name);
    }
    free(inputs->items);
    stria__pool_free(&inputs->pool);
    *inputs = (struct inputs){0};
}

stria_status inputs_rules(struct inputs *inputs, const char *text, struct failure *failure)
{
    const bool numpy = !strcmp(text, "numpy");
    if (!numpy && strcmp(text, "torch") != 0)
        return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                                   "rules are torch or numpy, not '%.60s'", text);
    inputs->environment.rules = numpy ? WORLD_NUMPY : WORLD_TORCH;
    return STRIA_OK;
}

bool inputs_are_large(const stria_view *a)
{
    return stria_nbytes(a) >= LARGE || stria_nbytes(a) > budget_left() / 2;
}

struct evaluation inputs_evaluation(const char *expr, const struct inputs *inputs,
                                    struct failure *failure)
{
    struct evaluation e = stria__evaluation_of(expr, &inputs->environment, failure);
    e.waiting.reordering = &turned_files;
    e.waiting.tells = true;
    return e;
}
