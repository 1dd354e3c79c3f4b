/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Brings what a block needs of a large mapped file into scratch memory, with a call of the system
 * for each run of bytes. Through the map every run would bring its neighbours along, sixteen pages
 * at a time, which cost more than the run does and count as memory.
 */
#ifndef STRIA_TOOL_BLOCK_READS_H
#define STRIA_TOOL_BLOCK_READS_H

#include "lang/failure.h"
#include "stria/array.h"

/*
 * Makes *part, a view of a map, the same elements in *room, which grows as needed. Other views stay
 * as they are, and so does what could not be read or has no room: the map has it, too. The
 * library's status.
 */
stria_status stage(stria_view *part, stria_array *room);
/* How much of *room an element of a takes, about: more than its bytes where there are gaps. */
int64_t stage_bytes_of_item(const stria_view *a);

#endif
