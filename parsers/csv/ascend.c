/* SPDX-License-Identifier: Apache-2.0 */
/* ascend.c — operators that Ascend NPUs ran: msprof (op_summary_*.csv) and torch_npu (kernel_details.csv)
 *
 * Columns come and go with products and levels, so they are found by their names. Times are microseconds since
 * 1970 with three decimals, which a double does not keep, and with a tab behind them for spreadsheets. A
 * collective is one row for all of its tasks, beside the rows of other streams. */
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"
#include "graph/classify/kernel_class.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/parser.h"

enum ascend_column { NAME = 1, TYPE, CORE, START, DURATION, WAIT, DEVICE, STREAM };

static const struct csv_title titles[] = {
    {"Name", NAME},
    {"Op Name", NAME},
    {"Type", TYPE},
    {"OP Type", TYPE},
    {"Accelerator Core", CORE},
    {"Task Type", CORE},
    {"Start Time", START},
    {"Task Start Time", START},
    {"Duration", DURATION},
    {"Task Duration", DURATION},
    {"Wait Time", WAIT},
    {"Task Wait Time", WAIT},
    {"Device_id", DEVICE},
    {"Device ID", DEVICE},
    {"Stream ID", STREAM},
};

struct ascend {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct csv_header header;
    struct idmap tracks;
    struct arena arena; /* for a name */
    int64_t waited;     /* ns between tasks of a stream */
    uint64_t rows;
};

static struct span cell_of(const struct ascend *ascend, const struct csv_fields *fields,
                           enum ascend_column column)
{
    return csv_cell(&ascend->header, fields, column);
}

/* ---- headers ---- */

static bool take_header(struct csv_header *header, struct span line)
{
    static const struct span mark = LITERAL("\xEF\xBB\xBF");
    struct csv_fields fields;

    if (span_starts(line, mark))
        line = span_after(line, mark.len);
    fields_of_csv(line, &fields);
    csv_header_read(header, titles, COUNT_OF(titles), &fields, 0);
    return csv_has(header, NAME) && csv_has(header, CORE) && csv_has(header, START) &&
           csv_has(header, DURATION) && csv_has(header, STREAM);
}

/* ---- rows ---- */

/* A quote within quotes is written twice. */
static struct span undoubled(struct ascend *ascend, struct span text)
{
    char *copy;
    size_t len = 0;

    if (span_find(text, SPAN("\"\"")) == SIZE_MAX)
        return text;
    copy = arena_array(&ascend->arena, text.len, 1);
    for (size_t i = 0; i < text.len; i++) {
        copy[len++] = text.at[i];
        i += text.at[i] == '"' && i + 1 < text.len && text.at[i + 1] == '"';
    }
    return (struct span){copy, len};
}

/* Without a stream it is the track of msprof's collectives. */
static uint32_t find_track(struct ascend *ascend, const struct csv_fields *fields)
{
    struct track track = {.kind = TRACK_STREAM};
    int64_t device = 0, stream = -1;
    char name[32], where[32];
    uint32_t *at;

    if (!span_to_i64(cell_of(ascend, fields, DEVICE), &device) || device < 0 || device > INT32_MAX)
        device = 0;
    if (!span_to_i64(cell_of(ascend, fields, STREAM), &stream))
        stream = -1;
    at = idmap_at(&ascend->tracks, (uint64_t)device << 40 ^ ((uint64_t)stream + 1));
    if (*at != IDMAP_NONE)
        return *at;
    snprintf(name, sizeof(name), stream < 0 ? "collectives" : "stream %lld", (long long)stream);
    snprintf(where, sizeof(where), "NPU %lld", (long long)device);
    track.name = builder_intern(ascend->builder, span_of(name));
    track.process = builder_intern(ascend->builder, span_of(where));
    track.device = (int32_t)device;
    track.pid = device;
    track.tid = stream;
    *at = builder_track(ascend->timeline, &track);
    return *at;
}

static bool time_in(const struct ascend *ascend, const struct csv_fields *fields,
                    enum ascend_column column, int64_t *ns)
{
    int64_t resolution;

    return quantity_time(cell_of(ascend, fields, column), ascend->header.unit[column], ns,
                         &resolution) &&
           *ns >= 0;
}

static bool is_collective(struct span core)
{
    return span_eq(core, SPAN("COMMUNICATION")) || span_eq(core, SPAN("HCCL"));
}

static bool take_row(struct ascend *ascend, struct span line)
{
    struct csv_fields fields;
    struct span name, core;
    int64_t start, duration, wait;
    enum frame_kind kind;

    fields_of_csv(line, &fields);
    if (fields.is_cut || fields.count != ascend->header.width ||
        !time_in(ascend, &fields, START, &start) || !time_is_possible(start) ||
        !time_in(ascend, &fields, DURATION, &duration))
        return false;
    name = undoubled(ascend, cell_of(ascend, &fields, NAME));
    core = cell_of(ascend, &fields, CORE);
    kind = is_collective(core) ? KIND_COMMUNICATION : device_work_kind(name);
    builder_event(ascend->timeline, find_track(ascend, &fields), start, duration,
                  kernel_name_frame(ascend->builder, name, kind));
    builder_category(
        ascend->timeline,
        builder_category_number(ascend->timeline, builder_intern(ascend->builder, core)));
    if (time_in(ascend, &fields, WAIT, &wait))
        ascend->waited = checked_add(ascend->waited, wait);
    ascend->rows++;
    arena_clear(&ascend->arena);
    return true;
}

/* ---- the whole ---- */

static bool read_lines(struct ascend *ascend, struct input *in, struct error *err)
{
    uint64_t offset = input_offset(in);
    struct span line;

    for (; input_line(in, &line); offset = input_offset(in)) {
        line = span_trim(line);
        if (!ascend->header.width) {
            if (!take_header(&ascend->header, line))
                return error_set_at(err, offset, 1, "no header of a table of an NPU's operators");
        } else if (line.len && !take_row(ascend, line))
            warning_count(builder_warnings(ascend->builder), WARNING_LOSS,
                          "rows that are cut or garbled, left out", offset);
    }
    if (ascend->rows)
        return true;
    error_set(err, ERROR_LACK, "a table of an NPU's operators without any row");
    return error_hint(err, "see whether the program used the device while it was profiled");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct ascend *ascend = grow_zeroed(1, sizeof(*ascend));
    bool ok;

    ascend->builder = builder;
    ascend->timeline = builder_timeline(builder);
    ok = builder_begin_timeline(builder, err) && read_lines(ascend, in, err);
    builder_producer(builder, "Ascend's profiler");
    if (ascend->waited)
        builder_fact(builder, "waits_of_streams", ascend->waited, UNIT_NS);
    idmap_free(&ascend->tracks);
    arena_free(&ascend->arena);
    free(ascend);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span line = span_split(&head, '\n');
    struct csv_header header;

    if (memchr(line.at, '\0', line.len))
        return SNIFF_NO;
    if (!head.len && !is_all)
        return SNIFF_MORE;
    return take_header(&header, span_trim(line)) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_ascend = {
    .name = "ascend",
    .title = "tables of Ascend's profilers",
    .summary = "Huawei Ascend: msprof's op_summary, torch_npu's kernel_details: operators as CSV",
    .tried = "made tables after CANN 8's and torch_npu's headers",
    .omitted = "shapes, steps, counters of cores; other tables",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
