/* SPDX-License-Identifier: BSD-3-Clause */
#include "results.h"

#include <stddef.h>
#include <string.h>

#include "alloc.h"
#include "array.h"
#include "buffer.h"
#include "record.h"
#include "status.h"
#include "view/view.h"

/* The arrays of a tuple, behind what gives their memory back. */
struct tuple {
    stria_allocator allocator;
    size_t size;
    stria_array arrays[];
};

stria_status stria__results_tuple(stria_results *out, int64_t count)
{
    const stria_allocator allocator = stria__allocator();
    const size_t size = sizeof(struct tuple) + (size_t)count * sizeof(stria_array);
    struct tuple *const tuple = allocator.alloc(size, _Alignof(max_align_t), allocator.context);
    if (!tuple)
        return stria__fail(STRIA_ERR_MEMORY, "call: out of memory for %lld results",
                           (long long)count);
    memset(tuple, 0, size);
    tuple->allocator = allocator;
    tuple->size = size;
    out->several = true;
    out->count = count;
    out->arrays = tuple->arrays;
    return STRIA_OK;
}

void stria__results_replace(stria_results *out, stria_results *made)
{
    stria_results_release(out);
    *out = *made;
}

static void release_tuple(stria_results *results)
{
    if (!results->arrays) return;
    struct tuple *const tuple =
        (struct tuple *)((char *)results->arrays - offsetof(struct tuple, arrays));
    for (int64_t i = 0; i < results->count; i++)
        stria_array_release(&tuple->arrays[i]);
    tuple->allocator.free(tuple, tuple->size, tuple->allocator.context);
    results->arrays = NULL;
}

void stria__results_single(stria_results *results)
{
    release_tuple(results);
    results->count = 1;
    results->several = results->answers = false;
}

void stria__results_take(stria_results *results, stria_array *made)
{
    if (made->owned) {
        view_copy(&results->one.view, &made->view);
        array_own(&results->one, made->owned);
        made->owned = NULL;
    } else {
        array_share(&results->one, &made->view);
    }
    stria__results_single(results);
}

/* Another buffer of the view's memory, or of none, that keeps the description of its dtype. */
static stria_status keep_dtype(stria_buffer **out, const stria_view *view)
{
    struct extent extent = {0, 0};
    const struct geometry geometry = view_geometry(view);
    if (view->buffer) return stria__buffer_with_dtype(out, view->buffer, view->dtype);
    if (view->data) (void)stria__extent(&extent, &geometry);
    STRIA_TRY(stria_buffer_wrap(out, view->data ? view->data + extent.low : NULL,
                                extent.high - extent.low, false, NULL, NULL));
    stria__buffer_keep_dtype(*out, view->dtype);
    return STRIA_OK;
}

static bool is_kept(const stria_view *view, const struct pool *pool)
{
    const struct stria_record *const record = view->dtype.record;
    return !pool->dtypes || !record || !record->allocated ||
           (view->buffer && view->buffer->record == record);
}

stria_status stria__results_keep(stria_array *made, const struct pool *pool)
{
    stria_buffer *keeper;
    if (is_kept(&made->view, pool)) return STRIA_OK;
    STRIA_TRY(keep_dtype(&keeper, &made->view));
    stria_buffer_release(made->owned);
    made->owned = made->view.buffer = keeper;
    return STRIA_OK;
}

stria_status stria__results_keep_answer(stria_results *made, const struct pool *pool)
{
    const stria_view none = {.dtype = made->answer.value.dtype};
    if (made->answer.kind != STRIA_ARG_DTYPE || is_kept(&none, pool)) return STRIA_OK;
    return keep_dtype(&made->one.owned, &none);
}

const stria_array *stria_results_at(const stria_results *results, int64_t i)
{
    if (!results || i < 0 || i >= results->count) return NULL;
    return results->several ? &results->arrays[i] : &results->one;
}

void stria_results_release(stria_results *results)
{
    if (!results) return;
    stria_array_release(&results->one);
    release_tuple(results);
    results->count = 0;
    results->several = results->answers = false;
    results->answer = (stria_arg){.kind = STRIA_ARG_NONE};
}
