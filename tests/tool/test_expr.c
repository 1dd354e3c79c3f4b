/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EXPR: its grammar, and the binding of arguments as Python binds them. Arrays are meta, so nothing
 * but geometry is computed.
 */
#include <stdio.h>
#include <string.h>

#include "expr_inputs.h"
#include "lang/registry.h"
#include "support/test.h"

/* Writes "f32 (6, 4, 5) (4, 120, 24) +0" for each output, joined by "; ". */
static void describe(char *text, size_t size, const struct evaluation *e)
{
    size_t used = 0;
    text[0] = 0;
    for (size_t i = 0; i < e->count && used < size; i++) {
        const stria_view *a = e->outputs[i];
        char dtype[32];
        (void)stria_dtype_format(dtype, sizeof dtype, NULL, a->dtype);
        used += (size_t)snprintf(text + used, size - used, "%s%s (", i ? "; " : "", dtype);
        for (int d = 0; d < a->ndim; d++)
            used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "",
                                     (long long)a->shape[d]);
        used += (size_t)snprintf(text + used, size - used, ") (");
        for (int d = 0; d < a->ndim; d++)
            used += (size_t)snprintf(text + used, size - used, "%s%lld", d ? ", " : "",
                                     (long long)a->strides[d]);
        used += (size_t)snprintf(text + used, size - used, ") +%lld", (long long)stria_offset(a));
    }
}

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define NATIVE  ">"
#define SWAPPED "<"
#else
#define NATIVE  "<"
#define SWAPPED ">"
#endif

static const struct {
    const char *expr, *result;
} good[] = {
    /* beginnings of a chain */
    {"", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"  \n\t", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"(x)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"y[0]", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x.T", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"((x.T)).T", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".T.T.T", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"(x, y)[1][0, 0]", "f32 (5, 6) (24, 4) +0"},
    /* ints one by one, as a tuple, as a list, by keyword, with a star */
    {".permute(2, 0, 1)", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute((2, 0, 1))", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute([2, 0, 1,],)", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute(dims=(2, 0, 1))", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute(axes=(2, 0, 1))", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute(*(2, 0), 1)", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute(*[], *[-1, 0], *(1,))", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".permute(k, 0, 1)", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {". permute ( 2 ,0,1 )", "f32 (6, 4, 5) (4, 120, 24) +0"},
    {".view(0x4, 3_0)", "f32 (4, 30) (120, 4) +0"},
    {".view(0b100, 0o36)", "f32 (4, 30) (120, 4) +0"},
    {".view(-(-4), +30)", "f32 (4, 30) (120, 4) +0"},
    {".view(2 * (1 + 1), -1)", "f32 (4, 30) (120, 4) +0"},

    {".view(9 // 2, -7 % 37)", "f32 (4, 30) (120, 4) +0"},
    /* Python's operators on numbers */
    {".view(2 ** 2, 2 ** 3 ** 0 * 15)", "f32 (4, 30) (120, 4) +0"},
    {".view(-2 ** 2 + 8, -(-2) ** 1 + 28)", "f32 (4, 30) (120, 4) +0"},
    {".view(1 << 2, 0b111100 >> 1)", "f32 (4, 30) (120, 4) +0"},
    {".view(6 & 12, 7 ^ 25)", "f32 (4, 30) (120, 4) +0"},
    {".view(~-5, 1 + 5 << 2 | 2 * 3 & 14)", "f32 (4, 30) (120, 4) +0"},
    {".view((1 < 2) + 3, (2 <= 1) + 30)", "f32 (4, 30) (120, 4) +0"},
    {".view((1 < 2 < 3 > 2) * 4, (1 < 3 < 2) + 30)", "f32 (4, 30) (120, 4) +0"},
    {".view(1 == 1.0 and 4, 0 or not 1 or 30)", "f32 (4, 30) (120, 4) +0"},
    {".view(x.shape)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view(x.shape[0], -1)", "f32 (4, 30) (120, 4) +0"},
    {".view(*x.shape[:2], 6)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view(x.size(0), x.size()[1] * x.size(-1))", "f32 (4, 30) (120, 4) +0"},
    {".expand(y.shape)", "f32 (3, 4, 5, 6) (0, 120, 24, 4) +0"},
    {".expand_as(y)", "f32 (3, 4, 5, 6) (0, 120, 24, 4) +0"},
    {".expand_as(y.permute(3, 0, 1, 2)[:, 0].permute(1, 2, 0))", "f32 (4, 5, 6) (120, 24, 4) +0"},
    /* keywords of NumPy and of PyTorch, with the meaning that each library gives them */
    {".narrow(1, 2, 3)", "f32 (4, 3, 6) (120, 24, 4) +48"},
    {".narrow(dim=1, start=2, length=3)", "f32 (4, 3, 6) (120, 24, 4) +48"},
    {".narrow(1, length=3, start=k)", "f32 (4, 3, 6) (120, 24, 4) +48"},
    {".transpose(0, 1)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {".transpose(1, 0, 2)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {".transpose()", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".transpose(None)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"np.transpose(x, (1, 0, 2))", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {"numpy.transpose(a=x, axes=(1, 0, 2))", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {"torch.transpose(input=x, dim0=1, dim1=0)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {"torch.Tensor.transpose(x, 1, 0)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {"transpose(x, 1, 0)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {".swapaxes(axis1=0, axis2=1)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {".swapaxes(axis0=0, axis1=1)", "f32 (5, 4, 6) (24, 120, 4) +0"},
    {".squeeze(1)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".diagonal(1, 1, 2)", "f32 (4, 5) (120, 28) +4"},
    {".diagonal(axis2=2, axis1=1, offset=1)", "f32 (4, 5) (120, 28) +4"},
    {"np.flip(x[0, 0])", "f32 (6) (-4) +20"},
    {"np.lib.stride_tricks.as_strided(x[1], shape=(2, 2), strides=(4, 8))",
     "f32 (2, 2) (4, 8) +120"},
    {".as_strided((2, 2), (1, 2))", "f32 (2, 2) (4, 8) +0"},
    {".as_strided((2, 2), (1, 2), 3)", "f32 (2, 2) (4, 8) +12"},
    {".reshape((20, 6), order='C')", "f32 (20, 6) (24, 4) +0"},
    {"np.reshape(x, (20, 6), 'C')", "f32 (20, 6) (24, 4) +0"},
    {".contiguous(memory_format=torch.contiguous_format)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"y.contiguous(memory_format=channels_last)", "f32 (3, 4, 5, 6) (480, 4, 96, 16) +0"},
    /* new arrays, and arrays moved elsewhere */
    {".T.clone()", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.clone(memory_format=contiguous_format)", "f32 (6, 5, 4) (80, 16, 4) +0"},
    {".T.copy('K')", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.copy()", "f32 (6, 5, 4) (80, 16, 4) +0"},
    {".expand(2, 4, 5, 6).clone()", "f32 (2, 4, 5, 6) (480, 120, 24, 4) +0"},
    {".expand(2, 4, 5, 6).copy('K')", "f32 (2, 4, 5, 6) (4, 240, 48, 8) +0"},
    {"torch.empty_like(x.T, dtype=f64)", "f64 (6, 5, 4) (8, 48, 240) +0"},
    {"np.zeros_like(x.T, order='C')", "f32 (6, 5, 4) (80, 16, 4) +0"},
    {"full_like(x.T, 2.5)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"np.full_like(x, 7, u8, 'F')", "u8 (4, 5, 6) (1, 4, 20) +0"},
    {"empty_strided((2, 3), (1, 4))", "f32 (2, 3) (4, 16) +0"},
    {"empty_strided((2, 3), (-1, 4), dtype=i16)", "i16 (2, 3) (-2, 8) +2"},
    {"empty_permuted((2, 3, 4), (1, 2, 0), device='cpu')", "f32 (2, 3, 4) (4, 32, 8) +0"},
    {".new_empty_strided((2, 2), (3, 1))", "f32 (2, 2) (12, 4) +0"},
    {"[1].resize_(2, 3)", "f32 (2, 3) (12, 4) +120"},
    {"[3].resize_(31)", "f32 (31) (4) +360"},
    {".set_(y)", "f32 (3, 4, 5, 6) (480, 120, 24, 4) +0"},
    {".set_(y, 2, (2, 2), stride=(1, 7))", "f32 (2, 2) (4, 28) +8"},
    {".set_(y, 2, (2, 2))", "f32 (2, 2) (8, 4) +8"},
    {"[:1].compact(0.25)", "f32 (1, 5, 6) (120, 24, 4) +0"},
    {"[1:2].compact(0.25)", "f32 (1, 5, 6) (120, 24, 4) +120"},
    {"[1:2].compact(0.26)", "f32 (1, 5, 6) (120, 24, 4) +0"},
    {".T.to(f16)", "f16 (6, 5, 4) (2, 12, 60) +0"},
    {".T.to(f32)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.astype('f8', order='C')", "f64 (6, 5, 4) (160, 32, 8) +0"},
    {".T.to(y[0])", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.detach().data.positive().alias()", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.alias_copy()", "f32 (6, 5, 4) (80, 16, 4) +0"},
    {"np.positive(x.T)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"torch.trace(x[0])", "f32 () () +0"},
    {".view(u8)[0].trace()", "i64 () () +0"},
    /* classes: a matrix has 2 dims */
    {"[0].view(np.matrix)[1]", "f32 (1, 6) (24, 4) +24"},
    {"[0].view(type=np.matrix)[:, 1]", "f32 (5, 1) (24, 4) +4"},
    {"[0].view(np.matrix)[2, 3]", "f32 () () +60"},
    {"[0].view(np.matrix).reshape(30)", "f32 (1, 30) (120, 4) +0"},
    {"[0].view(np.matrix).reshape(1, 6, 5)", "f32 (6, 5) (20, 4) +0"},
    {"[0].view(np.matrix).diagonal()", "f32 (1, 5) (140, 28) +0"},
    {"[0].view(np.matrix).T.copy()[0]", "f32 (1, 5) (20, 4) +0"},
    {"[0].view(np.matrix).unbind(1)[2]", "f32 (1, 5) (120, 24) +8"},
    {"[0].view(np.matrix).expand(2, 5, 6)[0]", "f32 (5, 6) (24, 4) +0"},
    {"[0].view(np.matrix).view(np.ndarray)[1]", "f32 (6) (4) +24"},
    {"[0].view('i2', np.matrix)[1]", "i16 (1, 12) (24, 2) +24"},
    {"np.asmatrix(x[0, 0])", "f32 (1, 6) (24, 4) +0"},
    {"[0].view(np.recarray)[1]", "f32 (6) (4) +24"},
    /* dtypes of NumPy and of PyTorch; quotes mean NumPy's notation */
    {".view(u8)", "u8 (4, 5, 24) (120, 24, 1) +0"},
    {".view(uint8)", "u8 (4, 5, 24) (120, 24, 1) +0"},
    {".view(torch.uint8)", "u8 (4, 5, 24) (120, 24, 1) +0"},
    {".view(dtype=np.uint8)", "u8 (4, 5, 24) (120, 24, 1) +0"},
    {".view('" NATIVE "i2')", "i16 (4, 5, 12) (120, 24, 2) +0"},
    {".view(\"i2\")", "i16 (4, 5, 12) (120, 24, 2) +0"},
    {".view(np.dtype('int16'))", "i16 (4, 5, 12) (120, 24, 2) +0"},
    {".view('i8')", "i64 (4, 5, 3) (120, 24, 8) +0"},
    {".view(i8)", "i8 (4, 5, 24) (120, 24, 1) +0"},
    {".view(float)", "f64 (4, 5, 3) (120, 24, 8) +0"},
    {".view(torch.float)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view(np.int_)", "i64 (4, 5, 3) (120, 24, 8) +0"},
    {".view(torch.int)", "i32 (4, 5, 6) (120, 24, 4) +0"},
    {".view('S2')", "S2 (4, 5, 12) (120, 24, 2) +0"},
    {".view('\\x66\\x38')", "f64 (4, 5, 3) (120, 24, 8) +0"},
    {".view(u8).view(x.dtype)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    /* indices */
    {"[1]", "f32 (5, 6) (24, 4) +120"},
    {"[-1, 2:, ::-2]", "f32 (3, 3) (24, -8) +428"},
    {"[..., 0]", "f32 (4, 5) (120, 24) +0"},
    {"[:, None, 0]", "f32 (4, 1, 6) (120, 120, 4) +0"},
    {"[:, np.newaxis, 0]", "f32 (4, 1, 6) (120, 120, 4) +0"},
    {"[Ellipsis, k]", "f32 (4, 5) (120, 24) +8"},
    {"[(1, 2)]", "f32 (6) (4) +168"},
    {"[1, 2,]", "f32 (6) (4) +168"},
    {"[()]", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"[1:k]", "f32 (1, 5, 6) (120, 24, 4) +120"},
    {"[None:None:None]", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"[slice(1, None), slice(2)]", "f32 (3, 2, 6) (120, 24, 4) +120"},
    {"[1:99999999999999999999999]", "f32 (3, 5, 6) (120, 24, 4) +120"},
    {"[-9223372036854775808:2]", "f32 (2, 5, 6) (120, 24, 4) +0"},
    {"[:-9223372036854775808]", "f32 (0, 5, 6) (120, 24, 4) +0"},
    /* records: fields by index and by name, dtypes as numpy.dtype takes them */
    {".view([('a', '<i2'), ('b', 'u1', (2,))])['b']", "u8 (4, 5, 6, 2) (120, 24, 4, 1) +2"},
    {".view([('a', '<i2'), ('b', 'u1', 2)]).b[..., 1]", "u8 (4, 5, 6) (120, 24, 4) +3"},
    {".view([('', 'i2'), ('', 'i2')]).f1", "i16 (4, 5, 6) (120, 24, 4) +2"},
    {".view('i2,(2,)u1')['f1']", "u8 (4, 5, 6, 2) (120, 24, 4, 1) +2"},
    {".view('2u1, i2').f0", "u8 (4, 5, 6, 2) (120, 24, 4, 1) +0"},
    {".view({'names': ['m', 'n'], 'formats': [u8, 'i2'], 'offsets': [3, 0]}).m",
     "u8 (4, 5, 6) (120, 24, 4) +3"},
    {".view({'names': ['m'], 'formats': ['i2'], 'itemsize': 8})['m']",
     "i16 (4, 5, 3) (120, 24, 8) +0"},
    {".view(np.dtype([('p', 'u1'), ('q', 'i4')], align=True)).q", "i32 (4, 5, 3) (120, 24, 8) +4"},
    {".view(np.dtype({'names': ['p', 'q'], 'formats': ['i4', [('r', 'u1'), ('s', 'i2')]], "
     "'aligned': True}))['q']['s']",
     "i16 (4, 5, 3) (120, 24, 8) +6"},
    {".view([('p', 'i4'), ('q', [('r', 'i2'), ('s', 'i2')])]).q.s",
     "i16 (4, 5, 3) (120, 24, 8) +6"},
    {".view([('p', 'i4'), ('q', 'i4')])[['q', 'p']]['q']", "i32 (4, 5, 3) (120, 24, 8) +4"},
    {".view('f4,f4').view(np.float32)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view('>i2,i2').newbyteorder()['f1']", SWAPPED "i2 (4, 5, 6) (120, 24, 4) +2"},
    /* lists as arrays */
    {"[[0, 2]]", "f32 (2, 5, 6) (120, 24, 4) +0"},
    {"[[k, 0], 1]", "f32 (2, 6) (24, 4) +0"},
    {"[[True, False, True, False]]", "f32 (2, 5, 6) (120, 24, 4) +0"},
    {"[:, [[0], [1]], [2, 3]]", "f32 (4, 2, 2) (16, 8, 4) +0"},
    {".take([[0, 1]])", "f32 (1, 2) (8, 4) +0"},
    {".index_select(1, k)", "f32 (4, 1, 6) (24, 24, 4) +0"},
    {".masked_fill(torch.ones(6, dtype=bool), 1.5)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    /* arrays of data */
    {".index_select(0, torch.tensor([0, 2]))", "f32 (2, 5, 6) (120, 24, 4) +0"},
    {"[torch.tensor([0, 1]), :, np.array([[1], [2]])]", "f32 (2, 2, 5) (40, 20, 4) +0"},
    {"[np.array([True, False, True, True])]", "f32 (3, 5, 6) (120, 24, 4) +0"},
    {"torch.tensor([[1, 2.5]])", "f32 (1, 2) (8, 4) +0"},
    {"np.array([[1, 2.5]])", "f64 (1, 2) (16, 8) +0"},
    {"torch.tensor([1, 2], dtype=torch.int16)", "i16 (2) (2) +0"},
    {"np.asarray(x)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"torch.asarray(x.T, dtype=torch.int8)", "i8 (6, 5, 4) (1, 6, 30) +0"},
    {".T.half()", "f16 (6, 5, 4) (2, 12, 60) +0"},
    {".T.float()", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".to(torch.float)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view(len(x), x.stride(1), -1)", "f32 (4, 6, 5) (120, 20, 4) +0"},
    /* NumPy and PyTorch differ */
    {".broadcast_to(2, 4, -1, 6)", "f32 (2, 4, 5, 6) (0, 120, 24, 4) +0"},
    {"np.squeeze(x[:1], None)", "f32 (5, 6) (24, 4) +0"},
    {"np.roll(x, 1, axis=(0, 1))", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.where(True, x.int(), 0.5)", "f64 (4, 5, 6) (240, 48, 8) +0"},
    {"torch.where(torch.tensor(True), x.int(), 0.5)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.where(True, x, 0.5)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.where(True, x.half(), x.int())", "f64 (4, 5, 6) (240, 48, 8) +0"},
    {"np.where(True, 1, 2.5)", "f64 () () +0"},
    {"np.copy(x.T)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T.copy()", "f32 (6, 5, 4) (80, 16, 4) +0"},
    {"np.flip(x)", "f32 (4, 5, 6) (-120, -24, -4) +476"},
    {".flip(())", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.roll(x, (1, 2), axis=0)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.diag(x[0], 1)", "f32 (5) (28) +4"},
    {"np.diag(x[0, 0, :2])", "f32 (2, 2) (8, 4) +0"},
    {"np.trace(x[0], -1)", "f32 () () +0"},
    {"torch.unsafe_chunk(x, 2)[1]", "f32 (2, 5, 6) (120, 24, 4) +240"},
    /* copies of views, in C order */
    {".permute_copy(2, 0, 1)", "f32 (6, 4, 5) (80, 20, 4) +0"},
    {"torch.expand_copy(x[0, 0], (2, 6))", "f32 (2, 6) (24, 4) +0"},
    {".split_copy(3)", "f32 (3, 5, 6) (120, 24, 4) +0; f32 (1, 5, 6) (120, 24, 4) +0"},
    {".linalg.diagonal(offset=1)", "f32 (4, 5) (120, 28) +4"},
    {"torch.linalg.diagonal(x)", "f32 (4, 5) (120, 28) +0"},
    {"np.split(x, 2)[1]", "f32 (2, 5, 6) (120, 24, 4) +240"},
    {".split(2, axis=0)[1]", "f32 (2, 5, 6) (120, 24, 4) +240"},
    {".tensor_split([1], 2)[0]", "f32 (4, 5, 1) (120, 24, 4) +0"},
    {"meshgrid(x[0, 0], y[0, 0, 0], indexing='xy')[0]", "f32 (6, 6) (0, 4) +0"},
    {"np.meshgrid(x[0, 0], y[0, 0, 0], copy=False)[1]", "f32 (6, 6) (4, 0) +0"},
    {"broadcast_tensors(x, y)[0]", "f32 (3, 4, 5, 6) (0, 120, 24, 4) +0"},
    {"cat([x, y[0]], dim=-1)", "f32 (4, 5, 12) (240, 48, 4) +0"},
    {".cat([y[0], y[1]], 1)", "f32 (4, 15, 6) (360, 24, 4) +0"},
    {".unbind(0).stack()", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"torch.cat((x, x))", "f32 (8, 5, 6) (120, 24, 4) +0"},
    /* operators on arrays: broadcast, laid out as the operands lie, promoted by PyTorch's rules */
    {"x + y", "f32 (3, 4, 5, 6) (480, 120, 24, 4) +0"},
    {"x + x.T.T", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x.T + x.T", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {".T + 1", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"[::2] * 2", "f32 (2, 5, 6) (120, 24, 4) +0"},
    {"-x.T", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"+x", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x * -1", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x - 1.5 * k", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x.int() + 1.5", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"x.int() + 2j", "c64 (4, 5, 6) (240, 48, 8) +0"},
    {"x < 1", "bool (4, 5, 6) (30, 6, 1) +0"},
    {"1 > x.T", "bool (6, 5, 4) (1, 6, 30) +0"},
    {"1 < 2 < x", "bool (4, 5, 6) (30, 6, 1) +0"},
    {"x + y < x * 2", "bool (3, 4, 5, 6) (120, 30, 6, 1) +0"},
    {"(x + y)[0].T", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"2 * (x + 1)[0, 0] - 1 < 3", "bool (6) (1) +0"},
    {"False or x", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {".view((x + y).shape[1], -1)", "f32 (4, 30) (120, 4) +0"},
    {"(x, -y)[1][0]", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"cat([x + 1, -x], 0)", "f32 (8, 5, 6) (120, 24, 4) +0"},
    /* the same by name */
    {"exp(x.T)", "f32 (6, 5, 4) (4, 24, 120) +0"},
    {"torch.exp(x.int())", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.exp(x.int())", "f64 (4, 5, 6) (240, 48, 8) +0"},
    {"np.exp(x.int(), out=y[0])", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"np.add(x.half(), x.int())", "f64 (4, 5, 6) (240, 48, 8) +0"},
    {"x.half().add(x.int())", "f16 (4, 5, 6) (60, 12, 2) +0"},
    {"add(1, 2.5)", "f32 () () +0"},
    {"np.add([1, 2], [[3], [4]])", "i64 (2, 2) (16, 8) +0"},
    {"x.add_(k)", "f32 (4, 5, 6) (120, 24, 4) +0"},
    {"y.lt_(x)", "f32 (3, 4, 5, 6) (480, 120, 24, 4) +0"},
    {"x.where(x < y, 0)", "f32 (3, 4, 5, 6) (480, 120, 24, 4) +0"},
    {"abs(x.view(c64))", "f32 (4, 5, 3) (60, 12, 4) +0"},
    /* tuples of arrays */
    {".split(3)", "f32 (3, 5, 6) (120, 24, 4) +0; f32 (1, 5, 6) (120, 24, 4) +360"},
    {".split(3)[-1]", "f32 (1, 5, 6) (120, 24, 4) +360"},
    {".split([1, 3], dim=0)[1].T", "f32 (6, 5, 3) (4, 24, 120) +120"},
    {".unbind(0)[::-2]", "f32 (5, 6) (24, 4) +360; f32 (5, 6) (24, 4) +120"},
    {".chunk(2)[0].chunk(2, dim=-1)[1]", "f32 (2, 5, 3) (120, 24, 4) +12"},
};

TEST(test_good)
{
    int wrong = 0;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct failure failure = {0};
        struct evaluation e = inputs_evaluation(good[i].expr, &inputs, &failure);
        char text[400] = "";
        if (stria__evaluate(&e) == STRIA_OK) describe(text, sizeof text, &e);
        if (strcmp(text, good[i].result ? good[i].result : "")) {
            print_error("%s\n  gives  %s %s\n  wanted %s\n", good[i].expr, text, failure.message,
                        good[i].result);
            wrong++;
        }
        stria__evaluation_end(&e);
    }
    assert_int_equal(wrong, 0);
}

/* ---- steps -------------------------------------------------------------------------------- */

TEST(test_steps)
{
    static const struct {
        const char *op, *source, *alias;
        stria_outcome kind;
    } wanted[] = {
        {"T", ".T", "x", STRIA_IS_VIEW},
        {"index", "[0:6]", "x", STRIA_IS_SAME},
        {"contiguous", ".contiguous()", NULL, STRIA_IS_COPY},
        {"contiguous", ".contiguous()", NULL, STRIA_IS_SAME},
        {"reshape", ".reshape(-1)", NULL, STRIA_IS_VIEW},
        {"split", ".split(60)", NULL, STRIA_IS_VIEW},
    };
    const char *expr = ".T [0:6].contiguous() .contiguous().reshape(-1).split(60)";
    struct failure failure = {0};
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    assert_int_equal(stria__evaluate(&e), STRIA_OK);
    const struct step *step = e.first;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++, step = step->next) {
        assert_non_null(step);
        assert_string_equal(step->op, wanted[i].op);
        assert_int_equal(step->end - step->start, strlen(wanted[i].source));
        assert_memory_equal(expr + step->start, wanted[i].source, strlen(wanted[i].source));
        assert_int_equal(step->kind, wanted[i].kind);
        if (wanted[i].alias)
            assert_string_equal(step->outs->alias, wanted[i].alias);
        else
            assert_null(step->outs->alias);
    }
    assert_null(step);
    assert_true(e.many);
    assert_int_equal(e.count, 2);
    stria__evaluation_end(&e);
}

/* Operators are steps, too: the text, and the dtypes by the rules of which library. */
TEST(test_math_steps)
{
    static const struct {
        const char *op, *source;
        stria_outcome kind;
        stria_op math;
        int count;
    } wanted[] = {
        {"T", ".T", STRIA_IS_VIEW, STRIA_OPS, 0},
        {"multiply", "2 * x.T", STRIA_IS_COPY, STRIA_MULTIPLY, 2},
        {"neg", "-y[0].T", STRIA_IS_COPY, STRIA_NEGATIVE, 1},
        {"greater", "2 * x.T > -y[0].T", STRIA_IS_COPY, STRIA_GREATER, 2},
        {"where", "np.where(2 * x.T > -y[0].T, k, 1)", STRIA_IS_COPY, STRIA_WHERE, 3},
    };
    const char *expr = "np.where(2 * x.T > -y[0].T, k, 1)";
    struct failure failure = {0};
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    assert_int_equal(stria__evaluate(&e), STRIA_OK);
    size_t found = 0;
    for (const struct step *step = e.first; step; step = step->next) {
        char source[60] = "";
        memcpy(source, expr + step->start, step->end - step->start);
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (strcmp(source, wanted[i].source)) continue;
            assert_int_equal(step->kind, wanted[i].kind);
            assert_int_equal(step->math ? step->math->op : STRIA_OPS, wanted[i].math);
            if (step->math) assert_int_equal(step->math->count, wanted[i].count);
            found++;
        }
    }
    assert_int_equal(found, sizeof wanted / sizeof *wanted + 1); /* .T twice */
    const struct math *last = e.last->math;
    assert_int_equal(last->rule, STRIA_PROMOTE_NUMPY);
    assert_int_equal(last->promoted.kind, STRIA_I32);
    assert_false(last->operands[1]->flags & STRIA_WEAK);
    assert_true(last->operands[2]->flags & STRIA_WEAK);
    stria__evaluation_end(&e);
}

/* ---- the registry ------------------------------------------------------------------------- */

/* Makes a call of an op, with integers where it refuses floats. */
static struct evaluation call_op(stria_op op, bool integers)
{
    static const char *const floats_of[] = {"", "x", "x, y", "x < y, x, y"},
                             *const integers_of[] = {"", "k", "k, k", "k, k, k"};
    struct failure failure = {0};
    char expr[100];
    const int count = stria_op_inputs(op);
    (void)snprintf(expr, sizeof expr, "%s(%s)", stria_op_name(op),
                   integers ? integers_of[count] : floats_of[count]);
    struct evaluation e = inputs_evaluation(expr, &inputs, &failure);
    const stria_status status = stria__evaluate(&e);
    if (status == STRIA_ERR_DTYPE && !integers) {
        stria__evaluation_end(&e);
        return call_op(op, true);
    }
    if (status != STRIA_OK) fail_msg("%s: %s", expr, failure.message);
    return e;
}

/* The first name of each row is the library's: each op of the library can be called. */
TEST(test_every_library_op)
{
    for (int op = 0; op < STRIA_OPS; op++) {
        struct evaluation e = call_op((stria_op)op, false);
        if (op == STRIA_POSITIVE) /* +x is x itself. */
            assert_null(e.last->math);
        else
            assert_true(e.last->math && (int)e.last->math->op == op);
        stria__evaluation_end(&e);
    }
}

TEST_MAIN(inputs_set_up, inputs_tear_down)
