/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loops of users as kernels. The engine calls a kernel with addresses and dims alone, and keeps and
 * compares it as a pointer. So each loop has a function of its own here that knows its place.
 */
#include "ops/elementwise/user_op.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "dtype/dtype.h"
#include "ops/elementwise/operation.h"
#include "base/status.h"
#include "stria/cast.h"

/* ---- kernels --------------------------------------------------------------------------------- */

static struct {
    stria_row_loop *loop;
    void *data;
    int operands;
} rows[STRIA_USER_LOOPS];

static void run_user_loop(int place, char *const *ptr, const stria_dim *d)
{
    char *at[1 + STRIA_USER_INPUTS];
    for (int64_t j = 0; j < d[1].n; j++) {
        for (int k = 0; k < rows[place].operands; k++)
            at[k] = ptr[k] + j * d[1].s[k];
        rows[place].loop(at, d[0].s, d[0].n, rows[place].data);
    }
}

#define EIGHT(M, high)                                                                             \
    M(high##0) M(high##1) M(high##2) M(high##3) M(high##4) M(high##5) M(high##6) M(high##7)
#define PLACES(M)                                                                                  \
    EIGHT(M, 00)                                                                                   \
    EIGHT(M, 01) EIGHT(M, 02) EIGHT(M, 03) EIGHT(M, 04) EIGHT(M, 05) EIGHT(M, 06) EIGHT(M, 07)
#define KERNEL(place)                                                                              \
    static void kernel_##place(char *const *ptr, const stria_dim *d)                               \
    {                                                                                              \
        run_user_loop(place, ptr, d);                                                              \
    }
PLACES(KERNEL)
#define LISTED(place) kernel_##place,
static map_loop *const kernels[] = {PLACES(LISTED)};
_Static_assert(sizeof kernels / sizeof *kernels == STRIA_USER_LOOPS, "a kernel for each loop");

/* ---- the table ------------------------------------------------------------------------------- */

static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;
struct user_op {
    struct op_info row;
    char name[USER_NAME];
    int count;
    bool gone; /* what a later one of the same dtypes takes the room of */
    struct user_loop *loops;
};

static struct user_op ops[STRIA_USER_FUNCTIONS];
static struct user_loop loops[STRIA_USER_LOOPS];
static atomic_int count; /* Number of operations that are complete. */
static int nloops;       /* Number of loops. */

const struct op_info *stria__user_op(int place)
{
    const bool exists = place >= 0 && place < atomic_load_explicit(&count, memory_order_acquire);
    return exists ? &ops[place].row : NULL;
}

/* Stands for a loop that is not there any more. */
static void write_zeros(char *const *ptr, const int64_t *step, int64_t n, void *data)
{
    for (int64_t i = 0; i < n; i++)
        memset(ptr[0] + i * step[0], 0, *(const size_t *)data);
}

static bool have_same_inputs(const stria_user_loop *a, const stria_user_loop *b, int inputs)
{
    for (int k = 0; k < inputs; k++)
        if (a->inputs[k] != b->inputs[k]) return false;
    return true;
}

static stria_status check_loop(const stria_user_function *f, int i)
{
    const stria_user_loop *const loop = &f->loops[i];
    STRIA_TRY(stria__check_reserved(loop->reserved, "register: a loop"));
    if (!loop->run)
        return stria__fail(STRIA_ERR_ARGUMENT, "register: loop %d of %s is NULL", i, f->name);
    for (int k = 0; k <= f->inputs; k++) {
        const stria_kind kind = k < f->inputs ? loop->inputs[k] : loop->out;
        if ((unsigned)kind > STRIA_C128)
            return stria__fail(STRIA_ERR_DTYPE,
                               "register: loop %d of %s: kind %d is no dtype of numbers", i,
                               f->name, (int)kind);
    }
    for (int j = 0; j < i; j++)
        if (have_same_inputs(loop, &f->loops[j], f->inputs))
            return stria__fail(STRIA_ERR_ARGUMENT,
                               "register: loops %d and %d of %s take the same dtypes", j, i,
                               f->name);
    return STRIA_OK;
}

static stria_status check_function(const stria_user_function *f)
{
    STRIA_TRY(stria__check_reserved(f->reserved, "register: the function"));
    if (f->inputs < 1 || f->inputs > STRIA_USER_INPUTS)
        return stria__fail(STRIA_ERR_ARGUMENT, "register: %s of %d inputs, takes 1 to %d", f->name,
                           f->inputs, STRIA_USER_INPUTS);
    if (f->flags & ~(uint32_t)(STRIA_USER_CALLER | STRIA_USER_ASSOCIATIVE | STRIA_USER_IDENTITY))
        return stria__fail(STRIA_ERR_ARGUMENT, "register: %s has unknown flags 0x%x", f->name,
                           (unsigned)f->flags);
    if (f->flags & (STRIA_USER_ASSOCIATIVE | STRIA_USER_IDENTITY) && f->inputs != 2)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "register: %s of %d inputs has a flag of functions of 2", f->name,
                           f->inputs);
    if (f->count < 1 || !f->loops)
        return stria__fail(STRIA_ERR_ARGUMENT, "register: %s has no loops", f->name);
    if (!(f->cycles >= 0))
        return stria__fail(STRIA_ERR_ARGUMENT, "register: %s of %g cycles", f->name, f->cycles);
    for (int i = 0; i < f->count && i <= STRIA_USER_LOOPS; i++)
        STRIA_TRY(check_loop(f, i));
    return STRIA_OK;
}

/* Tells whether a function fits where another one was: what is kept of that one suits it. */
static bool fits_into(const struct user_op *op, const stria_user_function *f)
{
    if (!op->gone || op->count != f->count || op->row.inputs != f->inputs ||
        op->row.alone != ((f->flags & STRIA_USER_CALLER) != 0))
        return false;
    for (int i = 0; i < f->count; i++)
        if (op->loops[i].out != f->loops[i].out ||
            memcmp(op->loops[i].in, f->loops[i].inputs,
                   (size_t)f->inputs * sizeof *op->loops[i].in))
            return false;
    return true;
}

static void fill(struct user_op *op, const stria_user_function *f)
{
    enum { USUAL_CYCLES = 4 };
    const int first = (int)(op->loops - loops);
    for (int i = 0; i < f->count; i++) {
        struct user_loop *const to = &op->loops[i];
        to->kernel = kernels[first + i];
        to->out = f->loops[i].out;
        memcpy(to->in, f->loops[i].inputs, sizeof to->in);
        rows[first + i].loop = f->loops[i].run;
        rows[first + i].data = f->data;
        rows[first + i].operands = 1 + f->inputs;
    }
    (void)snprintf(op->name, sizeof op->name, "%s", f->name);
    op->row = (struct op_info){.name = op->name,
                               .inputs = f->inputs,
                               .cycles = f->cycles > 0 ? f->cycles : USUAL_CYCLES,
                               .alone = (f->flags & STRIA_USER_CALLER) != 0,
                               .user = op,
                               .flags = f->flags,
                               .identity = f->identity};
    op->gone = false;
}

/* Adds a checked function; the lock is held. */
static stria_status add_function(int *place, const stria_user_function *f)
{
    const int n = atomic_load_explicit(&count, memory_order_relaxed);
    int room = n;
    for (int i = 0; i < n; i++) {
        if (!ops[i].gone && !strcmp(ops[i].name, f->name))
            return stria__fail(STRIA_ERR_ARGUMENT, "register: there is a function %s", f->name);
        if (fits_into(&ops[i], f)) room = i;
    }
    *place = room;
    if (room < n) {
        fill(&ops[room], f);
        return STRIA_OK;
    }
    if (n == STRIA_USER_FUNCTIONS || f->count > STRIA_USER_LOOPS - nloops)
        return stria__fail(STRIA_ERR_ARGUMENT,
                           "register: no room for %s of %d loops: there are %d functions of %d, "
                           "with %d loops of %d",
                           f->name, f->count, n, STRIA_USER_FUNCTIONS, nloops, STRIA_USER_LOOPS);
    struct user_op *const op = &ops[n];
    op->count = f->count;
    op->loops = &loops[nloops];
    nloops += f->count;
    fill(op, f);
    atomic_store_explicit(&count, n + 1, memory_order_release);
    return STRIA_OK;
}

stria_status stria__user_op_add(int *place, const stria_user_function *f)
{
    STRIA_TRY(check_function(f));
    (void)pthread_mutex_lock(&adding);
    const stria_status status = add_function(place, f);
    (void)pthread_mutex_unlock(&adding);
    return status;
}

stria_status stria__user_op_remove(int place)
{
    static const size_t sizes[] = {1, 2, 4, 8, 16};
    stria_status status = STRIA_OK;
    (void)pthread_mutex_lock(&adding);
    if (!stria__user_op(place) || ops[place].gone)
        status = stria__fail(STRIA_ERR_ARGUMENT, "unregister: there is no such function");
    for (int i = 0; status == STRIA_OK && i < ops[place].count; i++) {
        const int at = (int)(ops[place].loops - loops) + i,
                  item = dtype_of_number(loops[at].out).itemsize;
        rows[at].data = (void *)(uintptr_t)&sizes[__builtin_ctz((unsigned)item)];
        rows[at].loop = write_zeros;
    }
    if (status == STRIA_OK) ops[place].gone = true;
    (void)pthread_mutex_unlock(&adding);
    return status;
}

/* ---- dtypes ---------------------------------------------------------------------------------- */

/* Tells whether an operand is converted to a dtype: safely, or upwards. */
static bool takes(stria_kind to, const stria_view *a, bool safely)
{
    const int from = stria__category(a->dtype), category = stria__category(dtype_of_number(to));
    if (view_is_weak(a)) return from <= category && stria__weak_fits(a, to);
    if (stria_can_cast(a->dtype, dtype_of_number(to), STRIA_CAST_SAFE)) return true;
    return !safely && from < category;
}

static const struct user_loop *find_loop(const struct user_op *op,
                                         const stria_view *const *operands, bool safely)
{
    for (int i = 0; i < op->count; i++) {
        bool fits = true;
        for (int k = 0; k < op->row.inputs && fits; k++)
            fits = takes(op->loops[i].in[k], operands[k], safely);
        if (fits) return &op->loops[i];
    }
    return NULL;
}

/* Lists the dtypes of loops: "f32, f64". */
static void list_loops(char *text, size_t size, const struct user_op *op)
{
    size_t used = 0;
    for (int i = 0; i < op->count; i++)
        for (int k = 0; k < op->row.inputs && used < size; k++) {
            const char *const before = k > 0 ? " " : i > 0 ? ", " : "";
            used += (size_t)snprintf(text + used, size - used, "%s%s", before,
                                     stria__dtype_text(dtype_of_number(op->loops[i].in[k])).text);
        }
}

stria_status stria__user_types(struct op_types *out, const struct op_info *row,
                               const stria_view *const *operands)
{
    const struct user_op *const op = row->user;
    const struct user_loop *loop = find_loop(op, operands, true);
    if (!loop) loop = find_loop(op, operands, false);
    if (!loop) {
        char dtypes[128];
        list_loops(dtypes, sizeof dtypes, op);
        return stria__fail(STRIA_ERR_DTYPE,
                           "%s: %s are taken by none of its loops, which are of %s; cast first",
                           row->name, stria__operands_text(row, operands).text, dtypes);
    }
    out->kernel = dtype_of_number(loop->in[0]);
    out->written = out->result = dtype_of_number(loop->out);
    out->user = loop;
    return STRIA_OK;
}
