/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of the registry: complex numbers as reals, conjugates and negatives that are only marked. */
#include "lang/registry.h"

static stria_status real(struct invocation *c)
{
    return stria_real(&c->out.view, c->self);
}

static stria_status imag(struct invocation *c)
{
    return stria_imag(&c->out.view, c->self);
}

static stria_status view_as_real(struct invocation *c)
{
    return stria_view_as_real(&c->out.view, c->self);
}

static stria_status view_as_complex(struct invocation *c)
{
    return stria_view_as_complex(&c->out.view, c->self);
}

static stria_status conjugate(struct invocation *c)
{
    return stria_conj(&c->out.view, c->self);
}

static stria_status neg_view(struct invocation *c)
{
    return stria_neg_view(&c->out.view, c->self);
}

/* A copy when the bit is there to be resolved, otherwise the array itself. */
static stria_status resolve(struct invocation *c, uint32_t bit)
{
    if (c->self->flags & bit) return stria_clone_ordered(&c->out, c->self, STRIA_ORDER_PRESERVE);
    c->out.view = *c->self;
    return STRIA_OK;
}

static stria_status resolve_conj(struct invocation *c)
{
    return resolve(c, STRIA_CONJ);
}

static stria_status resolve_neg(struct invocation *c)
{
    return resolve(c, STRIA_NEG);
}

static const struct function ops[] = {
    {"real", real, WORLD_ANY, "stria_real", "Views the real parts."},
    {"imag", imag, WORLD_ANY, "stria_imag", "Views the imaginary parts."},
    {"view_as_real(self)", view_as_real, WORLD_ANY, "stria_view_as_real",
     "Views complex numbers as pairs of real ones, in a last dim of size 2."},
    {"view_as_complex(self)", view_as_complex, WORLD_ANY, "stria_view_as_complex",
     "Views pairs of real numbers, a last dim of size 2, as complex ones."},
    {"conj|conjugate(self)", conjugate, WORLD_ANY, "stria_conj",
     "Conjugates, where elements are read; nothing is copied."},
    {"_neg_view(self)", neg_view, WORLD_TORCH, "stria_neg_view",
     "Negates, where elements are read; nothing is copied."},
    {"resolve_conj(self)", resolve_conj, WORLD_ANY, "stria_clone_ordered",
     "Copies if elements are conjugated where they are read."},
    {"resolve_neg(self)", resolve_neg, WORLD_ANY, "stria_clone_ordered",
     "Copies if elements are negated where they are read."},
};

const struct function_group stria__rows_complex = {ops, sizeof ops / sizeof *ops};
