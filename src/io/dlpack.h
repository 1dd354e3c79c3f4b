/* SPDX-License-Identifier: BSD-3-Clause */
/* Codes of DLPack for the dtypes. */
#pragma once

#include <stdbool.h>

#include "dtype/dtype.h"
#include "stria/dlpack.h"

/* Sets code, bits and lanes; false where DLPack has no such elements. */
bool stria__dlpack_code(stria_dl_tensor *out, stria_kind kind);
/* Finds the kind of a tensor's elements; DTYPE where there is none. */
stria_status stria__dlpack_kind(stria_kind *out, const stria_dl_tensor *tensor);
