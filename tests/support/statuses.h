/* SPDX-License-Identifier: BSD-3-Clause */
/* Statuses of calls, and what refusals say. A failure names the line of the test. */
#pragma once

#include "stria/status.h"

/* The call succeeds. */
#define ok(call) status_must_be(call, STRIA_OK, "", __FILE__, __LINE__)

/* The call has that status, and its message those words. */
#define refused(call, status, words) status_must_be(call, status, words, __FILE__, __LINE__)

/* The last message has those words. */
#define assert_message(words) message_must_have(words, __FILE__, __LINE__)

void status_must_be(stria_status status, stria_status wanted, const char *words, const char *file,
                    int line);
void message_must_have(const char *words, const char *file, int line);
