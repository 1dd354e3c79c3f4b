/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles: the numbers of a machine as lines `name = value`, `#` before remarks. The names of
 * numbers.def, and `times.MOVE.ITEM.LEVEL` for the measured costs of moves. `cpu = VENDOR FAMILY
 * MODEL` says where they were measured.
 */
#ifndef STRIA_SRC_MACHINE_PROFILE_H
#define STRIA_SRC_MACHINE_PROFILE_H

#include "base/text_writer.h"
#include "machine/machine.h"
#include "stria/status.h"

enum { OWN_PATH = 1024 }; /* bytes of the longest path of a user's own profile */

/* Puts the numbers that ship for this CPU in place of those that follow from its caches. */
void stria__profile_ship(struct stria__machine *m);
/* Uses the profile that STRIA_MACHINE names, if it can be read. */
void stria__profile_of_environment(void);

/* Writes the path of the user's own profile; false where there is no folder for it, or no room. */
bool stria__profile_own_path(char *path, size_t size);

/* Sets one number; false for a name that there is not, or a value out of its bounds. */
bool stria__profile_set(struct stria__machine *m, const char *name, double value);
/* Returns a number by its name, which there is. */
double stria__profile_get(const struct stria__machine *m, const char *name);

/* Returns the name of a level of memory, 0 to MOVE_LEVELS - 1. */
const char *stria__profile_level(int level);

/*
 * Writes a line for each number of `m` that differs from that of `usual`. how: what each was
 * measured by, a remark by the name of its number; NULL for none.
 */
void stria__profile_write(struct written *to, const struct stria__machine *m,
                          const struct stria__machine *usual, const char *(*how)(const char *name));

#endif
