/* SPDX-License-Identifier: Apache-2.0 */
/* process_time.h — what holds a whole process up: the CPU, waiting, paging?
 *
 * From what the system counted of it (`time`: wall clock, user, system, faults, file I/O), or from
 * a profile of CPU time that says how long it took. Rules and thresholds: amdahl.md of the design
 * notes. DRAM stalls are user time, so code that memory holds up looks CPU-bound here. */
#ifndef PTK_ANALYSIS_VERDICT_PROCESS_TIME_H
#define PTK_ANALYSIS_VERDICT_PROCESS_TIME_H

#include "analysis/verdict/threshold_check.h"
#include "graph/model/graph.h"

/* UNKNOWN where the file does not say. */
struct process_use {
    int64_t wall, user, system; /* ns */
    int64_t cpu;                /* ns: user and system */
    int64_t major_faults, minor_faults;
    int64_t file_bytes; /* read and written */
    int64_t switches;   /* voluntary: it blocked */
};

/* From the facts of a report of time; or from the duration and the total of a CPU profile. False
 * when it does not know both. Needs LEVEL_FLAT. */
bool process_use_find(const struct graph *graph, struct process_use *use);

enum { PROCESS_CHECKS_MAX = 12 };

struct process_bottleneck {
    struct process_use use;
    uint32_t cpus; /* that it may use; 0: not known */
    int64_t locks, functions; /* ns that locks take, of all that functions do; 0: not known */
    struct check checks[PROCESS_CHECKS_MAX];
    uint32_t check_count;
    enum bottleneck verdict;
};

/* Of a profile by the wall clock that knows functions alone: how long they only wait, as far as
 * their names tell. False for other profiles. Needs LEVEL_FLAT. */
bool process_judge_functions(const struct graph *graph, const struct thresholds *thresholds,
                             struct process_bottleneck *process);

/* Judges what is in ->use, with ->cpus, ->locks and ->functions. */
void process_judge(struct process_bottleneck *process, const struct thresholds *thresholds);

#endif
