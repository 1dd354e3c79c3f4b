/* SPDX-License-Identifier: BSD-3-Clause */
#include "part_file.h"
#include "stria/copy.h"
#include "stria/split.h"
#include "tool.h"

/* The statistics that can be merged, by the first names of rows of the registry. */
static const struct mergeable {
    const char *name;
    stria_exact_kind kind;
    stria_reduction what; /* The reduction; unused for histograms. */
    int ddof, args;       /* Number of the argument ddof (0: none), and most arguments. */
} mergeable[] = {
    {"exact_sum", STRIA_EXACT_SUM, STRIA_SUM, 0, 3},
    {"exact_mean", STRIA_EXACT_SUM, STRIA_MEAN, 0, 3},
    {"exact_var", STRIA_EXACT_MOMENTS, STRIA_VAR, 3, 4},
    {"exact_std", STRIA_EXACT_MOMENTS, STRIA_STD, 3, 4},
    {"exact_dot", STRIA_EXACT_SUM, STRIA_SUM, 0, 2},
    {"sum", STRIA_EXACT_SUM, STRIA_SUM, 0, 3},
    {"count_nonzero", STRIA_EXACT_SUM, STRIA_COUNT_NONZERO, 0, 3},
    {"min", STRIA_EXACT_EXTREMES, STRIA_MIN, 0, 3},
    {"max", STRIA_EXACT_EXTREMES, STRIA_MAX, 0, 3},
    {"argmin", STRIA_EXACT_EXTREMES, STRIA_ARGMIN, 0, 3},
    {"argmax", STRIA_EXACT_EXTREMES, STRIA_ARGMAX, 0, 3},
    {"histc", STRIA_EXACT_HISTOGRAM, STRIA_SUM, 0, 4},
    {"histogram", STRIA_EXACT_HISTOGRAM, STRIA_SUM, 0, 3},
};
enum { MERGEABLE = sizeof mergeable / sizeof *mergeable };
static const char names[] = "exact_sum, exact_mean, exact_var, exact_std, exact_dot, sum of "
                            "integers, count_nonzero, min, max, argmin, argmax, histc, histogram";

/* One call, while its states are made. */
struct making {
    struct invocation *call;
    struct partial *partial;
    const struct mergeable *row;
    unsigned set;             /* The dims that are reduced, as bits. */
    stria_view kept, reduced; /* Views of self with the kept and with the reduced dims. */
    int64_t first;            /* Place of element 0 of a reduced view in the whole array. */
    int64_t steps[STRIA_MAX_NDIM];
    double ddof;
    stria_dtype dtype; /* Dtype of the result. */
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    stria_array edges; /* Owned: edges of a histogram. */
    stria_array truth; /* Owned: the elements that count_nonzero counts, as bools. */
};

static const struct mergeable *find_row(const char *name, size_t length)
{
    for (int i = 0; i < MERGEABLE; i++)
        if (strlen(mergeable[i].name) == length && !memcmp(mergeable[i].name, name, length))
            return &mergeable[i];
    return NULL;
}

stria_status partial_refuse(struct failure *failure)
{
    return stria__fail_request(failure, STRIA_ERR_ARGUMENT,
                               "--partial: the EXPR must end in one of %s", names);
}

static bool is_place(const struct making *m)
{
    return m->row->what == STRIA_ARGMIN || m->row->what == STRIA_ARGMAX;
}

/* ---- what is asked for ----------------------------------------------------------------------- */

static stria_status find_mergeable(struct making *m)
{
    struct invocation *const c = m->call;
    const int length = (int)c->name.length;
    char exact[40] = "";
    m->row = find_row(c->name.text, c->name.length);
    (void)snprintf(exact, sizeof exact, "exact_%.*s", length, c->name.text);
    const bool is_sum = m->row && !strcmp(m->row->name, "sum");
    const bool has_exact = find_row(exact, strlen(exact)) != NULL;
    if (has_exact && (!is_sum || c->self->dtype.kind > STRIA_U64))
        return stria__call_refuse(
            c, STRIA_ERR_UNSUPPORTED,
            "--partial: the bits of %.*s depend on the order of the elements; "
            "write %s",
            length, c->name.text, exact);
    if (!m->row)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "--partial: %.*s has no states that merge; there are %s", length,
                                  c->name.text, names);
    for (int i = m->row->args; i < MAX_PARAMS; i++)
        if (c->args[i].given)
            return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                      "--partial: %s takes no out, dtype, initial and where",
                                      m->row->name);
    m->ddof = m->row->what != STRIA_VAR && m->row->what != STRIA_STD ? 0
              : c->args[m->row->ddof].given ? (double)c->args[m->row->ddof].integer
              : c->numpy                    ? 0
                                            : 1;
    return STRIA_OK;
}

/* Finds the reduced dims. Without dims all are reduced; by PyTorch's rules an empty tuple means
 * all, too. */
static void find_dims(struct making *m)
{
    const struct invocation *const c = m->call;
    const struct arg *const dims = &c->args[1];
    const int ndim = c->self->ndim;
    const bool over_dims =
        m->row->kind != STRIA_EXACT_HISTOGRAM && strcmp(m->row->name, "exact_dot") != 0;
    if (!over_dims || !dims->given || (dims->count == 0 && !c->numpy))
        for (int d = 0; d < ndim; d++)
            m->set |= 1U << d;
    else
        for (int64_t i = 0; i < dims->count; i++) {
            const int d = dims->dims[i] < 0 ? dims->dims[i] + ndim : dims->dims[i];
            /* Other dims are refused by the call that follows. */
            if (d >= 0 && d < ndim) m->set |= 1U << d;
        }
}

/* Runs the row over no memory, to check its arguments and to find its result. */
static stria_status find_result(struct making *m)
{
    struct invocation *const c = m->call;
    const stria_view *const self = c->self;
    stria_array meta = {0};
    STRIA_TRY(stria__meta_of(&meta, self));
    c->args[0].view = c->self = &meta.view;
    const stria_status status = c->row->run(c);
    c->args[0].view = c->self = self;
    c->how = NULL;
    c->folding = NULL;
    c->math = NULL;
    stria_array_release(&meta);
    STRIA_TRY(status);
    m->dtype = c->out.view.dtype;
    m->ndim = c->out.view.ndim;
    memcpy(m->shape, c->out.view.shape, sizeof m->shape);
    stria_array_release(&c->out);
    return STRIA_OK;
}

/* Finds the edges that the row takes or makes; those of histc are where stria_histogram has
 * them. */
static stria_status find_edges(struct making *m)
{
    struct invocation *const c = m->call;
    const stria_view *const self = c->self;
    const bool has_range = !strcmp(m->row->name, "histc") ? c->args[2].given && c->args[3].given
                           : c->args[1].view              ? true
                                                          : c->args[2].given;
    stria_view none = *self;
    if (!has_range)
        return stria__call_refuse(c, STRIA_ERR_UNSUPPORTED,
                                  "--partial: %s wants its range: that of a part is another one "
                                  "than that of the whole",
                                  m->row->name);
    if (none.ndim > 0) STRIA_TRY(stria_narrow(&none, self, 0, 0, 0));
    c->args[0].view = c->self = &none;
    const stria_status status = c->row->run(c);
    c->args[0].view = c->self = self;
    STRIA_TRY(status);
    if (c->many) {
        m->ndim = 1;
        m->shape[0] = stria_numel(&c->pieces[0]);
        c->many = false;
        return stria_clone_new(&m->edges, &c->pieces[1], NULL);
    }
    double range[2];
    for (int i = 0; i < 2; i++) {
        stria_view to;
        STRIA_TRY(stria_view_foreign(&to, &range[i], stria_dtype_of(STRIA_F64), 0, NULL, NULL, 0));
        STRIA_TRY(stria_copy(&to, c->args[2 + i].view, NULL));
    }
    const int64_t bins = stria_numel(&c->out.view), count = bins + 1;
    stria_array_release(&c->out);
    m->ndim = 1;
    m->shape[0] = bins;
    STRIA_TRY(stria_empty(&m->edges, stria_dtype_of(STRIA_F64), 1, &count));
    double *const edge = (double *)(void *)m->edges.view.data;
    for (int64_t i = 0; i < bins; i++)
        edge[i] = range[0] + (double)i * ((range[1] - range[0]) / (double)bins);
    edge[bins] = range[1];
    return STRIA_OK;
}

/* ---- where the part lies --------------------------------------------------------------------- */

/* Checks that a slice of the reduced array is a slice of x: then all parts are those of one
 * reduction. */
static stria_status check_slice(const struct making *m)
{
    struct invocation *const c = m->call;
    const stria_view *const a = c->self, *const x = m->partial->x;
    const struct slice *const s = &m->partial->slice;
    const bool all = m->set == (a->ndim < 32 ? (1U << a->ndim) - 1 : ~0U);
    if (is_place(m) && !s->given)
        return stria__call_refuse(c, STRIA_ERR_ARGUMENT,
                                  "--partial: places of %s are those of a larger array: --slice "
                                  "tells where a part lies in it",
                                  m->row->name);
    if (!s->given || (all && !is_place(m))) return STRIA_OK;
    if (a->ndim != x->ndim || a->shape[s->dim] != x->shape[s->dim])
        return stria__call_refuse(
            c, STRIA_ERR_SHAPE,
            "--partial: what is reduced has lost dim %d of x, of which a slice "
            "is taken",
            s->dim);
    if (!(m->set >> s->dim & 1))
        return stria__call_refuse(
            c, STRIA_ERR_DIM,
            "--partial: slices are of dim %d, which is not reduced; write each "
            "without --partial, and join them: stria apply --cat",
            s->dim);
    return STRIA_OK;
}

/* Sorts the dims, and finds the places of elements in the whole array. */
static void split_dims(struct making *m)
{
    const stria_view *const a = m->call->self;
    const struct slice *const s = &m->partial->slice;
    int64_t step = 1;
    m->kept = m->reduced = *a;
    m->kept.ndim = m->reduced.ndim = 0;
    for (int d = 0; d < a->ndim; d++) {
        stria_view *const to = m->set >> d & 1 ? &m->reduced : &m->kept;
        to->shape[to->ndim] = a->shape[d];
        to->strides[to->ndim++] = a->strides[d];
    }
    for (int d = a->ndim - 1, r = m->reduced.ndim - 1; d >= 0 && s->given; d--) {
        if (!(m->set >> d & 1)) continue;
        m->steps[r--] = step;
        if (d == s->dim) m->first = s->start * step;
        step *= d == s->dim ? s->of : a->shape[d];
    }
}

/* ---- states ---------------------------------------------------------------------------------- */

static stria_status new_state(stria_exact **out, const struct making *m)
{
    return stria_exact_make(out, m->row->kind, m->edges.owned ? &m->edges.view : NULL);
}

static stria_status add_elements(stria_exact *state, const struct making *m, const stria_view *a)
{
    const struct invocation *const c = m->call;
    const stria_exec exec = stria__call_exec(c);
    if (!strcmp(m->row->name, "exact_dot"))
        return stria_exact_add_product(state, a, c->args[1].view, &exec);
    if (m->row->kind == STRIA_EXACT_EXTREMES)
        return stria_exact_add_at(state, a, m->first, a->ndim, m->steps, &exec);
    return stria_exact_add(state, a, &exec);
}

/* Writes a state for each element of the result. */
static stria_status write_states(struct part *part, const struct making *m)
{
    int64_t index[STRIA_MAX_NDIM] = {0};
    stria_status status = STRIA_OK;
    for (int64_t i = 0; status == STRIA_OK && i < part->count; i++) {
        stria_exact *state;
        stria_view a = m->reduced;
        for (int d = 0; d < m->kept.ndim; d++)
            a.data = (char *)a.data + index[d] * m->kept.strides[d];
        STRIA_TRY(new_state(&state, m));
        status = add_elements(state, m, &a);
        if (status == STRIA_OK)
            status = stria_exact_write(part->states + i * part->size, part->size, state);
        stria_exact_release(state);
        for (int d = m->kept.ndim - 1; d >= 0 && ++index[d] == m->kept.shape[d]; d--)
            index[d] = 0;
    }
    return status;
}

static json_t *about_of(const struct making *m)
{
    const stria_dtype edges = m->edges.owned ? m->edges.view.dtype : m->dtype;
    const char *const rules = m->partial->rules ? m->partial->rules : "torch";
    return json_of("{s:o,s:s,s:s,s:o,s:o,s:f,s:o}", "expr", json_text(m->partial->expr), "rules",
                   rules, "reduction", m->row->name, "dtype", json_dtype(m->dtype), "shape",
                   json_integers(m->shape, m->ndim), "ddof", m->ddof, "edges", json_dtype(edges));
}

static stria_status make_part(struct part *part, const struct making *m)
{
    stria_exact *empty;
    STRIA_TRY(new_state(&empty, m));
    const int64_t size = stria_exact_nbytes(empty);
    stria_exact_release(empty);
    const stria_status status = part_new(part, about_of(m), &m->partial->slice,
                                         stria_numel(&m->kept), size, m->call->failure);
    m->call->refused = status != STRIA_OK;
    STRIA_TRY(status);
    STRIA_TRY(write_states(part, m));
    return part_seal(part);
}

static stria_status compute_part(struct part *part, struct making *m)
{
    struct invocation *const c = m->call;
    STRIA_TRY(find_mergeable(m));
    m->dtype = stria_dtype_of(STRIA_I64);
    STRIA_TRY(m->row->kind == STRIA_EXACT_HISTOGRAM ? find_edges(m) : find_result(m));
    if (m->row->what == STRIA_COUNT_NONZERO) {
        STRIA_TRY(
            stria_empty(&m->truth, stria_dtype_of(STRIA_BOOL), c->self->ndim, c->self->shape));
        STRIA_TRY(stria_copy(&m->truth.view, c->self, NULL));
        c->self = &m->truth.view;
    }
    find_dims(m);
    STRIA_TRY(check_slice(m));
    split_dims(m);
    return make_part(part, m);
}

stria_status partial_call(struct invocation *call, void *context)
{
    struct part part = {0};
    struct making m = {.call = call, .partial = context};
    stria_status status = compute_part(&part, &m);
    stria_array_release(&m.edges);
    stria_array_release(&m.truth);
    if (status == STRIA_OK) {
        m.partial->taken = true;
        call->out = part.bytes;
        part.bytes = (stria_array){0};
    }
    part_free(&part);
    return status;
}

/* ---- results --------------------------------------------------------------------------------- */

/* The text of a part, as it was read. */
struct about {
    const struct mergeable *row;
    int ndim;
    int64_t shape[STRIA_MAX_NDIM];
    double ddof;
    stria_dtype dtype, edges; /* Dtypes of the result, and of the edges of a histogram. */
};

/* Reads the text; false if it does not fit the states. */
static bool read_about(struct about *out, const struct part *part, struct failure *failure)
{
    const char *name, *dtype, *edges;
    json_t *sizes;
    int64_t count = 1;
    if (json_unpack(part->about, "{s:s,s:s,s:s,s:o,s:F}", "reduction", &name, "dtype", &dtype,
                    "edges", &edges, "shape", &sizes, "ddof", &out->ddof) != 0)
        return false;
    out->row = find_row(name, strlen(name));
    out->ndim = (int)json_array_size(sizes);
    if (!out->row || json_array_size(sizes) > STRIA_MAX_NDIM) return false;
    for (int d = 0; d < out->ndim; d++) {
        out->shape[d] = json_integer_value(json_array_get(sizes, (size_t)d));
        if (out->shape[d] < 0 || __builtin_mul_overflow(count, out->shape[d], &count)) return false;
    }
    return part->count == (out->row->kind == STRIA_EXACT_HISTOGRAM ? 1 : count) &&
           dtype_text_read(&out->dtype, dtype, &common.pool, failure) == STRIA_OK &&
           dtype_text_read(&out->edges, edges, &common.pool, failure) == STRIA_OK;
}

/* Writes the result of one state to `out`: an element, or the counts of a histogram. */
static stria_status round_state(const stria_view *out, stria_array *edges,
                                const struct about *about, const stria_exact *state)
{
    const struct mergeable *const row = about->row;
    const int64_t size = about->ndim ? about->shape[0] + 1 : 1;
    if (row->kind != STRIA_EXACT_HISTOGRAM)
        return stria_exact_result(
            out, state, row->what == STRIA_COUNT_NONZERO ? STRIA_SUM : row->what, about->ddof);
    STRIA_TRY(stria_exact_counts(out, state));
    if (strcmp(row->name, "histogram") != 0) return STRIA_OK;
    STRIA_TRY(stria_empty(edges, about->edges, 1, &size));
    return stria_exact_edges(&edges->view, state);
}

static stria_status round_states(stria_array *out, stria_array *edges, const struct part *part,
                                 const struct about *about)
{
    STRIA_TRY(stria_empty(out, about->dtype, about->ndim, about->shape));
    stria_view element = out->view;
    if (about->row->kind != STRIA_EXACT_HISTOGRAM) element.ndim = 0;
    for (int64_t i = 0; i < part->count; i++) {
        stria_exact *state;
        STRIA_TRY(stria_exact_read(&state, part->states + i * part->size, part->size));
        const stria_status status = round_state(&element, edges, about, state);
        stria_exact_release(state);
        STRIA_TRY(status);
        element.data = (char *)element.data + element.dtype.itemsize;
    }
    return STRIA_OK;
}

stria_status partial_result(stria_array *out, stria_array *edges, const struct part *part,
                            struct failure *failure)
{
    struct about about;
    const bool fine = read_about(&about, part, failure);
    const stria_status status = fine ? round_states(out, edges, part, &about) : STRIA_ERR_FORMAT;
    if (fine) return status == STRIA_OK ? status : stria__fail_library(failure, status, NO_PLACE);
    return fail_found(failure, STRIA_ERR_FORMAT,
                      "the header of the parts does not fit their states");
}
