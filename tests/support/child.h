/* SPDX-License-Identifier: BSD-3-Clause */
/* A forked child that answers with one number. */
#pragma once

/* Runs answer(arg) in a child process and returns its result; -1 when the child died or hung. */
int in_child(int (*answer)(const char *arg), const char *arg);
