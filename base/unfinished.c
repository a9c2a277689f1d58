/* SPDX-License-Identifier: Apache-2.0 */
/* unfinished.c — a file that must not stay behind when the program ends before it is whole */
#include "base/unfinished.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/checked.h"

/* What ends a program from without or by a fault of its own, and leaves it time to clear up. */
static const int endings[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ,
                              SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

/* A signal handler is given nothing, so its file has to be known to the whole program. */
static _Atomic(const char *) unfinished;

void unfinished_remove(void)
{
    const char *name = atomic_exchange(&unfinished, NULL);

    if (name)
        unlink(name);
}

void unfinished_keep(void)
{
    atomic_store(&unfinished, NULL);
}

/* SA_RESETHAND has put the default back: raised once more, the signal ends the program, and whoever
 * waits for it sees by which. */
static void end(int signal)
{
    unfinished_remove();
    raise(signal);
}

int unfinished_make(char *name)
{
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND}, old;
    sigset_t all, before;
    int fd;

    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (sigaction(endings[i], NULL, &old) == 0 &&
            old.sa_handler == SIG_DFL) /* what is ignored, as nohup(1) has it, stays so */
            sigaction(endings[i], &action, NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    fd = mkstemp(name);
    if (fd >= 0)
        atomic_store(&unfinished, name);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}
