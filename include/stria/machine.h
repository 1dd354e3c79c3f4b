/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the library believes about the CPU: sizes from which another loop pays, prefetch distances,
 * costs of moves. These numbers ship for CPUs that were measured, and follow from the caches for
 * others; `stria tune` measures them on one machine and writes them to a file, a profile. They
 * decide how fast a call is and never what it gives: results have the same bits with every profile.
 */
#ifndef STRIA_MACHINE_H
#define STRIA_MACHINE_H

#include "export.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads a profile, and takes its numbers in place of all that were known before. A number that it
 * does not name is the one that ships. The variable STRIA_MACHINE, the path of a profile, is read
 * before the first call that computes; a file that cannot be taken is passed over there. Processes
 * with raised rights (setuid) read neither the variable nor a user's own profile.
 *
 * path: NULL means the user's own profile, $XDG_CONFIG_HOME/stria/machine or
 * ~/.config/stria/machine: nothing is changed where STRIA_MACHINE names another one, where there is
 * none, or where it was measured on another CPU. "" goes back to the numbers that ship.
 *
 * IO for a file that cannot be read; FORMAT, with the line, for what is no profile, a name that is
 * not known or a value out of its bounds: nothing is changed then. Call it while no other thread
 * computes.
 */
STRIA_API STRIA_MUST_USE stria_status stria_machine_load(const char *path);

/*
 * Returns where the numbers in use come from: the path of a profile, the name of a CPU whose
 * numbers ship ("Zen 4"), or "caches" where they follow from those. Valid until the second
 * stria_machine_load after it.
 */
STRIA_API const char *stria_machine_profile(void);

#ifdef __cplusplus
}
#endif

#endif
