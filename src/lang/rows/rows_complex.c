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
    {"real", real, WORLD_ANY},
    {"imag", imag, WORLD_ANY},
    {"view_as_real(self)", view_as_real, WORLD_ANY},
    {"view_as_complex(self)", view_as_complex, WORLD_ANY},
    {"conj|conjugate(self)", conjugate, WORLD_ANY},
    {"_neg_view(self)", neg_view, WORLD_TORCH},
    {"resolve_conj(self)", resolve_conj, WORLD_ANY},
    {"resolve_neg(self)", resolve_neg, WORLD_ANY},
};

const struct function_group stria__rows_complex = {ops, sizeof ops / sizeof *ops};
