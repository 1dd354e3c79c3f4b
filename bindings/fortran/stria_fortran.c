/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The procedures of module `stria` (stria.f90): descriptors become views, dims that count from 1
 * count from 0, and a status goes into stat= and errmsg=, or ends the program where there is no
 * stat=, as in Fortran's own statements. Absent optional arguments arrive as NULL.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "stria/stria_fortran.h"

enum { MAX_ARGUMENTS = 8, MAX_TEXT = 4096 };

/* Ends the program with a message; in stria.f90, because C has no `error stop`. */
void stria_fortran_stop(const char *message, size_t length);

/* ---- errors, text and numbers -------------------------------------------------------------- */

/*
 * Before the program begins: ends it where the library is of another version, and takes the user's
 * own profile (machine.h).
 */
__attribute__((constructor)) static void begin(void)
{
    if (stria_version_check(STRIA_VERSION) != STRIA_OK) {
        (void)fprintf(stderr, "stria: %s\n", stria_last_error());
        exit(1);
    }
    (void)!stria_machine_load(NULL);
}

/* Stores a status and its message, as far as the caller wants to know. */
static void finish_call(stria_status status, int *stat, const CFI_cdesc_t *errmsg)
{
    if (stat) *stat = status;
    if (status == STRIA_OK) return;
    const char *message = stria_last_error();
    const size_t length = strlen(message);
    if (errmsg && errmsg->base_addr) {
        const size_t used = length < errmsg->elem_len ? length : errmsg->elem_len;
        memcpy(errmsg->base_addr, message, used);
        memset((char *)errmsg->base_addr + used, ' ', errmsg->elem_len - used);
    }
    if (!stat) stria_fortran_stop(message, length);
}

/* Copies text without the blanks that fill it up, and terminates it. */
static stria_status text_of(char text[MAX_TEXT], const CFI_cdesc_t *from, const char *what)
{
    size_t length = from->elem_len;
    const char *bytes = from->base_addr;
    while (length && bytes[length - 1] == ' ')
        length--;
    if (length >= MAX_TEXT) {
        return stria_fail(STRIA_ERR_ARGUMENT, "%s has %zu characters, at most %d are allowed", what,
                          length, MAX_TEXT - 1);
    }
    memcpy(text, bytes, length);
    text[length] = 0;
    return STRIA_OK;
}

/* Reads numbers that count dims from 1: an integer or a vector of them. */
static stria_status dims_of(int64_t dims[STRIA_MAX_NDIM], int *count, const CFI_cdesc_t *from)
{
    stria_view given;
    const stria_status status = stria_view_fortran(&given, from, STRIA_READONLY);
    if (status != STRIA_OK) return status;
    const int64_t n = stria_numel(&given);
    if (given.ndim > 1 || n > STRIA_MAX_NDIM) {
        return stria_fail(STRIA_ERR_DIM, "dims are an integer or a vector of at most %d",
                          STRIA_MAX_NDIM);
    }
    stria_view numbers;
    const stria_dtype i64 = stria_dtype_of(STRIA_I64);
    stria_status made = stria_view_foreign(&numbers, dims, i64, given.ndim, given.shape, NULL, 0);
    if (made == STRIA_OK && from->type != CFI_type_int32_t && from->type != CFI_type_int64_t) {
        made = stria_fail(STRIA_ERR_DTYPE, "dims are integers");
    }
    if (made == STRIA_OK) made = stria_copy(&numbers, &given, NULL);
    if (made != STRIA_OK) return made;
    for (int64_t i = 0; i < n; i++) {
        if (dims[i] < 1) {
            return stria_fail(STRIA_ERR_DIM, "dim %lld: dims count from 1", (long long)dims[i]);
        }
        dims[i]--;
    }
    *count = (int)n;
    return STRIA_OK;
}

/* Adds to a refusal which of the dims it is about, as Fortran counts them. */
static stria_status tell_dims(stria_status status, const int64_t *dims, int count, int ndim)
{
    for (int i = 0; i < count && status == STRIA_ERR_DIM; i++) {
        bool again = false;
        for (int k = 0; k < i; k++)
            again = again || dims[k] == dims[i];
        if (again || dims[i] >= ndim) {
            return stria_fail(status, "dim %lld of %d is %s", (long long)dims[i] + 1, ndim,
                              again ? "given twice" : "not there");
        }
    }
    return status;
}

/* ---- copy and fill ------------------------------------------------------------------------- */

void stria_fortran_copy(CFI_cdesc_t *to, const CFI_cdesc_t *from, const CFI_cdesc_t *order,
                        int *stat, const CFI_cdesc_t *errmsg)
{
    stria_view dst, src;
    stria_status status = stria_view_fortran(&dst, to, 0);
    if (status == STRIA_OK) status = stria_view_fortran(&src, from, STRIA_READONLY);
    if (status == STRIA_OK && order) {
        int64_t wide[STRIA_MAX_NDIM];
        int dims[STRIA_MAX_NDIM], count = 0;
        status = dims_of(wide, &count, order);
        for (int i = 0; i < count; i++)
            dims[i] = (int)wide[i];
        if (status == STRIA_OK) {
            status = tell_dims(stria_permute(&src, &src, count, dims), wide, count, src.ndim);
        }
    }
    if (status == STRIA_OK) status = stria_copy(&dst, &src, NULL);
    finish_call(status, stat, errmsg);
}

void stria_fortran_fill(CFI_cdesc_t *array, const CFI_cdesc_t *value, int *stat,
                        const CFI_cdesc_t *errmsg)
{
    stria_view dst, element;
    stria_status status = stria_view_fortran(&dst, array, 0);
    if (status == STRIA_OK) status = stria_view_fortran(&element, value, STRIA_READONLY);
    if (status == STRIA_OK) status = stria_fill(&dst, &element, NULL);
    finish_call(status, stat, errmsg);
}

/* ---- functions by name and text ------------------------------------------------------------ */

/* Makes views of arguments up to the first absent one; those after it must be absent, too. */
static stria_status views_of(stria_view *views, int *count, const CFI_cdesc_t *const *given)
{
    *count = 0;
    for (int i = 0; i < MAX_ARGUMENTS; i++) {
        if (!given[i]) continue;
        if (i != *count) {
            return stria_fail(STRIA_ERR_ARGUMENT, "array %d is there, array %d is not", i + 1,
                              *count + 1);
        }
        const stria_status status = stria_view_fortran(&views[i], given[i], STRIA_READONLY);
        if (status != STRIA_OK) return status;
        ++*count;
    }
    return STRIA_OK;
}

/* Finds a function, or reports the names that are close. */
static stria_status function_of(const stria_function **out, const CFI_cdesc_t *name)
{
    char text[MAX_TEXT], close[256];
    const stria_status status = text_of(text, name, "the name of a function");
    if (status != STRIA_OK) return status;
    *out = stria_function_find(text);
    if (*out) return STRIA_OK;
    const bool found = !stria_function_suggest(close, sizeof close, NULL, text) && *close;
    return stria_fail(STRIA_ERR_ARGUMENT, "there is no function '%s'%s%s", text,
                      found ? "; is it " : "", found ? close : "");
}

/* Tells whether a form of the function has a parameter of that name. */
static bool takes(const stria_function *function, const char *name)
{
    const int length = (int)strlen(name);
    stria_form form;
    stria_parameter parameter;
    for (int i = 0; stria_function_form(&form, function, i) == STRIA_OK; i++) {
        for (int k = 0; stria_function_parameter(&parameter, function, i, k) == STRIA_OK; k++) {
            for (int at = 0, n = 0; at < parameter.names_length; at += n + 1) {
                n = (int)strcspn(parameter.names + at, "|:");
                if (n > parameter.names_length - at) n = parameter.names_length - at;
                if (n == length && memcmp(parameter.names + at, name, (size_t)n) == 0) return true;
            }
        }
    }
    return false;
}

/* Writes the one array of results into out, converted within its kind. */
static stria_status write_result(const stria_view *out, const stria_results *results)
{
    if (results->several || results->answers || results->count != 1) {
        return stria_fail(STRIA_ERR_ARGUMENT, "the result is not one array");
    }
    return stria_copy_cast(out, &results->one.view, STRIA_CAST_SAME_KIND, NULL);
}

/*
 * Calls a function whose result goes into out, as its parameter of that name; of a function that
 * has none, which makes a view or an array, the result is copied.
 */
static stria_status call_into(const CFI_cdesc_t *name, const CFI_cdesc_t *out,
                              const CFI_cdesc_t *const *given, const CFI_cdesc_t *dim,
                              const CFI_cdesc_t *mask)
{
    stria_view result, chosen, views[MAX_ARGUMENTS];
    stria_arg args[MAX_ARGUMENTS + 3], items[STRIA_MAX_NDIM];
    const stria_function *function = NULL;
    int64_t dims[STRIA_MAX_NDIM];
    int count = 0, ndims = 0;
    stria_status status = function_of(&function, name);
    if (status == STRIA_OK) status = stria_view_fortran(&result, out, 0);
    if (status == STRIA_OK) status = views_of(views, &count, given);
    if (status == STRIA_OK && dim) status = dims_of(dims, &ndims, dim);
    if (status == STRIA_OK && mask) status = stria_view_fortran(&chosen, mask, STRIA_READONLY);
    if (status != STRIA_OK) return status;
    const bool arrays = count > 0;
    for (int i = 0; i < count; i++)
        args[i] = stria_arg_view(&views[i]);
    for (int i = 0; i < ndims; i++)
        items[i] = stria_arg_int(dims[i]);
    if (dim) {
        const char *const as = !takes(function, "dim") && takes(function, "dims") ? "dims" : "dim";
        args[count++] = stria_arg_named(as, dim->rank ? stria_arg_tuple(ndims, items) : items[0]);
    }
    if (mask) args[count++] = stria_arg_named("where", stria_arg_view(&chosen));
    const bool into = takes(function, "out");
    if (into) args[count++] = stria_arg_named("out", stria_arg_view(&result));
    stria_results results = {0};
    status = stria_call(&results, function, STRIA_PROMOTE_TORCH, count, args, NULL);
    if (status == STRIA_OK && !into) status = write_result(&result, &results);
    stria_results_release(&results);
    return arrays ? tell_dims(status, dims, ndims, views[0].ndim) : status;
}

void stria_fortran_call(const CFI_cdesc_t *name, CFI_cdesc_t *out, const CFI_cdesc_t *a,
                        const CFI_cdesc_t *b, const CFI_cdesc_t *c, const CFI_cdesc_t *d,
                        const CFI_cdesc_t *dim, const CFI_cdesc_t *mask, int *stat,
                        const CFI_cdesc_t *errmsg)
{
    const CFI_cdesc_t *const given[MAX_ARGUMENTS] = {a, b, c, d};
    finish_call(call_into(name, out, given, dim, mask), stat, errmsg);
}

/* Splits names at blanks and commas, in place. */
static int split_names(const char *names[], int most, char *text)
{
    int count = 0;
    for (text += strspn(text, " ,"); *text; text += strspn(text, " ,")) {
        if (count < most) names[count] = text;
        count++;
        text += strcspn(text, " ,");
        if (*text) *text++ = 0;
    }
    return count;
}

static stria_status evaluate(const CFI_cdesc_t *out, const CFI_cdesc_t *expression,
                             const CFI_cdesc_t *names, const CFI_cdesc_t *const *given)
{
    char text[MAX_TEXT], list[MAX_TEXT];
    const char *words[MAX_ARGUMENTS];
    stria_named named[MAX_ARGUMENTS];
    stria_view result, views[MAX_ARGUMENTS];
    int count = 0;
    stria_status status = text_of(text, expression, "an expression");
    if (status == STRIA_OK) status = text_of(list, names, "the list of names");
    if (status == STRIA_OK) status = stria_view_fortran(&result, out, 0);
    if (status == STRIA_OK) status = views_of(views, &count, given);
    if (status != STRIA_OK) return status;
    const int found = split_names(words, MAX_ARGUMENTS, list);
    if (found != count) {
        return stria_fail(STRIA_ERR_ARGUMENT, "%d names for %d arrays", found, count);
    }
    for (int i = 0; i < count; i++)
        named[i] = (stria_named){words[i], &views[i]};
    stria_results results = {0};
    status = stria_eval(&results, text, count, named, NULL);
    if (status == STRIA_OK) status = write_result(&result, &results);
    stria_results_release(&results);
    return status;
}

void stria_fortran_eval(CFI_cdesc_t *out, const CFI_cdesc_t *expression, const CFI_cdesc_t *names,
                        const CFI_cdesc_t *a, const CFI_cdesc_t *b, const CFI_cdesc_t *c,
                        const CFI_cdesc_t *d, const CFI_cdesc_t *e, const CFI_cdesc_t *f,
                        const CFI_cdesc_t *g, const CFI_cdesc_t *h, int *stat,
                        const CFI_cdesc_t *errmsg)
{
    const CFI_cdesc_t *const given[MAX_ARGUMENTS] = {a, b, c, d, e, f, g, h};
    finish_call(evaluate(out, expression, names, given), stat, errmsg);
}

/* ---- order and products -------------------------------------------------------------------- */

/* Reads the dim of a vector-wise operation; without one it is the first. */
static stria_status one_dim(int *dim, const CFI_cdesc_t *from)
{
    int64_t dims[STRIA_MAX_NDIM];
    int count = 0;
    *dim = 0;
    if (!from) return STRIA_OK;
    const stria_status status = dims_of(dims, &count, from);
    if (status != STRIA_OK) return status;
    if (count != 1) return stria_fail(STRIA_ERR_DIM, "one dim is needed, not %d", count);
    *dim = dims[0] > INT_MAX ? INT_MAX : (int)dims[0];
    return STRIA_OK;
}

/* Tells whether a logical is given and true, whatever its kind. */
static bool is_true(const CFI_cdesc_t *given)
{
    const char *bytes = given ? given->base_addr : NULL;
    bool truth = false;
    for (size_t i = 0; bytes && i < given->elem_len; i++)
        truth |= bytes[i] != 0;
    return truth;
}

void stria_fortran_sort(CFI_cdesc_t *array, const CFI_cdesc_t *dim, const CFI_cdesc_t *descending,
                        int *stat, const CFI_cdesc_t *errmsg)
{
    stria_view a;
    int along = 0;
    stria_status status = stria_view_fortran(&a, array, 0);
    if (status == STRIA_OK) status = one_dim(&along, dim);
    if (status == STRIA_OK) {
        status = tell_dims(stria_sort(&a, &a, along, is_true(descending), NULL), &(int64_t){along},
                           1, a.ndim);
    }
    finish_call(status, stat, errmsg);
}

void stria_fortran_argsort(CFI_cdesc_t *out, const CFI_cdesc_t *array, const CFI_cdesc_t *dim,
                           const CFI_cdesc_t *descending, int *stat, const CFI_cdesc_t *errmsg)
{
    stria_view places, a;
    int along = 0;
    stria_status status = stria_view_fortran(&places, out, 0);
    if (status == STRIA_OK) status = stria_view_fortran(&a, array, STRIA_READONLY);
    if (status == STRIA_OK) status = one_dim(&along, dim);
    if (status == STRIA_OK) {
        status = tell_dims(stria_argsort(&places, &a, along, is_true(descending), NULL),
                           &(int64_t){along}, 1, a.ndim);
    }
    if (status == STRIA_OK) { /* Fortran counts from 1. */
        const int64_t one = 1;
        stria_view number;
        status = stria_weak(&number, STRIA_I64, &one);
        if (status == STRIA_OK) status = stria_add(&places, &places, &number, NULL);
    }
    finish_call(status, stat, errmsg);
}

void stria_fortran_matmul(CFI_cdesc_t *out, const CFI_cdesc_t *a, const CFI_cdesc_t *b, int *stat,
                          const CFI_cdesc_t *errmsg)
{
    stria_view c, x, y;
    stria_status status = stria_view_fortran(&c, out, 0);
    if (status == STRIA_OK) status = stria_view_fortran(&x, a, STRIA_READONLY);
    if (status == STRIA_OK) status = stria_view_fortran(&y, b, STRIA_READONLY);
    if (status == STRIA_OK) status = stria_matmul(&c, &x, &y, NULL);
    finish_call(status, stat, errmsg);
}

/* ---- files --------------------------------------------------------------------------------- */

static stria_status load_file(const CFI_cdesc_t *path, CFI_cdesc_t *array)
{
    char text[MAX_TEXT];
    stria_dtype dtype;
    stria_array file = {0};
    stria_view made;
    stria_status status = text_of(text, path, "a path");
    if (status == STRIA_OK) status = stria_fortran_dtype(&dtype, array);
    if (status == STRIA_OK) status = stria_npy_read(&file, text, STRIA_NPY_MAP, NULL);
    if (status == STRIA_OK && !stria_can_cast(file.view.dtype, dtype, STRIA_CAST_SAFE)) {
        char of_file[64], of_array[64];
        (void)stria_dtype_format(of_file, sizeof of_file, NULL, file.view.dtype);
        (void)stria_dtype_format(of_array, sizeof of_array, NULL, dtype);
        status = stria_fail(STRIA_ERR_DTYPE, "%s: elements of %s do not fit into an array of %s",
                            text, of_file, of_array);
    }
    if (status == STRIA_OK) {
        status = stria_fortran_allocate(array, &made, file.view.ndim, file.view.shape);
    }
    if (status == STRIA_OK) status = stria_copy(&made, &file.view, NULL);
    stria_array_release(&file);
    return status;
}

void stria_fortran_load(const CFI_cdesc_t *path, CFI_cdesc_t *array, int *stat,
                        const CFI_cdesc_t *errmsg)
{
    finish_call(load_file(path, array), stat, errmsg);
}

void stria_fortran_save(const CFI_cdesc_t *path, const CFI_cdesc_t *array, int *stat,
                        const CFI_cdesc_t *errmsg)
{
    char text[MAX_TEXT];
    stria_view a;
    stria_status status = text_of(text, path, "a path");
    if (status == STRIA_OK) status = stria_view_fortran(&a, array, STRIA_READONLY);
    if (status == STRIA_OK) status = stria_npy_write(text, &a, NULL);
    finish_call(status, stat, errmsg);
}
