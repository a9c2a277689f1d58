/* SPDX-License-Identifier: Apache-2.0 */
/* thresholds.c — the table of limits, what the user changes of it, and figures held against it */
#include "analysis/advice/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/bottleneck.h"
#include "analysis/functions/hotspots.h"
#include "base/memory/memory.h"
#include "base/text/pattern.h"
#include "graph/model/graph.h"

/* clang-format off */
const struct threshold_row threshold_rows[LIMIT_COUNT] = {
    [LIMIT_IDLE] = {"idle", LIMIT_SHARE, 0.15, "nsys-ai",
        "a device has nothing to do, of the time", "ptk bound; small-kernels"},
    [LIMIT_INPUT] = {"input", LIMIT_SHARE, 0.05, "TensorBoard plugin, XProf",
        "a device is idle while the data loader runs, of the time", "data-loader"},
    [LIMIT_LAUNCH] = {"launch", LIMIT_SHARE, 0.15, "XProf: high",
        "a device is idle for launching, of the time", "launch-bound"},
    [LIMIT_SYNC] = {"sync", LIMIT_SHARE, 0.02, "nsys-ai",
        "a device is idle after the host waited for it, of the time", "synchronisation"},
    [LIMIT_COPY] = {"copy", LIMIT_SHARE, 0.10, "ours",
        "a device only copies, or is idle after a copy, of the time", "device-copies; ptk bound"},
    [LIMIT_COMMUNICATION] = {"communication", LIMIT_SHARE, 0.10, "TensorBoard plugin",
        "a device only communicates, of the time", "communication"},
    [LIMIT_SMALL_KERNEL] = {"small_kernel_us", LIMIT_US, 10, "nsys-ai",
        "the median kernel", "small-kernels"},
    [LIMIT_SHORT_GAP] = {"short_gap_us", LIMIT_US, 100, "ours",
        "what an operator and its launch take at most: gaps up to it are launching's", "ptk bound; launch-bound, small-kernels"},
    [LIMIT_LAUNCH_COST] = {"launch_cost_us", LIMIT_US, IDLE_LAUNCH_COST / 1e3, "HTA",
        "what a launch takes at most: the cause of a longer one is not known", "launch-bound, unrecorded"},
    [LIMIT_OPERATOR_COST] = {"operator_cost_us", LIMIT_US, IDLE_OPERATOR_COST / 1e3, "ours",
        "an operator's own time from which it is not part of launching", "launch-bound, slow-host"},
    [LIMIT_WAIT] = {"wait_us", LIMIT_US, IDLE_WAIT / 1e3, "ours",
        "a wait of the host from which something not recorded ends it", "data-loader, unrecorded"},
    [LIMIT_SETUP] = {"setup_us", LIMIT_US, IDLE_SETUP / 1e3, "ours",
        "a call that launches or asks from which it sets something up", "setup, launch-bound"},
    [LIMIT_PAGEABLE] = {"pageable", LIMIT_SHARE, 0.10, "ours; nsys: any",
        "copies from or to pageable memory, of the time of copies", "pageable-copies"},
    [LIMIT_SMALL_COPY] = {"small_copy_kb", LIMIT_KB, SMALL_COPY / 1e3, "ours",
        "the size of a copy: a smaller one cannot fill the link, and no device waits for it", "small-copies, slow-copies, synchronisation; ptk roofline"},
    [LIMIT_SMALL_COPIES] = {"small_copies", LIMIT_SHARE, 0.50, "ours",
        "small copies, of the time of copies", "small-copies"},
    [LIMIT_HIDDEN] = {"hidden", LIMIT_SHARE, 0.30, "nsys-ai: bad below",
        "communication that compute hides", "hidden-communication"},
    [LIMIT_WAITING] = {"waiting", LIMIT_SHARE, 0.50, "ours",
        "CPU time of a process a second: below it waits", "ptk bound"},
    [LIMIT_ONE_THREAD] = {"one_thread", LIMIT_SHARE, 1.15, "ours",
        "CPU time of a process a second: below one thread computes", "ptk bound"},
    [LIMIT_CPU] = {"cpu", LIMIT_SHARE, 0.85, "ours",
        "user time, of the time of all CPUs", "ptk bound"},
    [LIMIT_SYSTEM] = {"system", LIMIT_SHARE, 0.30, "ours",
        "the kernel's time, of CPU time", "ptk bound"},
    [LIMIT_MAJOR_FAULTS] = {"major_faults_per_s", LIMIT_RATE, 50, "ours",
        "pages read from disk a second", "ptk bound"},
    [LIMIT_MINOR_FAULTS] = {"minor_faults_per_s", LIMIT_RATE, 100000, "ours",
        "pages mapped a second", "ptk bound"},
    [LIMIT_FILE_BYTES] = {"file_bytes_per_s", LIMIT_RATE, 1e6, "ours",
        "bytes of files a second", "ptk bound"},
    [LIMIT_SWITCHES] = {"switches_per_s", LIMIT_RATE, 100, "ours",
        "times a second that a process blocked", "ptk bound"},
    [LIMIT_HOST] = {"host", LIMIT_SHARE, 0.05, "ours",
        "a device is idle for one more cause on the host or on other streams, of the time", "slow-host, allocator, setup, unrecorded, graph-holes"},
    [LIMIT_GAIN] = {"gain", LIMIT_SHARE, 0.01, "ours",
        "the most that a finding can save, of the whole", "all rules"},
    [LIMIT_LONG_GAP] = {"long_gap_us", LIMIT_US, 1000, "nsys-ai",
        "a gap that is long", "gaps"},
    [LIMIT_GAPS] = {"gaps", LIMIT_SHARE, 0.10, "ours",
        "long gaps, of the time", "gaps"},
    [LIMIT_USE] = {"use", LIMIT_SHARE, 0.50, "nsys, TensorBoard plugin",
        "compute, of the time; use of a part of the run", "low-utilisation, idle-chunks"},
    [LIMIT_CHUNKS] = {"chunks", LIMIT_SHARE, 0.20, "ours",
        "parts of the run with little use", "idle-chunks"},
    [LIMIT_COPY_RATE] = {"copy_rate", LIMIT_SHARE, 0.50, "amdahl.md",
        "what large copies attain of the link", "slow-copies"},
    [LIMIT_COMPUTE_COPIES] = {"compute_to_copies", LIMIT_SHARE, 2, "ours",
        "compute, of the time of copies", "copies-to-compute, copied-sum"},
    [LIMIT_COPY_HIDDEN] = {"copies_hidden", LIMIT_SHARE, 0.30, "ours",
        "copies that other work hides", "copy-overlap"},
    [LIMIT_ENGINES] = {"both_ways", LIMIT_SHARE, 0.10, "ours",
        "copies one way beside those the other way", "copy-engines"},
    [LIMIT_WORTH] = {"worth", LIMIT_SHARE, 0.05, "ours",
        "copies that are worth hiding, of the time", "copy-overlap, copy-engines"},
    [LIMIT_IMBALANCE] = {"imbalance", LIMIT_SHARE, 1.5, "ours; nsys-ai: 3",
        "most compute of a device, of the least", "stragglers"},
    [LIMIT_HOT_KERNEL] = {"hot_kernel", LIMIT_SHARE, 0.50, "nsys-ai",
        "one kernel, of the time of kernels", "hot-kernel"},
    [LIMIT_CONCURRENT] = {"concurrent", LIMIT_SHARE, 0.10, "ours",
        "two kernels or more at once, of compute", "kernel-concurrency"},
    [LIMIT_FILL] = {"small_grids", LIMIT_SHARE, 0.20, "ours",
        "idle multiprocessors, of kernel time", "grid-size, kernel-concurrency"},
    [LIMIT_MEMORY] = {"memory", LIMIT_SHARE, 0.90, "TensorBoard plugin",
        "memory reserved, of the device's", "memory-full"},
    [LIMIT_UNEVEN] = {"uneven_steps", LIMIT_SHARE, 1.25, "ours",
        "the slowest step, of the median one", "uneven-steps"},
    [LIMIT_PROFILING] = {"python_events_per_s", LIMIT_RATE, 200000, "ours",
        "Python functions recorded a second", "profiler-overhead"},
    [LIMIT_RECORDED] = {"recorded_per_s", LIMIT_RATE, 50000, "ours",
        "calls of the host recorded a second, where what the host takes leads", "ptk advise; recorded_per_s"},
    [LIMIT_COLLECTIVE_WAITS] = {"collective_waits", LIMIT_SHARE, 0.50, "ours",
        "waiting for other ranks, of the time of collectives", "collective-waits, communication"},
    [LIMIT_TINY_US] = {"tiny_collective_us", LIMIT_US, 50, "ours",
        "a collective that is all latency", "tiny-collectives"},
    [LIMIT_TINY] = {"tiny_collectives", LIMIT_SHARE, 0.50, "ours",
        "such collectives, of the time of collectives", "tiny-collectives"},
    [LIMIT_CAUSE] = {"cause", LIMIT_SHARE, 0.02, "ours",
        "kernels that have a cause, of the time of kernels", "causes of slow kernels"},
    [LIMIT_GROUP] = {"kernel_group", LIMIT_SHARE, 0.02, "ours",
        "kernels of one operator and shape that are looked at, of a device's kernel time", "causes of slow kernels; ptk roofline"},
    [LIMIT_ROOF] = {"roof", LIMIT_SHARE, ROOF_BUSY, "NVIDIA's tools",
        "what work attains of its roof: from it on the roof is what limits it", "hot-kernel, causes of slow kernels; ptk roofline"},
    [LIMIT_FEW_TILES] = {"few_tiles", LIMIT_SHARE, 0.80, "ours",
        "tiles of a product, of the device's units", "too-few-tiles, long-k"},
    [LIMIT_TAIL] = {"tails", LIMIT_SHARE, 0.20, "ours",
        "places of all waves that are empty, in the last one", "tail-wave, partial-wave"},
    [LIMIT_WAVES] = {"waves", LIMIT_NUMBER, 10, "ours",
        "waves from which the last one matters little", "tail-wave, partial-wave"},
    [LIMIT_TILE_USE] = {"tile_use", LIMIT_SHARE, 0.90, "ours",
        "the result, of the elements of its tiles", "partial-tiles"},
    [LIMIT_LONG_K] = {"long_k", LIMIT_NUMBER, 8, "ours",
        "K, of the larger of M and N", "long-k"},
    [LIMIT_SKINNY] = {"skinny", LIMIT_NUMBER, 64, "ours",
        "the shortest side of a product", "skinny"},
    [LIMIT_SMALL_BATCH] = {"small_batch", LIMIT_NUMBER, 8, "ours",
        "rows of a product, queries of attention", "small-batch, decode"},
    [LIMIT_CHANNELS] = {"few_channels", LIMIT_NUMBER, 8, "ours",
        "channels of a convolution", "few-channels"},
    [LIMIT_SEQUENCE] = {"short_sequence", LIMIT_NUMBER, 512, "ours",
        "queries and keys of attention", "short-sequence, decode"},
    [LIMIT_HEAD] = {"large_head", LIMIT_NUMBER, 128, "ours",
        "elements of one head", "large-head-dimension"},
    [LIMIT_TOKENS] = {"few_tokens", LIMIT_NUMBER, 64, "ours",
        "tokens for one expert", "few-tokens-per-expert"},
    [LIMIT_EXPERTS] = {"experts", LIMIT_NUMBER, 8, "ours",
        "products by weights of one size, one after the other", "unfused-moe"},
    [LIMIT_REPEATS] = {"repeats", LIMIT_NUMBER, 4, "ours",
        "times that a copy writes each element", "broadcast-copy"},
    [LIMIT_CASTS] = {"casts", LIMIT_SHARE, 0.10, "ours",
        "kernels that change types, of a device's kernel time", "cast-traffic"},
    [LIMIT_CHAIN] = {"chain", LIMIT_NUMBER, 3, "ours",
        "elementwise kernels over equally many elements in a row", "unfused-chain"},
    [LIMIT_LAYOUT] = {"layout", LIMIT_SHARE, 0.10, "ours",
        "kernels that change the order of a tensor, of their operator's", "layout-conversion"},
    [LIMIT_TINY_KERNEL] = {"tiny_kernel_us", LIMIT_US, 5, "ours",
        "a kernel that takes as long as starting one", "tiny-kernel"},
    [LIMIT_TINY_CALLS] = {"tiny_kernels", LIMIT_NUMBER, 100, "ours",
        "calls of such kernels", "tiny-kernel"},
    [LIMIT_OCCUPANCY] = {"occupancy", LIMIT_SHARE, 0.25, "ours",
        "threads of a multiprocessor that a kernel can use", "low-occupancy"},
    [LIMIT_FAR] = {"far_from_roof", LIMIT_SHARE, 0.40, "ours",
        "what kernels without another cause attain of their roof", "kernel-far-from-roof"},
    [LIMIT_ABOVE] = {"above_roof", LIMIT_SHARE, 1.05, "ours",
        "what kernels attain of their roof, when a figure must be wrong", "above-roof"},
    [LIMIT_HOT_FUNCTION] = {"hot_function", LIMIT_SHARE, 0.25, "ours",
        "self of one function, of all", "hot-function, hot-path; the place of slow-host"},
    [LIMIT_BLOCKING] = {"blocking", LIMIT_SHARE, 0.25, "ours",
        "functions that wait, of all", "blocking-calls; ptk bound"},
    [LIMIT_OVERHEAD] = {"overhead", LIMIT_SHARE, 0.10, "ours",
        "one class of overhead, one call into a library, of all", "dynamic-linking to hashing, library-call; ptk bound"},
    [LIMIT_IMPORTS] = {"imports", LIMIT_SHARE, 0.20, "ours",
        "importing modules, of all", "imports"},
    [LIMIT_COLLISIONS] = {"collisions", LIMIT_SHARE, INTEGRITY_LOSS, "ours, as ptk info",
        "time in nobody's self, of the time entered", "label-collisions"},
    [LIMIT_LEAK] = {"leak", LIMIT_SHARE, 0.001, "ours",
        "what each step leaves behind, of memory reserved", "memory-leak"},
    [LIMIT_TRAPPED] = {"trapped", LIMIT_SHARE, 0.20, "ours",
        "free beside blocks in use, of memory reserved", "memory-fragmentation"},
    [LIMIT_AWAITING] = {"awaiting_free", LIMIT_SHARE, 0.05, "ours",
        "freed but used by other streams, of memory reserved", "late-free"},
    [LIMIT_POOLS] = {"graph_pools", LIMIT_SHARE, 0.30, "ours",
        "in pools of graphs, of memory reserved", "graph-pools"},
    [LIMIT_OOM] = {"out_of_memory", LIMIT_SHARE, 1, "what it takes",
        "free when an allocation failed, of what was asked for", "oom-fragmented, oom-full"},
    [LIMIT_HUGE] = {"huge_request", LIMIT_SHARE, 0.50, "ours",
        "one allocation that failed, of what the process and the driver had", "oom-huge"},
    [LIMIT_KNOWN] = {"bound_known", LIMIT_SHARE, 0.50, "ours",
        "device time of a stage of serving whose work is known, for a bound", "ptk serve"},
    [LIMIT_STAGE_IDLE] = {"stage_idle", LIMIT_SHARE, 0.20, "ours",
        "the device waits between the steps of a stage of serving, or within them, of their time", "ptk serve; host, requests, launches"},
    [LIMIT_NEAR_BOUND] = {"near_bound", LIMIT_SHARE, 0.60, "ours",
        "the bound of a stage of serving, of its device time", "ptk serve; memory or compute"},
    [LIMIT_JOB_SLOW] = {"slow_job", LIMIT_SHARE, 1.03, "ours",
        "a step of a job, of one in which all is typical", "ptk job; of the loss"},
    [LIMIT_JOB_GAIN] = {"cause_of_job", LIMIT_SHARE, 0.01, "ours",
        "what a step of a job gains without a cause", "ptk job; all causes that take time"},
    [LIMIT_HOSTS_GAIN] = {"late_hosts", LIMIT_SHARE, 0.03, "ours",
        "what a step of a job gains without the delays of all hosts", "ptk job; slow-host"},
    [LIMIT_GAP] = {"slower", LIMIT_SHARE, 0.02, "ours",
        "how much slower a slow rank is than the slowest of those who are not", "ptk job; slow-rank, slow-stage, slow-dp-rank"},
    [LIMIT_GAP_OF_FEW] = {"slower_than_few", LIMIT_SHARE, 0.10, "ours",
        "likewise, where less than half of the ranks are not slow", "ptk job; slow-rank, slow-stage, slow-dp-rank"},
    [LIMIT_GAP_NOISE] = {"slower_than_noise", LIMIT_NUMBER, 4, "ours",
        "likewise, of the noise of both", "ptk job; slow-rank, slow-stage, slow-dp-rank, slow-link"},
    [LIMIT_HEALTHY] = {"not_slow", LIMIT_SHARE, 0.25, "ours",
        "ranks or groups that are not slow, of all", "ptk job; slow-rank, slow-stage, slow-dp-rank, slow-link"},
    [LIMIT_ALIKE] = {"alike", LIMIT_SHARE, 0.70, "ours",
        "the lesser slowness of two ranks, of the larger: they are named together", "ptk job; slow-rank, slow-stage, slow-dp-rank"},
    [LIMIT_PLACE] = {"slow_together", LIMIT_NUMBER, 4, "ours",
        "ranks of a stage or data-parallel rank that are all slow, and no coincidence", "ptk job; slow-stage, slow-dp-rank"},
    [LIMIT_TRANSFER] = {"slow_transfers", LIMIT_SHARE, 1.50, "ours",
        "transfers of a group of ranks, of the fastest of their kind", "ptk job; slow-link"},
    [LIMIT_LATE] = {"late", LIMIT_SHARE, 0.01, "ours",
        "how late a host launches work, of a step", "ptk job; late-loader"},
    [LIMIT_LATE_CHANCE] = {"late_by_chance", LIMIT_SHARE, 0.05, "ours",
        "the chance that one of all hosts is late in as many steps", "ptk job; late-loader"},
    [LIMIT_LATE_ONCE] = {"late_once", LIMIT_SHARE, 0.10, "ours",
        "how late a host launches work in a job of one step", "ptk job; late-loader"},
    [LIMIT_LINKS] = {"slow_links", LIMIT_SHARE, 0.40, "ours",
        "what links reach, of their peak", "ptk job; slow-links"},
    [LIMIT_LINK_TIME] = {"long_transfer_us", LIMIT_US, 100, "ours",
        "a transfer at the peak: of a shorter one latency is the most", "ptk job; slow-links"},
    [LIMIT_CLOCK] = {"clock_us", LIMIT_US, 1000, "ours",
        "how far a host's clock is off those of most", "ptk job; clock-offset"},
    [LIMIT_APART] = {"apart_us", LIMIT_US, 50, "ours",
        "how far apart a collective ends on the ranks of one run", "ptk job; foreign-rank"},
    [LIMIT_APART_USUAL] = {"apart", LIMIT_NUMBER, 8, "ours",
        "likewise, of what is usual in the job", "ptk job; foreign-rank"},
    [LIMIT_MEETINGS] = {"meetings", LIMIT_NUMBER, 8, "ours",
        "collectives of a group that show who is of another run", "ptk job; foreign-rank"},
};
/* clang-format on */

void thresholds_default(struct thresholds *thresholds)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        thresholds->of[i] = threshold_rows[i].value;
}

static bool parse_value(const char *text, enum threshold_unit unit, double *value)
{
    char *end;

    *value = strtod(text, &end);
    if (end == text || !isfinite(*value) || *value < 0)
        return false;
    if (*end == '%' && unit == LIMIT_SHARE) {
        *value /= 100;
        end++;
    }
    return *end == '\0';
}

/* Of rules that others have taken over. */
static const char *instead_of(struct span name)
{
    return span_eq(name, SPAN("no_tensor_cores"))
               ? "the rule full-precision answers for tensor-cores, and goes by 'cause'"
               : NULL;
}

static bool refuse_name(struct span name, struct error *err)
{
    struct arena arena = {0};
    struct suggestion nearest = {.typed = arena_copy(&arena, name)};

    for (int i = 0; i < LIMIT_COUNT; i++)
        suggestion_consider(&nearest, threshold_rows[i].name);
    error_set(err, ERROR_USAGE, "--threshold: '%.60s' is none", nearest.typed);
    if (instead_of(name))
        error_hint(err, "%s", instead_of(name));
    else if (nearest.word)
        error_hint(err, "did you mean '%s'?", nearest.word);
    arena_free(&arena);
    return false;
}

bool thresholds_set(struct thresholds *thresholds, const char *given, struct error *err)
{
    const char *sign = strchr(given, '=');
    struct span name = {given, sign ? (size_t)(sign - given) : strlen(given)};

    for (int i = 0; i < LIMIT_COUNT; i++) {
        if (!span_eq(name, span_of(threshold_rows[i].name)))
            continue;
        return (sign && parse_value(sign + 1, threshold_rows[i].unit, &thresholds->of[i])) ||
               error_set(err, ERROR_USAGE,
                         "--threshold takes NAME=VALUE with a number from 0, not '%.60s'", given);
    }
    return refuse_name(name, err);
}

bool thresholds_take(struct thresholds *thresholds, const struct option_values *given,
                     struct error *err)
{
    thresholds_default(thresholds);
    for (uint32_t i = 0; i < given->count; i++)
        if (!thresholds_set(thresholds, given->list[i].text, err))
            return false;
    return true;
}

static int64_t ns_of(const struct thresholds *thresholds, enum threshold us)
{
    return checked_whole(thresholds->of[us] * 1e3);
}

struct idle_limits thresholds_of_idle(const struct thresholds *thresholds)
{
    return (struct idle_limits){
        .launch = ns_of(thresholds, LIMIT_LAUNCH_COST),
        .operator= ns_of(thresholds, LIMIT_OPERATOR_COST),
        .wait = ns_of(thresholds, LIMIT_WAIT),
        .setup = ns_of(thresholds, LIMIT_SETUP),
        .large_copy = checked_whole(thresholds->of[LIMIT_SMALL_COPY] * 1e3),
    };
}

struct roof_limits thresholds_of_roofs(const struct thresholds *thresholds)
{
    return (struct roof_limits){.busy = thresholds->of[LIMIT_ROOF],
                                .small_copy = thresholds->of[LIMIT_SMALL_COPY] * 1e3};
}

struct serve_limits thresholds_of_serving(const struct thresholds *thresholds)
{
    return (struct serve_limits){.known = thresholds->of[LIMIT_KNOWN],
                                 .idle = thresholds->of[LIMIT_STAGE_IDLE],
                                 .bound = thresholds->of[LIMIT_NEAR_BOUND]};
}

struct job_limits thresholds_of_job(const struct thresholds *thresholds)
{
    const double *of = thresholds->of;

    return (struct job_limits){.slow = of[LIMIT_JOB_SLOW],
                               .gain = of[LIMIT_JOB_GAIN],
                               .gain_of_hosts = of[LIMIT_HOSTS_GAIN],
                               .gap = of[LIMIT_GAP],
                               .gap_of_few = of[LIMIT_GAP_OF_FEW],
                               .gap_noise = of[LIMIT_GAP_NOISE],
                               .healthy = of[LIMIT_HEALTHY],
                               .alike = of[LIMIT_ALIKE],
                               .place = of[LIMIT_PLACE],
                               .transfer = of[LIMIT_TRANSFER],
                               .late = of[LIMIT_LATE],
                               .late_chance = of[LIMIT_LATE_CHANCE],
                               .late_once = of[LIMIT_LATE_ONCE],
                               .links = of[LIMIT_LINKS],
                               .link_time = of[LIMIT_LINK_TIME] * 1e3,
                               .clock = ns_of(thresholds, LIMIT_CLOCK),
                               .apart = ns_of(thresholds, LIMIT_APART),
                               .apart_usual = of[LIMIT_APART_USUAL],
                               .meetings = of[LIMIT_MEETINGS]};
}

/* ---- a figure against its threshold ---- */

const char *bottleneck_name(enum bottleneck bottleneck)
{
    static const char *const names[] = {
        [HELD_BY_NOTHING] = "unknown",
        [HELD_BY_INPUT] = "input-bound",
        [HELD_BY_LAUNCH] = "launch-bound",
        [HELD_BY_SYNC] = "sync-bound",
        [HELD_BY_ALLOCATOR] = "allocator-bound",
        [HELD_BY_HOST] = "host-bound",
        [HELD_BY_DEPENDENCY] = "dependency-bound",
        [HELD_BY_COPY] = "copy-bound",
        [HELD_BY_COMMUNICATION] = "communication-bound",
        [HELD_BY_COMPUTE] = "compute-bound",
        [HELD_BY_PAGING] = "memory-bound (paging)",
        [HELD_BY_IO] = "I/O-bound",
        [HELD_BY_WAITING] = "waiting",
        [HELD_BY_EVENTS] = "waiting",
        [HELD_BY_SYSTEM] = "system-bound",
        [HELD_BY_LOCKS] = "lock-bound",
        [HELD_BY_ONE_THREAD] = "single-thread-bound",
        [HELD_BY_FEW_THREADS] = "few-threads-bound",
        [HELD_BY_CPU] = "CPU-bound",
    };

    return names[bottleneck];
}

static double measure(const struct check *check, enum threshold_unit unit)
{
    double part = (double)check->part, whole = (double)check->whole;

    if (check->part == UNKNOWN || check->whole == UNKNOWN)
        return NAN;
    switch (unit) {
    case LIMIT_SHARE:
        return check->whole > 0 ? part / whole : NAN;
    case LIMIT_RATE:
        return check->whole > 0 ? part / whole * 1e9 : NAN;
    case LIMIT_US:
    case LIMIT_KB:
        return part / 1e3;
    case LIMIT_NUMBER:
        return part;
    }
    return NAN;
}

void check_judge(struct check *check, const struct thresholds *thresholds)
{
    double limit = thresholds->of[check->limit];

    check->value = measure(check, threshold_rows[check->limit].unit);
    check->holds = check->is_below ? check->value < limit : check->value >= limit;
}
