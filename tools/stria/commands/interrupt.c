/* SPDX-License-Identifier: BSD-3-Clause */
#define _POSIX_C_SOURCE 200809L
#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "must.h"
#include "system.h"

static _Atomic(const stria_npy_writer *) guarded;
static atomic_bool held;
static atomic_int waiting; /* The signal that came while held, or 0. */

static void say(const char *text)
{
    const ssize_t n = write(STDERR_FILENO, text, (unsigned)strlen(text));
    (void)n; /* There is nobody else to tell. */
}

static void unlink_guarded(void)
{
    stria_npy_unlink(atomic_load(&guarded));
}

/*
 * Ends the program. SIGALRM means that the command's time is over, and SIGBUS that a page is gone
 * from a mapped file: these are failures with a message. Other signals end the process as if they
 * had not been caught, which shells check.
 */
static void end_program(int number)
{
    if (number != SIGBUS && atomic_load(&held)) {
        atomic_store(&waiting, number);
        /* Otherwise the thread that lets go may not have seen the signal. */
        if (atomic_load(&held)) return;
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
    /* The program may also end when memory is refused, or when OpenMP has no thread. */
    (void)atexit(unlink_guarded);
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGALRM, SIGBUS};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        system_catch(numbers[i], end_program);
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
    if (number) end_program(number);
}
