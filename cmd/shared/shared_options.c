/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/shared_options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/functions/hotspots.h"
#include "analysis/layout/timeline_layout.h"
#include "analysis/selection/select.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "base/checked.h"
#include "cmd/shared/load.h"
#include "graph/build/builder.h"
#include "graph/derive/derive.h"

static const char *const color_names[] = {"auto", "always", "never", NULL};

/* The usual ones. */
static const char *const value_names[] = {
    "all",         "host",          "device",      "idle",        "time",
    "cpu",         "samples",       "wall",        "alloc_space", "alloc_objects",
    "inuse_space", "inuse_objects", "contentions", "delay",       NULL};

const struct option input_options[] = {
    OPT_GROUP("Input"),
    OPT_WORDS(0, "value", struct common, value, "NAME",
              "the value to look at, where a profile has several ('ptk info' lists them)",
              value_names),
    OPT_TEXT(0, "from", struct common, from, "FORMAT",
             "read as this format instead of recognising it ('ptk formats' lists them)"),
    OPT_TEXT(0, "binary-path", struct common, binary_path, "DIR[:DIR]",
             "where to look first for the binaries of a native profile; then $PPROF_BINARY_PATH"),
    OPT_FLAG(0, "no-symbols", struct common, no_symbols, "read no binaries"),
    OPT_OFF(0, "fold-python", struct common, spreads_python,
            "native profiles: the interpreter is one frame, a library without symbols too [on]"),
    OPT_FLAG(0, "no-fold-python", struct common, spreads_python,
             "show every frame of the interpreter"),
    OPT_FLAG(0, "drop-frames", struct common, drops_frames,
             "leave out the frames that a pprof profile says are not worth seeing"),
    OPT_SIZE(0, "max-size", struct common, max_size, "SIZE",
             "refuse compressed input that inflates to more; 1M is 1 MiB [64G]"),
    OPT_END,
};

const struct option window_options[] = {
    OPT_TEXT(0, "step", struct common, window.step, "N", "only the training step of this number"),
    OPT_TEXT(
        0, "within", struct common, window.within, "NAME",
        "only while the first range (or other event) of that name ran on the host; NAME#2: the "
        "second"),
    OPT_TEXT(0, "begin", struct common, window.begin, "TIME",
             "from this time on, since the first event: 1.5s, 20ms, 300us"),
    OPT_TEXT(0, "end", struct common, window.end, "TIME", "until then"),
    OPT_END,
};

const struct option capture_options[] = {
    OPT_EACH(0, "capture", struct common, captures, "FILE",
             "a trace of the capture of CUDA or HIP graphs: whose kernels they are; again for more",
             0),
    OPT_END,
};

const struct option base_options[] = {
    OPT_FILE(0, "base", struct common, base, "FILE",
             "less what this earlier profile has; shares are of all changes"),
    OPT_FILE(0, "diff-base", struct common, diff_base, "FILE",
             "the same; shares are of that profile"),
    OPT_END,
};

const struct option output_options[] = {
    OPT_GROUP("Output"),
    OPT_FILE('o', "output", struct common, output, "FILE",
             "write to this file, which is replaced only when all is written"),
    OPT_FLAG(0, "csv-safe", struct common, is_csv_safe,
             "CSV for a spreadsheet: an apostrophe before a name that would be a formula there"),
    OPT_CHOICE(0, "color", struct common, color, "WHEN", "colour the text [auto]", color_names),
    OPT_FLAG('q', "quiet", struct common, is_quiet, "no warnings and no progress on stderr"),
    OPT_END,
};

static const char *const paths_names[] = {"auto", "full", "short", "name", NULL};

const struct option report_options[] = {
    OPT_CHOICE('f', "format", struct common, format, "FORM",
               "write as [by the suffix of --output, else text]", report_format_names),
    OPT_CHOICE(0, "paths", struct common, paths, "HOW",
               "functions' files in texts [auto: short on a terminal, else full]", paths_names),
    OPT_END,
};

const struct option chart_options[] = {
    OPT_CHOICE('f', "format", struct common, format, "FORM",
               "write as [by the suffix of --output, else text]", report_chart_names),
    OPT_END,
};

/* In two tables: tables that include others are not included themselves. */
#define LABEL_ROWS                                                                                 \
    OPT_EACH(0, "focus-label", struct common, selection.labels, "KEY=RE",                          \
             "only samples with such a label, all of it matching", LABEL_FOCUS),                   \
        OPT_EACH(0, "ignore-label", struct common, selection.labels, "KEY=RE",                     \
                 "only samples without", LABEL_IGNORE)

/* clang-format off */
#define FILTER_ROWS \
    OPT_EACH(0, "focus", struct common, selection.filters, "RE", \
             "only what has a match on its stack", \
             FILTER_FOCUS), \
    OPT_EACH(0, "ignore", struct common, selection.filters, "RE", "only what has none", FILTER_IGNORE), \
    OPT_EACH(0, "hide", struct common, selection.filters, "RE", \
             "take matching functions out; their callers get their cost", FILTER_HIDE), \
    OPT_EACH(0, "show", struct common, selection.filters, "RE", "hide all that does not match", \
             FILTER_SHOW), \
    OPT_MAYBE(0, "mine", struct common, selection.filters, "RE", \
              "hide what is not the program's own: standard libraries, packages (or all but RE)", \
              FILTER_MINE), \
    OPT_FLAG(0, "no-imports", struct common, selection.no_imports, \
             "without what Python and Node spent on importing modules, Go on init functions"), \
    OPT_FLAG('F', "literal", struct common, selection.is_literal, \
             "names are meant as they stand, and are no regular expressions (RE)")
/* clang-format on */

const struct option selection_options[] = {
    OPT_GROUP("Selection, applied in the order given"),
    FILTER_ROWS,
    LABEL_ROWS,
    OPT_NAMED(0, "by", struct common, selection.by, "WHAT", "group by [function]", group_names),
    OPT_END,
};

const struct option filter_options[] = {
    OPT_GROUP("Selection, applied in the order given"),
    FILTER_ROWS,
    OPT_END,
};

const struct option label_options[] = {
    OPT_GROUP("Labels of samples"),
    LABEL_ROWS,
    OPT_END,
};

const struct option ranking_options[] = {
    OPT_GROUP("Order and size"),
    OPT_WORDS('s', "sort", struct ranking, sort, "KEY[,KEY]",
              "order by: self, cum, calls, pcalls, name, file, line, nfl, stdname, min, max, none, "
              "or the names that pstats and pprof use",
              order_names),
    OPT_FLAG('r', "reverse", struct ranking, is_reversed, "the other way round"),
    OPT_COUNT('n', "limit", struct ranking, limit, "N", "at most N rows, 0 for all [20]"),
    OPT_NUMBER(0, "min-percent", struct ranking, min_percent, "P",
               "leave out what is less than P percent of the whole [0]"),
    OPT_END,
};

bool ranking_order(const struct ranking *ranking, struct order *order, struct error *err)
{
    order->is_reversed = ranking->is_reversed;
    return order_parse(order, ranking->sort, err);
}

static const char *const window_kinds[] = {"auto", "steps", "run", "device", NULL};

const struct option judging_options[] = {
    OPT_CHOICE(0, "over", struct judging, window, "WHAT",
               "the time that counts [auto: the training steps, else the run]", window_kinds),
    OPT_EACH(0, "threshold", struct judging, limits, "NAME=VALUE",
             "where a figure begins to be a verdict; again for more", 0),
    OPT_END,
};

/* A number and a unit; ns. */
static bool parse_time(const char *text, int64_t *time, struct error *err)
{
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}};
    char *rest;
    double number = strtod(text, &rest);

    for (size_t i = 0; rest > text && i < COUNT_OF(units); i++)
        if (strcmp(rest, units[i].name) == 0 && fabs(number * units[i].ns) < 0x1p61) {
            *time = (int64_t)llround(number * units[i].ns);
            return true;
        }
    error_set(err, ERROR_USAGE, "'%.60s' is no time", text);
    return error_hint(err, "a number and its unit: 1.5s, 20ms, 300us, 7ns");
}

static bool find_step(const char *text, const struct graph *graph, int64_t *start, int64_t *end,
                      struct error *err)
{
    struct arena arena = {0};
    struct steps steps;
    char *rest;
    long long number = strtoll(text, &rest, 10);
    bool is_found = false;

    if (rest == text || *rest)
        return error_set(err, ERROR_USAGE, "--step takes the number of a step, not '%.60s'", text);
    steps_find(graph, &arena, &steps);
    for (uint32_t i = 0; i < steps.count && !is_found; i++)
        if (steps.list[i].number == number) {
            *start = steps.list[i].start;
            *end = steps.list[i].end;
            is_found = true;
        }
    if (!is_found) {
        error_set(err, ERROR_LACK, "there is no step %lld", number);
        if (steps.count)
            error_hint(err, "there are steps %lld to %lld", (long long)steps.list[0].number,
                       (long long)steps.list[steps.count - 1].number);
    }
    arena_free(&arena);
    return is_found;
}

static int by_start(const void *a, const void *b)
{
    const struct interval *first = a, *second = b;

    return (first->start > second->start) - (first->start < second->start);
}

/* All events of a name on threads, by start. */
static uint32_t find_ranges(struct span name, const struct graph *graph, struct arena *arena,
                            struct interval **ranges)
{
    const struct timeline *timeline = &graph->timeline;
    struct interval *list = arena_array(arena, (size_t)timeline->count + 1, sizeof(*list));
    uint32_t count = 0;

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        for (event_id e = track->first;
             track->kind == TRACK_THREAD && e < track->first + track->count; e++)
            if (timeline->duration[e] > 0 &&
                span_eq(graph_text(graph, graph_frame(graph, timeline->frame[e])->name), name))
                list[count++] = (struct interval){timeline->start[e], event_end(timeline, e)};
    }
    qsort(list, count, sizeof(*list), by_start);
    *ranges = list;
    return count;
}

/* A name may end with "#2" itself. */
static bool find_range(const char *text, const struct graph *graph, int64_t *start, int64_t *end,
                       struct error *err)
{
    struct arena arena = {0};
    struct interval *ranges = NULL;
    struct span name = span_of(text);
    const char *mark = strrchr(text, '#');
    uint32_t count = find_ranges(name, graph, &arena, &ranges);
    uint64_t at = 1;

    if (count == 0 && mark && span_to_u64(span_of(mark + 1), &at) && at > 0) {
        name.len = (size_t)(mark - text);
        count = find_ranges(name, graph, &arena, &ranges);
    }
    if (count == 0) {
        error_set(err, ERROR_LACK, "nothing on the host is called '%.80s'", text);
        error_hint(err, "ptk hotspots --value host shows names, tree which is inside which");
    } else if (at > count) {
        error_set(err, ERROR_LACK, "'%.80s' ran %" PRIu32 " time%s, no more",
                  arena_printf(&arena, "%.*s", (int)name.len, name.at), count,
                  count == 1 ? "" : "s");
    } else {
        *start = ranges[at - 1].start;
        *end = ranges[at - 1].end;
    }
    arena_free(&arena);
    return count >= at;
}

bool time_window_find(const struct time_window *window, const struct graph *graph, int64_t *start,
                      int64_t *end, struct error *err)
{
    const struct timeline *timeline = &graph->timeline;
    int64_t origin = timeline_layout_origin(graph), begin = 0, until = 0;

    if (window->step && window->within)
        return error_set(err, ERROR_USAGE, "--step and --within are two parts of the run");
    if (window->within)
        return find_range(window->within, graph, start, end, err);
    if (window->step)
        return find_step(window->step, graph, start, end, err);
    if ((window->begin && !parse_time(window->begin, &begin, err)) ||
        (window->end && !parse_time(window->end, &until, err)))
        return false;
    for (event_id e = 0; e < timeline->count && !window->end; e++)
        if (event_end(timeline, e) - origin > until)
            until = event_end(timeline, e) - origin;
    if (begin >= until)
        return error_set(err, ERROR_USAGE, "nothing lies between the two times");
    *start = origin + begin;
    *end = origin + until;
    return true;
}

bool time_window_apply(const struct time_window *window, struct graph *graph, struct error *err)
{
    int64_t start, end;

    if (!graph_need(graph, LEVEL_TIMELINE, "it has no steps or times to choose", err) ||
        !time_window_find(window, graph, &start, &end, err))
        return false;
    return timeline_clip(graph, start, end) > 0 ||
           error_set(err, ERROR_LACK, "nothing was recorded in that time");
}

static bool is_file(const char *path)
{
    struct stat info;

    return strcmp(path, "-") == 0 || (stat(path, &info) == 0 && !S_ISDIR(info.st_mode));
}

bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                   struct name_pattern *pattern, struct error *err)
{
    const char *function;
    struct error ignored = {0};
    size_t at;

    /* A file alone is a name where there is another profile to look it up in. */
    if (*count == 0 ||
        (*count == 1 && is_file(operands[0]) && !profile_path(NULL, 0, true, &ignored))) {
        error_set(err, ERROR_USAGE, "%s needs a function's name", command);
        return error_hint(err, "ptk %s FUNC %s", command, *count ? operands[0] : "[FILE]");
    }
    at = *count == 2 && is_file(operands[0]) && !is_file(operands[1]);
    function = operands[at];
    for (size_t i = at + 1; i < *count; i++)
        operands[i - 1] = operands[i];
    --*count;
    name_pattern_set(pattern, function, is_literal);
    return true;
}

bool factor_parse(const char *text, double *factor)
{
    char *end;

    *factor = strtod(text, &end);
    if (end == text || strcmp(end + (*end == 'x'), "") != 0)
        return false;
    return *factor > 0; /* and not NaN */
}

const char *part_split(const char *text, const char **expression, struct arena *arena)
{
    const char *sign = strrchr(text, '=');

    if (!sign || sign == text)
        return NULL;
    *expression = arena_copy(arena, (struct span){text, (size_t)(sign - text)});
    return sign + 1;
}

bool factor_parse_part(const char *option, const char *text, const char **expression,
                       double *factor, struct arena *arena, struct error *err)
{
    const char *given = part_split(text, expression, arena);

    if (!given || !factor_parse(given, factor))
        return error_set(err, ERROR_USAGE,
                         "--%s takes RE=FACTOR with a factor above 0, or inf, not '%.60s'", option,
                         text);
    return true;
}
