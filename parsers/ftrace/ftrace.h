/* SPDX-License-Identifier: Apache-2.0 */
/* ftrace.h — the lines of a text of Linux's ftrace */
#ifndef PTK_PARSERS_FTRACE_FTRACE_H
#define PTK_PARSERS_FTRACE_FTRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/span.h"

/* "COMM-PID (TGID) [CPU] FLAGS SECONDS: EVENT: ARGUMENTS". A command may have any characters. */
struct ftrace_line {
    struct span command, event, arguments;
    int64_t pid, time; /* ns */
    int64_t process;   /* 0 where the kernel did not note it */
    uint32_t cpu;
};

/* False where the text is not such a line. */
bool ftrace_read_line(struct span text, struct ftrace_line *line);

/* A processor switches from one thread to another; pid 0 is its idle loop. */
struct ftrace_switch {
    struct span from, to;
    int64_t from_pid, to_pid;
    bool is_runnable; /* the first thread could have run on */
};

/* The arguments of sched_switch, as the kernel or as trace-cmd prints them. */
bool ftrace_read_switch(struct span arguments, struct ftrace_switch *to);

/* The thread that sched_waking or sched_wakeup wakes. */
bool ftrace_read_woken(struct span arguments, struct span *command, int64_t *pid);

#endif
