/* SPDX-License-Identifier: BSD-3-Clause */
/* Arrays that the tests of EXPR name: x: f32 (4, 5, 6); y: f32 (3, 4, 5, 6); k: the 0-d integer 2.
 */
#pragma once

#include "inputs.h"

extern struct inputs inputs;

/* cmocka's setup and teardown functions of a group. */
int inputs_set_up(void **state);
int inputs_tear_down(void **state);
