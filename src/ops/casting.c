/* SPDX-License-Identifier: BSD-3-Clause */
/* See casting.h. */
#include "ops/casting.h"

const char *stria__policy_name(stria_cast_policy policy)
{
    switch (policy) {
    case STRIA_CAST_UNSAFE: return "unsafe";
    case STRIA_CAST_SAME_KIND: return "same_kind";
    case STRIA_CAST_SAFE: return "safe";
    case STRIA_CAST_EQUIV: return "equiv";
    case STRIA_CAST_NO: return "no";
    }
    return "unknown";
}

stria_cast_policy stria__casting_of(const stria_exec *exec)
{
    const uint32_t hints = exec ? exec->hints : 0;
    if (hints & STRIA_CASTING_UNSAFE) return STRIA_CAST_UNSAFE;
    if (hints & STRIA_CASTING_SAFE) return STRIA_CAST_SAFE;
    if (hints & STRIA_CASTING_EQUIV) return STRIA_CAST_EQUIV;
    return hints & STRIA_CASTING_NO ? STRIA_CAST_NO : STRIA_CAST_SAME_KIND;
}
