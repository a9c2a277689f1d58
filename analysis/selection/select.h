/* SPDX-License-Identifier: Apache-2.0 */
/* select.h — the part of a profile that is shown: --focus, --hide, --by, --begin */
#ifndef PTK_ANALYSIS_SELECTION_SELECT_H
#define PTK_ANALYSIS_SELECTION_SELECT_H

#include "base/checked.h"
#include "base/error/error.h"
#include "base/text/pattern.h"
#include "graph/model/graph.h"

/* ---- which functions a text means that a user typed ---- */

/* What ptk prints can be typed back: a whole label, "svc.py:37(handle)", a label without its
 * function, "svc.py:37", the end of either from a folder on, as it is printed when it is
 * shortened, or a name. Else the text is a regular expression. */

struct name_pattern {
    const char *text; /* as typed; borrowed */
    bool is_literal;  /* never an expression: also a part of a name or label */
    bool is_regex;
    struct pattern regex;
    struct error fault; /* why it is no regular expression */
};

/* A text that is no expression may still be a name: that it is neither is found when it is used. */
void name_pattern_set(struct name_pattern *pattern, const char *text, bool is_literal);

/* By frame, in the arena; frame 0 never matches. NULL where none does.
 *
 * Of a function that is asked for: as printed, else by the expression in its name. */
bool *name_pattern_function(const struct graph *graph, const struct name_pattern *pattern,
                            struct arena *arena);

/* Of what is selected: by the expression in its name, file or module, else as printed. */
bool *name_pattern_select(const struct graph *graph, const struct name_pattern *pattern,
                          struct arena *arena);

/* Says that nothing matches, ERROR_NO, or that it is no expression either, ERROR_USAGE; false. */
bool name_pattern_lack(const struct name_pattern *pattern, struct error *err);

void name_pattern_free(struct name_pattern *pattern);

/* ---- a part of a profile: --focus, --ignore, --hide and --show, in the order given ---- */

/*                 call tree (exact)                      call graph                flat
 *     focus RE    stacks that hold a match               what flows over a match   rows that
 *                                                        (focus_calls.c)           match
 *     ignore RE   stacks that hold none                  what does not             rows that
 *                                                                                  do not
 *     hide RE     matches leave their stacks; what they cost goes to their         rows that
 *                 callers (on a call graph past the first caller: estimated)       do not
 *     show RE     hide all that does not match                                     rows that match
 *     mine        show what own_code_find() finds, or what matches a pattern of one's own
 *
 * A frame matches by its name, its file or its module, or as it is printed.
 * Shares stay shares of the whole profile. */

enum filter_kind { FILTER_FOCUS, FILTER_IGNORE, FILTER_HIDE, FILTER_SHOW, FILTER_MINE };

struct filter {
    enum filter_kind kind;
    struct name_pattern pattern; /* without a text: of FILTER_MINE */
    bool has_match;              /* out: whether the profile has a function that matches */
    struct span package; /* out, of FILTER_MINE: where its code has next to nothing as its own, the package
                            that has most; borrowed from the graph */
    double own_share, package_share;
};

/* Narrows the graph to what the filters leave. Levels above the one that they work on are no
 * longer there. Derives what it needs first. */
void select_apply(struct graph *graph, struct filter *filters, uint32_t count);

/* Makes one node of a function that calls itself directly, however often. The graph must have
 * LEVEL_CALLTREE, and has no other level after. */
void select_fold_recursion(struct graph *graph);

/* ---- the levels on which select.h works, one file each ---- */

/* Keeps the stacks that end in some nodes of the call tree. */
void select_nodes(struct graph *graph, const bool *keeps);

/* Keeps some functions, by index, and the calls between them. */
void keep_functions(struct graph *graph, const bool *keeps);

/* Where a figure of a function is an estimate, it is marked so; a mark stays. */
void functions_mark(struct functions *functions, uint32_t function, enum estimate estimate,
                    bool is_one);

/* Copies a call's figures to another place of the table. */
void move_call(struct calls *calls, uint32_t to, uint32_t from);

/* Keeps what flows over functions that match, or what does not. */
void focus_calls(struct graph *graph, const bool *is_match, bool is_focus);

/* Takes functions out of the call graph and gives their cost to their callers. */
void hide_functions(struct graph *graph, const bool *hides);

/* ---- the same profile by something other than functions: --by file, module, kind ---- */

enum group_by {
    BY_FUNCTION,      /* as the parser tells them apart: name, file, line, module, kind */
    BY_NAME,          /* by name alone, what pprof calls functions */
    BY_FILE_FUNCTION, /* name and file */
    BY_FILE,
    BY_MODULE,
    BY_LINE,    /* DETAIL_LINE where the file has it, else as functions */
    BY_ADDRESS, /* DETAIL_ADDRESS */
    BY_KIND,
    BY_PACKAGE, /* frame_package() */
    BY_TRACK,
    BY_THREAD, /* the same in other words */
    BY_CATEGORY, /* what device work computes; of the host as the file calls it */
    BY_STEP,
    BY_STAGE, /* of serving: prefill, decode */
    BY_DETAIL,
    BY_LABEL,    /* the outermost frame, which says what label a sample has */
    BY_TAG_ROOT, /* functions still, below that frame */
    BY_TAG_LEAF  /* functions, and that frame innermost */
};

/* In the order of the enum, for commands that take more. */
#define GROUP_NAMES                                                                                \
    [BY_FUNCTION] = "function", [BY_NAME] = "name", [BY_FILE_FUNCTION] = "filefunction",           \
    [BY_FILE] = "file", [BY_MODULE] = "module", [BY_LINE] = "line", [BY_ADDRESS] = "address",      \
    [BY_KIND] = "kind", [BY_PACKAGE] = "package", [BY_TRACK] = "track", [BY_THREAD] = "thread",    \
    [BY_CATEGORY] = "category", [BY_STEP] = "step", [BY_STAGE] = "stage", [BY_DETAIL] = "detail",  \
    [BY_LABEL] = "label:KEY", [BY_TAG_ROOT] = "tagroot:KEY", [BY_TAG_LEAF] = "tagleaf:KEY"

extern const char *const group_names[]; /* those; ends with NULL */

/* By something that events have, and functions have not: it is marked before levels are derived. */
bool group_is_of_events(enum group_by by);

/* By what the host and a device do not share, so that both can be in one list. */
bool group_parts_worlds(enum group_by by);

/* By frame, whose row its time is in; NULL: functions have rows of their own. In the arena; the graph's rows
 * are groups then. ERROR_USAGE where a frame alone does not tell it. */
MUST_CHECK bool group_rows(struct graph *graph, enum group_by by, struct arena *arena,
                           const frame_id **rows, struct error *err);

/* By frame, that of its group, which has the kind of its first frame; in the arena. */
frame_id *group_frames(struct graph *graph, enum group_by by, struct arena *arena);

/* Merges the graph's frames. Exact on a call tree. On a call graph a group's self and calls are
 * exact; its cum counts the calls that enter it from other groups, at most the whole, which is
 * too much where groups call each other back, and a warning says so. False with ERROR_LACK when
 * the profile does not know what is asked. */
MUST_CHECK bool group_apply(struct graph *graph, enum group_by by, struct error *err);

/* Merges functions that are one: `group` says by frame which it becomes. */
MUST_CHECK bool group_functions_as(struct graph *graph, const frame_id *group, struct error *err);

/* ---- what a timeline's events belong to besides their functions: track, step, detail ---- */

/* Levels below the timeline forget it. So frames are distinguished by it first, which selection
 * leaves alone, and group_apply() merges by that. */

/* Before anything is derived. Does nothing where the profile does not know. Device work is in the
 * step that launched it. Steps need PROP_STEP and launches, categories that they are kept,
 * details PROP_DETAIL. */
void group_mark_events(struct graph *graph, enum group_by by);

/* ---- a run apart from what it spent on importing modules: --no-imports ---- */

/* On a call tree that is exact: no stack with an import on it is kept (imported_nodes_find()). A call graph has
 * no stacks:
 *
 * - What is an import itself, or the body of a module that took no longer than the longest import,
 *   goes: longer ones are the program's. Of Python 2, which has no function that imports, the body
 *   of a module that other functions than exec call.
 * - Of every other function goes what the file says of the calls that imports made to it: all or nothing
 *   where it has one caller. Where a caller runs in imports and outside it is an estimate, marked.
 * - Of a cumulative time goes what it has in common with imports: import_calls.c says within which bounds. */

/* Narrows the graph; returns how much self time went. Of a flat profile only the rows of imports
 * themselves go. */
int64_t select_no_imports(struct graph *graph);

/* By function, how much of its own time was in imports, which is what select_no_imports() takes. NULL where
 * nothing was imported, or where nobody knows who called whom. In the arena; needs LEVEL_FLAT. */
const int64_t *imports_of_functions(const struct graph *graph, struct arena *arena);

/* The two of a graph that has no more than calls. */
const int64_t *imports_of_calls(const struct graph *graph, struct arena *arena);
void take_imports(struct graph *graph, struct arena *arena);

/* ---- a profile for others to see: --mask ---- */

/* Names of the program's own code, their files and modules, labels, threads and processes become numbered tokens:
 * one a text, in the order in which they are met. Call stacks and values of arguments go. Kinds, times, sizes,
 * shapes, and the names of libraries, of known kernels and of steps stay. The graph is only written after. */
void graph_mask(struct graph *graph);

/* ---- a part of a timeline as if nothing else had been recorded: timeline_part.c ---- */

/* All are for graphs that have no level but their timeline yet. With an event goes what belongs to it; a launch
 * that is left out is none. Counts are of the events that are left. */

/* Events that reach out of [start, end) are cut, those outside dropped; so are samples of counters, but for the
 * one that holds at the start. */
uint32_t timeline_clip(struct graph *graph, int64_t start, int64_t end);

/* The events of some tracks, by track. */
uint32_t timeline_keep_tracks(struct graph *graph, const bool *keeps);

/* By frame, whether a filter matches. Work of a device is in the call that launched it:
 *
 *     focus, ignore   events that match or are in one that does, or those that neither do nor are; steps stay
 *     hide, show      events that do not match, or that do; what they launched is the caller's */
void timeline_select(struct graph *graph, enum filter_kind kind, const bool *matches);

/* The same as with a focus, by event; without the steps, if those are not wanted. */
uint32_t timeline_focus(struct graph *graph, const bool *matches, bool keeps_steps);

/* Without what imports modules, and what runs meanwhile. */
void timeline_without_imports(struct graph *graph);

/* The filters in the order given. */
void timeline_filter(struct graph *graph, struct filter *filters, uint32_t count);

#endif
