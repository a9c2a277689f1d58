/* SPDX-License-Identifier: Apache-2.0 */
/* shared_options.h — options that several commands have */
#ifndef PTK_CMD_SHARED_SHARED_OPTIONS_H
#define PTK_CMD_SHARED_SHARED_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/functions/hotspots.h"
#include "analysis/kernels/roofline.h"
#include "analysis/selection/select.h"
#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "graph/model/graph.h"
#include "render/forms/report.h"

/* The part of a run that a command is limited to: a training step, a range that the host was in, or
 * from when to when. */

struct time_window {
    const char *step;        /* its number; NULL: any */
    const char *within;      /* the name of a range, "NAME#2" its second; NULL: any */
    const char *begin, *end; /* "20ms", since the first event; NULL: none */
};

static inline bool time_window_is_all(const struct time_window *window)
{
    return !window->step && !window->within && !window->begin && !window->end;
}

/* Its bounds, in ns since the timeline's origin. Steps need PROP_STEP. */
bool time_window_find(const struct time_window *window, const struct graph *graph, int64_t *start,
                      int64_t *end, struct error *err);

/* Limits the graph to it, which must have no level but its timeline yet. */
bool time_window_apply(const struct time_window *window, struct graph *graph, struct error *err);

/* ---- the options that commands share, so that a word means the same in all of them ---- */

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* What of a profile a command can use. */
enum content {
    CONTENT_FUNCTIONS, /* or events, samples, counters of kernels; counters over time, where wanted */
    CONTENT_FIGURES,   /* or what a whole process used */
    CONTENT_ANY,       /* even an empty profile */
};

/* What part of a profile is meant. */
struct selection {
    struct option_values filters; /* tagged with enum filter_kind */
    struct option_values labels;  /* KEY=VALUE, likewise */
    struct option_choice by;      /* enum group_by */
    bool is_literal;              /* names are no expressions */
    bool no_imports;
};

/* How the profile is read, which part of it is meant, and how the answer is written: the first member of
 * what a command is asked. Zeroed is the default. */
struct common {
    const char *from;  /* NULL: recognise the format */
    const char *value; /* NULL: the file's default */
    struct time_window window;
    struct selection selection;
    struct name_pattern function; /* the operand FUNC, of commands that take it; no text: none */
    const char *binary_path;      /* folders, separated by colons; or NULL */
    bool no_symbols;
    bool drops_frames, spreads_python;
    uint64_t max_size;             /* 0: INPUT_MAX_SIZE */
    const char *base, *diff_base;  /* profiles to take away; or NULL */
    struct option_values captures; /* files that have the captures of its graphs */
    const char *output;            /* NULL: standard output */
    int format;                    /* enum report_format */
    int color;                     /* enum color_choice */
    int paths;                     /* enum label_paths */
    bool is_quiet;
    bool is_csv_safe;
    enum content content; /* what the command needs to have an answer */
    bool tells_warnings;  /* they are part of the answer, and not said on standard error, too */
};

extern const struct option input_options[];   /* of struct common */
extern const struct option window_options[];  /* of struct common: part of a run */
extern const struct option capture_options[]; /* of struct common: captures of graphs */
extern const struct option base_options[];    /* of struct common: what to take away first */
extern const struct option output_options[];  /* of struct common */
extern const struct option report_options[];  /* of struct common: the forms of a report ... */
extern const struct option chart_options[];   /* ... and of one that has a chart */

extern const struct option selection_options[]; /* of struct common: which functions, and by what */
extern const struct option filter_options[];    /* the part of those that is for names */
extern const struct option label_options[];     /* the part of those that is for labels */

/* How rows are ranked. */
struct ranking {
    const char *sort; /* keys for order_parse() */
    bool is_reversed;
    uint32_t limit;
    double min_percent;
};

extern const struct option ranking_options[]; /* of struct ranking */

/* ERROR_USAGE where the keys are none. */
MUST_CHECK bool ranking_order(const struct ranking *ranking, struct order *order,
                              struct error *err);

/* What verdicts go by. */
struct judging {
    int window;                  /* enum window_kind */
    struct option_values limits; /* for thresholds_take() */
};

extern const struct option judging_options[]; /* of struct judging */

/* ---- how many times faster something gets, as users write it ---- */

/* "2", "2x", "inf"; false unless it is above 0. */
bool factor_parse(const char *text, double *factor);

/* "RE=TEXT": the expression, in the arena, may hold '=' itself, as the last one counts; what is
 * after that. NULL where there is no expression. */
const char *part_split(const char *text, const char **expression, struct arena *arena);

/* "RE=FACTOR", an option's argument. */
MUST_CHECK bool factor_parse_part(const char *option, const char *text, const char **expression,
                                  double *factor, struct arena *arena, struct error *err);

/* ---- which of the files a task of many is to read: --share I/N, or as an engine says ---- */

/* Of `count` things the share's: first … end - 1. Shares are runs, for ranks of one host are
 * neighbours. `text` is "I/N" with I from 0, or "auto": Slurm's array or step, Open MPI, PMI. NULL
 * is all. */
MUST_CHECK bool share_take(const char *text, size_t count, size_t *first, size_t *end,
                           struct error *err);

/* ---- from options and devices to the peaks that work is compared with ---- */

struct ceiling_choice {
    double peak_tflops, peak_gbs, link_gbs, l2_gbs, l1_gbs, clock_mhz;
    const char *gpu;
    const char *achievable; /* NULL, "measured", or a share */
    int precision;          /* 0: by the work; else 1 + enum precision */
};

extern const struct option ceiling_options[]; /* of struct ceiling_choice */

/* The user's, else what the device's parts make, else those of the table, for the first device that
 * any of the graphs has. Adds where each is from to the report (NULL: nowhere), and doubts about
 * what was given.
 * ERROR_USAGE for a GPU that is not known, or not well enough. */
MUST_CHECK bool ceilings_find(const struct ceiling_choice *choice,
                              const struct report_input *inputs, uint32_t count,
                              struct arena *arena, struct ceilings *ceilings, struct report *report,
                              struct error *err);

/* ---- the operand FUNC: the functions that a command is about ---- */

/* Takes FUNC off the operands and leaves the file. Where one of two is a file and the other is
 * none, their order does not matter. name_pattern_free() when true. */
MUST_CHECK bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                              struct name_pattern *pattern, struct error *err);

#endif
