/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every operation by its own function: it gives what stria_elementwise gives by number, whose
 * values test_elementwise.c checks, and its operands keep their order.
 */
#include <stdlib.h>
#include <string.h>

#include "stria/stria.h"
#include "support/random.h"
#include "support/samples.h"
#include "support/test.h"

enum { ITEMS = 500, ROOM = ITEMS * 16 };

typedef stria_status of_one_operand(const stria_view *out, const stria_view *a,
                                    const stria_exec *exec);
typedef stria_status of_two_operands(const stria_view *out, const stria_view *a,
                                     const stria_view *b, const stria_exec *exec);
typedef stria_status of_three_operands(const stria_view *out, const stria_view *a,
                                       const stria_view *b, const stria_view *c,
                                       const stria_exec *exec);

/* The function of each operation, in the member for its number of operands. */
static const struct named {
    of_one_operand *of_1;
    of_two_operands *of_2;
    of_three_operands *of_3;
} named[] = {
#define FUNCTION(constant, name, inputs, ...) [constant] = {.of_##inputs = stria_##name},
    STRIA_OP_LIST(FUNCTION)
#undef FUNCTION
};

static char memory[3][ROOM], got[ROOM], want[ROOM];

static stria_view items(char *data, stria_kind kind)
{
    stria_view out;
    const int64_t n = ITEMS;
    ok(stria_view_foreign(&out, data, stria_dtype_of(kind), 1, &n, NULL, 0));
    return out;
}

/* Calls the function, and the operation by number, where it takes this kind; returns whether the
 * results agree. */
static bool agree(stria_op op, stria_kind kind)
{
    const stria_view in[] = {items(memory[0], kind), items(memory[1], kind),
                             items(memory[2], kind)};
    const stria_view *const operands[] = {&in[0], &in[1], &in[2]};
    const struct named *const function = &named[op];
    const int n = function->of_1 ? 1 : function->of_2 ? 2 : 3;
    stria_dtype dtype;
    if (op == STRIA_POW && kind == STRIA_I16) return false; /* integers have no negative powers */
    if (stria_result_dtype(&dtype, op, n, operands, STRIA_PROMOTE_TORCH) != STRIA_OK) return false;
    const stria_view to = items(got, (stria_kind)dtype.kind),
                     other = items(want, (stria_kind)dtype.kind);
    memset(got, 0, sizeof got);
    memset(want, 0, sizeof want);
    ok(stria_elementwise(&other, op, n, operands, NULL));
    const stria_status status = n == 1   ? function->of_1(&to, &in[0], NULL)
                                : n == 2 ? function->of_2(&to, &in[0], &in[1], NULL)
                                         : function->of_3(&to, &in[0], &in[1], &in[2], NULL);
    ok(status);
    if (memcmp(got, want, sizeof got) != 0)
        fail_msg("stria_%s of kind %d", stria_op_name(op), kind);
    return true;
}

TEST(every_name)
{
    static const stria_kind kinds[] = {STRIA_F32, STRIA_I16,
                                       STRIA_BOOL /* dtypes of the conditions */};
    for (int op = 0; op < STRIA_OPS; op++) {
        int done = 0;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            uint64_t seed = 9;
            for (int k = 0; k < 3; k++)
                samples_fill(memory[k], kinds[i], ITEMS, &seed);
            done += agree((stria_op)op, kinds[i]);
        }
        assert_true(done > 0);
    }
}

TEST_MAIN(NULL, NULL)
