/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes arrays as text: lines of elements between brackets, broken as numpy.array2string breaks
 * them. */
#include <string.h>

#include "ops/format/columns.h"
#include "stria/format.h"
#include "view/view.h"
#include "plan/threads.h"

/* State of the text while it is written: elements are put together in `word` and `line`, and leave
 * from `out`. */
struct printer {
    struct format_job job;
    struct text out, line, word;
    stria_format_sink *sink;
    void *context;
    size_t continued; /* Bytes of the line that continue a character of UTF-8. */
    size_t skipped;   /* Blanks at the start of the line, where other text stands. */
    bool refused;     /* The sink wants no more. */
};

static void flush(struct printer *p, size_t least)
{
    if (p->out.size < least || p->out.size == 0) return;
    p->refused = p->refused || !p->sink(p->context, p->out.data, p->out.size);
    p->out.size = 0;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* Hands out the first bytes of the line. */
static void end_line(struct printer *p, size_t size)
{
    if (size > p->skipped) stria__text_add(&p->out, p->line.data + p->skipped, size - p->skipped);
    p->skipped = 0;
}

/* Ends the line, without its trailing spaces, and begins one with that many. */
static void break_line(struct printer *p, size_t indent)
{
    enum { ENOUGH = 1 << 15 /* Bytes for one call of the sink. */ };
    size_t size = p->line.size;
    while (size > 0 && p->line.data[size - 1] == ' ')
        size--;
    end_line(p, size);
    stria__text_fill(&p->out, '\n', 1);
    p->line.size = p->continued = 0;
    stria__text_fill(&p->line, ' ', indent);
    flush(p, ENOUGH);
}

static size_t continuing(const char *word, size_t size)
{
    size_t count = 0;
    for (size_t i = 0; i < size; i++)
        count += ((unsigned char)word[i] & 0xc0) == 0x80;
    return count;
}

/* Returns the blanks with which a line begins within a dim, so that text stands under that behind
 * the bracket. */
static size_t indent_of(const struct printer *p, int dim)
{
    return (size_t)p->job.options.indent + (size_t)dim + 1;
}

/* Adds a word. Lines have the given width in characters; the first word of a line is never broken
 * off. */
static void add_word(struct printer *p, const char *word, size_t size, int dim)
{
    const size_t continued = continuing(word, size), indent = indent_of(p, dim);
    const size_t taken = p->line.size - p->continued + size - continued;
    const int64_t width = (int64_t)p->job.options.linewidth - dim - 1;
    if ((int64_t)taken > width && p->line.size > indent) break_line(p, indent);
    stria__text_add(&p->line, word, size);
    p->continued += continued;
}

/* Separates rows by line breaks, one less than there are dims below. */
static void separate(struct printer *p, int dim)
{
    const int last = p->job.a->ndim - 1;
    if (p->job.options.commas) stria__text_fill(&p->line, ',', 1);
    if (dim == last) stria__text_fill(&p->line, ' ', 1);
    for (int d = dim + 1; d < last; d++)
        break_line(p, 0);
    if (dim < last) break_line(p, indent_of(p, dim));
}

static void print_dims(struct printer *p, const char *data, int dim)
{
    const stria_view *const a = p->job.a;
    const int64_t n = a->shape[dim], edge = p->job.options.edgeitems;
    const bool cut = p->job.cut && n > 2 * edge;
    stria__text_fill(&p->line, '[', 1);
    for (int64_t i = 0; i < n && !p->refused; i++) {
        if (i > 0) separate(p, dim);
        if (cut && i == edge) {
            add_word(p, "...", 3, dim);
            i = n - edge;
            if (i == n) break;
            separate(p, dim);
        }
        if (dim < a->ndim - 1) {
            print_dims(p, data + i * a->strides[dim], dim + 1);
            continue;
        }
        p->word.size = 0;
        stria__format_element(&p->word, &p->job, data + i * a->strides[dim]);
        add_word(p, p->word.data, p->word.size, dim);
    }
    stria__text_fill(&p->line, ']', 1);
}

static void print_all(struct printer *p)
{
    const stria_view *const a = p->job.a;
    p->skipped = (size_t)p->job.options.indent;
    stria__text_fill(&p->line, ' ', p->skipped);
    if (stria_numel(a) == 0)
        stria__text_add(&p->line, "[]", 2);
    else if (a->ndim == 0)
        stria__format_element(&p->line, &p->job, a->data);
    else
        print_dims(p, a->data, 0);
    end_line(p, p->line.size);
    flush(p, 1);
}

/* ---- the functions --------------------------------------------------------------------------- */

static const stria_format_options defaults = {
    .precision = 8, .threshold = 1000, .edgeitems = 3, .linewidth = 75};

void stria_format_defaults(stria_format_options *out)
{
    if (out) *out = defaults;
}

static stria_status check_options(const stria_view *a, const stria_format_options *o)
{
    STRIA_TRY(stria__check_view(a, "format", "the view"));
    STRIA_TRY(stria__check_reserved(o->reserved, "options of format"));
    if (o->precision < -1 || o->precision > 400)
        return stria__fail(STRIA_ERR_ARGUMENT, "format: precision %d is outside -1 .. 400",
                           o->precision);
    if (o->threshold < 0 || o->linewidth < 0 || o->edgeitems < 0 || o->edgeitems > 1 << 30 ||
        o->indent < 0 || o->indent > 1 << 20)
        return stria__fail(
            STRIA_ERR_ARGUMENT,
            "format: threshold %lld, edgeitems %lld (at most 2^30), linewidth %d and "
            "indent %d (at most 2^20) must not be negative",
            (long long)o->threshold, (long long)o->edgeitems, o->linewidth, o->indent);
    if (view_is_meta(a))
        return stria__fail(STRIA_ERR_UNSUPPORTED, "format: the array has no memory (meta)");
    return STRIA_OK;
}

stria_status stria_format_to(stria_format_sink *sink, void *context, const stria_view *a,
                             const stria_format_options *options, const stria_exec *exec)
{
    TAKES_EXEC(exec, "format_to");
    IN_DEFAULT_FP_MODE;
    const stria_format_options o = options ? *options : defaults;
    if (!sink) return stria__fail(STRIA_ERR_ARGUMENT, "format: the sink is NULL");
    STRIA_TRY(check_options(a, &o));
    struct printer p = {.job = {.a = a, .options = o, .cut = stria_numel(a) > o.threshold},
                        .sink = sink,
                        .context = context};
    STRIA_TRY(stria__format_measure(&p.job));
    print_all(&p);
    stria__memory_free(&p.job.memory);
    const bool failed = p.out.failed || p.line.failed || p.word.failed;
    stria__memory_free(&p.out.memory);
    stria__memory_free(&p.line.memory);
    stria__memory_free(&p.word.memory);
    if (p.refused) return stria__fail(STRIA_ERR_IO, "format: the sink took no more text");
    return failed ? stria__fail(STRIA_ERR_MEMORY, "format: no memory for a line") : STRIA_OK;
}

/* A buffer of the caller, and the length of the whole text. */
struct room {
    char *text;
    size_t size, length;
};

static bool into_room(void *context, const char *text, size_t size)
{
    struct room *const room = context;
    const size_t left = room->length < room->size ? room->size - room->length : 0;
    if (left > 0) memcpy(room->text + room->length, text, size < left ? size : left);
    room->length += size;
    return true;
}

stria_status stria_format(char *text, size_t size, size_t *length, const stria_view *a,
                          const stria_format_options *options, const stria_exec *exec)
{
    TAKES_EXEC(exec, "format");
    IN_DEFAULT_FP_MODE;
    struct room room = {text, size, 0};
    if (!text && size > 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "format: text is NULL, with a size of %zu", size);
    STRIA_TRY(stria_format_to(into_room, &room, a, options, NULL));
    if (size > 0) text[room.length < size ? room.length : size - 1] = '\0';
    if (length) *length = room.length;
    return STRIA_OK;
}
