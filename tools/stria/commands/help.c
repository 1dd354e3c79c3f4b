/* SPDX-License-Identifier: BSD-3-Clause */
#include "help.h"

#include <stdio.h>
#include <string.h>

#include "command.h"
#include "lang/origins.h"
#include "lang/registry.h"

enum { WIDTH = 98 };

/* Prints words, in new lines where there is no room; those have a margin of 4 more. */
static void print_wrapped(size_t margin, const char *text)
{
    size_t used = margin;
    (void)printf("%*s", (int)margin, "");
    for (bool first = true; *text; first = false) {
        const size_t length = strcspn(text, " ");
        const bool wraps = !first && used + 1 + length > WIDTH;
        if (wraps) (void)printf("\n%*s", (int)(used = margin + 4), "");
        (void)printf("%s%.*s", first || wraps ? "" : " ", (int)length, text);
        used += length + !(first || wraps);
        text += length + (text[length] == ' ');
    }
    (void)putchar('\n');
}

static struct text_span first_name(const struct function *op)
{
    return stria__span_first(stria__signature_names(op->signature));
}

static bool is_same(struct text_span a, struct text_span b)
{
    return a.length == b.length && !memcmp(a.text, b.text, a.length);
}

static const char *views(const struct function *op)
{
    return stria__registry_is_view(op) ? " (views)" : "";
}

/* ---- all of them ----------------------------------------------------------------------------- */

static const char introduction[] =
    "`stria help NAME` tells how an op is called, `stria help ops WORD` of all those with WORD in\n"
    "them. What is marked as views copies nothing; NAME_copy copies what a view gives. add_ and "
    "the\n"
    "like write into the array. Operators have Python's precedence and PyTorch's rules of "
    "promotion;\n"
    "[...] indexes with ints, slices, ..., None, masks and arrays.\n";

/* Whether an earlier row of the same theme has that first name. */
static bool is_named_before(size_t row, const struct function *op)
{
    for (size_t i = 0; i < row; i++) {
        const struct function *other = stria__registry_row(i);
        if (stria__registry_theme(other) == stria__registry_theme(op) &&
            is_same(first_name(other), first_name(op)))
            return true;
    }
    return false;
}

/* The names of a theme after each other, from row i on. Returns the row behind them. */
static size_t print_theme(size_t i)
{
    const struct function *op = stria__registry_row(i);
    const char *const theme = stria__registry_theme(op), *before = ":";
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s", theme, views(op));
    for (; op && stria__registry_theme(op) == theme; op = stria__registry_row(++i)) {
        if (is_named_before(i, op) || used >= sizeof text) continue;
        const struct text_span name = first_name(op);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s %.*s", before,
                                 (int)name.length, name.text);
        before = ",";
    }
    print_wrapped(0, text);
    return i;
}

/* ---- how they are called --------------------------------------------------------------------- */

/* Of an array of 3 dims. */
static const struct {
    const char *name, *text;
} examples[] = {
    {"permute", "x.permute(2, 0, 1)"},
    {"transpose", "x.transpose(0, 1); np.transpose(x, (2, 0, 1))"},
    {"swapaxes", "x.swapaxes(0, -1)"},
    {"movedim", "x.movedim(0, -1)"},
    {"reshape", "x.reshape(-1, 6)"},
    {"view", "x.view(-1, 6); x.view(torch.int32)"},
    {"unflatten", "x.unflatten(2, (2, 3))"},
    {"squeeze", "x[:1].squeeze(0)"},
    {"unsqueeze", "x.unsqueeze(-1)"},
    {"flatten", "x.flatten(1)"},
    {"expand", "x[:1].expand(8, -1, -1)"},
    {"broadcast_to", "np.broadcast_to(x[0], (4, 5, 6))"},
    {"meshgrid", "meshgrid(x[:, 0, 0], x[0, :, 0])"},
    {"select", "x.select(0, 1)"},
    {"narrow", "x.narrow(2, 1, 3)"},
    {"slice", "x.slice(0, 1, 4, 2)"},
    {"split", "x.split(2); x.split([1, 3])"},
    {"chunk", "x.chunk(2, dim=1)"},
    {"unbind", "x.unbind(0)"},
    {"tensor_split", "x.tensor_split(3, dim=2)"},
    {"unfold", "x.unfold(2, 3, 1)"},
    {"sliding_window_view", "np.lib.stride_tricks.sliding_window_view(x, (2, 2), axis=(0, 1))"},
    {"as_strided", "x.as_strided((5, 5), (1, 1))"},
    {"diagonal", "x.diagonal(0, 1, 2)"},
    {"flip", "x.flip(0, 2)"},
    {"rot90", "x.rot90(1, (1, 2))"},
    {"where", "where(x > 0, x, 0)"},
    {"clip", "x.clip(0, 1)"},
    {"lerp", "lerp(x, x.flip(0), 0.25)"},
    {"add", "add(x, 1, out=x)"},
    {"divide", "np.divide(1, x, out=x, where=x != 0)"},
    {"sum", "x.sum(0); x.sum((1, 2), keepdim=True)"},
    {"mean", "x - x.mean(0)"},
    {"var", "x.var(0, correction=0)"},
    {"norm", "x / x.norm(dim=-1, keepdim=True)"},
    {"logsumexp", "x - x.logsumexp(-1, keepdim=True)"},
    {"vecdot", "vecdot(x, x, dim=2)"},
    {"average", "np.average(x, axis=0)"},
    {"cumsum", "x.cumsum(0)"},
    {"diff", "x.diff(n=2, dim=0)"},
    {"quantile", "np.quantile(x, [0.25, 0.75], axis=0)"},
    {"histc", "x.histc(20, 0, 1)"},
    {"sort", "np.sort(x, axis=0)"},
    {"argsort", "x.argsort(-1, descending=True)"},
    {"searchsorted", "searchsorted(x.flatten()[:1], x)"},
    {"take", "x.take([0, 7, 7])"},
    {"index_select", "x.index_select(1, [0, 0, 3])"},
    {"gather", "x.gather(2, torch.tensor([[[5], [0]]]))"},
    {"masked_select", "x.masked_select(x > 0)"},
    {"nonzero", "nonzero(x > 0)"},
    {"index_add", "x.index_add(0, [0, 0], x[:2])"},
    {"index_put", "x.index_put(([0, 1], [2, 3]), 0.0, accumulate=True)"},
    {"masked_fill", "x.masked_fill(x < 0, 0)"},
    {"scatter_add", "x.scatter_add(0, torch.tensor([[[1]]]), x)"},
    {"cat", "cat((x, x[:1]), dim=0)"},
    {"stack", "stack((x, x), dim=-1)"},
    {"repeat", "x.repeat(2, 1, 1); np.repeat(x, 2, axis=0)"},
    {"tile", "x.tile(2, 1)"},
    {"roll", "x.roll(1, 0)"},
    {"astype", "x.astype('f8')"},
    {"to", "x.to(torch.float16)"},
    {"contiguous", "x.permute(2, 0, 1).contiguous()"},
    {"arange", "arange(0, 10, 2); np.arange(5)"},
    {"linspace", "linspace(0, 1, 11)"},
    {"full", "full((2, 3), 0.5)"},
    {"rand", "rand(2, 3, seed=1)"},
    {"randint", "randint(0, 6, (100,), seed=1)"},
    {"normal", "normal(0, 1, (100,), seed=1)"},
    {"to_sparse", "x.to_sparse().coalesce().values()"},
    {"divmod", "divmod(x, 2)"},
    {"frexp", "frexp(x)"},
};

enum { EXAMPLES = sizeof examples / sizeof *examples };

/* "permute: PyTorch; permute_dims: NumPy, Array API; C: stria_permute" */
static void print_origins(const struct function *op)
{
    char text[600];
    size_t used = 0;
    struct text_span rest = stria__signature_names(op->signature);
    while (rest.length) {
        const struct text_span name = stria__span_first(rest);
        const unsigned origins = stria__origins(op, name);
        const size_t step = name.length + (name.length < rest.length);
        rest.text += step;
        rest.length -= step;
        if (!origins || name.text[name.length - 1] == '_' || used >= sizeof text) continue;
        used += (size_t)snprintf(
            text + used, sizeof text - used, "%.*s: %s%s%s%s%s; ", (int)name.length, name.text,
            origins & STRIA_IN_TORCH ? "PyTorch" : "",
            origins & STRIA_IN_TORCH && origins & STRIA_IN_NUMPY ? ", " : "",
            origins & STRIA_IN_NUMPY ? "NumPy" : "", origins & STRIA_IN_ARRAY_API ? ", " : "",
            origins & STRIA_IN_ARRAY_API ? "Array API" : "");
    }
    if (used < sizeof text) (void)snprintf(text + used, sizeof text - used, "C: %s", op->c);
    print_wrapped(8, text);
}

/* A form of an op, below its theme where that is another one than *theme. */
static void print_form(const char **theme, const struct function *op, bool origins)
{
    static const char *const worlds[] = {
        [WORLD_TORCH] = "    as PyTorch has it:\n", [WORLD_NUMPY] = "    as NumPy has it:\n"};
    const char *const own = stria__registry_theme(op);
    if (*theme != own) (void)printf("%s%s%s\n", *theme ? "\n" : "", own, views(op));
    *theme = own;
    if (origins && op->world != WORLD_ANY) (void)fputs(worlds[op->world], stdout);
    print_wrapped(4, op->signature);
    print_wrapped(8, op->doc);
    if (origins) print_origins(op);
}

static bool print_named(const char *name)
{
    const char *theme = NULL;
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++)
        if (stria__span_has(stria__signature_names(op->signature), name))
            print_form(&theme, op, true);
    for (size_t i = 0; theme && i < EXAMPLES; i++)
        if (!strcmp(examples[i].name, name)) (void)printf("\n    %s\n", examples[i].text);
    return theme != NULL;
}

/* NAME_copy is NAME, then a copy. */
static bool print_copy(const char *name)
{
    static const char suffix[] = "_copy";
    const size_t length = strlen(name), tail = sizeof suffix - 1;
    char base[80];
    if (length <= tail || length >= sizeof base || strcmp(name + length - tail, suffix))
        return false;
    (void)snprintf(base, sizeof base, "%.*s", (int)(length - tail), name);
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++)
        if (stria__registry_is_view(op) &&
            stria__span_has(stria__signature_names(op->signature), base)) {
            (void)printf("%s copies what %s gives into C order.\n\n", name, base);
            return print_named(base);
        }
    return false;
}

int help_ops(const char *word)
{
    const char *theme = NULL;
    const struct function *op;
    if (!word) (void)fputs(introduction, stdout);
    if (!word) (void)putchar('\n');
    for (size_t i = 0; !word && stria__registry_row(i);)
        i = print_theme(i);
    for (size_t i = 0; word && (op = stria__registry_row(i)); i++)
        if (strstr(op->signature, word) || strstr(stria__registry_theme(op), word))
            print_form(&theme, op, false);
    if (word && !theme)
        return usage_error(NULL, "no op has '%.60s' in its signature or theme", word);
    return finish(EXIT_OK, EXIT_FAILED);
}

int help_about(const char *name)
{
    const struct command *command = command_find(name);
    char title[40], ask[] = "--help", *argv[] = {title, ask, NULL};
    (void)snprintf(title, sizeof title, "stria %.30s", name);
    if (command) (void)command->run(2, argv);
    if (print_named(name) || print_copy(name) || command) return finish(EXIT_OK, EXIT_FAILED);
    char text[160];
    const char *near = stria__elsewhere(name);
    if (near) return usage_error(NULL, "there is no op '%.60s'; write %s", name, near);
    near = stria__registry_suggest(name, text, sizeof text);
    return usage_error(NULL, "there is no command and no op '%.60s'%s%s%s", name,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}
