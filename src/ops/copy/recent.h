/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Copies that were planned lately: programs copy the same few layouts over and over, and a small
 * copy takes less time than its plan. Each thread keeps a few plans in a small table of its own, so
 * that nobody waits for anybody; nothing is allocated. What is kept holds for every pair of
 * addresses: strategies are chosen by sizes and strides alone, and whether the operands overlap is
 * asked anew each time.
 */
#ifndef STRIA_SRC_OPS_COPY_RECENT_H
#define STRIA_SRC_OPS_COPY_RECENT_H

#include "job.h"

enum { RECENT_DIMS = 6, RECENT_WORDS = 5 + 4 * RECENT_DIMS };

/* Everything that a plan depends on: two copies with the same words have the same plan. */
struct recent_key {
    uint64_t hash; /* of the words */
    int count;
    int64_t words[RECENT_WORDS];
};

/* False for copies that are not kept: large ones, those of many dims, and calls to be refused. */
bool stria__recent_key(struct recent_key *out, const stria_view *dst, const stria_view *src,
                       const stria_exec *exec);

/* The copy is done. False: nothing happened, and every check is still to be made. */
bool stria__recent_run(const struct recent_key *key, const stria_view *dst, const stria_view *src,
                       const stria_exec *exec);

/*
 * To be told of every copy with a key that was checked, found DISJOINT and run in the long way. The
 * second time in a row it is kept: what comes once is not worth the writing.
 */
void stria__recent_keep(const struct recent_key *key, const struct copy_job *job,
                        const stria_view *dst, const stria_view *src);

#endif
