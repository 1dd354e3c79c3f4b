/* SPDX-License-Identifier: BSD-3-Clause */
#include "inputs.h"

#include <stdlib.h>
#include <string.h>

#include "pages.h"

static bool is_identifier(const char *name)
{
    const char *letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    if (!*name || !strchr(letters, *name)) return false;
    const size_t head = strspn(name, letters);
    return strspn(name + head, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") ==
           strlen(name + head);
}

static bool is_word(const char *name)
{
    enum world world;
    struct value value = {0};
    return name_is_module(name, &world) ||
           (name_value(&value, name, WORLD_ANY) && value.kind != VALUE_DTYPE);
}

static void append(struct inputs *inputs, const char *name, stria_array array)
{
    inputs->items = must_realloc(inputs->items, (inputs->count + 1) * sizeof *inputs->items);
    const size_t size = strlen(name) + 1;
    inputs->items[inputs->count].name = memcpy(must_malloc(size), name, size);
    inputs->items[inputs->count].array = array;
    inputs->items[inputs->count].mapped = false;
    inputs->count++;
}

stria_status inputs_add(struct inputs *inputs, const char *name, stria_array array,
                        struct failure *failure)
{
    const char *why = !is_identifier(name)        ? "is not a name"
                      : is_word(name)             ? "means something else in an EXPR"
                      : inputs_find(inputs, name) ? "is given twice"
                                                  : NULL;
    if (why) {
        stria_array_release(&array);
        return fail_request(failure, STRIA_ERR_ARGUMENT, "array name '%.60s' %s", name, why);
    }
    append(inputs, name, array);
    return STRIA_OK;
}

stria_status inputs_without_x(struct inputs *inputs, bool explained, struct failure *failure)
{
    stria_array nothing = {0}, meta = {0};
    const stria_status status = stria_zeros(&nothing, stria_dtype_of(STRIA_F32), 0, NULL);
    if (status != STRIA_OK) return fail_library(failure, status, NO_PLACE);
    if (!explained) {
        append(inputs, "", nothing);
        return STRIA_OK;
    }
    TRY(inputs_meta(&meta, &nothing.view, failure));
    stria_array_release(&nothing);
    append(inputs, "", meta);
    return STRIA_OK;
}

bool inputs_have_x(const struct inputs *inputs)
{
    return *inputs->items[0].name;
}
const struct input *inputs_find(const struct inputs *inputs, const char *name)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (!strcmp(inputs->items[i].name, name)) return &inputs->items[i];
    return NULL;
}

const char *inputs_owner(const struct inputs *inputs, const stria_buffer *buffer)
{
    for (size_t i = 0; i < inputs->count; i++)
        if (inputs->items[i].array.view.buffer == buffer) return inputs->items[i].name;
    return NULL;
}

void inputs_free(struct inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        if (inputs->items[i].mapped) pages_forget(inputs->items[i].array.owned);
        stria_array_release(&inputs->items[i].array);
        free(inputs->items[i].name);
    }
    free(inputs->items);
    arena_free(&inputs->arena);
    *inputs = (struct inputs){0};
}

stria_status inputs_rules(struct inputs *inputs, const char *text, struct failure *failure)
{
    const bool numpy = !strcmp(text, "numpy");
    if (!numpy && strcmp(text, "torch") != 0)
        return fail_request(failure, STRIA_ERR_ARGUMENT, "rules are torch or numpy, not '%.60s'",
                            text);
    inputs->rules = numpy ? WORLD_NUMPY : WORLD_TORCH;
    return STRIA_OK;
}

stria_status inputs_meta(stria_array *out, const stria_view *a, struct failure *failure)
{
    stria_buffer *buffer;
    stria_status status = stria_buffer_meta(&buffer, stria_buffer_size(a->buffer));
    if (status != STRIA_OK) return fail_library(failure, status, NO_PLACE);
    *out = (stria_array){.owned = buffer};
    status = stria_view_make(&out->view, buffer, a->dtype, a->ndim, a->shape, a->strides,
                             stria_offset(a));
    if (status != STRIA_OK) {
        stria_array_release(out);
        return fail_library(failure, status, NO_PLACE);
    }
    out->view.flags |= a->flags & ~(uint32_t)STRIA_READONLY; /* of the file, not of what is read */
    return STRIA_OK;
}
