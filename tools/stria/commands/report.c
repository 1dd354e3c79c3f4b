/* SPDX-License-Identifier: BSD-3-Clause */
#include "report.h"

#include "stria/machine.h"
#include "stria/record.h"
#include "tool.h"

struct array_geometry geometry_of(struct evaluation *e, const stria_view *view)
{
    struct array_geometry geometry = {0};
    const stria_status status = stria__geometry_of(&geometry, e, view);
    must_have(status == STRIA_OK, (size_t)view->ndim * sizeof *view->shape);
    return geometry;
}

enum { SOURCE_WIDTH = 30, PIECES_SHOWN = 8 };

const char *tuple_text(const int64_t *values, int n, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "(");
    for (int i = 0; i < n; i++) {
        if (used + 40 > size) {
            (void)snprintf(text + used, size - used, ", ...)");
            return text;
        }
        used +=
            (size_t)snprintf(text + used, size - used, i ? ", %" PRId64 : "%" PRId64, values[i]);
    }
    (void)snprintf(text + used, size - used, n == 1 ? ",)" : ")");
    return text;
}

void report_geometry(FILE *file, const struct array_geometry *g)
{
    char shape[400], strides[400];
    (void)fprintf(file, "%s %s  strides %s  offset %" PRId64 "%s%s\n",
                  dtype_text(g->dtype, &common.pool),
                  tuple_text(g->shape, g->ndim, shape, sizeof shape),
                  tuple_text(g->strides, g->ndim, strides, sizeof strides), g->offset,
                  g->flags & STRIA_CONJ ? "  conj" : "", g->flags & STRIA_NEG ? "  neg" : "");
}

/* Prints the EXPR's own text of a step, on one line and not too long. */
static void print_source(FILE *file, const char *source, size_t start, size_t end)
{
    char text[SOURCE_WIDTH + 1];
    const size_t length = end - start;
    const bool cut = length > SOURCE_WIDTH;
    const size_t shown = cut ? SOURCE_WIDTH - 3 : length;
    for (size_t i = 0; i < shown; i++) {
        const char c = source[start + i];
        text[i] = (unsigned char)c < ' ' ? ' ' : c;
    }
    memcpy(text + shown, "...", cut ? 4 : 1);
    if (!cut) text[shown] = 0;
    (void)fprintf(file, "%-*s", SOURCE_WIDTH, text);
}

/* Prints "add of f32, i64 (weak): f32 by PyTorch's rules", and how it is computed. */
static void report_math(FILE *file, const struct math *math)
{
    (void)fprintf(file, "%*s        %s", SOURCE_WIDTH, "", stria__math_name(math));
    if (math->subscripts) (void)fprintf(file, " '%s'", math->subscripts);
    (void)fprintf(file, " of");
    for (int i = 0; i < math->count; i++)
        (void)fprintf(file, "%s %s%s", i ? "," : "",
                      dtype_text(math->operands[i]->dtype, &common.pool),
                      math->operands[i]->flags & STRIA_WEAK ? " (weak)" : "");
    (void)fprintf(file, ": %s by %s rules", dtype_text(math->promoted, &common.pool),
                  math->rule == STRIA_PROMOTE_NUMPY ? "NumPy's" : "PyTorch's");
    if (*math->how) (void)fprintf(file, "\n%*s        %s", SOURCE_WIDTH, "", math->how);
    (void)fputc('\n', file);
}

static void report_step(FILE *file, struct evaluation *e, const struct step *step)
{
    print_source(file, e->source, step->start, step->end);
    (void)fprintf(file, "  %s%s%s  ", colour(file, step->kind == STRIA_IS_COPY ? YELLOW : GREEN),
                  stria__outcome_name(step->kind), colour(file, PLAIN));
    if (!step->many) {
        report_geometry(file, step->outs);
        if (step->math) report_math(file, step->math);
        if (step->how && *step->how)
            (void)fprintf(file, "%*s        %s\n", SOURCE_WIDTH, "", step->how);
        return;
    }
    (void)fprintf(file, "%zu arrays\n", step->count);
    for (size_t i = 0; i < step->count && i < PIECES_SHOWN; i++) {
        (void)fprintf(file, "%*s  [%zu]   ", SOURCE_WIDTH, "", i);
        report_geometry(file, &step->outs[i]);
    }
    if (step->count > PIECES_SHOWN) (void)fprintf(file, "%*s  ...\n", SOURCE_WIDTH, "");
}

void report_steps(FILE *file, struct evaluation *e)
{
    for (size_t i = !stria__environment_has_x(e->environment); i < e->environment->count; i++) {
        const struct array_geometry g = geometry_of(e, e->environment->views[i].view);
        (void)fprintf(file, "%-*s        ", SOURCE_WIDTH, e->environment->views[i].name);
        report_geometry(file, &g);
    }
    for (const struct step *step = e->first; step; step = step->next)
        report_step(file, e, step);
}

stria_status report_plan(FILE *file, const struct evaluation *e)
{
    struct materialization m;
    const stria_status status = materialization_plan(&m, e);
    if (status == STRIA_ERR_MEMORY) return stria__fail_library(e->failure, status, NO_PLACE);
    if (status != STRIA_OK) {
        (void)fprintf(file, "cannot be materialized: %s\n", stria_last_error());
        return STRIA_OK;
    }
    const stria_plan *nest = &m.plan.nest;
    (void)fprintf(file, "\n%s%s: %" PRId64 " bytes\n", m.op ? "copied by " : "materialize ",
                  m.op      ? m.op
                  : e->many ? "[0] in C order"
                            : "in C order",
                  stria_nbytes(&m.target.view));
    for (int i = nest->ndim - 1; i >= 0; i--)
        (void)fprintf(file, "  %*sfor %-12" PRId64 "%*s out %+" PRId64 "  in %+" PRId64 "\n",
                      2 * (nest->ndim - 1 - i), "", nest->dims[i].n, 2 * i, "", nest->dims[i].s[0],
                      nest->dims[i].s[1]);
    (void)fprintf(file, "  %s on %s: %s\n", m.plan.strategy, stria_isa_name(), m.plan.reason);
    if (m.plan.cycles > 0) (void)fprintf(file, "  about %.0f cycles besides memory", m.plan.cycles);
    if (m.plan.second) (void)fprintf(file, ", %.0f by %s", m.plan.second_cycles, m.plan.second);
    if (m.plan.cycles > 0) (void)fprintf(file, "; numbers of %s\n", stria_machine_profile());
    materialization_end(&m);
    return STRIA_OK;
}

const char *answer_number(const struct value *number, char text[NUMBER_TEXT])
{
    stria_view scalar;
    text[0] = 0;
    if (stria_scalar(&scalar, stria__weak_kind(number), stria__weak_item(number)) == STRIA_OK)
        (void)!stria_format(text, NUMBER_TEXT, NULL, &scalar, NULL, NULL);
    return text;
}

void report_value(FILE *file, const struct value *answer)
{
    char text[NUMBER_TEXT];
    switch (answer->kind) {
    case VALUE_BOOL:
    case VALUE_INT:
    case VALUE_FLOAT:
    case VALUE_COMPLEX: (void)fputs(answer_number(answer, text), file); break;
    case VALUE_STRING: (void)fputs(answer->string.text, file); break;
    case VALUE_DTYPE: (void)fputs(dtype_text(answer->dtype, &common.pool), file); break;
    default:
        for (size_t i = 0; i < answer->list.count; i++)
            (void)fprintf(file, "%s%" PRId64, i ? ", " : "(", answer->list.items[i].integer);
        (void)fputs(answer->list.count == 0 ? "()" : answer->list.count == 1 ? ",)" : ")", file);
    }
}

void report_answer(FILE *file, const struct value *answer)
{
    (void)fputs("\nanswer: ", file);
    report_value(file, answer);
    (void)fputc('\n', file);
}

stria_status dtype_text_read(stria_dtype *out, const char *text, struct pool *pool,
                             struct failure *failure)
{
    const stria_status status = stria_dtype_parse(out, text);
    if (status != STRIA_OK) {
        (void)stria__fail_library(failure, status, NO_PLACE);
        failure->usage = status != STRIA_ERR_MEMORY;
        return status;
    }
    return out->record ? stria__pool_keep_dtype(pool, *out) : STRIA_OK;
}

const char *dtype_text(stria_dtype dtype, struct pool *pool)
{
    size_t length = 0;
    (void)stria_dtype_format(NULL, 0, &length, dtype);
    char *const text = must_take(pool, length + 1);
    (void)stria_dtype_format(text, length + 1, NULL, dtype);
    return text;
}

stria_status hash_text(char text[33], const stria_view *a, struct failure *failure)
{
    stria_hash128 hash;
    struct progress *const progress = start_progress("hashing");
    const stria_status status = stria_hash(&hash, a, NULL);
    progress_stop(progress);
    if (status != STRIA_OK) return stria__fail_library(failure, status, NO_PLACE);
    (void)stria_hash_format(text, 33, NULL, hash);
    return STRIA_OK;
}

/* ---- copies that are not made ---------------------------------------------------------------- */

static bool is_among(const char *op, const char *names)
{
    return stria__span_has((struct text_span){names, strlen(names)}, op);
}

bool materializes(const char *op)
{
    return is_among(op, "contiguous|clone|copy|ascontiguousarray|asfortranarray");
}

/* Tells whether a step copies into C order and gives that another shape. */
static bool reshapes(const struct step *step)
{
    return step->by_rows && is_among(step->op, "reshape|reshape_as|flatten|ravel");
}

static stria_status plan_into(struct materialization *out, const stria_view *from,
                              stria_dtype dtype, const int64_t *strides)
{
    stria_view like = *from;
    like.dtype = dtype;
    STRIA_TRY(stria_buffer_meta(&out->target.owned, stria_nbytes(&like)));
    stria_status status = stria_view_make(&out->target.view, out->target.owned, dtype, from->ndim,
                                          from->shape, strides, 0);
    if (status == STRIA_OK)
        status = stria_copy_plan_make(&out->plan, &out->target.view, from, NULL);
    if (status != STRIA_OK) stria_buffer_release(out->target.owned);
    return status;
}

stria_status materialization_plan(struct materialization *out, const struct evaluation *e)
{
    const stria_view *const result = e->outputs[0];
    const struct step *const last = e->last;
    *out = (struct materialization){0};
    if (e->many || !last || last->kind != STRIA_IS_COPY || !last->from)
        return plan_into(out, result, result->dtype, NULL);
    if (materializes(last->op) || is_among(last->op, "astype|to|type|type_as")) {
        out->op = last->op;
        return plan_into(out, last->from, result->dtype, result->strides);
    }
    if (!reshapes(last)) return plan_into(out, result, result->dtype, NULL);
    out->op = last->op;
    return plan_into(out, last->from, result->dtype, NULL);
}

void materialization_end(struct materialization *m)
{
    stria_array_release(&m->target);
}
