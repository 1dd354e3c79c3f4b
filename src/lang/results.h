/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls and text give, as call.h hands it out. */
#ifndef STRIA_LANG_RESULTS_H
#define STRIA_LANG_RESULTS_H

#include "stria/call.h"

/* Makes room for a tuple of count arrays, all zeros. MEMORY. */
stria_status stria__results_tuple(stria_results *out, int64_t count);
/* Takes over what made holds, in place of what out held. */
void stria__results_replace(stria_results *out, stria_results *made);

#endif
