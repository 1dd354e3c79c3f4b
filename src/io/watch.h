/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks the watcher of a file that is written whether it shall go on. */
#ifndef STRIA_SRC_IO_WATCH_H
#define STRIA_SRC_IO_WATCH_H

#include "base/status.h"
#include "stria/watch.h"

static inline stria_status stria__check_watch(const stria_watch *watch, const char *op)
{
    if (!watch || watch->go_on) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT, "%s: the watch has no go_on", op);
}

static inline stria_status stria__go_on(const stria_watch *watch, int64_t bytes)
{
    if (!watch || watch->go_on(watch->context, bytes)) return STRIA_OK;
    return stria__fail(STRIA_ERR_IO, "ended by who watches");
}

#endif
