/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_trace.h — traces of the GPU and of API calls: one row an event, with when and where it
 * ran */
#ifndef PTK_PARSERS_NVPROF_NVPROF_TRACE_H
#define PTK_PARSERS_NVPROF_NVPROF_TRACE_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/nvprof/column_widths.h"
#include "parsers/nvprof/nvprof_table.h"

/* Ready for use when zeroed. */
struct trace {
    bool has_begun; /* the file is a timeline */
    struct trace_track {
        uint32_t track;
        int64_t end; /* ns: of its last event */
    } * tracks;
    size_t track_count, track_cap;
    struct idmap places; /* a track's name, process, kind and run → which of them */
    struct idmap devices;
    struct sizes sizes;
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
MUST_CHECK bool trace_begin(struct trace *trace, struct builder *builder, struct error *err);

/* Another run of the program follows, which is laid behind those before. */
void trace_new_run(struct trace *trace, int64_t pid);

/* A row of the open table; false when its cells are not what they should be. */
bool trace_take(struct trace *trace, struct builder *builder, const struct table *table,
                const struct row *row);

/* A row of TABLE_EXECUTIONS: a call, and the kernel that it launched. */
bool trace_take_execution(struct trace *trace, struct builder *builder, const struct table *table,
                          const struct row *row);

void trace_finish(struct trace *trace, struct builder *builder);

void trace_free(struct trace *trace);

#endif
