/* SPDX-License-Identifier: BSD-3-Clause */
/* A group of tests on views of one meta buffer, which has addresses but no memory. */
#pragma once

#include "stria/buffer.h"

extern stria_buffer *meta_memory; /* of ANY_VIEW_BYTES bytes */

/* cmocka's setup and teardown functions of a group. */
int make_meta_memory(void **state);
int free_meta_memory(void **state);
