/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stria_mpi.h on any number of ranks: random shapes, dtypes, layouts and splits against what every
 * element must be by its indices. All ranks draw the same numbers. A rank that finds something
 * wrong ends all of them.
 */
#include <inttypes.h>
#include <stdio.h>

#include "stria/stria.h"
#include "stria/stria_mpi.h"
#include "../support/by_value.h"

static int rank, ranks, checks;
static uint64_t seed = 1;

static int64_t draw(int64_t n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((seed >> 33) % (uint64_t)n);
}

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        checks++;                                                                                  \
        if (!(condition)) {                                                                        \
            (void)fprintf(stderr, "rank %d of %d, %s:%d: %s (%s)\n", rank, ranks, __FILE__,        \
                          __LINE__, #condition, stria_last_error());                               \
            MPI_Abort(MPI_COMM_WORLD, 1);                                                          \
        }                                                                                          \
    } while (0)
#define OK(call) CHECK((call) == STRIA_OK)

static const stria_kind kinds[] = {STRIA_F64, STRIA_F32, STRIA_C128, STRIA_I8,
                                   STRIA_F16, STRIA_I64, STRIA_BF16, STRIA_C64};

/*
 * Makes an array whose elements lie in some layout: dims in any order in memory, some backwards,
 * some with gaps.
 */
static void make(stria_array *out, stria_view *view, stria_dtype dtype, int ndim,
                 const int64_t *shape)
{
    int64_t sizes[STRIA_MAX_NDIM] = {0};
    int order[STRIA_MAX_NDIM], back[STRIA_MAX_NDIM];
    for (int i = 0; i < ndim; i++)
        order[i] = i;
    for (int i = ndim - 1; i > 0; i--) {
        const int j = (int)draw(i + 1), kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
    int64_t steps[STRIA_MAX_NDIM];
    for (int i = 0; i < ndim; i++) {
        steps[i] = draw(4) ? 1 : 2;
        sizes[i] = shape[order[i]] * steps[i] + draw(2);
        back[order[i]] = i;
    }
    OK(stria_zeros(out, dtype, ndim, sizes));
    *view = out->view;
    for (int i = 0; i < ndim; i++) {
        const int64_t n = shape[order[i]];
        OK(stria_slice(view, view, i, 0, n * steps[i], steps[i]));
    }
    for (int i = 0; i < ndim; i++)
        if (draw(4) == 0) OK(stria_flip(view, view, 1, &i));
    OK(stria_permute(view, view, ndim, back));
}

/* Fills a view with numbers that tell each element's place in the whole array. */
static void number(const stria_view *a, const int64_t *whole, const int64_t *first)
{
    int64_t at[STRIA_MAX_NDIM] = {0};
    for (int64_t k = 0, n = stria_numel(a); k < n; k++) {
        int64_t place = 0, wrapped, rest = k;
        for (int i = a->ndim - 1; i >= 0; i--) {
            at[i] = rest % a->shape[i];
            rest /= a->shape[i];
        }
        for (int i = 0; i < a->ndim; i++) {
            wrapped = (first[i] + at[i] + 2 * whole[i]) % whole[i];
            place = place * whole[i] + wrapped;
        }
        OK(stria_set_i64(a, a->ndim, at, place % 101 + 1));
    }
}

static bool equal(const stria_view *a, const stria_view *b)
{
    bool same = false;
    OK(stria_array_equal(&same, a, b, false, NULL));
    return same;
}

/* ---- datatypes and messages ---------------------------------------------------------------- */

/* Packs a view by its datatype: its elements in C order. */
static void check_type(const stria_view *v)
{
    stria_array dense = {0};
    MPI_Datatype type;
    char bytes[1 << 16];
    int at = 0, size = 0;
    OK(stria_clone_new(&dense, v, NULL));
    OK(stria_mpi_type(&type, v));
    MPI_Type_size(type, &size);
    CHECK(size == stria_nbytes(v));
    MPI_Pack(v->data, 1, type, bytes, (int)sizeof bytes, &at, MPI_COMM_SELF);
    CHECK(at == size && memcmp(bytes, dense.view.data, (size_t)size) == 0);
    MPI_Type_free(&type);
    stria_array_release(&dense);
}

static void test_types(void)
{
    for (int i = 0; i < 60; i++) {
        const int ndim = (int)draw(5);
        int64_t shape[5], first[5] = {0};
        for (int d = 0; d < ndim; d++)
            shape[d] = draw(12) ? 1 + draw(6) : 0;
        stria_array a = {0};
        stria_view v;
        make(&a, &v, stria_dtype_of(kinds[draw(8)]), ndim, shape);
        if (stria_numel(&v)) number(&v, shape, first);
        check_type(&v);
        stria_array_release(&a);
    }
    /* Bytes that lie backwards, within rows and from row to row. */
    const int64_t shape[] = {9, 7}, first[] = {0, 0};
    const int backwards[] = {1};
    stria_array a = {0};
    stria_view v;
    OK(stria_zeros(&a, stria_dtype_of(STRIA_U8), 2, shape));
    number(&a.view, shape, first);
    OK(stria_flip(&v, &a.view, 1, backwards));
    check_type(&v);
    OK(stria_reverse_dims(&v, &v));
    check_type(&v);
    stria_array_release(&a);
}

/* Makes types of more than INT_MAX elements; nothing is read. */
static void test_large_types(void)
{
    const int64_t shapes[][2] = {{INT64_C(5000000000), 1}, {3, INT64_C(3000000001)}};
    const int64_t strides[][2] = {{8, 8}, {INT64_C(1) << 40, 16}};
    for (int i = 0; i < 2; i++) {
        stria_view v;
        MPI_Datatype type;
        MPI_Count size, low, extent;
        OK(stria_view_foreign(&v, &size, stria_dtype_of(STRIA_F64), 2, shapes[i], strides[i], 0));
        OK(stria_mpi_type(&type, &v));
        MPI_Type_size_x(type, &size);
        MPI_Type_get_true_extent_x(type, &low, &extent);
        CHECK(size == shapes[i][0] * shapes[i][1] * 8);
        CHECK(low == 0 && extent == (shapes[i][0] - 1) * strides[i][0] +
                                        (shapes[i][1] - 1) * strides[i][1] + 8);
        MPI_Type_free(&type);
    }
}

static void test_messages(void)
{
    for (int i = 0; i < 60; i++) {
        const int ndim = 1 + (int)draw(4);
        const stria_dtype dtype = stria_dtype_of(kinds[draw(8)]);
        const bool swap = draw(4) == 0, big = draw(6) == 0;
        int64_t shape[4], first[4] = {0};
        for (int d = 0; d < ndim; d++)
            shape[d] = 1 + draw(big ? 12 : 5);
        stria_array a = {0}, b = {0}, c = {0};
        stria_view from, to, wanted;
        make(&a, &from, dtype, ndim, shape);
        make(&b, &to, swap ? stria_dtype_swap(dtype) : dtype, ndim, shape);
        make(&c, &wanted, dtype, ndim, shape);
        const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
        first[0] = rank;
        number(&from, shape, first);
        first[0] = last;
        number(&wanted, shape, first);
        if (stria_dtype_is_complex(dtype) && draw(2)) OK(stria_conj(&from, &from));
        OK(stria_mpi_sendrecv(&from, next, i, &to, last, i, MPI_COMM_WORLD));
        CHECK(equal(&to, &wanted));
        stria_array_release(&a);
        stria_array_release(&b);
        stria_array_release(&c);
    }
}

/* ---- halos --------------------------------------------------------------------------------- */

/*
 * Checks every cell of a block: inner cells and ghosts that have a neighbour hold the numbers of
 * their places, the others are unchanged.
 */
static void check_block(const stria_view *a, const int64_t *whole, const int64_t *first,
                        const int64_t *inner, const struct stria_mpi__grid *grid, bool corners)
{
    int64_t at[STRIA_MAX_NDIM];
    for (int64_t k = 0, n = stria_numel(a); k < n; k++) {
        int64_t place = 0, rest = k;
        double got[2];
        int outside = 0;
        bool filled = true;
        for (int i = a->ndim - 1; i >= 0; i--) {
            at[i] = rest % a->shape[i];
            rest /= a->shape[i];
        }
        for (int i = 0; i < a->ndim; i++) {
            const int64_t low = i < grid->ndim ? grid->low[i] : 0;
            const int64_t where = first[i] + at[i] - low;
            const int side = at[i] < low ? -1 : at[i] >= low + inner[i];
            outside += side != 0;
            if (side && !grid->periods[i]) filled &= where >= 0 && where < whole[i];
            place = place * whole[i] + (where + 2 * whole[i]) % whole[i];
        }
        if (outside > 1 && !corners) filled = false;
        OK(stria_get_c128(got, a, a->ndim, at));
        CHECK(got[0] == (filled ? (double)(place % 101 + 1) : 0));
    }
}

static void test_halo(void)
{
    for (int trial = 0; trial < 40; trial++) {
        const int nd = 1 + (int)draw(3), ndim = nd + (int)draw(2), count = 1 + (int)draw(3);
        struct stria_mpi__grid grid = {.ndim = nd};
        int low[3], high[3], dims[3] = {0, 1, 2};
        int64_t whole[4] = {0}, first[4] = {0}, inner[4], shape[4];
        MPI_Comm cart;
        MPI_Dims_create(ranks, nd, grid.sizes);
        for (int i = 0; i < nd; i++)
            grid.periods[i] = (int)draw(2);
        MPI_Cart_create(MPI_COMM_WORLD, nd, grid.sizes, grid.periods, 0, &cart);
        int mine;
        MPI_Comm_rank(cart, &mine);
        MPI_Cart_coords(cart, mine, nd, grid.at);
        const bool wide = draw(3) == 0, corners = draw(2);
        for (int i = 0; i < ndim; i++) {
            if (i < nd) {
                low[i] = (int)draw(3);
                high[i] = (int)draw(3);
            }
            /* Blocks of different sizes: ranks at the same place along a dim have the same size
             * there. */
            const int parts = i < nd ? grid.sizes[i] : 1;
            whole[i] = 0;
            for (int p = 0; p < parts; p++) {
                const int64_t n = 2 + draw(wide ? 30 : 4);
                if (i >= nd || p == grid.at[i]) {
                    first[i] = whole[i];
                    inner[i] = n;
                }
                whole[i] += n;
            }
            shape[i] = inner[i] + (i < nd ? low[i] + high[i] : 0);
        }
        grid.dims = dims;
        grid.low = low;
        grid.high = high;
        stria_array arrays[3] = {{0}};
        stria_view views[3];
        const stria_view *given[3];
        for (int k = 0; k < count; k++) {
            make(&arrays[k], &views[k], stria_dtype_of(kinds[draw(8)]), ndim, shape);
            given[k] = &views[k];
        }
        stria_mpi_halo *halo = NULL;
        OK(stria_mpi_halo_make(&halo, cart, count, given, draw(2) ? dims : NULL, low, high,
                               corners ? STRIA_MPI_CORNERS : 0));
        for (int turn = 0; turn < 2; turn++) {
            for (int k = 0; k < count; k++) {
                stria_view inside = views[k];
                const int zero = 0;
                stria_view value;
                OK(stria_view_foreign(&value, (void *)&zero, stria_dtype_of(STRIA_I32), 0, NULL,
                                      NULL, STRIA_READONLY));
                OK(stria_fill(&views[k], &value, NULL));
                for (int i = 0; i < nd; i++)
                    OK(stria_narrow(&inside, &inside, i, low[i], inner[i]));
                number(&inside, whole, first);
            }
            OK(stria_mpi_halo_start(halo));
            OK(stria_mpi_halo_finish(halo));
            for (int k = 0; k < count; k++)
                check_block(&views[k], whole, first, inner, &grid, corners);
        }
        stria_mpi_halo_release(halo);
        for (int k = 0; k < count; k++)
            stria_array_release(&arrays[k]);
        MPI_Comm_free(&cart);
    }
}

/* ---- redistribution ------------------------------------------------------------------------ */

/* Splits n into a block for each rank, some of them empty; returns this rank's size and sets *first
 * to its beginning. */
static int64_t split(int64_t n, int64_t *first)
{
    int64_t left = n, mine = 0;
    for (int r = 0; r < ranks; r++) {
        const int64_t size = r + 1 == ranks ? left : draw(left + 1);
        if (r == rank) {
            *first = n - left;
            mine = size;
        }
        left -= size;
    }
    return mine;
}

static void test_redistribute(void)
{
    for (int trial = 0; trial < 60; trial++) {
        const int ndim = 1 + (int)draw(4), in_dim = (int)draw(ndim), out_dim = (int)draw(ndim);
        const bool wide = draw(4) == 0;
        int order[4];
        int64_t whole[4] = {0}, in_shape[4], out_shape[4], first[4] = {0}, moved_first[4];
        for (int i = 0; i < ndim; i++) {
            order[i] = i;
            in_shape[i] = whole[i] = 1 + draw(wide ? 25 : 7);
        }
        for (int i = ndim - 1; i > 0; i--) {
            const int j = (int)draw(i + 1), kept = order[i];
            order[i] = order[j];
            order[j] = kept;
        }
        in_shape[in_dim] = split(whole[in_dim], &first[in_dim]);
        int64_t start = 0;
        const int64_t mine = split(whole[order[out_dim]], &start);
        for (int i = 0; i < ndim; i++) {
            out_shape[i] = whole[order[i]];
            moved_first[i] = 0;
        }
        out_shape[out_dim] = mine;
        moved_first[out_dim] = start;
        stria_array a = {0}, b = {0}, c = {0};
        stria_view in, out, wanted;
        const stria_dtype dtype = stria_dtype_of(kinds[draw(8)]);
        make(&a, &in, dtype, ndim, in_shape);
        make(&b, &out, dtype, ndim, out_shape);
        if (stria_numel(&in)) number(&in, whole, first);
        if (draw(2)) {
            OK(stria_mpi_redistribute(&out, out_dim, &in, in_dim, order, MPI_COMM_WORLD));
        } else { /* a redistribution that is kept runs twice, first with other elements */
            stria_mpi_redistribution *kept = NULL;
            stria_array again = {0};
            OK(stria_clone_new(&again, &in, NULL));
            if (stria_numel(&in)) number(&in, whole, (const int64_t[]){1, 2, 3, 4});
            OK(stria_mpi_redistribution_make(&kept, &out, out_dim, &in, in_dim, order,
                                             draw(2) ? STRIA_MPI_MESSAGES : 0, MPI_COMM_WORLD));
            OK(stria_mpi_redistribution_run(kept));
            OK(stria_copy(&in, &again.view, NULL));
            OK(stria_mpi_redistribution_run(kept));
            stria_mpi_redistribution_release(kept);
            stria_array_release(&again);
        }
        /* The expected `out`: the whole array's numbers, with its dims in the original order. */
        int64_t shape[4], at[4];
        for (int i = 0; i < ndim; i++) {
            shape[order[i]] = out_shape[i];
            at[order[i]] = moved_first[i];
        }
        OK(stria_empty(&c, dtype, ndim, shape));
        if (stria_numel(&c.view)) number(&c.view, whole, at);
        OK(stria_permute(&wanted, &c.view, ndim, order));
        CHECK(equal(&out, &wanted));
        stria_array_release(&a);
        stria_array_release(&b);
        stria_array_release(&c);
    }
}

/* ---- sums ---------------------------------------------------------------------------------- */

static void test_sums(void)
{
    for (int trial = 0; trial < 10; trial++) {
        const int64_t n = 1 + draw(3000);
        stria_array all = {0}, sum = {0}, whole = {0};
        OK(stria_empty(&all, stria_dtype_of(STRIA_F64), 1, &n));
        double *const x = (double *)(void *)all.view.data;
        for (int64_t i = 0; i < n; i++)
            x[i] = (double)(draw(2000001) - 1000000) * (draw(2) ? 1e-9 : 1e12);
        int64_t first = 0;
        const int64_t mine = split(n, &first);
        stria_view part;
        OK(stria_narrow(&part, &all.view, 0, first, mine));
        OK(stria_empty(&sum, all.view.dtype, 0, NULL));
        OK(stria_exact_reduce_new(&whole, STRIA_SUM, &all.view, STRIA_ALL_DIMS, NULL, 0, false,
                                  NULL));
        OK(stria_mpi_sum(&sum.view, &part, MPI_COMM_WORLD, NULL));
        CHECK(memcmp(sum.view.data, whole.view.data, 8) == 0);
        stria_array_release(&all);
        stria_array_release(&sum);
        stria_array_release(&whole);
    }
    /* Ranks whose dtypes differ: all ranks report it. */
    stria_array x = {0}, sum = {0};
    OK(stria_zeros(&x, stria_dtype_of(rank ? STRIA_I32 : STRIA_F64), 1, (const int64_t[]){3}));
    OK(stria_zeros(&sum, stria_dtype_of(STRIA_F64), 0, NULL));
    CHECK(stria_mpi_sum(&sum.view, &x.view, MPI_COMM_WORLD, NULL) ==
          (ranks > 1 ? STRIA_ERR_ARGUMENT : STRIA_OK));
    stria_array_release(&x);
    stria_array_release(&sum);
}

/* ---- what is refused ----------------------------------------------------------------------- */

static void test_refusals(void)
{
    const int64_t shape[2] = {6, 6};
    stria_array a = {0}, b = {0};
    stria_view v = {0};
    OK(stria_zeros(&a, stria_dtype_of(STRIA_C64), 2, shape));
    memset(a.view.data, 1, (size_t)stria_nbytes(&a.view));
    OK(stria_zeros(&b, stria_dtype_of(STRIA_C64), 2, shape));
    MPI_Datatype type = MPI_DATATYPE_NULL;
    OK(stria_conj(&v, &a.view));
    CHECK(stria_mpi_type(&type, &v) == STRIA_ERR_DTYPE);
    v = a.view;
    v.dtype = stria_dtype_swap(v.dtype);
    CHECK(stria_mpi_type(&type, &v) == STRIA_ERR_DTYPE && type == MPI_DATATYPE_NULL);
    v = readonly_of(&a.view);
    CHECK(stria_mpi_recv(&v, rank, 0, MPI_COMM_SELF) == STRIA_ERR_READONLY);
    CHECK(stria_mpi_send(NULL, 0, 0, MPI_COMM_SELF) == STRIA_ERR_ARGUMENT);
    CHECK(stria_mpi_recv(NULL, 0, 0, MPI_COMM_SELF) == STRIA_ERR_ARGUMENT);
    stria_buffer *nowhere = NULL;
    OK(stria_buffer_meta(&nowhere, 6 * 6 * 8));
    OK(stria_view_make(&v, nowhere, a.view.dtype, 2, shape, NULL, 0));
    CHECK(stria_mpi_send(&v, 0, 0, MPI_COMM_SELF) == STRIA_ERR_UNSUPPORTED);
    stria_buffer_release(nowhere);
    const int64_t repeated[2] = {0, 8};
    OK(stria_view_make(&v, a.owned, a.view.dtype, 2, shape, repeated, 0));
    CHECK(stria_mpi_recv(&v, 0, 0, MPI_COMM_SELF) == STRIA_ERR_OVERLAP);

    MPI_Comm comm, cart;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    CHECK(stria_mpi_send(&a.view, ranks + 7, 0, comm) == STRIA_ERR_IO);
    CHECK(strncmp(stria_last_error(), "MPI: ", 5) == 0);
    OK(stria_mpi_send(&a.view, MPI_PROC_NULL, 0, comm));
    OK(stria_mpi_recv(&a.view, MPI_PROC_NULL, 0, comm));

    /* A message of fewer elements than the receiver asks for. */
    stria_mpi_request request;
    OK(stria_narrow(&v, &a.view, 1, 0, 3));
    OK(stria_mpi_isend(&request, &v, rank, 5, comm));
    CHECK(stria_mpi_recv(&b.view, rank, 5, comm) == STRIA_ERR_SHAPE);
    OK(stria_mpi_wait(&request, NULL));
    OK(stria_mpi_isend(&request, &v, rank, 5, comm));
    OK(stria_narrow(&v, &b.view, 1, 0, 2)); /* of more */
    CHECK(stria_mpi_recv(&v, MPI_ANY_SOURCE, MPI_ANY_TAG, comm) == STRIA_ERR_SHAPE);
    OK(stria_mpi_wait(&request, NULL));
    stria_array zeros = {0};
    OK(stria_zeros(&zeros, b.view.dtype, 2, shape));
    CHECK(equal(&b.view, &zeros.view));
    stria_array_release(&zeros);

    /* Halos: no topology, ghosts wider than the block, ranks that disagree. */
    const stria_view *given[1] = {&a.view};
    stria_mpi_halo *halo = NULL;
    int one = 1, sizes[1] = {ranks}, periods[1] = {1};
    CHECK(stria_mpi_halo_make(&halo, comm, 1, given, NULL, &one, &one, 0) == STRIA_ERR_ARGUMENT);
    MPI_Cart_create(comm, 1, sizes, periods, 0, &cart);
    int wide = rank == 0 ? 3 : 1;
    CHECK(stria_mpi_halo_make(&halo, cart, 1, given, NULL, &wide, &one, 0) == STRIA_ERR_SHAPE);
    wide = rank == 0 ? 2 : 1;
    if (ranks > 1) {
        CHECK(stria_mpi_halo_make(&halo, cart, 1, given, NULL, &wide, &one, 0) ==
              STRIA_ERR_ARGUMENT);
        OK(stria_narrow(&v, &a.view, 1, 0, rank == 0 ? 5 : 6));
        given[0] = &v;
        CHECK(stria_mpi_halo_make(&halo, cart, 1, given, NULL, &one, &one, 0) == STRIA_ERR_SHAPE);
        given[0] = &a.view;
    }
    const stria_view readonly = readonly_of(&a.view);
    if (rank == ranks - 1) given[0] = &readonly;
    CHECK(stria_mpi_halo_make(&halo, cart, 1, given, NULL, &one, &one, 0) == STRIA_ERR_READONLY);
    CHECK(halo == NULL);

    /* Redistribution: blocks that do not add up, one rank alone with a wrong array. */
    OK(stria_narrow(&v, &a.view, 0, 0, 5));
    CHECK(stria_mpi_redistribute(&b.view, 0, &v, 1, NULL, MPI_COMM_SELF) == STRIA_ERR_SHAPE);
    CHECK(stria_mpi_redistribute(&b.view, 0, rank ? &a.view : &v, 1, NULL, comm) ==
          STRIA_ERR_SHAPE);
    CHECK(stria_mpi_redistribute(&a.view, 0, &a.view, 1, NULL, comm) == STRIA_ERR_OVERLAP);
    CHECK(stria_mpi_redistribute(&b.view, 2, &a.view, 1, NULL, comm) == STRIA_ERR_DIM);
    stria_mpi_redistribution *kept = NULL;
    CHECK(stria_mpi_redistribution_make(&kept, &b.view, 0, rank ? &a.view : &v, 1, NULL, 0, comm) ==
          STRIA_ERR_SHAPE);
    CHECK(kept == NULL);
    MPI_Comm_free(&cart);
    MPI_Comm_free(&comm);
    stria_array_release(&a);
    stria_array_release(&b);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0) {
        test_types();
        test_large_types();
    }
    /* `test_mpi fail`: the last rank fails, while the others wait in the calls below */
    if (rank == ranks - 1) CHECK(argc == 1);
    seed = 2;
    test_messages();
    test_halo();
    test_redistribute();
    test_sums();
    test_refusals();
    if (rank == 0) (void)printf("%d ranks, %d checks of rank 0\n", ranks, checks);
    MPI_Finalize();
    return 0;
}
