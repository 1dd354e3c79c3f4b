/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles: the numbers of a machine as lines `name = value`, `#` before remarks. The names of
 * numbers.def, and `times.MOVE.ITEM.LEVEL` for the measured costs of moves. `cpu = VENDOR FAMILY
 * MODEL` says where they were measured.
 */
#pragma once

#include "base/tool_api.h"
#include "base/text_writer.h"
#include "machine/machine.h"
#include "stria/status.h"

enum { OWN_PATH = 1024 }; /* Bytes of the longest path of a user's own profile. */

/* Replaces numbers that follow from the caches by those that ship for this CPU. */
void stria__profile_ship(struct stria__machine *m);
/* Uses the profile that STRIA_MACHINE names, if it can be read. */
void stria__profile_of_environment(void);

/* Writes the path of the user's own profile; false if there is no folder for it, or no room. */
TOOL_API bool stria__profile_own_path(char *path, size_t size);

/* Sets one number; false for an unknown name, or a value out of its bounds. */
TOOL_API bool stria__profile_set(struct stria__machine *m, const char *name, double value);
/* Returns the number of an existing name. */
TOOL_API double stria__profile_get(const struct stria__machine *m, const char *name);

/* Returns the name of a level of memory, 0 to MOVE_LEVELS - 1. */
TOOL_API const char *stria__profile_level(int level);

/*
 * Writes a line for each number of `m` that differs from that of `usual`. how returns a remark by
 * the name of a number, such as the benchmark that measured it; NULL for none.
 */
TOOL_API void stria__profile_write(struct written *to, const struct stria__machine *m,
                                   const struct stria__machine *usual,
                                   const char *(*how)(const char *name));
