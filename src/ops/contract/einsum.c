/* SPDX-License-Identifier: BSD-3-Clause */
/* Subscripts: text that gives each dim of each operand, and of the result, a label. */
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/doors.h"
#include "ops/contract/contraction.h"
#include "view/view.h"

/* Letters are labels 0 .. 51, as capitals come first; the dims of "..." follow, the last first. */
enum { LETTERS = 52 };

static int letter(char c)
{
    if (c >= 'A' && c <= 'Z') return c - 'A';
    return c >= 'a' && c <= 'z' ? c - 'a' + 26 : -1;
}

static char letter_of(int label)
{
    return (char)(label < 26 ? 'A' + label : 'a' + label - 26);
}

static const char *name_of(int label, char room[8])
{
    if (label < LETTERS)
        (void)snprintf(room, 8, "'%c'", letter_of(label));
    else
        (void)snprintf(room, 8, "'...'");
    return room;
}

/* Reading goes from one operand to the next. */
struct reader {
    const char *text, *at;
    int ellipsis;          /* Most dims that "..." stands for in an operand. */
    uint8_t seen[LETTERS]; /* How often each letter stands in operands: 0, 1, or 2 for more. */
};

static stria_status fail(const struct reader *r, const char *at, const char *why)
{
    return stria__fail(STRIA_ERR_ARGUMENT, "einsum: \"%.100s\", place %lld: %s", r->text,
                       (long long)(at - r->text), why);
}

/*
 * Reads the labels of an operand of ndim dims up to a comma, an arrow or the end, or, with ndim -1,
 * those of the result, of which "..." has r->ellipsis.
 */
static stria_status read(struct reader *r, uint8_t *label, int *count, int ndim)
{
    const char *dots = NULL, *const begin = r->at;
    int before = 0;
    for (*count = 0; *r->at && *r->at != ','; r->at++) {
        const int l = letter(*r->at);
        if (*r->at == ' ') continue;
        if (r->at[0] == '-' && r->at[1] == '>' && ndim >= 0) break;
        if (!strncmp(r->at, "...", 3)) {
            if (dots) return fail(r, r->at, "a second \"...\"");
            dots = r->at;
            before = *count;
            r->at += 2;
            continue;
        }
        if (l < 0) return fail(r, r->at, "neither a letter, \"...\", a comma nor \"->\"");
        if (*count == STRIA_MAX_NDIM) return fail(r, r->at, "more than 64 letters");
        label[(*count)++] = (uint8_t)l;
        if (ndim >= 0 && r->seen[l] < 2) r->seen[l]++;
    }
    const int more = ndim < 0 ? (dots ? r->ellipsis : 0) : ndim - *count;
    if (more < 0 || (more > 0 && !dots))
        return stria__fail(STRIA_ERR_SHAPE,
                           "einsum: \"%.100s\", place %lld: %d letter%s for an operand of %d dims",
                           r->text, (long long)(begin - r->text), *count, *count == 1 ? "" : "s",
                           ndim);
    if (*count + more > STRIA_MAX_NDIM) return fail(r, begin, "a result of more than 64 dims");
    if (!dots) return STRIA_OK;
    memmove(label + before + more, label + before, (size_t)(*count - before));
    for (int d = 0; d < more; d++)
        label[before + d] = (uint8_t)(LETTERS + more - 1 - d);
    *count += more;
    if (ndim >= 0 && more > r->ellipsis) r->ellipsis = more;
    return STRIA_OK;
}

/* Finds the labels of a result without an arrow: "...", and letters that stand only once. */
static stria_status imply(const struct reader *r, uint8_t *label, int *count)
{
    *count = 0;
    for (int d = r->ellipsis - 1; d >= 0; d--)
        label[(*count)++] = (uint8_t)(LETTERS + d);
    for (int l = 0; l < LETTERS; l++) {
        if (r->seen[l] != 1) continue;
        if (*count == STRIA_MAX_NDIM) return fail(r, r->at, "a result of more than 64 dims");
        label[(*count)++] = (uint8_t)l;
    }
    return STRIA_OK;
}

static stria_status read_result(struct reader *r, uint8_t *label, int *count)
{
    bool there[LABELS] = {false};
    const char *const begin = r->at;
    STRIA_TRY(read(r, label, count, -1));
    if (*r->at) return fail(r, r->at, "a comma behind the arrow");
    int dots = 0;
    for (int d = 0; d < *count; d++) {
        const int l = label[d];
        char why[64];
        if (l >= LETTERS) dots++;
        const char *const at = l < LETTERS ? strchr(begin, letter_of(l)) : begin;
        (void)snprintf(why, sizeof why, "'%c' is %s", l < LETTERS ? letter_of(l) : '.',
                       there[l] ? "twice in the result" : "in no operand");
        if (there[l] || (l < LETTERS && !r->seen[l]))
            return fail(r, there[l] ? strchr(at + 1, letter_of(l)) : at, why);
        there[l] = true;
    }
    if (dots < r->ellipsis) return fail(r, begin, "the result lacks the \"...\" of the operands");
    return STRIA_OK;
}

static stria_status read_all(struct contraction *c, struct labelled *in, uint8_t *label,
                             const char *text)
{
    struct reader r = {.text = text, .at = text};
    for (int i = 0; i < c->n; i++) {
        int count;
        STRIA_TRY(read(&r, in[i].label, &count, in[i].view.ndim));
        const bool last = i == c->n - 1;
        if (last == (*r.at == ','))
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "einsum: \"%.100s\", place %lld: %s operands than the %d given",
                               text, (long long)(r.at - text), last ? "more" : "fewer", c->n);
        if (!last) r.at++;
    }
    if (!*r.at) return imply(&r, label, &c->ndim);
    r.at += 2;
    return read_result(&r, label, &c->ndim);
}

static stria_status einsum(const stria_view *out, stria_array *made, struct written *text,
                           const char *subscripts, int n, const stria_view *const *operands,
                           const stria_exec *exec)
{
    uint8_t label[STRIA_MAX_NDIM];
    if (!subscripts) return stria__fail(STRIA_ERR_ARGUMENT, "einsum: subscripts is NULL");
    if (n < 1) return stria__fail(STRIA_ERR_ARGUMENT, "einsum: %d operands, takes 1 or more", n);
    if (!out && !made) return stria__fail(STRIA_ERR_ARGUMENT, "einsum: out is NULL");
    if (!operands) return stria__fail(STRIA_ERR_ARGUMENT, "einsum: operands is NULL");
    STRIA_TRY(stria__check_views(n, operands, "einsum", "operand"));
    OWNED_MEMORY(memory, (size_t)n * sizeof(struct labelled));
    struct labelled *const in = memory.at;
    if (!in) return stria__fail(STRIA_ERR_MEMORY, "einsum: no memory for %d operands", n);
    for (int i = 0; i < n; i++)
        view_copy(&in[i].view, operands[i]);
    struct contraction c = {.op = "einsum",
                            .n = n,
                            .in = in,
                            .label = label,
                            .exec = exec,
                            .text = text,
                            .name = name_of};
    STRIA_TRY(read_all(&c, in, label, subscripts));
    return stria__contract(&c, out, made);
}

DOORS(einsum, (const char *subscripts, int n, const stria_view *const *operands),
      einsum(out, made, NULL, subscripts, n, operands, exec))

stria_status stria_einsum_explain(char *text, size_t size, size_t *length, const stria_view *out,
                                  const char *subscripts, int n, const stria_view *const *operands,
                                  const stria_exec *exec)
{
    if (!text || size == 0)
        return stria__fail(STRIA_ERR_ARGUMENT, "einsum_explain: there is no room for text");
    struct written to = {text, size, 0};
    const stria_status status = einsum(out, NULL, &to, subscripts, n, operands, exec);
    if (length) *length = to.used;
    return status;
}
