/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Text over views at inaccessible pages: any bytes, and words of the language in an order that
 * often means something. What is refused has a message and a column within the text, and leaves the
 * results as they were; prepared text gives the same, twice; a view by stria_eval_view is the view
 * that stria_eval gives. Memory and time are bounded by a budget.
 */
#include "guarded_views.h"

enum { MOST = 400 };

static const char *const names[GUARDED_VIEWS] = {"x", "y", "m", "n"};

/* What a value begins with, what may follow it, what stands between values. */
static const char *const values[] = {"x",
                                     "y",
                                     "m",
                                     "n",
                                     "x",
                                     "y",
                                     "1",
                                     "2",
                                     "0",
                                     "-1",
                                     "3",
                                     "0.5",
                                     "2j",
                                     "True",
                                     "None",
                                     "...",
                                     "'C'",
                                     "f32",
                                     "np.int8",
                                     "pi",
                                     "7.5e3",
                                     "(x, y)",
                                     "[1, 0]",
                                     "(0,)",
                                     "()",
                                     "-x",
                                     "~y",
                                     "arange(5)",
                                     "zeros(2, 3)",
                                     "torch.float64",
                                     "9223372036854775807",
                                     "18446744073709551615",
                                     "99999999999999999999",
                                     "'sum'",
                                     "np.nan",
                                     "slice(1, 3)",
                                     "[[1, 2], [3, 4]]",
                                     "eye(3)",
                                     "'<f4'",
                                     "{'a': 1}",
                                     "[True, False]",
                                     "not x",
                                     "lambda"};
static const char *const after[] = {".T",
                                    "[0]",
                                    "[::-1]",
                                    "[..., None]",
                                    "[1:3]",
                                    ".sum()",
                                    ".sum(-1)",
                                    ".mean(0)",
                                    ".reshape(-1)",
                                    ".flatten()",
                                    ".shape",
                                    ".dtype",
                                    ".contiguous()",
                                    ".to(f64)",
                                    ".astype('i4')",
                                    ".unsqueeze(0)",
                                    ".exp()",
                                    ".abs()",
                                    ".add(1)",
                                    ".add_(1)",
                                    ".max(0)",
                                    ".split(2)",
                                    ".expand(3, -1)",
                                    "[x > 0]",
                                    "[[0, 1]]",
                                    ".cumsum(0)",
                                    ".permute_copy(0)",
                                    ".numel()",
                                    ".repeat(2, 2)",
                                    ".clamp(0, 2)",
                                    ".view(-1, 2)",
                                    ".unbind()",
                                    ".tolist()",
                                    ".conj()",
                                    ".real",
                                    ".std()",
                                    ".fill_(2)",
                                    ".squeeze()",
                                    ".median()",
                                    ".gather(0, n)",
                                    ".index_select(0, n)",
                                    "(0)"};
static const char *const between[] = {" + ",  " - ",  " * ",  " / ", " // ", " % ", " ** ", " @ ",
                                      " < ",  " <= ", " == ", " & ", " | ",  " ^ ", " << ", " and ",
                                      " or ", ", ",   " ",    "=",   ":",    ")",   "(",    "]"};

#define SOME(in, list) (list)[take_below(in, (int)(sizeof(list) / sizeof *(list)))]

/* The name of any function, or of a view. */
static void put_function(struct input *in, char *out, size_t size)
{
    const size_t byte = (size_t)take_below(in, 256), i = byte * 256 + (size_t)take_below(in, 256);
    (void)stria_function_name(out, size, stria_function_at(i % stria_function_count()));
}

static size_t put_value(struct input *in, char *out, size_t room, int depth)
{
    char function[80];
    if (room < 120 || depth > 3) return (size_t)snprintf(out, room, "x");
    size_t length = 0;
    switch (take_below(in, depth ? 6 : 3)) {
    case 0: /* f(a, b) or a.f(b) */
        put_function(in, function, sizeof function);
        if (take_below(in, 2)) {
            length += put_value(in, out, room - 80, depth + 1);
            length += (size_t)snprintf(out + length, room - length, ".%s(", function);
        } else {
            length += (size_t)snprintf(out, room, "%s(", function);
        }
        for (int i = take_below(in, 4); i > 0 && room - length > 200; i--) {
            length += put_value(in, out + length, room - length - 60, depth + 1);
            length += (size_t)snprintf(out + length, room - length, "%s", i > 1 ? ", " : "");
        }
        length += (size_t)snprintf(out + length, room - length, ")");
        break;
    case 1: /* (a + b) */
        length += (size_t)snprintf(out, room, "(");
        length += put_value(in, out + length, room / 2, depth + 1);
        length += (size_t)snprintf(out + length, room - length, "%s", SOME(in, between));
        length += put_value(in, out + length, room - length - 40, depth + 1);
        length += (size_t)snprintf(out + length, room - length, ")");
        break;
    default: length += (size_t)snprintf(out, room, "%s", SOME(in, values)); break;
    }
    for (int i = take_below(in, 3); i > 0 && room - length > 40; i--)
        length += (size_t)snprintf(out + length, room - length, "%s", SOME(in, after));
    return length;
}

static void take_text(struct input *in, char *out)
{
    size_t length = 0;
    if (take_once(in, 16)) {
        while (in->left > 100 && length < MOST - 1) {
            const int byte = take_below(in, 256);
            out[length++] = (char)(byte ? byte : 1);
        }
        out[length] = 0;
        return;
    }
    length = put_value(in, out, MOST, 0);
    /* A byte is lost, or another one. */
    if (length && take_once(in, 6))
        out[(size_t)take_below(in, 256) % length] = (char)(1 + take_below(in, 127));
    else if (length > 2 && take_once(in, 12))
        out[(size_t)take_below(in, 256) % length] = 0;
}

static const stria_budget budget = {.bytes = 8 << 20, .seconds = 5};

static void check_refusal(const char *text)
{
    MUST(stria_last_error()[0] != 0, text);
    MUST(stria_eval_column() <= strlen(text) + 1, text);
}

/*
 * Prepared text, twice, and where that is bounded enough three times without a budget, of which the
 * last is of its graph.
 */
static void check_prepared(const struct guarded_views *g, const char *text, stria_status status,
                           const stria_results *wanted, const stria_exec *exec)
{
    const stria_view *views[GUARDED_VIEWS];
    stria_prepared *prepared = NULL;
    const stria_status read = stria_prepare(&prepared, text, GUARDED_VIEWS, names);
    MUST((read == STRIA_OK) == (prepared != NULL), text);
    MUST(read == STRIA_OK || status == read, text);
    if (!prepared) {
        check_refusal(text);
        return;
    }
    for (int i = 0; i < GUARDED_VIEWS; i++)
        views[i] = &g->views[i];
    for (int time = 0; time < (status == STRIA_OK ? 5 : 2); time++) {
        stria_results r = {0};
        refill_views(g);
        const stria_budget *const bound = time < 2 ? &budget : NULL;
        MUST(stria_prepared_run_within(&r, prepared, views, bound, exec) == status, text);
        if (status == STRIA_OK) {
            check_results(&r, text);
            if (!strstr(text, "empty") && !strstr(text, "rand") && !strstr(text, "normal") &&
                !strstr(text, "uniform"))
                MUST(results_are_equal(&r, wanted), text);
        }
        stria_results_release(&r);
    }
    stria_prepared_free(prepared);
}

static void check_view(const struct guarded_views *g, const char *text, const stria_named *named,
                       stria_status status, const stria_results *wanted)
{
    stria_view view;
    view.data = NULL;
    refill_views(g);
    const stria_status made = stria_eval_view(&view, text, GUARDED_VIEWS, named);
    MUST(views_are_as_filled(g), text);
    if (made != STRIA_OK) {
        MUST(view.data == NULL, text);
        check_refusal(text);
        return;
    }
    const stria_view *const a = &wanted->one.view;
    MUST(status == STRIA_OK && !wanted->several && wanted->count == 1, text);
    MUST(a->data == view.data && a->ndim == view.ndim, text);
    MUST(!memcmp(a->shape, view.shape, (size_t)view.ndim * sizeof *view.shape), text);
    MUST(!memcmp(a->strides, view.strides, (size_t)view.ndim * sizeof *view.strides), text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char text[MOST + 1];
    static struct guarded_views g;
    struct input in = {data, size};
    const stria_exec exec = {.hints = take_once(&in, 2) ? STRIA_PROMOTE_AS_NUMPY : 0, .threads = 1};
    stria_named named[GUARDED_VIEWS];
    stria_results r = {0};
    take_views(&g, &in);
    take_text(&in, text);
    for (int i = 0; i < GUARDED_VIEWS; i++)
        named[i] = (stria_named){names[i], &g.views[i]};
    const stria_status status = stria_eval_within(&r, text, GUARDED_VIEWS, named, &budget, &exec);
    if (status == STRIA_OK) {
        check_results(&r, text);
    } else {
        MUST(r.count == 0 && !r.answers, text);
        check_refusal(text);
    }
    if (exec.hints == 0) check_view(&g, text, named, status, &r);
    check_prepared(&g, text, status, &r, &exec);
    stria_results_release(&r);
    return 0;
}
