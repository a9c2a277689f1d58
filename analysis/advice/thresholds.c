/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/advice/bottleneck.h"
#include "base/memory/memory.h"
#include "base/text/pattern.h"
#include "graph/model/graph.h"

static const struct {
    const char *name;
    enum threshold_unit unit;
    double value;
} table[LIMIT_COUNT] = {
    [LIMIT_IDLE] = {"idle", LIMIT_SHARE, 0.15},                    /* nsys-ai */
    [LIMIT_INPUT] = {"input", LIMIT_SHARE, 0.05},                  /* TensorBoard plugin, XProf */
    [LIMIT_LAUNCH] = {"launch", LIMIT_SHARE, 0.15},                /* XProf: high */
    [LIMIT_SYNC] = {"sync", LIMIT_SHARE, 0.02},                    /* nsys-ai */
    [LIMIT_COPY] = {"copy", LIMIT_SHARE, 0.10},                    /* ours */
    [LIMIT_COMMUNICATION] = {"communication", LIMIT_SHARE, 0.10},  /* TensorBoard plugin */
    [LIMIT_SMALL_KERNEL] = {"small_kernel_us", LIMIT_US, 10},      /* nsys-ai */
    [LIMIT_SHORT_GAP] = {"short_gap_us", LIMIT_US, 100},           /* ours */
    [LIMIT_PAGEABLE] = {"pageable", LIMIT_SHARE, 0.10},            /* ours; nsys: any */
    [LIMIT_SMALL_COPY] = {"small_copy_kb", LIMIT_KB, 64},          /* ours */
    [LIMIT_SMALL_COPIES] = {"small_copies", LIMIT_SHARE, 0.50},    /* ours */
    [LIMIT_HIDDEN] = {"hidden", LIMIT_SHARE, 0.30},                /* nsys-ai: bad below */
    [LIMIT_WAITING] = {"waiting", LIMIT_SHARE, 0.50},              /* ours */
    [LIMIT_ONE_THREAD] = {"one_thread", LIMIT_SHARE, 1.15},        /* ours */
    [LIMIT_CPU] = {"cpu", LIMIT_SHARE, 0.85},                      /* ours */
    [LIMIT_SYSTEM] = {"system", LIMIT_SHARE, 0.30},                /* ours */
    [LIMIT_MAJOR_FAULTS] = {"major_faults_per_s", LIMIT_RATE, 50}, /* ours */
    [LIMIT_MINOR_FAULTS] = {"minor_faults_per_s", LIMIT_RATE, 100000}, /* ours */
    [LIMIT_FILE_BYTES] = {"file_bytes_per_s", LIMIT_RATE, 1e6},        /* ours */
    [LIMIT_SWITCHES] = {"switches_per_s", LIMIT_RATE, 100},            /* ours */
    [LIMIT_HOST] = {"host", LIMIT_SHARE, 0.05},                        /* ours */
    [LIMIT_GAIN] = {"gain", LIMIT_SHARE, 0.01},                        /* ours */
    [LIMIT_LONG_GAP] = {"long_gap_us", LIMIT_US, 1000},                /* nsys-ai */
    [LIMIT_GAPS] = {"gaps", LIMIT_SHARE, 0.10},                        /* ours */
    [LIMIT_USE] = {"use", LIMIT_SHARE, 0.50},                       /* nsys, TensorBoard plugin */
    [LIMIT_CHUNKS] = {"chunks", LIMIT_SHARE, 0.20},                 /* ours */
    [LIMIT_COPY_RATE] = {"copy_rate", LIMIT_SHARE, 0.50},           /* amdahl.md */
    [LIMIT_COMPUTE_COPIES] = {"compute_to_copies", LIMIT_SHARE, 2}, /* ours */
    [LIMIT_COPY_HIDDEN] = {"copies_hidden", LIMIT_SHARE, 0.30},     /* ours */
    [LIMIT_ENGINES] = {"both_ways", LIMIT_SHARE, 0.10},             /* ours */
    [LIMIT_WORTH] = {"worth", LIMIT_SHARE, 0.05},                   /* ours */
    [LIMIT_IMBALANCE] = {"imbalance", LIMIT_SHARE, 1.5},            /* ours; nsys-ai: 3 */
    [LIMIT_HOT_KERNEL] = {"hot_kernel", LIMIT_SHARE, 0.50},         /* nsys-ai */
    [LIMIT_CAUSE] = {"cause", LIMIT_SHARE, 0.02},                   /* ours */
    [LIMIT_CONCURRENT] = {"concurrent", LIMIT_SHARE, 0.10},         /* ours */
    [LIMIT_FILL] = {"small_grids", LIMIT_SHARE, 0.20},              /* ours */
    [LIMIT_TAIL] = {"tails", LIMIT_SHARE, 0.10},                    /* ours */
    [LIMIT_OCCUPANCY] = {"occupancy", LIMIT_SHARE, 0.25},           /* ours */
    [LIMIT_TENSOR] = {"no_tensor_cores", LIMIT_SHARE, 0.50}, /* ours; TensorBoard plugin: all */
    [LIMIT_MEMORY] = {"memory", LIMIT_SHARE, 0.90},          /* TensorBoard plugin */
    [LIMIT_UNEVEN] = {"uneven_steps", LIMIT_SHARE, 1.25},    /* ours */
    [LIMIT_PROFILING] = {"python_events_per_s", LIMIT_RATE, 200000}, /* ours */
    [LIMIT_TINY_US] = {"tiny_collective_us", LIMIT_US, 50},          /* ours */
    [LIMIT_TINY] = {"tiny_collectives", LIMIT_SHARE, 0.50},          /* ours */
    [LIMIT_HOT_FUNCTION] = {"hot_function", LIMIT_SHARE, 0.25},      /* ours */
    [LIMIT_BLOCKING] = {"blocking", LIMIT_SHARE, 0.25},              /* ours */
    [LIMIT_OVERHEAD] = {"overhead", LIMIT_SHARE, 0.10},              /* ours */
    [LIMIT_IMPORTS] = {"imports", LIMIT_SHARE, 0.20},                /* ours */
    [LIMIT_COLLISIONS] = {"collisions", LIMIT_SHARE, 0.01},          /* ours, as ptk info */
    [LIMIT_LEAK] = {"leak", LIMIT_SHARE, 0.001},                     /* ours */
    [LIMIT_TRAPPED] = {"trapped", LIMIT_SHARE, 0.20},                /* ours */
    [LIMIT_AWAITING] = {"awaiting_free", LIMIT_SHARE, 0.05},         /* ours */
    [LIMIT_POOLS] = {"graph_pools", LIMIT_SHARE, 0.30},              /* ours */
    [LIMIT_OOM] = {"out_of_memory", LIMIT_SHARE, 1},                 /* what it takes */
};

const char *threshold_name(enum threshold threshold)
{
    return table[threshold].name;
}

enum threshold_unit threshold_unit(enum threshold threshold)
{
    return table[threshold].unit;
}

void thresholds_default(struct thresholds *thresholds)
{
    for (int i = 0; i < LIMIT_COUNT; i++)
        thresholds->of[i] = table[i].value;
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

static bool refuse_name(struct span name, struct error *err)
{
    struct arena arena = {0};
    struct suggestion nearest = {.typed = arena_copy(&arena, name)};

    for (int i = 0; i < LIMIT_COUNT; i++)
        suggestion_consider(&nearest, table[i].name);
    error_set(err, ERROR_USAGE, "--threshold: '%.60s' is none", nearest.typed);
    if (nearest.word)
        error_hint(err, "did you mean '%s'?", nearest.word);
    arena_free(&arena);
    return false;
}

bool thresholds_set(struct thresholds *thresholds, const char *given, struct error *err)
{
    const char *sign = strchr(given, '=');
    struct span name = {given, sign ? (size_t)(sign - given) : strlen(given)};

    for (int i = 0; i < LIMIT_COUNT; i++) {
        if (!span_eq(name, span_of(table[i].name)))
            continue;
        return (sign && parse_value(sign + 1, table[i].unit, &thresholds->of[i])) ||
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
    }
    return NAN;
}

void check_judge(struct check *check, const struct thresholds *thresholds)
{
    double limit = thresholds->of[check->limit];

    check->value = measure(check, threshold_unit(check->limit));
    check->holds =
        check->is_largest || (check->is_below ? check->value < limit : check->value >= limit);
}
