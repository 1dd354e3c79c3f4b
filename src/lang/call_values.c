/* SPDX-License-Identifier: BSD-3-Clause */
#include "call_values.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "view/array.h"
#include "dtype/record.h"

/* ---- arguments, answers ---------------------------------------------------------------------- */

/* Nesting of lists is limited to as many levels as an array may have dims. */
enum { DEEPEST = 64 };

struct reading {
    struct pool *pool;
    int depth;
};

static stria_status read_items(struct reading *r, struct value *items, int64_t count,
                               const stria_arg *args, const size_t *at);

/* Reads the parts of a list, a tuple or a slice. */
static stria_status read_parts(struct reading *r, struct value **out, int64_t count,
                               const stria_arg *args, size_t at)
{
    if (++r->depth > DEEPEST)
        return stria__fail(STRIA_ERR_ARGUMENT, "call: lists are nested deeper than %d", DEEPEST);
    TAKE_TO(*out, r->pool, (size_t)count);
    STRIA_TRY(read_items(r, *out, count, args, &at));
    r->depth--;
    return STRIA_OK;
}

static stria_status read_list(struct reading *r, struct value *out, const stria_arg *arg)
{
    if (arg->count < 0 || (arg->count && !arg->value.items))
        return stria__fail(STRIA_ERR_ARGUMENT, "call: a list of %lld items without items",
                           (long long)arg->count);
    out->list.count = (size_t)arg->count;
    return read_parts(r, &out->list.items, arg->count, arg->value.items, out->at);
}

static stria_status read_slice(struct reading *r, struct value *out, const stria_arg *arg)
{
    struct value *parts;
    if (!arg->value.items) return stria__fail(STRIA_ERR_ARGUMENT, "call: a slice without parts");
    STRIA_TRY(read_parts(r, &parts, 3, arg->value.items, out->at));
    out->slice.start = &parts[0];
    out->slice.stop = &parts[1];
    out->slice.step = &parts[2];
    return STRIA_OK;
}

static stria_status read_text(struct reading *r, struct value *out, const stria_arg *arg)
{
    if (arg->count < 0 || !arg->value.text)
        return stria__fail(STRIA_ERR_ARGUMENT, "call: text of %lld bytes is NULL",
                           (long long)arg->count);
    out->string.length = (size_t)arg->count;
    out->string.text = stria__pool_text(r->pool, arg->value.text, out->string.length);
    TRY_MEMORY(out->string.text);
    return STRIA_OK;
}

static void read_unsigned(struct value *out, uint64_t integer)
{
    out->huge = integer > INT64_MAX;
    out->integer = out->huge ? INT64_MAX : (int64_t)integer;
    out->large = out->huge ? integer : 0;
}

stria_status stria__check_numbered(const stria_view *view, const char *op, const char *what,
                                   size_t number)
{
    /* It is printed only when needed, since that takes a tenth of the time of a call of a view. */
    char name[32];
    if (stria__check_view(view, op, what) == STRIA_OK) return STRIA_OK;
    (void)snprintf(name, sizeof name, "%s %zu", what, number);
    return stria__check_view(view, op, name);
}

/* The kind of value for each type of argument. */
static const enum value_kind kinds[] = {
    [STRIA_ARG_NONE] = VALUE_NONE,    [STRIA_ARG_BOOL] = VALUE_BOOL,
    [STRIA_ARG_INT] = VALUE_INT,      [STRIA_ARG_UINT] = VALUE_INT,
    [STRIA_ARG_FLOAT] = VALUE_FLOAT,  [STRIA_ARG_COMPLEX] = VALUE_COMPLEX,
    [STRIA_ARG_TEXT] = VALUE_STRING,  [STRIA_ARG_ELLIPSIS] = VALUE_ELLIPSIS,
    [STRIA_ARG_SLICE] = VALUE_SLICE,  [STRIA_ARG_DTYPE] = VALUE_DTYPE,
    [STRIA_ARG_ORDER] = VALUE_FORMAT, [STRIA_ARG_LIST] = VALUE_LIST,
    [STRIA_ARG_TUPLE] = VALUE_TUPLE,  [STRIA_ARG_VIEW] = VALUE_ARRAY,
    [STRIA_ARG_REF] = VALUE_ARRAY};

static stria_status read_ref(struct reading *r, struct value *out, const stria_ref *ref)
{
    TAKE(stria_view, view, r->pool);
    out->view = view;
    return stria_ref_view(view, ref);
}

static stria_status read_argument(struct reading *r, struct value *out, const stria_arg *arg)
{
    if ((unsigned)arg->kind >= sizeof kinds / sizeof *kinds)
        return stria__fail(STRIA_ERR_ARGUMENT, "call: argument %zu is of no known kind",
                           out->at + 1);
    out->kind = kinds[arg->kind];
    switch (arg->kind) {
    case STRIA_ARG_BOOL: out->truth = arg->value.truth; break;
    case STRIA_ARG_INT: out->integer = arg->value.integer; break;
    case STRIA_ARG_UINT: read_unsigned(out, arg->value.unsigned_integer); break;
    case STRIA_ARG_FLOAT: out->number.real = arg->value.real; break;
    case STRIA_ARG_COMPLEX:
        out->number.real = arg->value.complex_parts[0];
        out->number.imaginary = arg->value.complex_parts[1];
        break;
    case STRIA_ARG_DTYPE: out->dtype = arg->value.dtype; break;
    case STRIA_ARG_ORDER: out->order = arg->value.order; break;
    case STRIA_ARG_VIEW:
        out->view = arg->value.view;
        return stria__check_numbered(out->view, "call", "argument", out->at + 1);
    case STRIA_ARG_REF: return read_ref(r, out, arg->value.ref);
    case STRIA_ARG_TEXT: return read_text(r, out, arg);
    case STRIA_ARG_SLICE: return read_slice(r, out, arg);
    case STRIA_ARG_LIST:
    case STRIA_ARG_TUPLE: return read_list(r, out, arg);
    default: break;
    }
    return STRIA_OK;
}

/* Reads the items of a list at *at, or the arguments themselves if `at` is NULL. */
static stria_status read_items(struct reading *r, struct value *items, int64_t count,
                               const stria_arg *args, const size_t *at)
{
    for (int64_t i = 0; i < count; i++) {
        items[i] = (struct value){.kind = VALUE_NONE, .at = at ? *at : (size_t)i};
        STRIA_TRY(read_argument(r, &items[i], &args[i]));
    }
    return STRIA_OK;
}

stria_status stria__arguments_read(struct value *out, int64_t count, const stria_arg *args,
                                   struct pool *pool)
{
    struct reading r = {.pool = pool};
    return read_items(&r, out, count, args, NULL);
}

static stria_arg answer_of(const struct value *value)
{
    stria_arg arg = {.kind = STRIA_ARG_NONE};
    switch (value->kind) {
    case VALUE_BOOL: return stria_arg_bool(value->truth);
    case VALUE_INT:
        if (!value->huge) return stria_arg_int(value->integer);
        arg.kind = STRIA_ARG_UINT;
        arg.value.unsigned_integer = value->large;
        return arg;
    case VALUE_FLOAT: return stria_arg_float(value->number.real);
    case VALUE_DTYPE: return stria_arg_dtype(value->dtype);
    case VALUE_COMPLEX:
        arg.kind = STRIA_ARG_COMPLEX;
        arg.value.complex_parts[0] = value->number.real;
        arg.value.complex_parts[1] = value->number.imaginary;
        return arg;
    case VALUE_STRING:
        arg.kind = STRIA_ARG_TEXT;
        arg.count = (int64_t)value->string.length;
        arg.value.text = value->string.text;
        return arg;
    default: return arg;
    }
}

static stria_status write_answer(stria_results *out, const struct value *answer)
{
    if (answer->kind == VALUE_SPARSE)
        return stria__fail(STRIA_ERR_UNSUPPORTED,
                           "a sparse array is no result; end with to_dense, indices or values");
    out->answers = true;
    out->answer = answer_of(answer);
    if (answer->kind != VALUE_TUPLE) return STRIA_OK;
    const size_t count = answer->list.count;
    if (count > STRIA_MAX_NDIM)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "an answer of %zu numbers; at most %d", count,
                           STRIA_MAX_NDIM);
    for (size_t i = 0; i < count; i++)
        out->integers[i] = answer->list.items[i].integer;
    out->answer.kind = STRIA_ARG_TUPLE;
    out->answer.count = (int64_t)count;
    return STRIA_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

/* Holds the arrays of a tuple, behind the function that releases their memory. */
struct tuple {
    stria_allocator allocator;
    size_t size;
    stria_array arrays[];
};

/* Makes room for count arrays, zeroed. */
static stria_status make_tuple(stria_results *out, int64_t count)
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

/* Makes another buffer of the view's memory, if any, which keeps the description of its dtype. */
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

/* Makes *made own a buffer that keeps the description of its dtype, if only the pool keeps it so
 * far. */
static stria_status keep_description(stria_array *made, const struct pool *pool)
{
    stria_buffer *keeper;
    if (is_kept(&made->view, pool)) return STRIA_OK;
    STRIA_TRY(keep_dtype(&keeper, &made->view));
    stria_buffer_release(made->owned);
    made->owned = made->view.buffer = keeper;
    return STRIA_OK;
}

stria_status stria__results_take(stria_results *results, stria_array *made, const struct pool *pool)
{
    STRIA_TRY(keep_description(made, pool));
    if (made->owned) {
        view_copy(&results->one.view, &made->view);
        array_own(&results->one, made->owned);
        made->owned = NULL;
    } else {
        array_share(&results->one, &made->view);
    }
    stria__results_single(results);
    return STRIA_OK;
}

static stria_status fill_results(stria_results *made, const struct value *answer, int64_t count,
                                 const stria_view *const *views, const struct pool *pool)
{
    if (answer) {
        STRIA_TRY(write_answer(made, answer));
        const stria_view none = {.dtype = made->answer.value.dtype};
        if (made->answer.kind != STRIA_ARG_DTYPE || is_kept(&none, pool)) return STRIA_OK;
        return keep_dtype(&made->one.owned, &none);
    }
    STRIA_TRY(make_tuple(made, count));
    for (int64_t i = 0; i < count; i++) {
        made->arrays[i] = stria__array_of(views[i]);
        STRIA_TRY(keep_description(&made->arrays[i], pool));
    }
    return STRIA_OK;
}

stria_status stria__results_tuple(stria_results *results, const struct value *answer, int64_t count,
                                  const stria_view *const *views, const struct pool *pool)
{
    stria_results made = {0};
    const stria_status status = fill_results(&made, answer, count, views, pool);
    stria_results_release(status == STRIA_OK ? results : &made);
    if (status == STRIA_OK) *results = made;
    return status;
}

const stria_array *stria_results_at(const stria_results *results, int64_t i)
{
    if (!results || i < 0 || i >= results->count) return NULL;
    return results->several ? &results->arrays[i] : &results->one;
}

int64_t stria_results_count(const stria_results *results)
{
    return results ? results->count : 0;
}

const stria_arg *stria_results_answer(const stria_results *results)
{
    return results && results->answers ? &results->answer : NULL;
}

const char *stria_results_error(const stria_results *results)
{
    return results ? results->error : "";
}

stria_status stria__results_tell(stria_results *results, stria_status status)
{
    if (!results) return status;
    results->error[0] = 0;
    if (status != STRIA_OK)
        (void)snprintf(results->error, sizeof results->error, "%s", stria_last_error());
    return status;
}

static stria_status refuse_result(int64_t i, int64_t count)
{
    return stria__fail(STRIA_ERR_ARGUMENT, "results: there is no array %lld of %lld", (long long)i,
                       (long long)count);
}

stria_status stria_results_take(stria_array *out, stria_results *results, int64_t i)
{
    stria_array *const array = (stria_array *)(uintptr_t)stria_results_at(results, i);
    if (!out) return stria__fail(STRIA_ERR_ARGUMENT, "results: out is NULL");
    if (!array) return refuse_result(i, stria_results_count(results));
    stria_buffer_release(out->owned);
    *out = *array;
    array_none(array);
    /* The description of a record goes with its array. */
    view_set(&array->view, NULL, NULL, stria_dtype_of(STRIA_U8), 0, 1, (int64_t[]){0},
             (int64_t[]){1});
    return STRIA_OK;
}

stria_status stria_results_ref(stria_ref **out, const stria_results *results, int64_t i)
{
    const stria_array *const array = stria_results_at(results, i);
    return array ? stria_ref_make(out, &array->view)
                 : refuse_result(i, stria_results_count(results));
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
