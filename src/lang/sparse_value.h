/* SPDX-License-Identifier: BSD-3-Clause */
/* A sparse array as the value of an expression; it lives in the pool. */
#ifndef STRIA_LANG_SPARSE_VALUE_H
#define STRIA_LANG_SPARSE_VALUE_H

#include "stria/sparse.h"

struct sparse {
    bool compressed; /* csr, else coo */
    union {
        stria_coo coo;
        stria_csr csr;
    };
};

#endif
