/* SPDX-License-Identifier: BSD-3-Clause */
/* The child, an alarm for when it hangs, and the pipe that its answer comes through. */
#define _POSIX_C_SOURCE 200809L /* fork, pipe, alarm */
#include "child.h"

#include <errno.h>
#include <stdbool.h>
#ifndef _WIN32
#include <sys/wait.h>
#endif
#include <unistd.h>

#include "support/cmocka.h"

#ifdef _WIN32 /* which has no fork */

int in_child(int (*answer)(const char *), const char *arg)
{
    (void)answer, (void)arg;
    skip();
    return -1;
}

#else

enum { PATIENCE = 30 /* time until a child counts as hung */ };

int in_child(int (*answer)(const char *), const char *arg)
{
    int pipes[2], got = -1, status = 0;
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        (void)alarm(PATIENCE);
        const int result = answer(arg);
        const bool told = write(pipes[1], &result, sizeof result) == sizeof result;
        _exit(told ? 0 : 1);
    }
    (void)close(pipes[1]);
    const ssize_t n = read(pipes[0], &got, sizeof got);
    (void)close(pipes[0]);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return n == sizeof got && WIFEXITED(status) && WEXITSTATUS(status) == 0 ? got : -1;
}

#endif
