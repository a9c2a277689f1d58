/* SPDX-License-Identifier: Apache-2.0 */
/* recording.h — a database of nvprof or Nsight Systems on its way into the graph
 *
 * Both keep what CUPTI gave them, one table a kind of activity, with nearly the same columns. */
#ifndef PTK_PARSERS_SQLITE_RECORDING_H
#define PTK_PARSERS_SQLITE_RECORDING_H

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"
#include "parsers/sqlite/database.h"

/* ---- texts of a database, and names of what it has only numbers for ---- */

/* The table that other tables' names are numbers in. Ready for use when zeroed. */
struct name_table {
    struct idmap place; /* a number of the file → index */
    VECTOR(str_id);
};

MUST_CHECK bool name_table_read(struct name_table *names, struct database *database,
                                struct builder *builder, const char *table, const char *id_column,
                                struct error *err);

/* 0 when there is none. */
str_id name_table_at(const struct name_table *names, int64_t id);

void name_table_free(struct name_table *names);

/* "cudaLaunchKernel" for a number of the runtime or driver, as nvprof keeps them; NULL for those
 * that are not in the table. */
const char *runtime_call_name(int64_t cbid);
const char *driver_call_name(int64_t cbid);

/* "HtoD" for CUPTI's copy kinds, those of unified memory as well; "" for others. */
const char *copy_kind_name(int64_t kind);

/* ---- a database of nvprof or Nsight Systems on its way into the graph ---- */

enum recording_writer { WRITER_NVPROF, WRITER_NSYS };

struct recording {
    enum recording_writer writer;
    struct database database;
    struct builder *builder;
    struct timeline_builder *timeline;
    struct name_table names;
    struct idmap kernel_names; /* as the file has it → demangled; both are str_ids */
    int64_t origin;            /* ns, subtracted from all times */
    struct idmap tracks;       /* a track's name, process and kind → its index */
    struct idmap devices;      /* ordinal → the device's name, a str_id */
    uint64_t events;
    uint64_t nameless; /* calls that only have a number */
    uint64_t mangled;  /* kernels whose names are mangled */
};

/* Adds an event; `end` before `start` is counted as a fault of the file. Returns its number. */
uint32_t recording_event(struct recording *recording, const struct track *track, int64_t start,
                         int64_t end, str_id name, enum frame_kind kind);

/* "Tesla T4 (0)", or "GPU 0" where the file does not describe it. */
void recording_name_device(struct recording *recording, const struct device *device);
str_id recording_device(struct recording *recording, int64_t ordinal);

/* "thread 17" of the process; Nsight packs both into one number. */
struct track recording_thread(struct recording *recording, int64_t pid, int64_t tid);

/* Each reads what its tables hold, if they are there. */
MUST_CHECK bool recording_read_devices(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_kernels(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_copies(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_fills(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_waits(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_calls(struct recording *recording, struct error *err);
MUST_CHECK bool recording_read_markers(struct recording *recording, struct error *err); /* nvprof */
MUST_CHECK bool recording_read_nvtx(struct recording *recording, struct error *err);    /* Nsight */

/* Splits Nsight's packed id of a thread. */
void split_global(int64_t global, int64_t *pid, int64_t *tid);

/* A key that a call and what it launched have in common, also where several processes count
 * alike. */
static inline int64_t correlation_key(int64_t pid, int64_t correlation)
{
    return (int64_t)((uint64_t)pid << 32 ^ (uint64_t)correlation);
}

#endif
