/* SPDX-License-Identifier: BSD-3-Clause */
#include "support/meta_memory.h"

#include "support/any_view.h"

stria_buffer *meta_memory;

int make_meta_memory(void **state)
{
    (void)state;
    return stria_buffer_meta(&meta_memory, ANY_VIEW_BYTES);
}

int free_meta_memory(void **state)
{
    (void)state;
    stria_buffer_release(meta_memory);
    meta_memory = NULL;
    return 0;
}
