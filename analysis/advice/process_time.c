/* SPDX-License-Identifier: Apache-2.0 */
/* process_time.c — what a process did with its time, and what holds it up: by its counters, or by its functions */
#include "analysis/advice/bottleneck.h"
#include "analysis/selection/select.h"

#include <string.h>

#include "base/checked.h"
#include "graph/classify/function_class.h"
#include "graph/derive/derive.h"

enum { FILE_BLOCK = 512 };

/* ---- what was used ---- */

int64_t fact_or_unknown(const struct graph *graph, enum fact_id id)
{
    int64_t figure;

    return graph_fact(graph, id, &figure) ? figure : UNKNOWN;
}

static int64_t file_bytes(const struct graph *graph)
{
    int64_t recorded = fact_or_unknown(graph, FACT_FILE_BYTES);
    int64_t in = fact_or_unknown(graph, FACT_BLOCKS_READ),
            out = fact_or_unknown(graph, FACT_BLOCKS_WRITTEN);
    int64_t blocks = checked_add(in == UNKNOWN ? 0 : in, out == UNKNOWN ? 0 : out);

    if (in == UNKNOWN && out == UNKNOWN)
        return recorded;
    return blocks < INT64_MAX / FILE_BLOCK ? blocks * FILE_BLOCK : INT64_MAX;
}

bool process_use_find(const struct graph *graph, struct process_use *use)
{
    *use = (struct process_use){
        .wall = fact_or_unknown(graph, FACT_WALL_TIME),
        .user = fact_or_unknown(graph, FACT_USER_TIME),
        .system = fact_or_unknown(graph, FACT_SYSTEM_TIME),
        .cpu = UNKNOWN,
        .major_faults = fact_or_unknown(graph, FACT_MAJOR_FAULTS),
        .minor_faults = fact_or_unknown(graph, FACT_MINOR_FAULTS),
        .file_bytes = file_bytes(graph),
        .switches = fact_or_unknown(graph, FACT_SWITCHES),
        .file_time = fact_or_unknown(graph, FACT_FILE_TIME),
        .file_calls = fact_or_unknown(graph, FACT_FILE_CALLS),
        .socket_time = fact_or_unknown(graph, FACT_SOCKET_TIME),
        .contention = fact_or_unknown(graph, FACT_CONTENTION_TIME),
        .file_place = graph_fact_text(graph, FACT_FILE_PLACE),
    };
    if (use->user != UNKNOWN && use->system != UNKNOWN) {
        use->cpu = checked_add(use->user, use->system);
        if (use->wall == UNKNOWN)
            use->wall = fact_or_unknown(graph, FACT_DURATION);
    } else if (graph_value_time(graph) == VALUE_CPU_TIME) {
        use->wall = fact_or_unknown(graph, FACT_DURATION);
        use->cpu = graph_total(graph);
    }
    return use->wall != UNKNOWN && use->wall > 0 && use->cpu != UNKNOWN;
}

/* ---- the verdict ---- */

static bool add_check(struct process_bottleneck *process, const struct check *check,
                      const struct thresholds *thresholds)
{
    struct check *added = &process->checks[process->check_count++];

    *added = *check;
    check_judge(added, thresholds);
    if (added->holds && process->verdict == HELD_BY_NOTHING)
        process->verdict = added->verdict;
    return added->holds;
}

/* Threads that hand a lock to each other compute one at a time, whatever their number; a lock that is
 * free costs little. */
static void judge_locks(struct process_bottleneck *process, const struct thresholds *thresholds)
{
    const struct check locks = {"locks / time in functions", process->locks,
                                process->functions,          .limit = LIMIT_OVERHEAD,
                                .verdict = HELD_BY_LOCKS,    .unit = process->unit};

    if (process->functions)
        add_check(process, &locks, thresholds);
}

/* Files whose reads and writes were recorded: whether a process waits for them or they keep it busy. */
static void judge_files(struct process_bottleneck *process, const struct thresholds *thresholds)
{
    const struct check files = {"reads and writes of files / time",
                                process->use.file_time,
                                process->use.wall,
                                .limit = LIMIT_BLOCKING,
                                .verdict = HELD_BY_IO,
                                .unit = UNIT_NS};

    if (process->use.file_time != UNKNOWN)
        add_check(process, &files, thresholds);
}

/* Threads that wait for their peers or for each other wait at once: the sum may exceed the time. */
static void judge_recorded_waits(struct process_bottleneck *process,
                                 const struct thresholds *thresholds)
{
    const struct process_use *use = &process->use;
    const struct check checks[] = {
        {"reads and writes of sockets / time", use->socket_time, use->wall, .limit = LIMIT_BLOCKING,
         .verdict = HELD_BY_IO, .unit = UNIT_NS},
        {"waiting for locks / time", use->contention, use->wall, .limit = LIMIT_BLOCKING,
         .verdict = HELD_BY_LOCKS, .unit = UNIT_NS},
    };

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        if (checks[i].part != UNKNOWN)
            add_check(process, &checks[i], thresholds);
}

/* What it waits for, when it does. */
static void judge_waiting(struct process_bottleneck *process, const struct thresholds *thresholds)
{
    const struct process_use *use = &process->use;
    const struct check checks[] = {
        {"major page faults / time", use->major_faults, use->wall, .limit = LIMIT_MAJOR_FAULTS,
         .verdict = HELD_BY_PAGING, .unit = UNIT_COUNT},
        {"bytes of files / time", use->file_bytes, use->wall, .limit = LIMIT_FILE_BYTES,
         .verdict = HELD_BY_IO, .unit = UNIT_BYTES},
        {"times it blocked / time", use->switches, use->wall, .limit = LIMIT_SWITCHES,
         .verdict = HELD_BY_NOTHING, .unit = UNIT_COUNT},
    };

    judge_files(process, thresholds);
    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(process, &checks[i], thresholds);
    judge_recorded_waits(process, thresholds);
    judge_locks(process, thresholds);
}

/* Where it is not held up elsewhere, it computes: on one CPU, or on all. */
static void judge_working(struct process_bottleneck *process, const struct thresholds *thresholds)
{
    const struct process_use *use = &process->use;
    int64_t cpus = process->cpus ? (int64_t)process->cpus : UNKNOWN;
    int64_t all = cpus == UNKNOWN                ? UNKNOWN
                  : use->wall < INT64_MAX / cpus ? use->wall * cpus
                                                 : INT64_MAX;
    int64_t busy = use->user != UNKNOWN ? use->user : use->cpu;
    const struct check paging = {
        "major page faults / time",  use->major_faults,          use->wall,
        .limit = LIMIT_MAJOR_FAULTS, .verdict = HELD_BY_NOTHING, .unit = UNIT_COUNT};
    bool pages;

    judge_files(process, thresholds);
    pages = add_check(process, &paging, thresholds);

    const struct check checks[] = {
        {"system / (user + system)", use->system, use->system == UNKNOWN ? 0 : use->cpu,
         .limit = LIMIT_SYSTEM, .verdict = pages ? HELD_BY_PAGING : HELD_BY_SYSTEM,
         .unit = UNIT_NS},
        {"minor page faults / time", use->minor_faults, use->wall, .limit = LIMIT_MINOR_FAULTS,
         .verdict = HELD_BY_NOTHING, .unit = UNIT_COUNT},
        {"user / (time of all CPUs)", busy, all, .limit = LIMIT_CPU, .verdict = HELD_BY_CPU,
         .unit = UNIT_NS},
    };
    const struct check one = {
        "(user + system) / time",      use->cpu,        use->wall,       .limit = LIMIT_ONE_THREAD,
        .verdict = HELD_BY_ONE_THREAD, .unit = UNIT_NS, .is_below = true};

    for (size_t i = 0; i < COUNT_OF(checks); i++)
        add_check(process, &checks[i], thresholds);
    if (process->cpus != 1 && share_of(use->cpu, use->wall) < thresholds->of[LIMIT_ONE_THREAD])
        judge_locks(process, thresholds);
    if (process->cpus != 1)
        add_check(process, &one, thresholds);
    if (process->verdict == HELD_BY_NOTHING)
        process->verdict = process->cpus ? HELD_BY_FEW_THREADS : HELD_BY_CPU;
}

void process_judge(struct process_bottleneck *process, const struct thresholds *thresholds)
{
    const struct process_use *use = &process->use;
    const struct check waits = {
        "(user + system) / time",   use->cpu,        use->wall,       .limit = LIMIT_WAITING,
        .verdict = HELD_BY_NOTHING, .unit = UNIT_NS, .is_below = true};

    process->check_count = 0;
    process->verdict = HELD_BY_NOTHING;
    if (add_check(process, &waits, thresholds)) {
        judge_waiting(process, thresholds);
        if (process->verdict == HELD_BY_NOTHING)
            process->verdict = HELD_BY_WAITING;
    } else {
        judge_working(process, thresholds);
    }
}

/* ---- functions ---- */

static bool has_waiting(const struct graph *graph)
{
    for (uint32_t i = 0; i < graph->functions.listed; i++)
        if (frame_blocking(graph, graph->functions.frame[i]) != BLOCKING_NOT)
            return true;
    return false;
}

void waiting_functions_find(const struct graph *graph, struct waiting_functions *waiting)
{
    const struct functions *f = &graph->functions;
    struct arena arena = {0};
    const int64_t *imports = has_waiting(graph) ? imports_of_functions(graph, &arena) : NULL;

    *waiting = (struct waiting_functions){.has_any = false};
    memset(waiting->longest, 0xff, sizeof(waiting->longest));
    for (uint32_t i = 0; i < f->listed; i++) {
        enum blocking kind = frame_blocking(graph, f->frame[i]);
        int64_t self = f->self[i] - (imports ? imports[i] : 0);

        if (kind == BLOCKING_NOT)
            continue;
        waiting->has_any |= f->self[i] > 0;
        waiting->time[kind] = checked_add(waiting->time[kind], self);
        if (self > waiting->most[kind]) {
            waiting->most[kind] = self;
            waiting->longest[kind] = i;
        }
    }
    arena_free(&arena);
}

/* Of a profile by the wall clock that knows functions alone: how long they only wait, as far as
 * their names tell. Samples that are counted may be of the CPU's time: much waiting in
 * them is a verdict, and none of it is none. False without a verdict. */
static bool judge_functions(const struct graph *graph, const struct thresholds *thresholds,
                            struct process_bottleneck *process)
{
    static const struct {
        const char *what;
        enum blocking kind;
        enum bottleneck verdict;
    } waits[] = {
        {"self of functions that read or write / all", BLOCKING_IO, HELD_BY_IO},
        {"self of event loops that wait / all", BLOCKING_POLL, HELD_BY_EVENTS},
        {"self of functions that wait for others / all", BLOCKING_LOCK, HELD_BY_WAITING},
        {"self of functions that sleep / all", BLOCKING_SLEEP, HELD_BY_WAITING},
    };
    int64_t all = graph_total(graph), idle = graph_idle(graph),
            wall = fact_or_unknown(graph, FACT_WALL_TIME);
    int64_t most = 0;
    uint32_t waiter = UINT32_MAX;
    struct waiting_functions waiting;
    /* Every call was seen, or every moment sampled: what it waits is there as well. */
    bool is_wall = graph_value_time(graph) == VALUE_WALL_TIME &&
                   (graph->native == LEVEL_CALLGRAPH || wall != UNKNOWN);

    if (all <= 0 || (!is_wall && graph_unit(graph) != UNIT_COUNT))
        return false;
    waiting_functions_find(graph, &waiting);
    waiting.time[BLOCKING_POLL] = checked_add(waiting.time[BLOCKING_POLL], idle);
    if (idle >= waiting.most[BLOCKING_POLL])
        waiting.longest[BLOCKING_POLL] = UINT32_MAX;
    if (is_wall && wall == UNKNOWN)
        wall = all;
    process->use =
        (struct process_use){wall,    UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN,
                             UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, NULL};
    for (size_t i = 0; i < COUNT_OF(waits); i++) {
        const struct check check = {.what = waits[i].what,
                                    .part = waiting.time[waits[i].kind],
                                    .whole = all,
                                    .limit = LIMIT_BLOCKING,
                                    .verdict = waits[i].verdict,
                                    .unit = graph_unit(graph)};

        if (!add_check(process, &check, thresholds) || check.part <= most)
            continue;
        most = check.part;
        process->verdict = check.verdict;
        waiter = waiting.longest[waits[i].kind];
    }
    if (waiter != UINT32_MAX) {
        process->waiter = graph->functions.frame[waiter];
        process->caller = longest_caller(graph, waiter);
    }
    if (process->verdict == HELD_BY_NOTHING && is_wall)
        process->verdict = HELD_BY_CPU;
    process->may_lack_waits = graph->native == LEVEL_CALLTREE && !waiting.has_any && idle == 0;
    return process->verdict != HELD_BY_NOTHING;
}

/* Where single waits are on record, but not the time on CPUs. */
static bool judge_recorded(const struct graph *graph, const struct thresholds *thresholds,
                           struct process_bottleneck *process)
{
    if (process->use.wall == UNKNOWN)
        process->use.wall = fact_or_unknown(graph, FACT_DURATION);
    if (process->use.wall == UNKNOWN || process->use.wall <= 0)
        return false;
    judge_files(process, thresholds);
    judge_recorded_waits(process, thresholds);
    return process->verdict != HELD_BY_NOTHING;
}

bool process_judge_profile(const struct graph *graph, const struct thresholds *thresholds,
                           struct process_bottleneck *process)
{
    if (process_use_find(graph, &process->use)) {
        process_judge(process, thresholds);
        return true;
    }
    if (judge_recorded(graph, thresholds, process))
        return true;
    process->check_count = 0;
    return judge_functions(graph, thresholds, process);
}
