/* SPDX-License-Identifier: BSD-3-Clause */
#include "ops/order/along.h"

#include "ops/operands.h"
#include "stria/axes.h"

enum { LINE_CYCLES = 6 }; /* Cycles that an element takes, whatever is done with its line. */

stria_status stria__along_begin(struct along *out, const char *op, const stria_view *a, int dim,
                                bool descending, const stria_exec *exec)
{
    STRIA_TRY(stria__check_exec(exec, op));
    STRIA_TRY(stria__check_view(a, op, "a"));
    STRIA_TRY(stria__wrap_dim(&dim, dim, at_least_1(a->ndim), op));
    STRIA_TRY(stria_atleast_1d(&out->a, a));
    out->given = a;
    out->op = op;
    out->exec = exec;
    out->dim = dim;
    out->n = out->a.shape[dim];
    out->items = native_of(a->dtype);
    out->k = out->method = 0;
    out->values = true;
    out->rows = NULL;
    out->crew = (struct crew){exec, 1, 1};
    if (out->n >= ARRANGE_MOST)
        return stria__fail(STRIA_ERR_UNSUPPORTED, "%s: lines have %lld elements, at most %lld", op,
                           (long long)out->n, (long long)ARRANGE_MOST - 1);
    const struct crew crew = stria__crew_for(exec, out->n, LINE_CYCLES);
    /* A watch is asked within long lines, too. */
    const bool asks = crew.threads > crew.at_once && crew.at_once == 1;
    if (out->n > 0 && (asks || stria_numel(&out->a) / out->n < crew.threads)) out->crew = crew;
    out->room = stria__arranging_size(out->n, out->crew);
    return stria__keys_make(&out->keys, out->items, descending);
}

static stria_status check_output(const struct along *s, stria_view *to,
                                 const struct along_output *o)
{
    const stria_dtype dtype = o->view->dtype;
    STRIA_TRY(stria_atleast_1d(to, o->view));
    bool fits = to->ndim == s->a.ndim;
    for (int d = 0; fits && d < to->ndim; d++)
        fits = to->shape[d] == (d == s->dim ? o->n : s->a.shape[d]);
    if (!fits)
        return stria__fail(STRIA_ERR_SHAPE,
                           "%s: %s has shape %s, a has %s; wants %lld along dim %d", s->op, o->name,
                           stria__dims_text(o->view->ndim, o->view->shape).text,
                           stria__dims_text(s->a.ndim, s->a.shape).text, (long long)o->n, s->dim);
    if (!stria_dtype_equal(native_of(dtype), o->dtype))
        return stria__fail(STRIA_ERR_DTYPE, "%s: %s is %s, must be %s", s->op, o->name,
                           stria__dtype_text(dtype).text, stria__dtype_text(o->dtype).text);
    return stria__check_itself(to, s->op, o->name);
}

stria_status stria__along_run(const struct along *s, int count, const struct along_output *outputs,
                              bool apart, double cycles,
                              void (*line)(const void *along, char *const *rows, char *room))
{
    struct lines lines = {.op = s->op,
                          .count = 1,
                          .dim = s->dim,
                          .apart = apart,
                          .room = s->room,
                          .alone = s->crew.threads > 1,
                          .cycles = cycles,
                          .line = line,
                          .rows = s->rows,
                          .context = s,
                          .exec = s->exec};
    stria_view to[LINE_OPERANDS - 1];
    bool meta = view_is_meta(&s->a), all_apart = true;
    OWNED_ARRAY(read);
    lines.operands[0] = (struct line_operand){&s->a, s->items, false};
    for (int i = 0; i < count; i++) {
        const struct along_output *const o = &outputs[i];
        stria_view *const view = &to[lines.count - 1];
        bool is_apart;
        STRIA_TRY(stria__check_writable(o->view, s->op, o->name));
        STRIA_TRY(check_output(s, view, o));
        const struct output out = {s->op, o->name, view, s->exec};
        const bool same = count == 1 && stria_dtype_equal(o->dtype, s->items);
        STRIA_TRY(stria__check_apart(&is_apart, &out, &s->a, "a", same));
        all_apart &= is_apart;
        meta |= view_is_meta(view);
        lines.operands[lines.count++] = (struct line_operand){view, o->dtype, true};
    }
    if (count > 1 && stria_shares_memory(&to[0], &to[1], OVERLAP_WORK) != STRIA_OVERLAP_NO)
        return stria__fail(STRIA_ERR_OVERLAP, "%s: both outputs share bytes", s->op);
    if (meta || stria_numel(&s->a) == 0) return STRIA_OK;
    if (!all_apart) {
        STRIA_TRY(stria_clone_new(&read, &s->a, NULL));
        lines.operands[0].view = &read.view;
    }
    return stria__lines(&lines);
}

stria_status stria__along_one(const struct along *s, struct along_output output, stria_array *made,
                              bool apart, double cycles,
                              void (*line)(const void *along, char *const *rows, char *room))
{
    OWNED_ARRAY(fresh);
    if (output.view) return stria__along_run(s, 1, &output, apart, cycles, line);
    if (!made) return stria__fail(STRIA_ERR_ARGUMENT, "%s: out is NULL", s->op);
    STRIA_TRY(stria__empty_as(&fresh, s->given, s->values ? s->given->dtype : output.dtype,
                              STRIA_ORDER_K, s->op));
    output.view = &fresh.view;
    return stria__deliver(made, &fresh, stria__along_run(s, 1, &output, apart, cycles, line));
}

bool stria__has_one_key(const struct keys *keys)
{
    return keys->count == 1 && stria__key_parts(keys->fields) == 1;
}

int64_t stria__row_keys(uint64_t *keys, const struct along *s, const char *row, int64_t first,
                        int64_t most)
{
    const struct key_part by = {s->keys.fields, 0, s->keys.descending};
    const int64_t n = least(least(most, KEYS_AT_ONCE), s->n - first), item = s->items.itemsize;
    stria__key_row(keys, row + first * item, item, n, by);
    return n;
}
