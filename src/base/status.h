/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes errors. stria_fail is the only function that writes the thread's message. It is called
 * when a status is returned, never on success, so that a message is never stale.
 */
#pragma once

#include <stdint.h>

#include "stria/status.h"

/* Marks the internal functions that libstria_linalg calls, which is of the same version. */
#if defined _WIN32 /* where symbols of a DLL are hidden, and tables of them list what is not */
#define STRIA_FOR_LINALG
#elif defined STRIA_IN_LINALG || defined __APPLE__ ||                                              \
    defined __wasm__ /* which have no protected symbols */
#define STRIA_FOR_LINALG __attribute__((visibility("default")))
#else
#define STRIA_FOR_LINALG __attribute__((visibility("protected")))
#endif

/* Sets the thread's message and returns its first argument. */
#define stria__fail stria_fail
stria_status stria_fail(stria_status status, const char *format, ...) __attribute__((cold));

/* The text "(2, 3, 4)" of some sizes or strides, shortened with "..." when it is too long. */
struct dims_text {
    char text[160];
};
STRIA_FOR_LINALG struct dims_text stria__dims_text(int n, const int64_t *values);

/*
 * Refuses words of a caller's struct that later versions will have a use for: `what` names the
 * struct and whose argument it is.
 */
static inline stria_status stria__check_reserved(const uint64_t words[2], const char *what)
{
    if (!(words[0] | words[1])) return STRIA_OK;
    return stria__fail(STRIA_ERR_ARGUMENT,
                       "%s: its reserved words are not zero; clear it with {0} before it is filled",
                       what);
}

#define STRIA_TRY(call)                                                                            \
    do {                                                                                           \
        stria_status status_ = (call);                                                             \
        if (status_ != STRIA_OK) return status_;                                                   \
    } while (0)
