/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of the options that commands have in common. */
#include "cmd/options/common_options.h"

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
#include "graph/build/builder.h"
#include "graph/derive/derive.h"

static const char *const color_names[] = {"auto", "always", "never", NULL};

/* The usual ones. */
static const char *const value_names[] = {
    "all",         "host",          "device",      "idle",        "time",
    "cpu",         "samples",       "wall",        "alloc_space", "alloc_objects",
    "inuse_space", "inuse_objects", "contentions", "delay",       NULL};

static const char *const stage_names[] = {"dataloader", "forward", "backward", "optimizer",
                                          "prefill",    "decode",  "mixed",    "draft",
                                          "dummy",      NULL};

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

const struct option part_options[] = {
    OPT_GROUP("Part of the run"),
    OPT_TEXT(0, "step", struct common, part.window.step, "N",
             "only the training step of this number, or steps N-M"),
    OPT_TEXT(0, "within", struct common, part.window.within, "NAME",
             "only while the first range (or other event) of that name ran on the host; NAME#2: "
             "the second"),
    OPT_TEXT(0, "begin", struct common, part.window.begin, "TIME",
             "from this time on, since the first event: 1.5s, 20ms, 300us"),
    OPT_TEXT(0, "end", struct common, part.window.end, "TIME", "until then"),
    OPT_WORDS(0, "stage", struct common, part.stage, "STAGE",
              "only what ran in this stage of a step, and the device work launched there: "
              "dataloader, forward, backward, optimizer; of serving: prefill, decode, mixed, draft, "
              "dummy",
              stage_names),
    OPT_TEXT(0, "rank", struct common, part.rank, "N", "only where the file is of this rank"),
    OPT_TEXT(0, "process", struct common, part.process, "RE",
             "only tracks of processes of this number, or whose name matches"),
    OPT_TEXT(0, "thread", struct common, part.track, "RE",
             "only threads and streams of this number, or whose name or process matches"),
    OPT_TEXT(0, "track", struct common, part.track, "RE", "the same"),
    OPT_TEXT(0, "device", struct common, part.device, "N",
             "without the work of other devices; the host's stays"),
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

static const char *const names_names[] = {"short", "full", NULL};
static const char *const paths_names[] = {"auto", "full", "short", "name", NULL};

#define COLUMN_ROW                                                                                 \
    OPT_TEXT(0, "columns", struct common, columns, "NAME[,NAME]",                                  \
             "these columns of a table, by their names in JSON, in every form"),                   \
        OPT_COUNT(0, "budget", struct common, budget, "TOKENS",                                    \
                  "at most so many tokens, counted as bytes / 3: rows and lines that come last are left out; 0: no " \
                  "limit [0; brief: 2000]"),                                                       \
        OPT_FLAG(0, "schema", struct common, is_schema,                                            \
                 "in place of the answer the JSON Schema of what -f json writes of it")

const struct option report_options[] = {
    OPT_CHOICE('f', "format", struct common, format, "FORM",
               "write as [by the suffix of --output, else text]", report_format_names),
    OPT_CHOICE(0, "paths", struct common, paths, "HOW",
               "files of functions in texts: as far as needed, whole, or none [auto: short]", paths_names),
    OPT_CHOICE(0, "names", struct common, names, "HOW",
               "names of functions in texts: short, or as the file has them [short]", names_names),
    COLUMN_ROW,
    OPT_END,
};

const struct option chart_options[] = {
    OPT_CHOICE('f', "format", struct common, format, "FORM",
               "write as [by the suffix of --output, else text]", report_chart_names),
    COLUMN_ROW,
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
             "names are literal, and not regular expressions (RE)")
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
    LABEL_ROWS,
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
