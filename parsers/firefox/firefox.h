/* SPDX-License-Identifier: Apache-2.0 */
/* firefox.h — a profile of the Firefox Profiler while it is read */
#ifndef PTK_PARSERS_FIREFOX_FIREFOX_H
#define PTK_PARSERS_FIREFOX_FIREFOX_H

#include "base/text/string_table.h"
#include "parsers/json/json.h"
#include "parsers/stacks/sampled_stacks.h"

/* The columns that are read, of whichever form and version: each is there in some. */
enum firefox_column {
    SAMPLE_STACK,
    SAMPLE_TIME,
    SAMPLE_TIME_DELTA,
    SAMPLE_WEIGHT,
    SAMPLE_CPU,
    JS_STACK,
    JS_WEIGHT,
    NATIVE_STACK,
    NATIVE_WEIGHT,
    STACK_FRAME,
    STACK_PREFIX,
    STACK_PREFIX_OFFSET,
    STACK_CATEGORY,
    FRAME_FUNC,
    FRAME_LOCATION,
    FRAME_LINE,
    FRAME_LIB,
    FRAME_CATEGORY,
    FRAME_ADDRESS,
    FRAME_INLINE_DEPTH,
    FUNC_NAME,
    FUNC_RESOURCE,
    FUNC_IS_JS,
    FUNC_FILE,
    FUNC_SOURCE,
    FUNC_LINE,
    RESOURCE_LIB,
    RESOURCE_NAME,
    RESOURCE_TYPE,
    SOURCE_FILE,
    MARKER_NAME,
    MARKER_START, /* this and the next two are read for a timeline alone */
    MARKER_END,
    MARKER_PHASE,
    FIREFOX_COLUMNS
};

enum {
    MS_TO_NS = 6,     /* times are milliseconds */
    WEIGHT_SCALE = 6, /* weights are kept in millionths: of milliseconds these are ns */
    CPU_SCALE = 3,    /* and CPU use in thousandths: of µs these are ns */
};

struct firefox_lib {
    str_id name, path, build_id;
    uint64_t start, end; /* addresses, of the gecko form; 0: not known */
};

/* The tables of a thread, or those that all threads of a process share. */
struct firefox_tables {
    struct VECTOR_OF(int64_t) columns[FIREFOX_COLUMNS]; /* UNKNOWN: null */
    struct VECTOR_OF(str_id) strings;
    struct VECTOR_OF(str_id) categories; /* by number */
    struct VECTOR_OF(struct firefox_lib) libs;
    frame_id *frames;            /* by row of the table of frames; NULL: not made yet */
    struct sampled_node *stacks; /* likewise; a parent is a row before it, or NO_STACK */
    node_id *nodes;              /* of the tree, likewise */
    int64_t *sums;               /* by stack, where labels are wanted: of one thread at a time */
    uint32_t first_stack;        /* of the timeline: its number of row 0 */
};

struct firefox_process {
    struct firefox_tables shared;
    int64_t start;      /* ns since 1970 */
    int64_t interval;   /* ns between samples; 0: not known */
    int64_t cpu_per_ns; /* how much of a CPU delta, as kept, is one ns; 0: it counts cycles */
};

enum firefox_value {
    FIREFOX_SAMPLES,
    FIREFOX_CPU,
    FIREFOX_CYCLES,
    FIREFOX_TRACING,
    FIREFOX_BYTES,
    FIREFOX_JS_ALLOC,
    FIREFOX_NATIVE_ALLOC,
    FIREFOX_VALUES
};

struct firefox_thread {
    struct firefox_tables tables;
    uint32_t process;
    enum firefox_value weight; /* what the weights of its samples count */
    str_id name, process_name, pid, tid;
};

/* What a counter counted since the row before. */
struct firefox_count {
    int64_t time; /* ns */
    double count;
};

struct firefox_counter {
    str_id name;
    uint32_t process;
    bool is_cpu, is_memory;
    struct VECTOR_OF(struct firefox_count) samples;
};

struct firefox {
    struct builder *builder;
    struct json_stream *json;
    struct VECTOR_OF(struct firefox_process) processes;
    struct VECTOR_OF(struct firefox_thread) threads; /* those that have samples */
    struct VECTOR_OF(str_id) counters;               /* their names */
    struct VECTOR_OF(struct firefox_counter) curves; /* they themselves, for a timeline */
    bool wants_beside;                               /* markers and counters over time */
    uint64_t markers;
    bool by_line;      /* a frame is a line */
    bool is_of_python; /* Python's sampler: a function's line is one that ran, not its first */
};

/* A cell, UNKNOWN past the last row. */
static inline int64_t firefox_cell(const struct firefox_tables *tables, enum firefox_column column,
                                   int64_t row)
{
    return row >= 0 && (uint64_t)row < tables->columns[column].count
               ? tables->columns[column].list[row]
               : UNKNOWN;
}

void firefox_warn(struct firefox *firefox, enum severity severity, const char *text,
                  uint64_t times);

/* Whether a member of that name is a table of which columns are read. */
bool firefox_is_table(const struct json_key *key);

/* Reads one: its columns, or its rows under their schema. `weight`: what weights of samples count, where it
 * says so. */
void firefox_read_table(struct firefox *firefox, struct firefox_tables *tables,
                        const struct json_key *table, enum firefox_value *weight);

/* Makes frames and stacks of tables, once. `shared` has what they lack. */
void firefox_give_stacks(struct firefox *firefox, struct firefox_tables *tables,
                         struct firefox_tables *shared);

/* Keeps the series of the counter that was named last, as the file has it. */
void firefox_read_counter(struct firefox *firefox, struct token item, uint32_t process);

/* Adds markers and counters to the timeline that has the samples. */
void firefox_add_beside(struct firefox *firefox);

/* Hands all that was read to the builder, as a tree or as a timeline. */
MUST_CHECK bool firefox_build(struct firefox *firefox, struct error *err);

#endif
