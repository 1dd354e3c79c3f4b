/* SPDX-License-Identifier: BSD-3-Clause */
/* The dtypes that DLPack has names for: a code and the bits of an item. */
#include "io/dlpack.h"

#include "base/status.h"

enum { INT, UINT, FLOAT, BFLOAT = 4, COMPLEX, BOOLEAN, F8E4M3FN = 10, F8E5M2 = 12 };

/* The codes by kind; kinds above C128 have none. */
static const uint8_t codes[STRIA_C128 + 1] = {
    [STRIA_BOOL] = BOOLEAN,    [STRIA_I8] = INT,       [STRIA_I16] = INT,
    [STRIA_I32] = INT,         [STRIA_I64] = INT,      [STRIA_U8] = UINT,
    [STRIA_U16] = UINT,        [STRIA_U32] = UINT,     [STRIA_U64] = UINT,
    [STRIA_F16] = FLOAT,       [STRIA_BF16] = BFLOAT,  [STRIA_F32] = FLOAT,
    [STRIA_F64] = FLOAT,       [STRIA_C64] = COMPLEX,  [STRIA_C128] = COMPLEX,
    [STRIA_F8E4M3] = F8E4M3FN, [STRIA_F8E5M2] = F8E5M2};

static int bits_of(int kind)
{
    return 8 * stria__builtins[kind].size;
}

bool stria__dlpack_code(stria_dl_tensor *out, stria_kind kind)
{
    if (kind > STRIA_C128) return false;
    out->dtype.code = codes[kind];
    out->dtype.bits = (uint8_t)bits_of((int)kind);
    out->dtype.lanes = 1;
    return true;
}

stria_status stria__dlpack_kind(stria_kind *out, const stria_dl_tensor *tensor)
{
    const int code = tensor->dtype.code, bits = tensor->dtype.bits, lanes = tensor->dtype.lanes;
    for (int kind = 0; lanes == 1 && kind <= STRIA_C128; kind++) {
        if (codes[kind] != code || bits_of(kind) != bits) continue;
        *out = (stria_kind)kind;
        return STRIA_OK;
    }
    return stria__fail(STRIA_ERR_DTYPE,
                       "dlpack: no dtype has code %d, %d bits and %d lanes; cast it in the library "
                       "that it comes from",
                       code, bits, lanes);
}
