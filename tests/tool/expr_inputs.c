/* SPDX-License-Identifier: BSD-3-Clause */
#include "expr_inputs.h"

#include <string.h>

#include "array_spec.h"
#include "inputs.h"
#include "support/cmocka.h"

struct inputs inputs;

static void add(const char *name, const char *shape)
{
    struct failure failure = {0};
    struct array_spec spec = array_spec_default();
    stria_array array = {0};
    spec.ndim = read_integers(spec.shape, STRIA_MAX_NDIM, shape);
    assert_int_equal(array_spec_make(&array, &spec, NULL, &failure), STRIA_OK);
    assert_int_equal(inputs_add(&inputs, name, array, &failure), STRIA_OK);
}

int inputs_set_up(void **state)
{
    (void)state;
    struct failure failure = {0};
    stria_array number = {0};
    add("x", "4,5,6");
    add("y", "3,4,5,6");
    assert_int_equal(stria_empty(&number, stria_dtype_of(STRIA_I32), 0, NULL), STRIA_OK);
    const int32_t two = 2;
    memcpy(number.view.data, &two, sizeof two);
    return inputs_add(&inputs, "k", number, &failure);
}

int inputs_tear_down(void **state)
{
    (void)state;
    inputs_free(&inputs);
    return 0;
}
