/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Watches of long calls: texts over large arrays, of every function that computes, are asked
 * whether they shall go on, and the longest time between two questions is measured, in time of this
 * thread, so that other programs do not count. Arguments: parts of the texts that are wanted; none:
 * all.
 */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stria/stria.h"

/* The header promises 5 ms; memory that is touched first, and shared with others, takes longer. */
static const double PROMISED = 5e-3, ALLOWED = 10e-3;

enum { N = 1 << 23, SIDE = 2048, SHORT = 8 };

static const char *const texts[] = {
    /* Products. */
    "x @ y",
    "m @ m",
    "g @ g",
    "(m * 3).to(torch.int64) @ (m * 3).to(torch.int64)",
    "zm @ zm",
    "m.T @ m",
    "m @ m.T",
    "m[::2] @ m",
    "wide @ wide.T",
    "long @ long.T",
    "rows8.T @ rows8",
    "torch.bmm(rows64, rows64)",
    "g.to(torch.float16) @ g.to(torch.float16)",
    "m @ m[0]",
    "m[0] @ m",
    "torch.outer(x[:4096], x[:4096])",
    "torch.inner(long, long)",
    "np.tensordot(m, m, 1)",
    "np.tensordot(rows64, rows64, ([1, 2], [1, 2]))",
    "torch.einsum('ij,jk->ik', m, m)",
    "torch.einsum('ij,kj->ik', m, g)",
    "torch.einsum('bij,bjk->bik', rows64, rows64)",
    "torch.einsum('ij,ij->', m, m)",
    "torch.einsum('ijk->kji', rows64)",
    "torch.einsum('i,j->ij', x[:4096], x[:4096])",
    "np.kron(m[:64, :64], m[:64, :64])",
    "torch.dot(z, z)",
    "np.cross(x[:8388606].view(2796202, 3), y[:8388606].view(2796202, 3))",
    "stria.exact_dot(x, y)",
    /* Reductions. */
    "x.sum()",
    "x.mean()",
    "x.var()",
    "x.std()",
    "x.prod()",
    "x.max()",
    "x.min()",
    "x.argmax()",
    "x.argmin()",
    "x.all()",
    "x.any()",
    "torch.count_nonzero(x)",
    "x.norm()",
    "x.logsumexp(0)",
    "torch.nansum(x)",
    "np.nanmax(x)",
    "np.nanmean(x)",
    "np.nanvar(x)",
    "np.nanstd(x)",
    "np.ptp(x)",
    "np.average(x, weights=y)",
    "torch.aminmax(x)",
    "torch.var_mean(x)",
    "torch.std_mean(x)",
    "m.sum(0)",
    "m.sum(1)",
    "m.T.sum(0)",
    "long.sum(1)",
    "long.sum(0)",
    "short.sum(1)",
    "short.sum(0)",
    "long.var(1)",
    "long.var(0)",
    "short.max(1)",
    "short.argmax(1)",
    "long.argmax(0)",
    "long.argmax(1)",
    "long.prod(1)",
    "long.logsumexp(1)",
    "short.logsumexp(1)",
    "f.sum()",
    "f.var()",
    "h.sum()",
    "i.sum()",
    "u.sum()",
    "z.sum()",
    "z.prod()",
    "z.var()",
    "b.sum()",
    "(x * 2 + y).sum()",
    "torch.exp(x).sum()",
    "torch.trace(m)",
    "stria.exact_sum(x)",
    "stria.exact_mean(x)",
    "stria.exact_var(x)",
    "stria.exact_std(x)",
    "stria.exact_skew(x)",
    "stria.exact_kurtosis(x)",
    "stria.exact_sum(m, 0)",
    "x.sum(dtype=torch.float32)",
    "x[::3].sum()",
    "x.flip(0).sum()",
    "m.T.var()",
    /* Scans, windows. */
    "x.cumsum(0)",
    "x.cumprod(0)",
    "torch.cummax(x, 0)",
    "torch.cummin(x, 0)",
    "x.logcumsumexp(0)",
    "long.cumsum(1)",
    "long.cumsum(0)",
    "short.cumsum(1)",
    "short.cumsum(0)",
    "long.logcumsumexp(0)",
    "long.logcumsumexp(1)",
    "f.cumsum(0)",
    "h.cumsum(0)",
    "i.cumsum(0)",
    "z.cumsum(0)",
    "z.cumprod(0)",
    "np.nancumsum(x)",
    "np.nancumprod(x)",
    "torch.diff(x)",
    "x[::2].cumsum(0)",
    "u.cumsum(0)",
    "i.cumprod(0)",
    "torch.nn.functional.pad(m, (3, 3))",
    "np.pad(m, 3)",
    "np.pad(m, 3, mode='edge')",
    "np.pad(m, 3, mode='reflect')",
    "np.pad(short, 1)",
    "np.convolve(x, y[:64])",
    "np.correlate(x, y[:64])",
    "stria.window_sum(m, (5, 5))",
    "stria.window_max(m, (5, 5))",
    "stria.window_mean(m, (5, 5))",
    "stria.window_sum(x, 1000)",
    "stria.window_max(x, 1000)",
    "np.convolve(x[:65536], y[:65536])",
    "torch.conv1d(x.view(1, 1, 8388608), y[:64].view(1, 1, 64))",
    "torch.conv2d(m.view(1, 1, 2048, 2048), m[:5, :5].reshape(1, 1, 5, 5))",
    "torch.conv2d(x.view(1, 32, 512, 512), y[:9216].view(32, 32, 3, 3))",
    /* Order. */
    "x.sort()",
    "f.sort()",
    "h.sort()",
    "i.sort()",
    "u.sort()",
    "b.sort()",
    "z.abs().sort()",
    "x.argsort()",
    "f.argsort()",
    "u.argsort()",
    "long.sort(1)",
    "long.sort(0)",
    "short.sort(1)",
    "short.sort(0)",
    "long.argsort(1)",
    "long.argsort(0)",
    "x.sort(descending=True)",
    "np.sort(z)",
    "np.argsort(z)",
    "np.lexsort((x, y))",
    "np.lexsort((i, u))",
    "np.partition(x, 4194304)",
    "np.partition(x, 10)",
    "np.argpartition(x, 4194304)",
    "x.topk(100)",
    "x.topk(1000000)",
    "torch.kthvalue(x, 1000)",
    "x.median()",
    "np.median(x)",
    "long.median(1)",
    "torch.quantile(x, 0.3)",
    "np.percentile(x, [10, 50, 90])",
    "np.nanmedian(x)",
    "np.nanquantile(x, 0.1)",
    "short.median(1)",
    "stria.rankdata(x)",
    "torch.unique(x)",
    "torch.unique(i)",
    "torch.unique(u)",
    "np.unique(i)",
    "torch.unique(i, return_inverse=True, return_counts=True)",
    "torch.unique(x, return_inverse=True, return_counts=True)",
    "np.unique_all(i)",
    "np.unique_counts(x)",
    "np.unique_inverse(i)",
    "torch.unique(short, dim=0)",
    "stria.unique_in_order(i)",
    "stria.unique_in_order(x)",
    "stria.index_of(x, y)",
    "stria.index_of(i, i)",
    "torch.isin(x, y)",
    "torch.isin(i, i[:1000])",
    "torch.histc(x, 100)",
    "np.histogram(x, 100)",
    "np.bincount(i)",
    "np.bincount(i, weights=x)",
    "torch.searchsorted(sorted, x)",
    "np.digitize(x, sorted[:1000])",
    "torch.bucketize(x, sorted)",
    "np.interp(x, sorted, y)",
    "np.gradient(x)",
    "np.gradient(m)",
    "np.cov(long)",
    "np.corrcoef(long)",
    "np.cov(m)",
    "np.array_equal(x, x)",
    "torch.allclose(x, x)",
    "torch.isclose(x, y)",
    "torch.nan_to_num(x)",
    /* Operations by name. */
    "stria.fold_op(x, 'add')",
    "stria.fold_op(x, 'subtract')",
    "stria.fold_op(x, 'power')",
    "stria.fold_op(long, 'minimum', 1)",
    "stria.fold_op(long, 'subtract', 0)",
    "stria.fold_op(long, 'subtract', 1)",
    "stria.fold_op(x, 'hypot')",
    "stria.fold_op(long, 'hypot', 0)",
    "stria.scan_op(x, 'add')",
    "stria.scan_op(x, 'subtract')",
    "stria.scan_op(x, 'hypot')",
    "stria.scan_op(long, 'subtract', 0)",
    "stria.outer_op(x[:2048], 'add', y[:2048])",
    "stria.outer_op(x[:2048], 'power', y[:2048])",
    "stria.segment_op(x, 'add', segments)",
    "stria.segment_op(x, 'hypot', segments)",
    "stria.label_op(x, 'add', labels, 1024)",
    "stria.segment_sum(x, labels, 1024)",
    "stria.segment_max(x, labels, 1024)",
    "stria.op_at(y, 'add', i, x)",
    "stria.op_at(y, 'hypot', i, x)",
    /* Indexing. */
    "x[i]",
    "m[:, i[:2048] % 2048]",
    "torch.take(x, i)",
    "torch.gather(x, 0, i)",
    "torch.index_select(m, 0, i[:2048] % 2048)",
    "torch.index_select(m, 1, i[:2048] % 2048)",
    "np.take_along_axis(x, i, 0)",
    "x[b]",
    "m[m > 0.5]",
    "torch.masked_select(x, b)",
    "np.compress(b, x)",
    "np.extract(b, x)",
    "torch.nonzero(b)",
    "np.nonzero(m > 0.5)",
    "np.argwhere(b)",
    "torch.where(b, x, y)",
    "torch.scatter(y, 0, i, x)",
    "torch.scatter_add(y, 0, i, x)",
    "torch.scatter_reduce(y, 0, i, x, 'amax')",
    "torch.index_add(y, 0, i, x)",
    "torch.index_copy(y, 0, i, x)",
    "torch.index_fill(y, 0, i, 3)",
    "torch.index_put(y, (i,), x)",
    "torch.index_put(y, (i,), x, accumulate=True)",
    "torch.masked_fill(x, b, 0)",
    "torch.masked_scatter(x, b, y)",
    "torch.index_reduce(y, 0, i, x, 'prod')",
    "np.packbits(b)",
    "np.unpackbits(u)",
    "np.unravel_index(i, (2896, 4096))",
    "np.ravel_multi_index((i % 100, i % 100), (100, 100))",
    "torch.select_scatter(m, m[0], 0, 0)",
    "torch.slice_scatter(m, m[:5], 0, 0, 5)",
    "torch.diagonal_scatter(m, m[0], 0)",
    "m[i[:4194304] % 2048, i[:4194304] % 2048]",
    "rows64[:, i[:100] % 64]",
    /* Copies, joins. */
    "x.clone()",
    "m.T.contiguous()",
    "short.T.contiguous()",
    "x.flip(0).clone()",
    "m.to(torch.float32)",
    "x.to(torch.int8)",
    "x.to(torch.float16)",
    "x.to(torch.complex128)",
    "h.to(torch.float64)",
    "i.to(torch.bool)",
    "x[::3].clone()",
    "rows64.permute(2, 0, 1).contiguous()",
    "rows64.permute(1, 2, 0).contiguous()",
    "u.view(2048, 4096).T.contiguous()",
    "z.conj().clone()",
    "np.resize(x, (3000, 3000))",
    "x.repeat(2)",
    "short.repeat(1, 2)",
    "torch.repeat_interleave(x, 2)",
    "torch.repeat_interleave(x, i % 3)",
    "torch.tile(m, (1, 2))",
    "torch.roll(x, 5)",
    "torch.roll(m, 5, 1)",
    "torch.roll(short, 3, 1)",
    "torch.tril(m)",
    "torch.triu(m)",
    "torch.diag(x[:2048])",
    "torch.diag_embed(short)",
    "np.rot90(m).copy()",
    "np.fliplr(m).copy()",
    "torch.cat((x, y))",
    "torch.cat((short, short), 1)",
    "torch.stack((x, y))",
    "torch.stack((x, y), 1)",
    "torch.stack((short, short), 2)",
    "torch.hstack((short, short))",
    "torch.column_stack((x, y))",
    "torch.block_diag(m, m)",
    "torch.cat(x.split(512))",
    "torch.stack(short[:30000].unbind(0))",
    "torch.cat((x.to(torch.float32), y))",
    "x.byteswap()",
    "np.copyto(x.clone(), y)",
    "x.clone().fill_(1)",
    "m.clone().transpose_in_place(0, 1)",
    "rows64.clone().permute_in_place(2, 0, 1)",
    "short.clone().transpose_in_place(0, 1)",
    /* New arrays. */
    "torch.zeros(8388608)",
    "torch.full((8388608,), 3)",
    "torch.arange(8388608)",
    "torch.linspace(0, 1, 8388608)",
    "torch.eye(3000)",
    "np.tri(3000)",
    "torch.rand(8388608)",
    "torch.randn(8388608)",
    "torch.randint(0, 10, (8388608,))",
    "stria.uniform(0, 1, 8388608)",
    "torch.normal(0.0, 1.0, (8388608,))",
    "torch.randperm(8388608)",
    "np.random.permutation(x)",
    "np.meshgrid(x[:3000], y[:3000])",
    /* Sparse arrays. */
    "m.to_sparse().to_dense()",
    "m.to_sparse_csr().to_dense()",
    "m.to_sparse().coalesce().to_dense()",
    "m.to_sparse_csr() @ m[:, :64]",
    "m.to_sparse() @ m[:, :64]",
    "m.to_sparse_csr() @ m[0]",
    "m.to_sparse().transpose(0, 1).to_dense()",
    ("torch.sparse_coo_tensor(torch.stack((i % 2048, i.flip(0) % 2048)), x, (2048, "
     "2048)).coalesce().to_dense()"),
    /* Two results, checks. */
    "np.modf(x)",
    "np.frexp(x)",
    "np.divmod(x, y)",
    "stria.sincos(x)",
    "stria.quotient(x, y)",
    "torch.clamp(x, 0.2, 0.4)",
    "x.to(torch.int32, copy=True)",
    "stria.add(i, i)",
    "np.choose(u % 2, (u, u))",
    "stria.interp(x, sorted, y)",
    /* Matrices, transforms. */
    "torch.linalg.solve(rows64, rows64)", /* between matrices */
    "torch.fft.fft(z)",
    "torch.fft.fft(x)",
    "torch.fft.rfft(x)",
    "torch.fft.fft2(m)",
    "torch.fft.fftn(rows64)",
    "torch.fft.fft(z[:3000017])",
    "torch.fft.fft(zm)",
    "torch.fft.fft(zm, dim=0)",
    "torch.fft.irfft(z)",
    "torch.fft.fftshift(m)",
    "torch.fft.fft(short)",
};

/* ---- questions ------------------------------------------------------------------------------- */

struct questions {
    double last, longest;
    int count;
};

static double seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void note(struct questions *q)
{
    const double now = seconds();
    if (now - q->last > q->longest) q->longest = now - q->last;
    q->last = now;
}

static bool goes_on(void *context, int64_t bytes)
{
    struct questions *const q = context;
    (void)bytes;
    note(q);
    q->count++;
    return true;
}

/* ---- operands -------------------------------------------------------------------------------- */

static stria_named named[STRIA_NAMES];
static stria_array made[STRIA_NAMES];
static int count;

static void name(const char *as, const char *text)
{
    stria_results r = {0};
    if (stria_eval(&r, text, count, named, NULL) != STRIA_OK ||
        stria_results_take(&made[count], &r, 0) != STRIA_OK) {
        fprintf(stderr, "%s: %s\n", text, stria_last_error());
        exit(2);
    }
    named[count] = (stria_named){as, &made[count].view};
    count++;
    stria_results_release(&r);
}

static void make_operands(void)
{
    name("x", "torch.rand(8388608, dtype=torch.float64) * 0.8 + 0.1");
    name("y", "x.flip(0).clone()");
    name("i", "(x * 8388608).to(torch.int64)");
    name("u", "(x * 250).to(torch.uint8)");
    name("b", "x > 0.5");
    name("f", "torch.cat((x.to(torch.float32), x.to(torch.float32)))");
    name("h", "x.to(torch.float16)");
    name("z", "x[:4194304].to(torch.complex128) + 1j");
    name("m", "x[:4194304].view(2048, 2048)");
    name("g", "m.to(torch.float32)");
    name("zm", "z.view(2048, 2048)[:1024, :1024].clone()");
    name("wide", "x.view(64, 131072)");
    name("long", "x.view(8, 1048576)");
    name("short", "x.view(1048576, 8)");
    name("rows8", "x.view(1048576, 8)");
    name("rows64", "x.view(2048, 64, 64)");
    name("sorted", "x.sort()[0]");
    name("labels", "(torch.arange(8388608) / 8192).to(torch.int64)");
    name("segments", "torch.arange(0, 8388608, 1000)");
}

/* ---- runs ------------------------------------------------------------------------------------ */

static double budget = ALLOWED;
static int wrong, failed;

/* Returns false where the text is refused. */
static bool measure(const char *text, bool must)
{
    struct questions best = {0};
    for (int turn = 0; turn < 3; turn++) {
        struct questions q = {0};
        stria_watch watch = {.go_on = goes_on, .context = &q};
        const stria_exec exec = {.threads = 1, .watch = &watch};
        stria_results r = {0};
        const double begin = q.last = seconds();
        const stria_status status = stria_eval(&r, text, count, named, &exec);
        note(&q);
        if (status != STRIA_OK) {
            if (must) failed++, printf("        refused   %s: %s\n", text, stria_last_error());
            return false;
        }
        stria_results_release(&r);
        if (turn == 0 || q.longest < best.longest) best = q;
        best.last = seconds() - begin;
        if (best.longest < budget) break;
    }
    wrong += best.longest > budget;
    if (best.longest > PROMISED)
        printf("%8.1f ms, %3d questions   %s\n", best.longest * 1e3, best.count, text);
    return true;
}

static void measure_operation(const char *op)
{
    static const char *const operands[] = {
        "(x)",       "(x, y)", "(x, y, y)", "(i)", "(i, i)", "(z)", "(z, z)", "(f)",     "(f, f)",
        "(f, f, f)", "(b)",    "(b, b)",    "(h)", "(h, h)", "(u)", "(u, u)", "(m.T, g)"};
    for (size_t k = 0; k < sizeof operands / sizeof *operands; k++) {
        char text[128];
        (void)snprintf(text, sizeof text, "stria.%s%s", op, operands[k]);
        (void)measure(text, false);
    }
}

static bool is_wanted(const char *text, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strstr(text, argv[i])) return true;
    return argc < 2;
}

int main(int argc, char **argv)
{
    make_operands();
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (is_wanted(texts[i], argc, argv)) (void)measure(texts[i], true);
    for (int op = 0; op < stria_op_count(); op++)
        if (is_wanted(stria_op_name((stria_op)op), argc, argv))
            measure_operation(stria_op_name((stria_op)op));
    while (count > 0)
        stria_array_release(&made[--count]);
    printf("%d beyond %.0f ms, %d refused\n", wrong, budget * 1e3, failed);
    return wrong > 0 || failed > 0;
}
