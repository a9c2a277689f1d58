/* SPDX-License-Identifier: Apache-2.0 */
/* hotspots.h — functions in order: hotspots, their order, callers and callees, lines, labels */
#ifndef PTK_ANALYSIS_FUNCTIONS_HOTSPOTS_H
#define PTK_ANALYSIS_FUNCTIONS_HOTSPOTS_H

#include "analysis/execution/task_graph.h"
#include "analysis/functions/call_edges.h"
#include "analysis/timeline/percentiles.h"
#include "base/checked.h"
#include "base/error/error.h"
#include "graph/model/graph.h"

/* ---- sorting functions by what the user asks for, several keys deep ---- */

enum order_key {
    ORDER_SELF, /* figures: the largest first */
    ORDER_CUM,
    ORDER_CALLS,
    ORDER_PRIMITIVE,
    ORDER_MAX,
    ORDER_MIN,
    ORDER_NAME, /* texts and lines: ascending */
    ORDER_FILE,
    ORDER_LINE,
    ORDER_LABEL,     /* the text that stands for the whole function */
    ORDER_FILE_ORDER /* as in the profile */
};

enum { ORDER_KEYS_MAX = 8 };

struct order {
    enum order_key keys[ORDER_KEYS_MAX];
    uint32_t count;
    bool is_reversed; /* the finished list, ties included, as pstats reverses */
};

/* "cumtime,name": the names of pstats and of pprof alike. False with ERROR_USAGE. */
MUST_CHECK bool order_parse(struct order *order, const char *text, struct error *err);

/* All names that order_parse() takes, the usual ones first; ends with NULL. */
extern const char *const order_names[];

/* What is sorted: functions by their own figures, or edges by theirs under a function's name. */
struct order_items {
    const struct graph *graph;
    const uint32_t *function; /* of item i; NULL: item i is function i */
    const int64_t *calls, *primitive_calls, *self, *cum, *min, *max; /* by item */
};

/* The graph's functions. */
struct order_items order_items_of(const struct graph *graph);

/* Sorts the indices. Stable: what ties stays as it was. UNKNOWN figures come last. */
void order_sort(const struct order *order, const struct order_items *items, uint32_t *indices,
                uint32_t count);

/* As order_sort, but only the first `limit` (0: all) need be right; returns how many those are.
 * Much faster when few of many are wanted. */
uint32_t order_top(const struct order *order, const struct order_items *items, uint32_t *indices,
                   uint32_t count, uint32_t limit);

/* ---- where does the time go: functions, the costliest first ---- */

struct hotspots_options {
    struct order order;
    uint32_t limit;     /* rows; 0 is all */
    double min_percent; /* rows whose self and cum are both below are left out */
};

struct hotspots_row {
    uint32_t function;    /* index into graph->functions, which has the figures */
    double self_share;    /* of `total`; NaN, as the others, of idle time */
    double cum_share;     /* of `whole`; NaN where it is not known */
    double running_share; /* self of this row and those above it, of `total` */
};

struct hotspots {
    struct hotspots_row *rows; /* in the arena given to hotspots_compute */
    uint32_t count;
    uint32_t left_out;              /* rows past the limit or below the percentage */
    int64_t left_out_self;          /* what they add up to */
    int64_t nameless;               /* self of all code that has no name */
    struct wait_only wait_only;     /* their part of the total; none where only a part is asked */
    int64_t total;                  /* of self over all functions, but for idle time */
    int64_t idle;                   /* see graph_idle(); its rows are the last */
    int64_t whole;                  /* what 100 % of cum means: see graph_whole() */
    int64_t calls, primitive_calls; /* over all functions, or UNKNOWN */
    const struct percentiles *measured; /* by row, of single calls; NULL: not asked for */
};

/* The graph must have LEVEL_FLAT. */
void hotspots_compute(const struct graph *graph, const struct hotspots_options *options,
                      struct arena *arena, struct hotspots *hotspots);

/* How the durations of single calls of each row vary, exactly; in memory for those of these rows alone. Of a
 * timeline that is whole, whose rows are functions. */
void hotspots_measure_calls(const struct graph *graph, struct arena *arena,
                            struct hotspots *hotspots);

/* ---- who calls a function, or whom it calls: how often and for how long ---- */

enum direction { CALLERS, CALLEES };

struct relatives_options {
    enum direction direction;
    const bool *is_wanted; /* by frame */
    struct order order;    /* of the functions, and of the edges of each */
    uint32_t limit;        /* functions, and edges of each; 0 is all */
    double min_percent;    /* edges whose cum is less of the whole are left out */
};

/* One function that matches; its edges are edges[first] … edges[first + count - 1]. */
struct relatives_row {
    uint32_t function;
    uint32_t first, count;
    uint32_t left_out;
};

struct relatives {
    enum direction direction;
    struct relatives_row *rows; /* in the arena */
    uint32_t count;
    uint32_t left_out; /* functions past the limit */
    uint32_t *edges;   /* indices into graph->calls */
    int64_t whole;     /* what 100 % means: see graph_whole() */
};

/* The function at the other end of an edge. */
static inline uint32_t relative_of(const struct relatives *relatives, const struct graph *graph,
                                   uint32_t edge)
{
    return relatives->direction == CALLERS ? graph->calls.caller[edge] : graph->calls.callee[edge];
}

/* The graph must have LEVEL_CALLGRAPH. No match gives no rows. */
void relatives_find(const struct graph *graph, const struct relatives_options *options,
                    struct arena *arena, struct relatives *relatives);

/* ---- what every function has as its own of each value that the profile measures ---- */

/* In the arena, in the values' base units. */
struct value_columns {
    const int64_t *self; /* by function and value: self[function * graph->values.count + value] */
    int64_t *total;      /* by value: their sums, but for idle time */
};

/* The graph must have been built with builder_options.all_values, and have LEVEL_FLAT. False where
 * its parser kept the selected value alone, and of a timeline, whose values are views of one time. */
bool value_columns_find(const struct graph *graph, struct arena *arena,
                        struct value_columns *columns);

/* ---- what each line of source costs, function by function ---- */

/* For profiles whose frames are lines (DETAIL_LINE): a function is all lines of one name and
 * file, and where the profile tells it of one beginning: an overload, or one without a name. */

struct lines_function {
    uint32_t first, count; /* its lines in `lines`, ascending */
    frame_id frame;        /* of its first line; name and file are the function's */
    int64_t self;          /* of all its lines */
    int64_t cum; /* with what they call, recursion once; UNKNOWN where lines do not tell */
};

struct lines {
    struct lines_function *functions; /* the costliest first */
    uint32_t count;
    uint32_t left_out; /* functions past the limit */
    uint32_t *rows;    /* indices into graph->functions */
    uint32_t row_count;
    int64_t total; /* self of all lines */
    bool has_hits; /* how often each line ran is known */
};

/* The graph must have LEVEL_FLAT and frames that are lines. Where it was made of stacks it tells
 * `cum` only if it has LEVEL_CALLTREE, too. `limit`: functions; 0 is all.
 * `is_wanted` by frame; NULL: all. The total is that of all, but for idle time, which has no lines. */
void lines_compute(const struct graph *graph, const bool *is_wanted, uint32_t limit,
                   struct arena *arena, struct lines *lines);

/* What of the selected value falls on parts of the code that stacks lead through: `part_of` says of
 * each frame which of them it is in, counted from 1; 0: none. `flat` (NULL: not wanted) is the leaves',
 * `cum` all that passes while a frame of the part is on the stack, were it several times. Both are by
 * part, counted from 0, and zeroed. */
void stack_parts_sum(const struct graph *graph, const uint32_t *part_of, uint32_t count, int64_t *flat,
                     int64_t *cum, struct arena *arena);

/* ---- the instructions of functions, with what samples say of each ---- */

struct code_function {
    struct symbol_function symbol;
    struct symbol_binary *binary;
    struct instruction *list;
    uint32_t count;
    int64_t flat, cum;         /* of the whole function */
    int64_t *flat_at, *cum_at; /* by instruction */
    const char *trouble;       /* why there are no instructions: a literal, or NULL */
};

struct disassembly {
    struct code_function *functions; /* the costliest first */
    uint32_t count;
    uint32_t left_out; /* functions past the limit */
    int64_t total;     /* of all samples */
    uint32_t *instruction_of; /* by frame: of all functions' instructions, from 1; 0: none */
    uint32_t instruction_count;
    const struct code_function *hottest; /* whose instruction has the most flat; NULL: none has any */
    uint32_t hottest_at;                 /* which of its instructions that is */

    /* The first wanted place whose code was not found, if there is one. */
    const struct symbol_binary *lost; /* NULL: it is in no binary that the profile has */
    const char *why;                  /* a literal; NULL: all were found */
};

/* The functions of binaries that the code of the wanted frames is in. Where a wanted function's code
 * stands in its callers' everywhere, those are shown. A sample counts once in an instruction's cum,
 * however often its stack passes there; flat is its instruction's that holds the leaf's address. The
 * graph must have LEVEL_CALLTREE, LEVEL_FLAT and DETAIL_ADDRESS. `limit`: functions; 0 is all. Texts are the
 * symbols'. */
void disassembly_compute(const struct graph *graph, const bool *is_wanted, struct symbols *symbols,
                         enum assembly_syntax syntax, uint32_t limit, struct arena *arena,
                         struct disassembly *disassembly);

/* A function's line of source with the instructions that were made of it, and of what was inlined there. */
struct code_line {
    struct span file; /* empty: not known */
    int64_t line;
    uint32_t first, count; /* code_lines.order[first] … */
    int64_t flat, cum;
};

struct code_lines {
    struct code_line *list; /* of each function by file, its first instruction's first, and line */
    uint32_t *first;        /* by function: first[f] … first[f + 1] - 1 */
    uint32_t *order;        /* instructions of the function, ascending within a line */
};

void disassembly_by_line(const struct graph *graph, const struct disassembly *disassembly,
                         struct arena *arena, struct code_lines *lines);

/* ---- what samples were labelled with, and what the samples of each label come to ---- */

struct labels_row {
    struct sample_label label;
    int64_t samples, value;
    double share; /* of the whole profile's value */
};

/* By key, and of one key those first that come to most. A sample with two labels of one key counts
 * in both. */
struct labels {
    struct labels_row *rows; /* in the arena */
    uint32_t count;
    uint32_t most; /* the row that comes to most, the first of equal ones */
    uint32_t keys;
    int64_t total;
};

/* The graph must have been built with builder_options.labels. */
void labels_rank(const struct graph *graph, struct arena *arena, struct labels *labels);

/* ---- does a call graph add up? what was entered from outside, and what got lost ---- */

/* A profiler that tells functions apart by their label (file, line, name) lets two functions of
 * one label overwrite each other: their time is in their callers' cum but in nobody's self. Then
 *     cum(f) − self(f) = Σ cum of the calls that f makes       (f not recursive)
 * fails at the caller, which misses a callee, or at the survivor, which has too many. A profiler that
 * leaves built-in functions out, as yappi does unless it is told not to, loses their time in the
 * same way. */

struct imbalance {
    uint32_t function;
    int64_t excess; /* cum − self − Σ cum of its calls: > 0 callees are missing, < 0 too many */
};

#define INTEGRITY_LOSS 0.01 /* the share that is too much to lose */

struct integrity {
    bool can_tell; /* false when the profile has no edges, or no times on them */
    struct entries entries;
    uint32_t runs;                /* entries that hold 1 % or more of `entered` */
    int64_t entered;              /* time that passed between entering and leaving the profile */
    int64_t recorded;             /* time that functions have as self */
    int64_t lost;                 /* entered − recorded, at least 0 */
    double lost_share;            /* of `entered` */
    bool lacks_builtins;          /* the file says so: their time is lost, no label */
    struct imbalance *imbalances; /* the largest first; above 0.2 % of `entered` each */
    uint32_t imbalance_count;
};

/* The graph must have LEVEL_FLAT, and calls or their totals. */
void integrity_check(const struct graph *graph, struct arena *arena, struct integrity *integrity);

/* Adds a warning to a graph that lost more than INTEGRITY_LOSS: a note where that is what was not recorded. Does nothing to a graph whose
 * call graph was derived: that adds up by construction. */
void integrity_warn(struct graph *graph);

#endif
