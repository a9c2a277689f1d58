/* SPDX-License-Identifier: Apache-2.0 */
/* callgrind.h — callgrind's files: fields and costs */
#ifndef PTK_PARSERS_CALLGRIND_CALLGRIND_H
#define PTK_PARSERS_CALLGRIND_CALLGRIND_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "base/text/unit.h"
#include "graph/build/builder.h"

/* ---- what callgrind's lines add up to: functions, and the calls between them ---- */

/* Calls from one line. */
struct cost_call {
    uint32_t caller, callee;
    bool is_nested; /* the callee is on the stack already */
    int64_t calls, cost;
};

/* All the calls from one function to another. */
struct cost_edge {
    uint32_t caller, callee;
    int64_t calls;
    int64_t cost; /* with callees; a call below one of the same kind is in it again */
    int64_t outer_calls, outer_cost; /* of those that are not nested */
};

/* Ready for use when zeroed. */
struct costs {
    int64_t *self; /* by function, as the builder numbers them */
    uint32_t function_count;
    size_t function_cap;
    struct VECTOR_OF(struct cost_edge) edges;
    struct idmap edge_of;
    int64_t total;
    bool has_calls;  /* some call is counted: those who only sample write 0 */
    bool has_levels; /* calls tell whether they are nested */
};

void costs_add_self(struct costs *costs, uint32_t function, int64_t cost);
void costs_add_call(struct costs *costs, const struct cost_call *call);

/* Hands all over. A function's cumulative cost is its own and that of its calls to others. Where
 * functions call each other in a cycle those calls are counted in each other: there it is that of
 * the outermost calls to the function, or if these is not known, at most that of the whole cycle;
 * then the functions are counted as a warning. */
void costs_finish(const struct costs *costs, struct builder *builder);

void costs_free(struct costs *costs);

/* ---- which functions call each other in a circle, directly or through others ---- */

/* By function the number of its cycle, all numbers below the count of functions. Functions that
 * can reach each other have the same; one in no cycle has a number of its own. In the arena. */
uint32_t *cycles_find(const struct costs *costs, struct arena *arena);

/* ---- what a function is, by its name, file and object ---- */

struct callgrind_frames {
    struct builder *builder;
    bool has_levels;   /* the writer tells levels of recursion apart */
    bool has_builtins; /* some function has no line */
    uint64_t levels;   /* of recursion, merged into their function */
};

/* "f'2": f below another f. Callgrind tells the levels of recursion apart, by its default two. */
bool is_recursion_level(const struct callgrind_frames *frames, struct span name);

struct frame callgrind_frame(struct callgrind_frames *frames, str_id object, str_id file,
                             str_id function);

/* ---- callgrind's costs by line of source, where those are asked for ---- */

/* Positions are numbers, or relative to those of the line before: "+3", "-2", "*" for the same. */

/* Ready for use when zeroed. Functions of the builder are lines here. */
struct line_costs {
    int64_t *self, *called; /* by function: what the line costs itself, and what it calls */
    uint32_t count;
    size_t cap;
    int64_t total; /* of `self` */
};

/* Moves `position` to what a line says; false when that is no position. */
bool line_position(struct span word, int64_t *position);

void line_costs_add(struct line_costs *lines, uint32_t line, int64_t self, int64_t called);

/* Hands all over. */
void line_costs_finish(const struct line_costs *lines, struct builder *builder);

void line_costs_free(struct line_costs *lines);

/* What the lines of a callgrind file are written in: its events, and
 * abbreviated names. */

/* ---- callgrind's compressed names: "(12) main" the first time, "(12)" from then on ---- */

/* One number space: files, functions or objects. Ready for use when zeroed. */
struct compressed_names {
    struct idmap places;
    struct VECTOR_OF(str_id) names;
    uint64_t undefined; /* numbers used before they were given a name */
};

/* The name that the text stands for. One without a number is itself; a number that no line has
 * named yet is its own name, and counted. */
str_id compressed_name(struct compressed_names *names, struct builder *builder, struct span text);

void compressed_names_free(struct compressed_names *names);

/* ---- what a callgrind file counts: "events: Ir sysTime", "events: Time_(10ns)" ---- */

enum { EVENTS_MAX = 64 };

struct event_column {
    struct span name; /* without the unit; in the arena */
    enum unit unit;
    int64_t scale; /* base units in one of the file's */
};

/* Ready for use when zeroed. */
struct event_columns {
    struct event_column list[EVENTS_MAX];
    uint32_t count;
    const char *line; /* as the file has it; in the arena */
    struct arena arena;
};

/* Reads the names behind "events:". False when there are none, or too many. */
bool events_read(struct event_columns *events, struct span names);

/* What "event: sysTime : sysTime (elapsed ns)" says of one column's unit. It comes before the
 * list of the columns, so it is kept until then. */
void events_describe(struct event_columns *events, struct span text);

/* Gives a column its unit where that is known from who wrote the file. */
void events_know(struct event_columns *events, struct span name, enum unit unit, int64_t scale);

void events_free(struct event_columns *events);

#endif
