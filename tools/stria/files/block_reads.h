/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the parts of a large mapped file that a block needs into scratch memory, with a system call
 * for each run of bytes. Through the map every run would bring its neighbours along, sixteen pages
 * at a time, which cost more than the run does and count as memory.
 */
#pragma once

#include "lang/failure.h"
#include "stria/array.h"

/*
 * Replaces *part, a view of a map, by the same elements in *room, which grows as needed. Other
 * views stay as they are, and so do parts that could not be read or have no room, since the map has
 * them, too. Returns the library's status.
 */
stria_status stage(stria_view *part, stria_array *room);
/* Returns about how many bytes of *room an element of a takes: more than its own if there are
 * gaps. */
int64_t stage_bytes_of_item(const stria_view *a);
