/* SPDX-License-Identifier: BSD-3-Clause */
#include "environment.h"

#include <string.h>

#include "operators.h"
#include "stria/stria.h"
#include "view/view.h"

bool stria__environment_has_x(const struct environment *environment)
{
    return *environment->views[0].name;
}

const stria_view *stria__environment_find(const struct environment *environment, const char *name)
{
    for (size_t i = 0; i < environment->count; i++)
        if (!strcmp(environment->views[i].name, name)) return environment->views[i].view;
    return NULL;
}

const char *stria__environment_owner(const struct environment *environment,
                                     const stria_buffer *buffer)
{
    for (size_t i = 0; i < environment->count; i++)
        if (environment->views[i].view->buffer == buffer) return environment->views[i].name;
    return NULL;
}

/* The bytes that its buffer has, seen from the first element; of foreign memory those it reaches.
 */
static struct extent room_of(const stria_view *a)
{
    const int64_t before = -stria_offset(a);
    if (a->buffer) return (struct extent){before, before + stria_buffer_size(a->buffer)};
    struct extent extent;
    const struct geometry geometry = view_geometry(a);
    return stria__extent(&extent, &geometry) ? extent : (struct extent){0, 0};
}

stria_status stria__meta_of(stria_array *out, const stria_view *a)
{
    const struct extent room = room_of(a);
    *out = (stria_array){0};
    STRIA_TRY(stria_buffer_meta(&out->owned, room.high - room.low));
    const stria_status status =
        stria_view_make(&out->view, out->owned, a->dtype, a->ndim, a->shape, a->strides, -room.low);
    if (status != STRIA_OK)
        stria_array_release(out);
    else
        out->view.flags |= a->flags & ~(uint32_t)STRIA_READONLY; /* of what memory, not of this */
    return status;
}

static bool is_identifier(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char digits[] = "0123456789";
    if (!*name || !strchr(letters, *name)) return false;
    while (*name && (strchr(letters, *name) || strchr(digits, *name)))
        name++;
    return !*name;
}

static bool is_word(const char *name)
{
    enum world world;
    struct value value = {0};
    return stria__name_is_module(name, &world) || stria__operation_is_word(name) ||
           (stria__name_value(&value, name, WORLD_ANY) && value.kind != VALUE_DTYPE &&
            value.kind != VALUE_FLOAT);
}

const char *stria__environment_refuses(const char *name)
{
    return !is_identifier(name) ? "is not a name"
           : is_word(name)      ? "means something else in text"
                                : NULL;
}
