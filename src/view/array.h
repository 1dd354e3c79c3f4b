/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions that make arrays on behalf of other files. */
#pragma once

#include "base/status.h"
#include "base/tool_api.h"
#include "stria/array.h"
#include "view/view.h"

/* Makes *out an array that owns nothing, as {0} does, without clearing a kilobyte. */
static inline void array_none(stria_array *out)
{
    out->owned = NULL;
}

/* Releases what an array owns that is not used any more. */
static inline void array_drop(const stria_array *array)
{
    if (array->owned) stria_buffer_release(array->owned);
}

/* Declares an array that owns nothing; what it owns at the end of the block is released there. */
#define OWNED_ARRAY(name)                                                                          \
    __attribute__((cleanup(array_drop))) stria_array name;                                         \
    array_none(&(name))

/* Declares up to eight of them. */
/* clang-format off */
#define OWNED_1(name)      OWNED_ARRAY(name)
#define OWNED_2(name, ...) OWNED_ARRAY(name); OWNED_1(__VA_ARGS__)
#define OWNED_3(name, ...) OWNED_ARRAY(name); OWNED_2(__VA_ARGS__)
#define OWNED_4(name, ...) OWNED_ARRAY(name); OWNED_3(__VA_ARGS__)
#define OWNED_5(name, ...) OWNED_ARRAY(name); OWNED_4(__VA_ARGS__)
#define OWNED_6(name, ...) OWNED_ARRAY(name); OWNED_5(__VA_ARGS__)
#define OWNED_7(name, ...) OWNED_ARRAY(name); OWNED_6(__VA_ARGS__)
#define OWNED_8(name, ...) OWNED_ARRAY(name); OWNED_7(__VA_ARGS__)
/* clang-format on */
#define OWNED_OF(one, two, three, four, five, six, seven, eight, owned, ...) owned
#define OWNED_ARRAYS(...)                                                                          \
    OWNED_OF(__VA_ARGS__, OWNED_8, OWNED_7, OWNED_6, OWNED_5, OWNED_4, OWNED_3, OWNED_2, OWNED_1,  \
             0)                                                                                    \
    (__VA_ARGS__)

/* Gives an array a buffer that the caller holds, and releases the one that it had. */
static inline void array_own(stria_array *out, stria_buffer *buffer)
{
    stria_buffer *const before = out->owned;
    out->owned = buffer;
    stria_buffer_release(before);
}

/* Does stria_array_share without passing a kilobyte through the stack; a may be out's own view. */
static inline void array_share(stria_array *out, const stria_view *a)
{
    view_copy(&out->view, a);
    array_own(out, stria_buffer_retain(out->view.buffer));
}

/* Returns an owner of the memory that a view lies in; of what is no view a cleared one. */
stria_array stria__array_of(const stria_view *view);

/* Does stria_empty_ordered, in a meta buffer when `near` lies in one. */
STRIA_FOR_LINALG STRIA_FILLS stria_status stria__empty_like_memory(stria_array *out,
                                                                   const stria_view *near,
                                                                   stria_dtype dtype, int ndim,
                                                                   const int64_t *shape,
                                                                   stria_order order);

/* Does stria_empty_like on behalf of another public function, which messages name. */
STRIA_FILLS stria_status stria__empty_as(stria_array *out, const stria_view *a, stria_dtype dtype,
                                         stria_order order, const char *op);

/* Makes an array with the bounds and the geometry of a, and no memory. */
TOOL_API stria_status stria__meta_of(stria_array *out, const stria_view *a);

/* Copies the bytes of a view; its lazy bits stay lazy. Repeated elements are copied once. */
STRIA_FILLS stria_status stria__clone_bytes(stria_array *out, const stria_view *a);
