/* SPDX-License-Identifier: Apache-2.0 */
/* recording.c — names of numbers, devices, threads and events of a database on its way into the graph */
#include "parsers/sqlite/sqlite.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- texts of a database, and names of what it has only numbers for ---- */

bool name_table_read(struct name_table *names, struct database *database, struct builder *builder,
                     const char *table, const char *id_column, struct error *err)
{
    struct named_row {
        int64_t id;
        struct span value;
    } row;
    const struct query_column columns[] = {
        QUERY_COLUMN(id_column, struct named_row, id),
        QUERY_COLUMN("string", struct named_row, value), /* rpd */
        QUERY_COLUMN("value", struct named_row, value)};
    struct query query;

    QUERY_BEGIN(&query, database, table, columns);
    while (row = (struct named_row){.id = UNKNOWN}, query_next(&query, &row)) {
        uint32_t *at;

        if (row.id == UNKNOWN)
            continue;
        at = idmap_at(&names->place, (uint64_t)row.id);
        if (*at != IDMAP_NONE)
            continue;
        *at = (uint32_t)names->count;
        vector_add(names, builder_intern(builder, row.value));
    }
    return query_end(&query, err);
}

str_id name_table_at(const struct name_table *names, int64_t id)
{
    uint32_t at = idmap_find(&names->place, (uint64_t)id);

    return at == IDMAP_NONE ? 0 : names->list[at];
}

void name_table_free(struct name_table *names)
{
    idmap_free(&names->place);
    free(names->list);
}

/* ---- numbers ---- */

struct numbered {
    int64_t number;
    const char *name;
};

static const char *name_of_number(const struct numbered *list, size_t count, int64_t number)
{
    for (size_t i = 0; i < count; i++)
        if (list[i].number == number)
            return list[i].name;
    return NULL;
}

const char *runtime_call_name(int64_t cbid)
{
    static const struct numbered calls[] = {
        {1, "cudaDriverGetVersion"},
        {2, "cudaRuntimeGetVersion"},
        {3, "cudaGetDeviceCount"},
        {4, "cudaGetDeviceProperties"},
        {5, "cudaChooseDevice"},
        {8, "cudaConfigureCall"},
        {9, "cudaSetupArgument"},
        {10, "cudaGetLastError"},
        {11, "cudaPeekAtLastError"},
        {13, "cudaLaunch"},
        {14, "cudaFuncSetCacheConfig"},
        {15, "cudaFuncGetAttributes"},
        {16, "cudaSetDevice"},
        {17, "cudaGetDevice"},
        {19, "cudaSetDeviceFlags"},
        {20, "cudaMalloc"},
        {21, "cudaMallocPitch"},
        {22, "cudaFree"},
        {23, "cudaMallocArray"},
        {24, "cudaFreeArray"},
        {25, "cudaMallocHost"},
        {26, "cudaFreeHost"},
        {27, "cudaHostAlloc"},
        {28, "cudaHostGetDevicePointer"},
        {30, "cudaMemGetInfo"},
        {31, "cudaMemcpy"},
        {32, "cudaMemcpy2D"},
        {41, "cudaMemcpyAsync"},
        {49, "cudaMemset"},
        {50, "cudaMemset2D"},
        {51, "cudaMemsetAsync"},
        {129, "cudaStreamCreate"},
        {130, "cudaStreamDestroy"},
        {131, "cudaStreamSynchronize"},
        {132, "cudaStreamQuery"},
        {133, "cudaEventCreate"},
        {134, "cudaEventCreateWithFlags"},
        {135, "cudaEventRecord"},
        {136, "cudaEventDestroy"},
        {137, "cudaEventSynchronize"},
        {138, "cudaEventQuery"},
        {139, "cudaEventElapsedTime"},
        {147, "cudaStreamWaitEvent"},
        {164, "cudaDeviceReset"},
        {165, "cudaDeviceSynchronize"},
        {211, "cudaLaunchKernel"},
    };

    return name_of_number(calls, COUNT_OF(calls), cbid);
}

const char *driver_call_name(int64_t cbid)
{
    static const struct numbered calls[] = {
        {1, "cuInit"},
        {2, "cuDriverGetVersion"},
        {3, "cuDeviceGetCount"},
        {4, "cuDeviceGet"},
        {5, "cuDeviceGetName"},
        {9, "cuDeviceGetAttribute"},
        {259, "cuDeviceTotalMem"},
        {307, "cuLaunchKernel"},
    };

    return name_of_number(calls, COUNT_OF(calls), cbid);
}

const char *copy_kind_name(int64_t kind)
{
    static const struct numbered kinds[] = {
        {1, "HtoD"},  {2, "DtoH"},  {3, "HtoA"},  {4, "AtoH"}, {5, "AtoA"},
        {6, "AtoD"},  {7, "DtoA"},  {8, "DtoD"},  {9, "HtoH"}, {10, "PtoP"},
        {11, "HtoD"}, {12, "DtoH"}, {13, "DtoD"},
    };
    const char *name = name_of_number(kinds, COUNT_OF(kinds), kind);

    return name ? name : "";
}

/* ---- a database of nvprof or Nsight Systems on its way into the graph ---- */

void recording_starts(struct recording *recording, const char *table, const char *column)
{
    int64_t least;

    if (database_least(&recording->database, table, column, &least) &&
        (recording->origin == 0 || least < recording->origin))
        recording->origin = least;
}

str_id recording_numbered(struct recording *recording, const char *format, int64_t number)
{
    int64_t key[] = {(int64_t)(intptr_t)format, number};
    uint32_t *at = idmap_at(&recording->numbered, XXH3_64bits(key, sizeof(key)));
    char text[40];

    if (*at == IDMAP_NONE) {
        snprintf(text, sizeof(text), format, (long long)number);
        *at = builder_intern(recording->builder, span_of(text));
    }
    return *at;
}

uint32_t recording_event(struct recording *recording, const struct track *track, int64_t start,
                         int64_t end, str_id name, enum frame_kind kind)
{
    int64_t key[] = {track->name, track->process, track->kind, track->device, track->pid};
    uint32_t *at = idmap_at(&recording->tracks, XXH3_64bits(key, sizeof(key)));
    struct frame frame = {.name = name, .kind = kind};

    if (*at == IDMAP_NONE)
        *at = builder_track(recording->timeline, track);
    recording->events++;
    return builder_event(recording->timeline, *at, checked_sub(start, recording->origin),
                         checked_sub(end, start), builder_frame(recording->builder, &frame));
}

void recording_name_device(struct recording *recording, const struct device *device)
{
    struct span name = builder_text(recording->builder, device->name);
    char text[120];

    if (!name.len)
        return;
    snprintf(text, sizeof(text), "%.*s (%d)", (int)(name.len < 80 ? name.len : 80), name.at,
             (int)device->ordinal);
    *idmap_at(&recording->devices, (uint64_t)(int64_t)device->ordinal) =
        builder_intern(recording->builder, span_of(text));
}

str_id recording_device(struct recording *recording, int64_t ordinal)
{
    uint32_t *at = idmap_at(&recording->devices, (uint64_t)ordinal);

    if (*at == IDMAP_NONE)
        *at = recording_numbered(recording, "GPU %lld", ordinal);
    return *at;
}

void split_global(int64_t global, int64_t *pid, int64_t *tid)
{
    *pid = global >> 24 & 0xffffff;
    *tid = global & 0xffffff;
}

struct track recording_thread(struct recording *recording, int64_t pid, int64_t tid)
{
    return (struct track){.name = recording_numbered(recording, "thread %lld", tid),
                          .process = recording_numbered(recording, "process %lld", pid),
                          .kind = TRACK_THREAD,
                          .device = -1,
                          .pid = pid,
                          .tid = tid};
}
