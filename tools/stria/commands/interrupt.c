/* SPDX-License-Identifier: BSD-3-Clause */
#define _XOPEN_SOURCE 700
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "must.h"

static _Atomic(const stria_npy_writer *) guarded;
static atomic_bool held;
static atomic_int waiting; /* the signal that came while held, or 0 */

static void say(const char *text)
{
    const ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n; /* there is nobody else to tell */
}

static void unlink_guarded(void)
{
    stria_npy_unlink(atomic_load(&guarded));
}

/*
 * SIGALRM is the end of the time that a command may take, and SIGBUS a page that is gone from a
 * mapped file: these are failures with a message. Others end the process as if they had not been
 * caught, which is what a shell looks at.
 */
static void end(int number)
{
    if (number != SIGBUS && atomic_load(&held)) {
        atomic_store(&waiting, number);
        if (atomic_load(&held)) return; /* else who let go may not have seen it */
    }
    unlink_guarded();
    if (isatty(STDERR_FILENO)) say("\r\033[K");
    if (number == SIGALRM) {
        say("stria: the budget of time is used up; --time SECONDS raises it, 0 is no limit\n");
        _exit(failed_status());
    }
    if (number == SIGBUS) {
        say("stria: a file became shorter while it was read, or the disk failed\n");
        _exit(failed_status());
    }
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

void interrupt_prepare(void)
{
    (void)atexit(unlink_guarded); /* where memory is refused, or OpenMP has no thread */
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGBUS};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction now, action = {.sa_handler = end};
        (void)sigfillset(&action.sa_mask);
        (void)sigdelset(&action.sa_mask, numbers[i]); /* so that raise() above takes effect */
        if (sigaction(numbers[i], NULL, &now) == 0 && now.sa_handler == SIG_IGN) continue;
        (void)sigaction(numbers[i], &action, NULL);
    }
}

void interrupt_guard(const stria_npy_writer *writer)
{
    atomic_store(&guarded, writer);
}

void interrupt_hold(void)
{
    atomic_store(&held, true);
}

bool interrupt_waits(void)
{
    return atomic_load(&waiting) != 0;
}

void interrupt_let_go(void)
{
    atomic_store(&held, false);
    const int number = atomic_exchange(&waiting, 0);
    if (number) (void)raise(number);
}
