/* SPDX-License-Identifier: BSD-3-Clause */
/* Evaluates the few functions of Python, PyTorch and NumPy that make arguments rather than
 * arrays. */
#include <string.h>

#include "eval.h"

typedef stria_status make(struct evaluation *e, struct value *args, size_t count, size_t at,
                          struct value *out);

static stria_status make_slice(struct evaluation *e, struct value *args, size_t count, size_t at,
                               struct value *out)
{
    if (!count || count > 3)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, at, "slice takes 1 to 3 arguments");
    TAKE(const struct value, none, &e->pool);
    out->kind = VALUE_SLICE;
    out->slice.start = count > 1 ? &args[0] : none;
    out->slice.stop = count > 1 ? &args[1] : &args[0];
    out->slice.step = count > 2 ? &args[2] : none;
    return STRIA_OK;
}

/* Evaluates dtype(what, align=False). */
static stria_status make_dtype(struct evaluation *e, struct value *args, size_t count, size_t at,
                               struct value *out)
{
    const bool align = count == 2 && args[1].kind == VALUE_BOOL && args[1].truth;
    if (count < 1 || count > 2 || (count == 2 && args[1].kind != VALUE_BOOL))
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, at,
                              "dtype takes what describes a dtype, and align=True or False");
    stria_dtype dtype;
    STRIA_TRY(stria__dtype_value(&dtype, args, align, &e->pool, e->failure));
    out->kind = VALUE_DTYPE;
    out->dtype = dtype;
    return STRIA_OK;
}

static stria_status make_tuple(struct evaluation *e, struct value *args, size_t count, size_t at,
                               struct value *out)
{
    const bool sequence = count == 1 && stria__value_is_sequence(args);
    if (count && !sequence)
        return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, at, "one tuple or list expected");
    if (count) *out = *args;
    out->kind = VALUE_TUPLE;
    return STRIA_OK;
}

static make *find_builtin(const char *name)
{
    static make *const makers[] = {make_slice, make_dtype, make_tuple, make_tuple};
    const int i = stria__choice("slice|dtype|Size|tuple", name);
    return i < 0 ? NULL : makers[i];
}

bool stria__eval_builtin(const char *name)
{
    return find_builtin(name) != NULL;
}

stria_status stria__eval_builtin_call(struct evaluation *e, const char *name,
                                      const struct node *call, struct value *out)
{
    TAKE_ARRAY(struct value, args, &e->pool, call->count);
    size_t count = 0;
    for (const struct node *node = call->first; node; node = node->next) {
        const bool align = node->kind == NODE_KEYWORD && !strcmp(node->text, "align") &&
                           !strcmp(name, "dtype") && count == 1;
        if ((node->kind == NODE_KEYWORD && !align) || node->kind == NODE_STAR)
            return stria__fail_at(e->failure, STRIA_ERR_ARGUMENT, node->start,
                                  "%s takes plain arguments only", name);
        STRIA_TRY(stria__eval_node(e, align ? node->a : node, &args[count++]));
    }
    return find_builtin(name)(e, args, count, call->start, out);
}
