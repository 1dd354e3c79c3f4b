/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Calls by name: any function of the registry with tagged values of every kind, most of them of the
 * kind that the parameter wants, by position and by keyword, over views at inaccessible pages. What
 * is refused has a message, leaves the results as they were and writes nothing; what is done is
 * done again with the same result. Allocations are bounded.
 */
#include "guarded_views.h"
#include "lang/registry.h"

enum { MOST_ARGUMENTS = 6, MOST_ITEMS = 64, LARGEST = 4 << 20 };

/* Values that lists and slices are made of; taken from the first on. */
struct items {
    stria_arg all[MOST_ITEMS];
    int used;
};

static stria_arg take_value(struct input *in, const struct guarded_views *g, struct items *items,
                            stria_arg_kind kind, int depth);

static int64_t take_integer(struct input *in)
{
    static const int64_t far[] = {
        INT64_MAX, INT64_MIN, INT64_C(1) << 62, INT64_C(1) << 31, -(INT64_C(1) << 40), 65, 1000};
    return take_once(in, 12) ? far[take_below(in, 7)] : take_below(in, 7) - 2;
}

static const char *take_word(struct input *in)
{
    static const char *const words[] = {
        "C",    "F",      "K",    "sum",    "mean",     "prod",  "amax",    "linear",  "lower",
        "left", "unsafe", "safe", "reduce", "constant", "wrap",  "raise",   "f4",      "<i8",
        ">f4",  "S5",     "f32",  "int64",  "i4,f4",    "right", "trunc",   "floor",   "same_kind",
        "ij",   "xy",     "no",   "",       "edge",     "full",  "nearest", "a,b->ab", "ij,jk->ik"};
    return words[take_below(in, (int)(sizeof words / sizeof *words))];
}

static stria_arg take_sequence(struct input *in, const struct guarded_views *g, struct items *items,
                               stria_arg_kind kind, stria_arg_kind of, int count, int depth)
{
    stria_arg arg = stria_arg_of(kind);
    if (items->used + count > MOST_ITEMS) count = 0;
    stria_arg *const first = &items->all[items->used];
    items->used += count;
    for (int i = 0; i < count; i++)
        first[i] = take_value(in, g, items, of, depth + 1);
    arg.count = count;
    arg.value.items = first;
    return arg;
}

/* Takes a value for a parameter of this kind: mostly one of the kind, now and then another. */
static stria_arg take_value(struct input *in, const struct guarded_views *g, struct items *items,
                            stria_arg_kind kind, int depth)
{
    static const double reals[] = {
        0, 1, -1, 0.5, 2, 1e300, 1e-9, 0x1p63, -0.0, (double)NAN, (double)INFINITY, 0.25};
    stria_arg arg = stria_arg_of(kind);
    switch (kind) {
    case STRIA_ARG_BOOL: return stria_arg_bool(take_once(in, 2));
    case STRIA_ARG_INT: return stria_arg_int(take_integer(in));
    case STRIA_ARG_UINT: arg.value.unsigned_integer = (uint64_t)take_integer(in); return arg;
    case STRIA_ARG_FLOAT: return stria_arg_float(reals[take_below(in, 12)]);
    case STRIA_ARG_COMPLEX:
        arg.value.complex_parts[0] = reals[take_below(in, 12)];
        arg.value.complex_parts[1] = reals[take_below(in, 12)];
        return arg;
    case STRIA_ARG_TEXT: {
        const char *const word = take_word(in);
        return stria_arg_text(word, (int64_t)strlen(word));
    }
    case STRIA_ARG_DTYPE: {
        stria_dtype dtype = take_any_dtype(in);
        if (take_once(in, 24)) dtype.kind = (uint8_t)take_below(in, 256);
        if (take_once(in, 24)) dtype.itemsize = take_below(in, 256) - 128;
        return stria_arg_dtype(dtype);
    }
    case STRIA_ARG_ORDER: arg.value.order = (stria_order)take_below(in, 12); return arg;
    case STRIA_ARG_SLICE:
        return take_sequence(in, g, items, kind, take_once(in, 3) ? STRIA_ARG_NONE : STRIA_ARG_INT,
                             3, depth);
    case STRIA_ARG_LIST:
    case STRIA_ARG_TUPLE: {
        const stria_arg_kind of = depth > 2          ? STRIA_ARG_INT
                                  : take_once(in, 3) ? (stria_arg_kind)take_below(in, 14)
                                                     : STRIA_ARG_INT;
        return take_sequence(in, g, items, kind, of, take_below(in, 5), depth);
    }
    case STRIA_ARG_VIEW: return stria_arg_view(&g->views[take_below(in, GUARDED_VIEWS)]);
    default: return arg;
    }
}

static stria_arg take_wanted(struct input *in, const struct guarded_views *g, struct items *items,
                             const struct param *param)
{
    static const stria_arg_kind wanted[][4] = {
        [TYPE_ARRAY] = {STRIA_ARG_VIEW, STRIA_ARG_VIEW, STRIA_ARG_VIEW, STRIA_ARG_VIEW},
        [TYPE_ARRAYS] = {STRIA_ARG_LIST, STRIA_ARG_TUPLE, STRIA_ARG_VIEW, STRIA_ARG_LIST},
        [TYPE_SPARSE] = {STRIA_ARG_VIEW, STRIA_ARG_NONE, STRIA_ARG_INT, STRIA_ARG_LIST},
        [TYPE_DATA] = {STRIA_ARG_VIEW, STRIA_ARG_LIST, STRIA_ARG_INT, STRIA_ARG_VIEW},
        [TYPE_OPERAND] = {STRIA_ARG_VIEW, STRIA_ARG_FLOAT, STRIA_ARG_INT, STRIA_ARG_COMPLEX},
        [TYPE_INT] = {STRIA_ARG_INT, STRIA_ARG_INT, STRIA_ARG_UINT, STRIA_ARG_VIEW},
        [TYPE_INTS] = {STRIA_ARG_TUPLE, STRIA_ARG_INT, STRIA_ARG_LIST, STRIA_ARG_VIEW},
        [TYPE_DIM] = {STRIA_ARG_INT, STRIA_ARG_INT, STRIA_ARG_INT, STRIA_ARG_NONE},
        [TYPE_DIMS] = {STRIA_ARG_INT, STRIA_ARG_TUPLE, STRIA_ARG_INT, STRIA_ARG_LIST},
        [TYPE_BOOL] = {STRIA_ARG_BOOL, STRIA_ARG_BOOL, STRIA_ARG_BOOL, STRIA_ARG_NONE},
        [TYPE_TEXT] = {STRIA_ARG_TEXT, STRIA_ARG_TEXT, STRIA_ARG_TEXT, STRIA_ARG_TEXT},
        [TYPE_DTYPE] = {STRIA_ARG_DTYPE, STRIA_ARG_TEXT, STRIA_ARG_DTYPE, STRIA_ARG_NONE},
        [TYPE_CLASS] = {STRIA_ARG_NONE, STRIA_ARG_TEXT, STRIA_ARG_NONE, STRIA_ARG_INT},
        [TYPE_FORMAT] = {STRIA_ARG_ORDER, STRIA_ARG_TEXT, STRIA_ARG_ORDER, STRIA_ARG_TEXT},
        [TYPE_ANY] = {STRIA_ARG_VIEW, STRIA_ARG_FLOAT, STRIA_ARG_TUPLE, STRIA_ARG_TEXT}};
    const stria_arg_kind kind = take_once(in, 16) ? (stria_arg_kind)take_below(in, 15)
                                                  : wanted[param->type][take_below(in, 4)];
    const bool arrays = param->type == TYPE_ARRAYS;
    if (arrays && (kind == STRIA_ARG_LIST || kind == STRIA_ARG_TUPLE))
        return take_sequence(in, g, items, kind, STRIA_ARG_VIEW, take_below(in, 4), 0);
    return take_value(in, g, items, kind, 0);
}

/* Takes arguments for a form: the required ones, and some of the others by keyword. */
static int take_arguments(struct input *in, const struct guarded_views *g, struct items *items,
                          const struct signature *signature, stria_arg *args, char names[][32])
{
    int count = 0;
    bool named = false;
    for (int i = 0; i < signature->count && count < MOST_ARGUMENTS; i++) {
        const struct param *const param = &signature->params[i];
        if (param->optional && take_once(in, 2)) {
            named = true;
            continue;
        }
        named = named || (i > 0 && take_once(in, 8));
        for (int k = param->variadic && !named ? take_below(in, 3) : 0; k >= 0; k--) {
            if (count == MOST_ARGUMENTS) break;
            args[count] = take_wanted(in, g, items, param);
            if (named) {
                const struct text_span name = stria__span_first(param->names);
                (void)snprintf(names[count], sizeof names[count], "%.*s", (int)name.length,
                               name.text);
                args[count].name = names[count];
            }
            count++;
        }
    }
    if (count < MOST_ARGUMENTS && take_once(in, 32))
        args[count++] = take_value(in, g, items, (stria_arg_kind)take_below(in, 15), 0);
    return count;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static stria_allocator below;

static void *bounded(size_t size, size_t alignment, void *context)
{
    (void)context;
    return size > LARGEST ? NULL : below.alloc(size, alignment, below.context);
}

static void give_back(void *memory, size_t size, void *context)
{
    (void)context;
    below.free(memory, size, below.context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const stria_allocator bound = {bounded, give_back, NULL};
    static struct guarded_views g;
    struct input in = {data, size};
    struct items items = {.used = 0};
    stria_arg args[MOST_ARGUMENTS];
    char names[MOST_ARGUMENTS][32], text[200];
    if (!below.alloc) {
        stria_get_allocator(&below);
        MUST(stria_set_allocator(&bound) == STRIA_OK, "allocator");
    }
    take_views(&g, &in);
    const size_t byte = (size_t)take_below(&in, 256), low = (size_t)take_below(&in, 256);
    const stria_function *const f = stria_function_at((byte * 256 + low) % stria_function_count());
    const int form = take_below(&in, f->count);
    const int count = take_arguments(&in, &g, &items, &f->forms[form]->signature, args, names);
    const stria_promotion rule = take_once(&in, 2) ? STRIA_PROMOTE_NUMPY : STRIA_PROMOTE_TORCH;
    const stria_exec exec = {.threads = 1};
    (void)stria_function_signature(text, sizeof text, NULL, f, form);

    stria_results r = {0}, again = {0};
    const stria_status status = stria_call(&r, f, rule, count, args, &exec);
    if (status == STRIA_OK) {
        check_results(&r, text);
    } else {
        MUST(r.count == 0 && !r.answers && !r.one.owned, text);
        MUST(stria_last_error()[0] != 0, text);
        MUST(views_are_as_filled(&g), text);
    }
    refill_views(&g);
    MUST(stria_call(&again, f, rule, count, args, &exec) == status, text);
    if (status == STRIA_OK && !strstr(text, "empty") && !strstr(text, "rand") &&
        !strstr(text, "normal") && !strstr(text, "uniform"))
        MUST(results_are_equal(&r, &again), text);
    stria_results_release(&r);
    stria_results_release(&again);
    return 0;
}
