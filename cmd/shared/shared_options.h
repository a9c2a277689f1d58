/* SPDX-License-Identifier: Apache-2.0 */
/* shared_options.h — the options that commands share, so that a word means the same in all of
 * them */
#ifndef PTK_CMD_SHARED_SHARED_OPTIONS_H
#define PTK_CMD_SHARED_SHARED_OPTIONS_H

#include "base/cli/option.h"
#include "cmd/shared/time_window.h"
#include "render/forms/report.h"

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* How the profile is read and the answer written; zeroed is the default. */
struct common {
    const char *from;  /* NULL: recognise the format */
    const char *value; /* NULL: the file's default */
    struct time_window window;
    const char *binary_path; /* folders, separated by colons; or NULL */
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
    bool tells_warnings; /* they are part of the answer, and not said on standard error, too */
};

extern const struct option input_options[];   /* of struct common */
extern const struct option window_options[];  /* of struct common: part of a run */
extern const struct option capture_options[]; /* of struct common: captures of graphs */
extern const struct option base_options[];    /* of struct common: what to take away first */
extern const struct option output_options[];  /* of struct common */
extern const struct option report_options[];  /* of struct common: the forms of a report ... */
extern const struct option chart_options[];   /* ... and of one that has a chart */

/* What part of a profile is meant. */
struct selection {
    struct option_values filters; /* tagged with enum filter_kind */
    struct option_values labels;  /* KEY=VALUE, likewise */
    struct option_choice by;      /* enum group_by */
    bool is_literal;              /* names are no expressions */
    bool no_imports;
};

extern const struct option selection_options[]; /* of struct selection */
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

/* What verdicts go by. */
struct judging {
    int stretch;                 /* enum stretch */
    struct option_values limits; /* for thresholds_take() */
};

extern const struct option judging_options[]; /* of struct judging */

#endif
