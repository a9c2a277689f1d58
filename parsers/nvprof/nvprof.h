/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof.h — nvprof's CSV tables */
#ifndef PTK_PARSERS_NVPROF_NVPROF_H
#define PTK_PARSERS_NVPROF_NVPROF_H

#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"
#include "graph/build/builder.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"

/* ---- tables of nvprof, Nsight and rocprof: which column is what, and in which unit ---- */

/* Columns come and go with what was recorded, so they are found by their names. The same names
 * stand in CSV and in text; units stand below the header, in it, or in each cell. */

/* ---- what nvprof writes behind a name: the call that launched it, a device's number ---- */

/* Takes " [105]" off the end of a name: the call that launched it; of a call " (kernel [105])". -1
 * when there is none. */
int64_t name_take_correlation(struct span *name);

/* The last "(N)" of "TITAN X (Pascal) (0)", which is taken off; -1 where a text is cut before
 * it. */
int32_t name_take_ordinal(struct span *device);

/* ---- tables of nvprof, Nsight and rocprof: which column is what, and in which unit ---- */

enum nvprof_column {
    COLUMN_OTHER, /* one that is not read */
    COLUMN_TYPE,
    COLUMN_PERCENT,
    COLUMN_TIME,
    COLUMN_CALLS,
    COLUMN_AVG,
    COLUMN_MIN,
    COLUMN_MAX,
    COLUMN_START,
    COLUMN_DURATION,
    COLUMN_GRID, /* "(x y z)" */
    COLUMN_GRID_X,
    COLUMN_GRID_Y,
    COLUMN_GRID_Z,
    COLUMN_BLOCK,
    COLUMN_BLOCK_X,
    COLUMN_BLOCK_Y,
    COLUMN_BLOCK_Z,
    COLUMN_REGISTERS,
    COLUMN_STATIC,
    COLUMN_DYNAMIC,
    COLUMN_SIZE,
    COLUMN_THROUGHPUT,
    COLUMN_SOURCE,
    COLUMN_TARGET,
    COLUMN_DEVICE,
    COLUMN_CONTEXT,
    COLUMN_STREAM,
    COLUMN_UNIFIED,
    COLUMN_CORRELATION,
    COLUMN_KERNEL,
    COLUMN_INVOCATIONS,
    COLUMN_METRIC,
    COLUMN_DESCRIPTION,
    COLUMN_PROCESS,
    COLUMN_THREAD,
    COLUMN_DEVICE_NUMBER,
    COLUMN_CALL, /* the API call that launched the row's kernel */
    COLUMN_CALL_START,
    COLUMN_CALL_DURATION,
    COLUMN_CALL_AVG,
    COLUMN_CALL_MIN,
    COLUMN_CALL_MAX,
    COLUMN_NAME,
    COLUMN_COUNT_
};

enum table_kind {
    TABLE_NONE,
    TABLE_SUMMARY,
    TABLE_TRACE,
    TABLE_METRICS,        /* a row a kernel and metric */
    TABLE_WIDE,           /* a row a launch, a column a metric */
    TABLE_EXECUTIONS,     /* a row a launch: the call, and the kernel */
    TABLE_EXECUTION_SUMS, /* a row all launches of a kernel by a call */
};

enum table_form {
    FORM_CSV,
    FORM_COLUMNS, /* text, two blanks between cells */
    FORM_WORDS,   /* text, any blanks between cells */
    FORM_RULED,   /* text, each cell below its dashes, which an empty one leaves blank */
};

/* What the column of counts is called, which tells what the rows are. */
enum count_title { COUNT_CALLS, COUNT_INSTANCES, COUNT_API_CALLS, COUNT_OPERATIONS };

struct nvprof_table {
    enum table_kind kind;
    bool is_nsight; /* of nsys stats: decimal sizes, units in the header, a blank line at the end */
    bool is_ranges; /* rows are ranges that the program named */
    enum count_title count_title;
    enum table_form form;
    struct csv_header header;  /* which cell is which column, from the prefix on */
    size_t prefix;             /* cells of somebody else's before a row's own */
    uint32_t edge[FIELDS_MAX]; /* where in a line each column's dashes begin: FORM_RULED */
    bool awaits_units;         /* the line after the header may have them */
};

/* A row's cells by column; empty where it has none, or "-". */
struct nvprof_row {
    struct span cell[COLUMN_COUNT_];
};

/* Whether the line is a header; then it opens a new table. */
bool table_open(struct nvprof_table *table, struct span line);

/* Whether the line has the units of the open table, or is the dashes below its header; only the
 * first one after the header can. */
bool table_take_units(struct nvprof_table *table, struct span line);

/* Whether the line is a row of a trace: with a device, a context and a stream in its cells. What
 * the other cells mean only the header tells. */
bool table_is_headless(struct span line);

/* All cells of a line, as many as there are, without those before the table's own. */
bool table_fields(const struct nvprof_table *table, struct span line, struct csv_fields *fields);

static inline bool table_has(const struct nvprof_table *table, enum nvprof_column column)
{
    return csv_has(&table->header, column);
}

/* The cells of a line; false when it is no row of the table. */
bool nvprof_table_row(const struct nvprof_table *table, struct span line, struct nvprof_row *row);

/* ---- tables of metrics and events: what hardware counters saw of each kernel ---- */

/* Summed over launches ("Invocations" times "Avg"), one value an instance of the hardware
 * (--aggregate-mode off), of the whole run (--event-collection-mode continuous), or a row a launch
 * and a column a metric. */

/* Ready for use when zeroed. */
struct metrics {
    struct kernel_counters counters;
    struct idmap devices;
    frame_id frame; /* text: of the rows below "Kernel: …" */
    str_id device;
    uint64_t rows, missing;
    struct metric_rows {
        uint32_t kernel;       /* of the last row; its number + 1 */
        uint64_t here, before; /* its rows, and those of the kernel before it */
        uint32_t alike;        /* kernels in a row up to that one which have as many */
    } of_kernel;               /* in the table at hand */
    uint32_t column_metric[FIELDS_MAX]; /* of a wide table; the metric's index + 1 */
    struct column_unit column_unit[FIELDS_MAX];
    bool is_decimal; /* a GB is 10^9 bytes, as in old versions */
};

/* After table_open() of the line. */
void metrics_open(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line);

/* The units below the header of a wide table. */
void metrics_take_units(struct metrics *metrics, const struct nvprof_table *table,
                        struct span line);

/* A line below the header; false when it is none of the table's. */
bool metrics_take(struct metrics *metrics, struct builder *builder,
                  const struct nvprof_table *table, struct span line);

/* Gives what was counted to the builder; see kernel_counters_give(). */
void metrics_give(struct metrics *metrics, const struct kernel_totals *totals,
                  struct builder *builder);

void metrics_free(struct metrics *metrics);

/* ---- "CPU profiling result": a tree as text, callees first ("bottom up") or callers ---- */

enum { CPU_DEPTH_MAX = 1000 };

/* Hundredths of a percent, which are to make up the whole. */
struct table_shares {
    int64_t found;
    uint64_t rows;
    int64_t step; /* they were rounded to */
    bool is_unreadable;
};

struct cpu_row {
    frame_id frame;
    uint32_t parent; /* row + 1; 0: none */
    int64_t rest;    /* ns that no row below it has */
};

/* Ready for use when zeroed. */
struct cpu_samples {
    VECTOR(struct cpu_row);
    uint32_t open[CPU_DEPTH_MAX]; /* row + 1 of each depth, of the path read last */
    uint32_t depth;
    bool is_open; /* the heading has been, and its header */
    bool is_top_down;
    struct table_shares shares; /* of the rows that no other is above */
};

/* The heading "CPU profiling result (bottom up):", or any other, which ends the tree. */
void cpu_samples_heading(struct cpu_samples *samples, struct builder *builder, struct span text);

/* The rows so far are all of their tree: whether they make up the whole. */
void cpu_samples_end_rows(struct cpu_samples *samples, struct builder *builder);

/* A row of the tree; false when the line is none. */
bool cpu_samples_take(struct cpu_samples *samples, struct builder *builder, struct span line);

/* States the level of a file that has nothing else, and gives the builder its stacks. */
MUST_CHECK bool cpu_samples_finish(struct cpu_samples *samples, struct builder *builder,
                                   struct error *err);

void cpu_samples_free(struct cpu_samples *samples);

/* ---- summary tables: one row a kernel, copy or API call, with its count and times ---- */

/* Ready for use when zeroed. */
struct nvprof_summary {
    struct kernel_totals totals;
    enum section section, row_section; /* of the open table, and of its row */
    bool is_ranged;                    /* below "NVTX result:": activities told again, by range */
    bool has_main;                     /* some table was not told by range */
    uint64_t retold;                   /* rows left out since they are told by range, too */
    enum table_kind teller[SECTION_COUNT]; /* the first table of kernels, and of calls */
    uint64_t resummed;                     /* rows of others that say the same, left out */
    struct table_shares shares;            /* of the rows at hand: a table's, or a type's in it */
};

/* A heading: "API calls:", "NVTX result:". */
void summary_heading(struct nvprof_summary *summary, struct span text);

/* A table of nsys stats was opened; its heading told of the operating system, or not. */
void summary_open_nsight(struct nvprof_summary *summary, const struct nvprof_table *table,
                         bool is_os);

/* A row of the open table; false when its cells are not what they should be. */
bool summary_take(struct nvprof_summary *summary, struct builder *builder,
                  const struct nvprof_table *table, const struct nvprof_row *row);

/* A row of TABLE_EXECUTION_SUMS: calls, and the kernels that they launched. */
bool summary_take_executions(struct nvprof_summary *summary, struct builder *builder,
                             const struct nvprof_table *table, const struct nvprof_row *row);

/* The rows so far are all of their table, or of their type: whether they make up the whole. */
void summary_end_rows(struct nvprof_summary *summary, struct builder *builder);

/* What was left out. */
void summary_warn(const struct nvprof_summary *summary, struct warnings *warnings);

void summary_free(struct nvprof_summary *summary);

/* ---- bytes that wait for the end of the file: is a KB 1000 bytes in it, or 1024? ---- */

/* nvprof of CUDA 6 and before counts in thousands, later ones in 1024s, and no file says so. A
 * copy whose size and throughput have different prefixes ("8.0000MB" at "60.641GB/s") tells: size
 * over duration is the throughput in one of the two bases only. */

/* Ready for use when zeroed. */
struct waiting_sizes {
    struct waiting_size {
        uint32_t event;
        enum property property;
        struct amount amount, more; /* their sum is meant */
    } * list;
    size_t count, cap;
    uint64_t binary, decimal; /* rows that speak for either */
    bool is_nsight;           /* decimal by its manual */
    bool is_old;              /* figures as only old versions write them */
    bool is_new;              /* columns that only new versions have */
    bool has_prefix;          /* some copy's size has one: the base matters */
};

/* ---- traces of the GPU and of API calls: one row an event, with when and where it ran ---- */

struct trace_track {
    uint32_t track;
    int64_t end; /* ns: of its last event */
};

/* Ready for use when zeroed. */
struct nvprof_trace {
    bool has_begun; /* the file is a timeline */
    struct VECTOR_OF(struct trace_track) tracks;
    struct idmap places; /* a track's name, process, kind and run → which of them */
    struct idmap devices;
    struct waiting_sizes sizes;
    int64_t offset; /* ns: where the run begins that is read now */
    int64_t end;    /* ns: of the last event of all runs so far */
    int64_t resolution;
    uint32_t run;
    int64_t pid;
    uint64_t device_rows, api_rows, moved;
    enum table_kind teller; /* of the tables of calls and kernels, the first: others say the same */
    uint64_t retold;        /* rows of those others, left out */
};

/* States the file's level, at its first trace. */
MUST_CHECK bool trace_begin(struct nvprof_trace *trace, struct builder *builder, struct error *err);

/* Another run of the program follows, which is laid behind those before. */
void trace_new_run(struct nvprof_trace *trace, int64_t pid);

/* A row of the open table; false when its cells are not what they should be. */
bool trace_take(struct nvprof_trace *trace, struct builder *builder,
                const struct nvprof_table *table, const struct nvprof_row *row);

/* A row of TABLE_EXECUTIONS: a call, and the kernel that it launched. */
bool trace_take_execution(struct nvprof_trace *trace, struct builder *builder,
                          const struct nvprof_table *table, const struct nvprof_row *row);

void trace_finish(struct nvprof_trace *trace, struct builder *builder);

void trace_free(struct nvprof_trace *trace);

#endif
