/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: complex numbers as reals, conjugates and negatives that are only marked. */
#include "lang/registry.h"

/* A copy when the bit is there to be resolved, otherwise the array itself. */
static stria_status resolve(struct invocation *c)
{
    if (c->self->flags & (uint32_t)c->row->what)
        return stria_clone_ordered(&c->out, c->self, STRIA_ORDER_PRESERVE);
    c->out.view = *c->self;
    return STRIA_OK;
}

static const struct function ops[] = {
    ROW(ANY, "real", real, "Views the real parts."),
    ROW(ANY, "imag", imag, "Views the imaginary parts."),
    ROW(ANY, "view_as_real(self)", view_as_real,
        "Views complex numbers as pairs of real ones, in a last dim of size 2."),
    ROW(ANY, "view_as_complex(self)", view_as_complex,
        "Views pairs of real numbers, a last dim of size 2, as complex ones."),
    ROW(ANY, "conj|conjugate(self)", conj,
        "Conjugates, where elements are read; nothing is copied."),
    ROW(TORCH, "_neg_view(self)", neg_view, "Negates, where elements are read; nothing is copied."),
    ROW_AS(ANY, "resolve_conj(self)", resolve, STRIA_CONJ, clone_ordered,
           "Copies if elements are conjugated where they are read."),
    ROW_AS(ANY, "resolve_neg(self)", resolve, STRIA_NEG, clone_ordered,
           "Copies if elements are negated where they are read."),
};

const struct function_group stria__rows_complex = {ops, sizeof ops / sizeof *ops};
