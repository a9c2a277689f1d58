/* SPDX-License-Identifier: Apache-2.0 */
/* rocprof.c — AMD's kernel traces as CSV: rocprof and Omniperf (timestamps.csv), rocprof-compute
 * (pmc_perf.csv), rocprofv3 (kernel_trace.csv, memory_copy_trace.csv, hip_api_trace.csv)
 *
 * Columns are found by their names; times are nanoseconds. In pmc_perf.csv each counter is a column. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/decimal.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/csv/csv.h"
#include "parsers/device/amd_counters.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/parser.h"

enum rocprof_column {
    START = 1,
    END,
    NAME,
    AGENT,
    QUEUE,
    CORRELATION,
    THREAD,
    PROCESS,
    KIND,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    REGISTERS,
    SHARED,
};

static const struct csv_title titles[] = {
    {"Start_Timestamp", START},
    {"BeginNs", START},
    {"End_Timestamp", END},
    {"EndNs", END},
    {"Kernel_Name", NAME},
    {"KernelName", NAME},
    {"Function", NAME},
    {"Direction", NAME},
    {"GPU_ID", AGENT},
    {"gpu-id", AGENT},
    {"Agent_Id", AGENT},
    {"Destination_Agent_Id", AGENT},
    {"queue-id", QUEUE},
    {"Queue_Id", QUEUE},
    {"Correlation_Id", CORRELATION},
    {"tid", THREAD},
    {"Thread_Id", THREAD},
    {"pid", PROCESS},
    {"Process_Id", PROCESS},
    {"Kind", KIND},
    {"Grid_Size", GRID_X},
    {"grd", GRID_X},
    {"Grid_Size_X", GRID_X},
    {"Grid_Size_Y", GRID_Y},
    {"Grid_Size_Z", GRID_Z},
    {"Workgroup_Size", BLOCK_X},
    {"wgr", BLOCK_X},
    {"Workgroup_Size_X", BLOCK_X},
    {"Workgroup_Size_Y", BLOCK_Y},
    {"Workgroup_Size_Z", BLOCK_Z},
    {"Arch_VGPR", REGISTERS},
    {"VGPR_Count", REGISTERS},
    {"LDS_Per_Workgroup", SHARED},
    {"LDS_Block_Size", SHARED},
};

/* A column of pmc_perf.csv. An empty cell is a counter that was not counted. */
struct counter_column {
    size_t cell;
    struct span counter;
};

struct rocprof {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct csv_header header;
    struct VECTOR_OF(struct counter_column) counters;
    struct arena names; /* of the counters */
    bool is_host;       /* a trace of calls */
    bool is_copies;
    struct idmap tracks;
    uint64_t rows;
};

/* ---- headers ---- */

static bool take_header(struct rocprof *rocprof, struct span line)
{
    struct csv_fields fields;

    fields_of_csv(line, &fields);
    csv_header_read(&rocprof->header, titles, COUNT_OF(titles), &fields, 0);
    rocprof->is_host = span_find(line, SPAN("Function")) != SIZE_MAX;
    rocprof->is_copies = span_find(line, SPAN("Direction")) != SIZE_MAX;
    return csv_has(&rocprof->header, START) && csv_has(&rocprof->header, END) &&
           csv_has(&rocprof->header, NAME);
}

static void note_counters(struct rocprof *rocprof, struct span line)
{
    struct csv_fields fields;

    fields_of_csv(line, &fields);
    rocprof->counters.count = 0;
    for (size_t i = 0; i < fields.count; i++) {
        struct amd_counts probe = {0};
        struct counter_column column = {.cell = i};

        if (amd_counts_add(&probe, fields.list[i], 0)) {
            column.counter =
                (struct span){arena_copy(&rocprof->names, fields.list[i]), fields.list[i].len};
            vector_add(&rocprof->counters, column);
        }
    }
}

/* ---- rows ---- */

/* "Agent 2" of newer versions is 2. */
static int64_t number_or(const struct rocprof *rocprof, const struct csv_fields *fields,
                         enum rocprof_column column, int64_t otherwise)
{
    struct span text = csv_cell(&rocprof->header, fields, column);
    size_t blank = span_rfind(text, ' ');
    int64_t value;

    if (blank != SIZE_MAX)
        text = span_after(text, blank + 1);
    return span_to_i64(text, &value) ? value : otherwise;
}

static uint32_t find_track(struct rocprof *rocprof, const struct csv_fields *fields)
{
    int64_t agent = number_or(rocprof, fields, AGENT, 0);
    int64_t queue = number_or(rocprof, fields, rocprof->is_host ? THREAD : QUEUE, -1);
    int64_t process = number_or(rocprof, fields, PROCESS, 0);
    uint64_t key = (uint64_t)process << 40 ^ (uint64_t)agent << 32 ^ ((uint64_t)queue + 1) << 2 ^
                   (uint64_t)rocprof->is_host << 1 ^ rocprof->is_copies;
    uint32_t *at = idmap_at(&rocprof->tracks, key);
    char name[48], where[48];
    struct track track = {.kind = TRACK_STREAM, .device = -1, .pid = process, .tid = queue};

    if (*at != IDMAP_NONE)
        return *at;
    snprintf(name, sizeof(name),
             rocprof->is_copies && queue < 0 ? "copies"
             : queue < 0                     ? "kernels"
             : rocprof->is_host              ? "thread %lld"
                                             : "queue %lld",
             (long long)queue);
    snprintf(where, sizeof(where), rocprof->is_host ? "process %lld" : "GPU %lld",
             (long long)(rocprof->is_host ? process : agent));
    track.name = builder_intern(rocprof->builder, span_of(name));
    track.process = builder_intern(rocprof->builder, span_of(where));
    if (rocprof->is_host)
        track.kind = TRACK_THREAD;
    else if (agent >= 0 && agent < INT32_MAX)
        track.device = (int32_t)agent;
    *at = builder_track(rocprof->timeline, &track);
    return *at;
}

static void add_shape(struct rocprof *rocprof, const struct csv_fields *fields, uint32_t event)
{
    int64_t block[3], grid[3], value;

    if (!span_to_i64(csv_cell(&rocprof->header, fields, GRID_X), &value))
        return;
    for (int i = 0; i < 3; i++) {
        block[i] = number_or(rocprof, fields, (enum rocprof_column)(BLOCK_X + i), 1);
        grid[i] = number_or(rocprof, fields, (enum rocprof_column)(GRID_X + i), 1);
        if (block[i] > 0 && grid[i] >= 0) /* threads here, and blocks in CUDA */
            grid[i] = (grid[i] - 1) / block[i] + 1;
    }
    builder_property(rocprof->timeline, event, PROP_GRID,
                     property_pack3(grid[0], grid[1], grid[2]));
    builder_property(rocprof->timeline, event, PROP_BLOCK,
                     property_pack3(block[0], block[1], block[2]));
    builder_property(rocprof->timeline, event, PROP_REGISTERS,
                     number_or(rocprof, fields, REGISTERS, 0));
    builder_property(rocprof->timeline, event, PROP_SHARED_MEMORY,
                     number_or(rocprof, fields, SHARED, 0));
}

static void add_counters(struct rocprof *rocprof, const struct csv_fields *fields, uint32_t event)
{
    struct amd_counts counts = {0};

    for (size_t i = 0; i < rocprof->counters.count; i++) {
        const struct counter_column *column = &rocprof->counters.list[i];
        int64_t value;

        if (decimal_scaled(span_trim(fields->list[column->cell]), 0, &value))
            amd_counts_add(&counts, column->counter, (double)value);
    }
    amd_counts_give(&counts, rocprof->builder, event);
}

static bool take_row(struct rocprof *rocprof, struct span line)
{
    /* of kernels: how the compiler keeps them */
    static const struct span endings[] = {LITERAL(" [clone .kd]"), LITERAL(".kd")};
    struct csv_fields fields;
    int64_t start, end, correlation;
    struct span name;
    enum frame_kind kind;
    uint32_t event;

    fields_of_csv(line, &fields);
    if (fields.is_cut || fields.count != rocprof->header.width ||
        !span_to_i64(csv_cell(&rocprof->header, &fields, START), &start) ||
        !span_to_i64(csv_cell(&rocprof->header, &fields, END), &end))
        return false;
    name = csv_cell(&rocprof->header, &fields, NAME);
    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (span_ends(name, endings[i])) {
            name.len -= endings[i].len;
            break;
        }
    kind = rocprof->is_host     ? KIND_RUNTIME
           : rocprof->is_copies ? KIND_MEMCPY
                                : device_work_kind(name);
    event = builder_event(rocprof->timeline, find_track(rocprof, &fields), start,
                          checked_sub(end, start), kernel_name_frame(rocprof->builder, name, kind));
    if (span_to_i64(csv_cell(&rocprof->header, &fields, CORRELATION), &correlation))
        (rocprof->is_host ? builder_launches : builder_launched)(rocprof->timeline, event,
                                                                 correlation);
    if (kind == KIND_MEMCPY && builder_wants(rocprof->builder, PROP_COPY_KIND))
        builder_property(rocprof->timeline, event, PROP_COPY_KIND, copy_direction_of_name(name));
    if (!rocprof->is_host && !rocprof->is_copies) {
        add_shape(rocprof, &fields, event);
        add_counters(rocprof, &fields, event);
    }
    rocprof->rows++;
    return true;
}

/* ---- the whole ---- */

static bool is_header(struct span line)
{
    struct rocprof rocprof = {0};

    return (span_find(line, SPAN("End_Timestamp")) != SIZE_MAX ||
            span_find(line, SPAN("EndNs")) != SIZE_MAX) &&
           take_header(&rocprof, line);
}

static bool read_lines(struct rocprof *rocprof, struct input *in, struct error *err)
{
    uint64_t offset = input_offset(in);
    struct span line;

    for (; input_line(in, &line); offset = input_offset(in)) {
        line = span_trim(line);
        if (is_header(line)) {
            take_header(rocprof, line);
            note_counters(rocprof, line);
        } else if (rocprof->header.width && line.len && !take_row(rocprof, line))
            warning_count(builder_warnings(rocprof->builder), WARNING_LOSS,
                          "rows that are cut or garbled, left out", offset);
    }
    if (rocprof->rows)
        return true;
    error_set(err, ERROR_LACK, "a trace of AMD's profiler without any row");
    return error_hint(err, "see whether the program launches kernels");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct rocprof rocprof = {.builder = builder, .timeline = builder_timeline(builder)};
    bool ok = builder_begin_timeline(builder, err) && read_lines(&rocprof, in, err);

    builder_producer(builder, "rocprof");
    idmap_free(&rocprof.tracks);
    free(rocprof.counters.list);
    arena_free(&rocprof.names);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span line = span_split(&head, '\n');

    if (!head.len && !is_all && !memchr(line.at, '\0', line.len))
        return SNIFF_MORE;
    return is_header(span_trim(line)) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_rocprof = {
    .name = "rocprof",
    .title = "CSV traces of AMD's profilers",
    .summary = "AMD: rocprof, rocprofv3 and rocprof-compute (Omniperf): kernels, copies, calls, "
               "counters as CSV",
    .tried = "rocprof, rocprofv3 of ROCm 6.3 and 7, Omniperf 2",
    .omitted = "thread traces",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
