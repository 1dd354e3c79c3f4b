/* SPDX-License-Identifier: BSD-3-Clause */
#include "embedded.h"
#include "lang/origins.h"
#include "lang/registry.h"
#include "tool.h"

enum { WIDTH = 98 };

/* Prints words, and begins new lines when they are full; these have a margin of 4 more. */
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
    return stria__registry_theme(op)->gives == STRIA_GIVES_VIEWS ? " (views)" : "";
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Tells whether an earlier row of the same theme has that first name. */
static bool is_named_before(size_t row, const struct function *op)
{
    for (size_t i = 0; i < row; i++) {
        const struct function *other = stria__registry_row(i);
        if (stria__registry_theme(other)->name == stria__registry_theme(op)->name &&
            is_same(first_name(other), first_name(op)))
            return true;
    }
    return false;
}

/* Prints the names of a theme after each other, from row i on. Returns the row behind them. */
static size_t print_theme(size_t i)
{
    const struct function *op = stria__registry_row(i);
    const char *const theme = stria__registry_theme(op)->name, *before = ":";
    char text[4096];
    size_t used = (size_t)snprintf(text, sizeof text, "%s%s", theme, views(op));
    for (; op && stria__registry_theme(op)->name == theme; op = stria__registry_row(++i)) {
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

static const char *const whose[] = {[STRIA_IN_TORCH] = "PyTorch",
                                    [STRIA_IN_NUMPY] = "NumPy",
                                    [STRIA_IN_TORCH | STRIA_IN_NUMPY] = "PyTorch, NumPy",
                                    [STRIA_IN_ARRAY_API] = "Array API",
                                    [STRIA_IN_TORCH | STRIA_IN_ARRAY_API] = "PyTorch, Array API",
                                    [STRIA_IN_NUMPY | STRIA_IN_ARRAY_API] = "NumPy, Array API",
                                    [STRIA_IN_TORCH | STRIA_IN_NUMPY | STRIA_IN_ARRAY_API] =
                                        "PyTorch, NumPy, Array API"};

/* Prints "permute: PyTorch; permute_dims: NumPy, Array API; C: stria_permute". */
static void print_origins(const struct function *op)
{
    char text[600];
    size_t used = 0;
    struct text_span names = stria__signature_names(op->signature);
    while (names.length) {
        const struct text_span name = stria__span_take(&names);
        const unsigned origins = stria__origins(op, name, false);
        if (!origins || name.text[name.length - 1] == '_' || used >= sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%.*s: %s; ", (int)name.length,
                                 name.text, whose[origins]);
    }
    if (used < sizeof text) (void)snprintf(text + used, sizeof text - used, "C: %s", op->c);
    print_wrapped(8, text);
}

/* Prints "dim, keepdim: PyTorch; axis, keepdims: NumPy, Array API", if there is anything to
 * tell. */
static void print_parameters(const struct function *op)
{
    struct signature signature;
    char text[600] = "";
    size_t used = 0;
    if (!stria__signature_read(&signature, op->signature)) return;
    for (unsigned by = 1; by < sizeof whose / sizeof *whose; by++) {
        const size_t before = used;
        for (int i = 0; i < signature.count; i++) {
            struct text_span names = signature.params[i].names;
            while (names.length && used < sizeof text) {
                const struct text_span name = stria__span_take(&names);
                if (stria__parameter_origins(op, &signature.params[i], name) == by)
                    used += (size_t)snprintf(text + used, sizeof text - used, "%s%.*s",
                                             used > before ? ", "
                                             : before      ? "; "
                                                           : "",
                                             (int)name.length, name.text);
            }
        }
        if (used > before && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, ": %s", whose[by]);
    }
    if (used) print_wrapped(8, text);
}

/* Prints a form of an op, below its theme unless that is still *theme. */
static void print_form(const char **theme, const struct function *op, bool origins)
{
    static const char *const worlds[] = {
        [WORLD_TORCH] = "    as PyTorch has it:\n", [WORLD_NUMPY] = "    as NumPy has it:\n"};
    const char *const own = stria__registry_theme(op)->name;
    if (*theme != own) (void)printf("%s%s%s\n", *theme ? "\n" : "", own, views(op));
    *theme = own;
    if (origins && op->world != WORLD_ANY) (void)fputs(worlds[op->world], stdout);
    print_wrapped(4, op->signature);
    print_wrapped(8, op->doc);
    if (!origins) return;
    print_origins(op);
    print_parameters(op);
}

static bool print_named(const char *name)
{
    const char *theme = NULL;
    const struct function *op;
    for (size_t i = 0; (op = stria__registry_row(i)); i++)
        if (stria__span_has(stria__signature_names(op->signature), name))
            print_form(&theme, op, true);
    json_t *const examples = json_loads(embedded_text("_examples"), 0, NULL);
    const char *const text = json_string_value(json_object_get(examples, name));
    if (theme && text) (void)printf("\n    %s\n", text);
    json_decref(examples);
    return theme != NULL;
}

/* Prints the help of NAME_copy, which is NAME, then a copy. */
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
        if (stria__registry_theme(op)->gives == STRIA_GIVES_VIEWS &&
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
    if (!word) (void)fputs(embedded_text("_ops"), stdout);
    if (!word) (void)putchar('\n');
    for (size_t i = 0; !word && stria__registry_row(i);)
        i = print_theme(i);
    for (size_t i = 0; word && (op = stria__registry_row(i)); i++)
        if (strstr(op->signature, word) || strstr(stria__registry_theme(op)->name, word))
            print_form(&theme, op, false);
    if (word && !theme) return usage_error("no op has '%.60s' in its signature or theme", word);
    return finish(EXIT_OK, EXIT_FAILED);
}

int help_about(const char *name)
{
    for (size_t i = 0; i < 2; i++) { /* The name np.histogram means histogram. */
        static const char *const modules[] = {"np.", "torch."};
        if (!strncmp(name, modules[i], strlen(modules[i]))) name += strlen(modules[i]);
    }
    const struct command *command = command_find(name);
    char title[40], ask[] = "--help", *argv[] = {title, ask, NULL};
    (void)snprintf(title, sizeof title, "stria %.30s", name);
    if (command) (void)command_run(command, 2, argv);
    if (print_named(name) || print_copy(name) || command) return finish(EXIT_OK, EXIT_FAILED);
    char text[160];
    const char *near = stria_function_elsewhere(name);
    if (near) return usage_error("there is no op '%.60s'; write %s", name, near);
    near = stria__registry_suggest(name, text, sizeof text);
    return usage_error("there is no command and no op '%.60s'%s%s%s", name,
                       near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}
