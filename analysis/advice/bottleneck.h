/* SPDX-License-Identifier: Apache-2.0 */
/* bottleneck.h — what bounds a run, and where a process's time went */
#ifndef PTK_ANALYSIS_ADVICE_BOTTLENECK_H
#define PTK_ANALYSIS_ADVICE_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/advice/thresholds.h"
#include "analysis/execution/idle_gaps.h"
#include "analysis/timeline/device_work.h"
#include "base/checked.h"
#include "base/text/unit.h"
#include "graph/classify/function_class.h"
#include "graph/model/graph.h"

/* ---- one division, and the threshold from which it tells something ---- */

/* What holds a run up. */
enum bottleneck {
    HELD_BY_NOTHING, /* no verdict */
    HELD_BY_INPUT,   /* a device: these, */
    HELD_BY_LAUNCH,
    HELD_BY_SYNC,
    HELD_BY_ALLOCATOR,
    HELD_BY_HOST,
    HELD_BY_DEPENDENCY,
    HELD_BY_COPY,
    HELD_BY_COMMUNICATION,
    HELD_BY_COMPUTE,
    HELD_BY_PAGING, /* a process: and these */
    HELD_BY_IO,
    HELD_BY_WAITING, /* for what, is not known */
    HELD_BY_EVENTS,  /* likewise, of an event loop or a poll */
    HELD_BY_SYSTEM,
    HELD_BY_LOCKS,
    HELD_BY_ONE_THREAD,
    HELD_BY_FEW_THREADS,
    HELD_BY_CPU,
};

/* "launch-bound"; "unknown" */
const char *bottleneck_name(enum bottleneck bottleneck);

struct check {
    const char *what;    /* "idle / time"; lasts as long as the arena of who asks */
    int64_t part, whole; /* `whole` in ns; 0: `part` alone is compared */
    enum threshold limit;
    enum bottleneck verdict; /* that it supports; HELD_BY_NOTHING: it only explains */
    enum unit unit;          /* of `part` */
    bool is_below;           /* it holds below the threshold, not from it on */
    const char *sides[2];    /* what `part` and `whole` are, behind their figures in a sentence; or NULL */

    /* set by check_judge() */
    double value; /* a share, a rate a second, or `part` in the threshold's unit; NaN: not known */
    bool holds;
};

/* UNKNOWN parts, and shares of nothing, hold nothing up. */
void check_judge(struct check *check, const struct thresholds *thresholds);

/* ---- what holds a run up: the device's work, or what it waits for? ---- */

/* The time of a device in a window of the run is four numbers that add up to all of it:
 * computing (whatever else goes on), only copying, only communicating (whether it copies or not),
 * and idle, which has classes (idle_gaps.h). Time that is not computing is lost, to
 *
 *     input, launches, waiting for the device, the allocator, the host's other work, other streams
 *                                     idle time of that class
 *     copies                          only copying, and idle time after large copies that blocked
 *     communication                   only communicating
 *
 * The verdict is the largest of these; the device's own work where all together are little, or the
 * largest does not pass its own threshold: then losses are spread. Idle
 * time that nothing recorded explains is launching's where kernels are small and gaps as short as
 * launches are, else the host's. */

/* The window of the run that is judged. */
enum window_kind {
    WINDOW_AUTO,  /* the steps, where there are any, else the run */
    WINDOW_STEPS, /* from the first training step's start to the last one's end */
    WINDOW_RUN,   /* from the first start to the last end of anything, on the host or a device */
    WINDOW_DEVICE /* from the first start to the last end of the device's work */
};

enum { CHECKS_MAX = 16 };

struct device_bottleneck {
    int32_t device;     /* ordinal, or -1 */
    int64_t start, end; /* ns: of the window */
    int64_t profiling;  /* idle in it for a profiler's own calls, which are no part of the run */
    int64_t earlier;    /* idle in it where its first work on record was in its queue */
    int64_t requests;   /* idle in it while a server waited for requests */
    int64_t span;       /* the rest of it */
    int64_t compute, copy_only, communication_only, idle; /* together the span */
    int64_t copies;                                       /* beside other work or not */
    struct copies copied;                                 /* one by one */
    int64_t idle_by[IDLE_CLASS_COUNT];                    /* together the idle time */
    int64_t unrecorded;            /* idle, and nothing that the host has on record says why */
    int64_t short_gaps;            /* idle so shortly that launching may be why */
    int64_t outside;               /* idle before its first work in the window or after its last */
    int64_t lost[HELD_BY_COMPUTE]; /* by verdict: together what is not compute */
    struct gaps gaps;              /* the idle time and its owners */
    struct check checks[CHECKS_MAX];
    uint32_t check_count;
    enum bottleneck verdict;
    enum bottleneck runner_up; /* what most is lost to but for that; HELD_BY_NOTHING */
};

struct bottlenecks {
    struct device_bottleneck *devices; /* the arena's */
    uint32_t count;
    struct devices_work works; /* of the same devices, with their times */
    bool has_only_collectives; /* the file has nothing else of any device or host: nothing is checked or
                                  lost, and there is no verdict, because the rest is not recorded */
    enum window_kind
        window; /* the one that was used; for want of steps another than was asked for */
    uint32_t steps;
};

/* What the pass wants of a parser, as builder_options.properties; besides, launches and
 * categories. */
uint64_t bottleneck_properties(void);

/* Needs LEVEL_TIMELINE. */
void bottleneck_find(const struct execution *execution, enum window_kind window,
                     const struct thresholds *thresholds, struct arena *arena,
                     struct bottlenecks *found);

/* What is lost to the host's other work, also to that after its waits, but for setting up; ns. */
int64_t bottleneck_of_host(const struct device_bottleneck *device);

/* Whether what is lost to this is worth a verdict. */
bool bottleneck_passes(const struct device_bottleneck *device, enum bottleneck held);

/* Whether some loss is worth a verdict, and so much is more than each that is. What is worth saying of a smaller loss is
 * worth saying of a larger one, whatever the thresholds are. */
bool bottleneck_outweighs(const struct device_bottleneck *device, int64_t lost);

/* Much is lost, but the largest loss does not pass its threshold. */
bool bottleneck_is_spread(const struct device_bottleneck *device,
                          const struct thresholds *thresholds);

/* The check of the device that goes by the limit, for the verdict. */
const struct check *bottleneck_check(const struct device_bottleneck *device, enum threshold limit,
                                     enum bottleneck verdict);

/* ---- what holds a whole process up: the CPU, waiting, paging? ---- */

/* From what the system counted of it (`time`: wall clock, user, system, faults, file I/O), or from
 * a profile of CPU time that says how long it took. Rules and thresholds: amdahl.md of the design
 * notes. DRAM stalls are user time, so code that memory holds up looks CPU-bound here. */

/* UNKNOWN where the file does not say. */
struct process_use {
    int64_t wall, user, system; /* ns */
    int64_t cpu;                /* ns: user and system */
    int64_t major_faults, minor_faults;
    int64_t file_bytes;            /* read and written */
    int64_t switches;              /* voluntary: it blocked */
    int64_t file_time, file_calls; /* ns that all threads spent in reads and writes of files */
    int64_t socket_time;           /* ... of sockets, */
    int64_t contention;            /* ... and waiting for locks */
    const char *file_place;        /* the function that has most of the files' time; or NULL */
};

int64_t fact_or_unknown(const struct graph *graph, enum fact_id id);

/* From the facts of a report of time; or from the duration and the total of a CPU profile. False
 * when it does not know both. Needs LEVEL_FLAT. */
bool process_use_find(const struct graph *graph, struct process_use *use);

enum { PROCESS_CHECKS_MAX = 12 };

struct process_bottleneck {
    struct process_use use;
    uint32_t cpus;            /* that it may use; 0: not known */
    int64_t locks, functions; /* what locks take of all that functions do; 0: not known */
    enum unit unit;           /* of these two */
    struct check checks[PROCESS_CHECKS_MAX];
    uint32_t check_count;
    enum bottleneck verdict;
    bool may_lack_waits;     /* samples of which none waits: samplers may leave such threads out */
    frame_id waiter, caller; /* of a verdict on waiting, by functions: which waits most, and for
                              * whom; 0: not known */
};

/* Self time of functions that wait, as far as their names tell, by what for, without what they import; and
 * which has most of it. */
struct waiting_functions {
    int64_t time[BLOCKING_COUNT], most[BLOCKING_COUNT];
    uint32_t longest[BLOCKING_COUNT]; /* a function; UINT32_MAX */
    bool has_any;                     /* importing or not */
};

/* Needs LEVEL_FLAT. */
void waiting_functions_find(const struct graph *graph, struct waiting_functions *waiting);

/* Judges by what is on record of the process's CPU time, as process_judge() does, else by its functions.
 * False where neither tells. Needs LEVEL_FLAT. */
bool process_judge_profile(const struct graph *graph, const struct thresholds *thresholds,
                           struct process_bottleneck *process);

/* Judges what is in ->use, with ->cpus, ->locks and ->functions. */
void process_judge(struct process_bottleneck *process, const struct thresholds *thresholds);

/* ---- what of a CPU profile is no work of the program: by class, and for whom ---- */

/* Where stacks are known, a moment is the outermost function's on its stack that has a class
 * (function_class.h): what an allocator calls is allocation, locks that are taken to log are logging. But
 * a collector's time is its own wherever it is called, and own code that a library calls back (the
 * program itself, which a loader of modules runs) is no cost. Else only functions' own time counts. So
 * classes never add up to more than all. */

struct cost_share {
    enum cost_class class;
    int64_t time;    /* of the selected value */
    frame_id worst;  /* the function of the class that has most of it, */
    frame_id caller; /* ... and for whom most of that was: what called it, and has no class; 0 */
    frame_id owner;  /* the program's own function on whose behalf most of it was; 0 */
    frame_id through; /* what, called there, has most of that: of a library, or of the class */
    int64_t place_time; /* ... and how much: `through` for the owner, without one `worst` for its caller */
};

struct cost_shares {
    struct cost_share of[COST_CLASS_COUNT]; /* by class; without those of COST_NONE */
    int64_t whole;
    int64_t work; /* of that, what functions do that do not only wait; of waits and memory all */
    frame_id top, top_caller; /* the function that has most of it by itself, for whom; 0: none */
    int64_t top_self;
    uint32_t functions, half; /* that have any; the fewest of them that have half of it */
    const bool *is_own;       /* by frame: own_code_find(); the arena's */
    const bool *is_imported;  /* by node: imported_nodes_find(); NULL without a call tree; the arena's */
};

/* Needs LEVEL_FLAT; the call tree tells more. */
void cost_shares_find(const struct graph *graph, struct arena *arena, struct cost_shares *shares);

/* The nearest of the program's own functions that leads to one, for whom it took most; 0: none. */
frame_id own_caller(const struct graph *graph, const bool *is_own, uint32_t function);

/* What called a function for most of the time; 0: nobody knows. */
frame_id longest_caller(const struct graph *graph, uint32_t function);

#endif
