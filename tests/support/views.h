/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of the arrays that tests declare. */
#pragma once

#include "stria/view.h"

/* Makes a writable view of i32 in foreign memory; strides are in bytes, NULL means C order. */
stria_view i32_view(int32_t *data, int ndim, const int64_t *shape, const int64_t *strides);
