/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_trace.h — traces of the GPU and of API calls: one row an event, with when and where it
 * ran */
#ifndef PTK_PARSERS_NVPROF_NVPROF_TRACE_H
#define PTK_PARSERS_NVPROF_NVPROF_TRACE_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/nvprof/nvprof_table.h"
#include "parsers/shared/quantity.h"

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

/* Ready for use when zeroed. */
struct nvprof_trace {
    bool has_begun; /* the file is a timeline */
    struct trace_track {
        uint32_t track;
        int64_t end; /* ns: of its last event */
    } * tracks;
    size_t track_count, track_cap;
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
