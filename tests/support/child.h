/* SPDX-License-Identifier: BSD-3-Clause */
/* A forked child that answers with one number. */
#ifndef STRIA_TESTS_CHILD_H
#define STRIA_TESTS_CHILD_H

/* What answer(arg) returns there; -1 when the child died or took longer than half a minute. */
int in_child(int (*answer)(const char *arg), const char *arg);

#endif
