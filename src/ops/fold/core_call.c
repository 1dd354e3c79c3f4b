/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions of users over core dims: reads the signature, fits the operands, and walks over blocks.
 */
#include <ctype.h>
#include <string.h>

#include "base/alloc.h"
#include "ops/operands.h"
#include "stria/user_function.h"

enum { OPERANDS = STRIA_USER_INPUTS + 1, NAMES = 16, CORE = 8 /* core dims of an operand */ };

/* A function and its operands as the signature lists them, inputs first. */
struct core {
    const stria_core_function *function;
    int operands, inputs, names;
    struct core_name {
        const char *text;
        int length;
    } name[NAMES];
    int ndim[OPERANDS], dims[OPERANDS][CORE]; /* The names of the core dims of each operand. */
    int64_t sizes[NAMES], strides[OPERANDS * CORE];
    stria_view loops[OPERANDS]; /* The operands without their core dims. */
};

/* ---- the signature --------------------------------------------------------------------------- */

static stria_status refuse_signature(const struct core *c, const char *at)
{
    const char *const text = c->function->signature;
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: '%s' is no signature like (n,k),(k,m)->(n,m), from byte %d on",
                       c->function->name, text, (int)(at - text));
}

/* Reads a name, and returns its number, that of the first place where it stands; -1: no name. */
static int read_name(struct core *c, const char **at)
{
    const char *const first = *at;
    while (isalnum((unsigned char)**at) || **at == '_')
        ++*at;
    const int length = (int)(*at - first);
    for (int i = 0; i < c->names; i++)
        if (c->name[i].length == length && !memcmp(c->name[i].text, first, (size_t)length))
            return i;
    if (length == 0 || c->names == NAMES) return -1;
    c->name[c->names] = (struct core_name){first, length};
    c->sizes[c->names] = -1;
    return c->names++;
}

static stria_status read_operand(struct core *c, const char **at)
{
    int *const ndim = &c->ndim[c->operands];
    if (c->operands == OPERANDS || **at != '(') return refuse_signature(c, *at);
    for (*ndim = 0; *++*at != ')' || *ndim > 0;) {
        const char *const here = *at;
        const int name = *ndim < CORE ? read_name(c, at) : -1;
        if (name < 0 || (**at != ',' && **at != ')')) return refuse_signature(c, here);
        c->dims[c->operands][(*ndim)++] = name;
        if (**at == ')') break;
    }
    ++*at;
    c->operands++;
    return STRIA_OK;
}

static stria_status read_signature(struct core *c)
{
    const char *at = c->function->signature;
    c->operands = c->names = c->inputs = 0;
    for (;;) {
        STRIA_TRY(read_operand(c, &at));
        if (*at == ',') {
            at++;
        } else if (!c->inputs && at[0] == '-' && at[1] == '>') {
            c->inputs = c->operands;
            at += 2;
        } else {
            break;
        }
    }
    return *at || !c->inputs ? refuse_signature(c, at) : STRIA_OK;
}

/* ---- operands -------------------------------------------------------------------------------- */

/* Fits the core dims of operand k to the sizes that are known, and adds what it tells. */
static stria_status fit_operand(struct core *c, int k, const stria_view *a, const char *what)
{
    const char *const name = c->function->name;
    const int loops = a->ndim - c->ndim[k];
    if (loops < 0)
        return stria__fail(STRIA_ERR_SHAPE, "%s: %s has %d dims, wants %d or more", name, what,
                           (int)a->ndim, c->ndim[k]);
    for (int d = 0; d < c->ndim[k]; d++) {
        const struct core_name *const dim = &c->name[c->dims[k][d]];
        int64_t *const size = &c->sizes[c->dims[k][d]];
        if (*size < 0 && k < c->inputs) *size = a->shape[loops + d];
        if (*size != a->shape[loops + d])
            return stria__fail(STRIA_ERR_SHAPE, "%s: %.*s is %lld in %s of shape %s, not %lld",
                               name, dim->length, dim->text, (long long)a->shape[loops + d], what,
                               stria__dims_text(a->ndim, a->shape).text, (long long)*size);
    }
    view_set(&c->loops[k], a->data, a->buffer, a->dtype, a->flags, loops, a->shape, a->strides);
    return STRIA_OK;
}

/* Makes *out the elements in the function's dtype, apart from all outputs. */
static stria_status take_input(stria_array *out, const struct core *c, int k, const stria_view *a,
                               int out_count, const stria_view *const *outs)
{
    const stria_dtype dtype = stria_dtype_of(c->function->kinds[k]);
    OWNED_ARRAY(cast);
    STRIA_TRY(stria__check_view(a, c->function->name, "an input"));
    STRIA_TRY(stria__check_memory(a, c->function->name, "an input"));
    STRIA_TRY(stria_astype(&cast, a, dtype, STRIA_CAST_SAFE, STRIA_COPY_IF_NEEDED, NULL, NULL));
    for (int i = 0; i < out_count; i++)
        if (stria_shares_memory(&cast.view, outs[i], OVERLAP_WORK) != STRIA_OVERLAP_NO)
            return stria_clone_new(out, &cast.view, NULL);
    return stria__deliver(out, &cast, STRIA_OK);
}

static stria_status check_outputs(const struct core *c, int count, const stria_view *const *outs)
{
    const char *const name = c->function->name;
    for (int i = 0; i < count; i++) {
        const stria_dtype dtype = stria_dtype_of(c->function->kinds[c->inputs + i]);
        STRIA_TRY(stria__check_writable(outs[i], name, "out"));
        STRIA_TRY(stria__check_memory(outs[i], name, "out"));
        if (!stria_dtype_equal(outs[i]->dtype, dtype) || outs[i]->flags & (STRIA_CONJ | STRIA_NEG))
            return stria__fail(STRIA_ERR_DTYPE, "%s: out %d is %s, the function writes %s", name, i,
                               stria__dtype_text(outs[i]->dtype).text,
                               stria__dtype_text(dtype).text);
        STRIA_TRY(stria__check_itself(outs[i], name, "out"));
        for (int j = 0; j < i; j++)
            if (stria_shares_memory(outs[i], outs[j], OVERLAP_WORK) != STRIA_OVERLAP_NO)
                return stria__fail(STRIA_ERR_OVERLAP, "%s: out %d and out %d share bytes", name, j,
                                   i);
    }
    return STRIA_OK;
}

/* ---- the call -------------------------------------------------------------------------------- */

static stria_status check_core(struct core *c, int out_count, const stria_view *const *out, int n,
                               const stria_view *const *inputs)
{
    const stria_core_function *const f = c->function;
    if (!f || !f->name || !f->signature || !f->run || !out || !inputs)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "core_call: a function, its text, or operands are NULL");
    STRIA_TRY(stria__check_reserved(f->reserved, f->name));
    if (f->flags & ~(uint32_t)STRIA_USER_CALLER)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: unknown flags 0x%x", f->name,
                           (unsigned)f->flags);
    STRIA_TRY(read_signature(c));
    if (n != c->inputs || out_count != c->operands - c->inputs)
        return stria__fail(STRIA_ERR_ARGUMENT, "%s: %d inputs and %d outputs, takes %d and %d",
                           f->name, n, out_count, c->inputs, c->operands - c->inputs);
    for (int k = 0; k < c->operands; k++)
        if ((unsigned)f->kinds[k] > STRIA_C128)
            return stria__fail(STRIA_ERR_DTYPE, "%s: kind %d is no dtype of numbers", f->name,
                               (int)f->kinds[k]);
    return check_outputs(c, out_count, out);
}

static stria_status run_blocks(char *const *ptr, const stria_dim *d, const void *arg)
{
    const struct core *const c = arg;
    char *at[OPERANDS];
    for (int64_t j = 0; j < d[1].n; j++) {
        for (int k = 0; k < c->operands; k++)
            at[k] = ptr[k] + j * d[1].s[k];
        c->function->run(at, d[0].s, d[0].n, c->sizes, c->strides, c->function->data);
    }
    return STRIA_OK;
}

/* Walks over the blocks; `all` are the operands as the signature lists them. */
static stria_status walk_blocks(struct core *c, const stria_view *const *all,
                                const stria_exec *exec)
{
    const char *const name = c->function->name;
    const stria_view *loops[OPERANDS];
    stria_exec alone = {.threads = 1};
    stria_plan plan;
    int64_t *stride = c->strides;
    for (int k = 0; k < c->operands; k++)
        STRIA_TRY(fit_operand(c, k, all[k], k < c->inputs ? "an input" : "out"));
    for (int i = 0; i < c->operands; i++) {
        const int k = (i + c->inputs) % c->operands;
        loops[i] = &c->loops[k];
        memcpy(stride, all[k]->strides + loops[i]->ndim, (size_t)c->ndim[k] * sizeof *stride);
        stride += c->ndim[k];
        if (k > c->inputs && !view_same_shape(loops[i], loops[0]))
            return stria__fail(STRIA_ERR_SHAPE, "%s: outputs have the dims %s and %s", name,
                               stria__dims_text(loops[0]->ndim, loops[0]->shape).text,
                               stria__dims_text(loops[i]->ndim, loops[i]->shape).text);
        const struct output to = {name, "out", loops[0], exec};
        if (k < c->inputs) STRIA_TRY(stria__check_broadcasts(&to, loops[i], "an input"));
    }
    STRIA_TRY(stria_plan_make(&plan, c->operands, loops, 0));
    if (is_empty(loops[0]->ndim, loops[0]->shape)) return STRIA_OK;
    if (exec) alone = *exec;
    if (c->function->flags & STRIA_USER_CALLER) alone.threads = 1;
    return stria_walk(&plan, run_blocks, c, exec || c->function->flags ? &alone : NULL);
}

stria_status stria_core_call(int out_count, const stria_view *const *out,
                             const stria_core_function *function, int n,
                             const stria_view *const *inputs, const stria_exec *exec)
{
    IN_DEFAULT_FP_MODE;
    TAKES_EXEC(exec, "core_call");
    struct core c;
    stria_array taken[OPERANDS] = {{.owned = NULL}};
    const stria_view *all[OPERANDS];
    stria_status status;
    c.function = function;
    STRIA_TRY(check_core(&c, out_count, out, n, inputs));
    status = STRIA_OK;
    for (int k = 0; k < c.operands; k++) {
        all[k] = k < n ? &taken[k].view : out[k - n];
        if (k < n && !status) status = take_input(&taken[k], &c, k, inputs[k], out_count, out);
    }
    if (!status) status = walk_blocks(&c, all, exec);
    for (int k = 0; k < n; k++)
        stria_array_release(&taken[k]);
    return status;
}
