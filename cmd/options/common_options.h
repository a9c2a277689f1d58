/* SPDX-License-Identifier: Apache-2.0 */
/* common_options.h — what every command that reads a profile can be asked, and the rows for it */
#ifndef PTK_CMD_OPTIONS_COMMON_OPTIONS_H
#define PTK_CMD_OPTIONS_COMMON_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "cmd/options/run_part.h"
#include "render/forms/report.h"

/* ---- the options that commands share, so that a word means the same in all of them ---- */

enum names_choice { NAMES_SHORT, NAMES_FULL };

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
    bool is_of_events; /* of a timeline events are selected, and nothing that is made of them */
};

/* How the profile is read, which part of it is meant, and how the answer is written: the first member of
 * what a command is asked. Zeroed is the default. */
struct common {
    const char *from;  /* NULL: recognise the format */
    const char *value; /* NULL: the file's default */
    struct run_part part;
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
    const char *columns;           /* "name,self"; NULL: those that the form shows */
    uint32_t budget;               /* tokens that the answer may take; 0: any */
    int names;                     /* enum names_choice */
    bool is_quiet;
    bool is_schema;                /* the schema of the JSON in place of it */
    bool is_csv_safe;
    enum content content; /* what the command needs to have an answer */
    bool tells_warnings;  /* they are part of the answer, and not said on standard error, too */
};

extern const struct option input_options[];   /* of struct common */
extern const struct option part_options[];    /* of struct common: which part of the run */
extern const struct option capture_options[]; /* of struct common: captures of graphs */
extern const struct option base_options[];    /* of struct common: what to take away first */
extern const struct option output_options[];  /* of struct common */
extern const struct option report_options[];  /* of struct common: the forms of a report ... */
extern const struct option chart_options[];   /* ... and of one that has a chart */

extern const struct option selection_options[]; /* of struct common: which functions, and by what */
extern const struct option filter_options[];    /* those without what rows are of */
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

#endif
