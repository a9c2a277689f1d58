/* SPDX-License-Identifier: Apache-2.0 */
/* compute_profile.c — the log of CUDA's profiler before nvprof (COMPUTE_PROFILE=1): one line a
 * kernel or copy, in the order in which they ran
 *
 *     # CUDA_PROFILE_LOG_VERSION 2.0
 *     method,gputime,cputime,occupancy
 *     method=[ _Z3fooPf ] gputime=[ 1386.976 ] cputime=[ 15.000 ] occupancy=[ 0.167 ]
 *
 * Times are microseconds, and no start is logged. */
#include "base/checked.h"
#include "base/text/decimal.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/parser.h"

enum { NANO = 3 };

struct log {
    struct builder *builder;
    struct kernel_totals totals;
    struct csv_header header; /* of the CSV form */
};

enum { METHOD = 1, GPUTIME };

/* "[ 1386.976 ]" after "gputime="; false when the line has no such. */
static bool find_value(struct span line, struct span key, struct span *value)
{
    size_t at = span_find(line, key), end;

    if (at == SIZE_MAX)
        return false;
    line = span_after(line, at + key.len);
    end = span_find(line, SPAN(" ]"));
    if (end == SIZE_MAX)
        return false;
    *value = span_trim((struct span){line.at, end});
    return true;
}

static bool find_cells(const struct log *log, struct span line, struct span *method,
                       struct span *time)
{
    struct csv_fields fields;

    if (!csv_has(&log->header, METHOD) || !csv_has(&log->header, GPUTIME))
        return false;
    fields_of_csv(line, &fields);
    *method = csv_cell(&log->header, &fields, METHOD);
    *time = csv_cell(&log->header, &fields, GPUTIME);
    return method->len && time->len;
}

static void take_comment(struct log *log, struct span line)
{
    struct span mark = SPAN("# CUDA_DEVICE ");
    struct device device = {0};
    uint64_t ordinal;
    struct span number;

    if (!span_starts(line, mark))
        return;
    line = span_after(line, mark.len);
    number = span_split(&line, ' ');
    device.ordinal = span_to_u64(number, &ordinal) && ordinal < INT32_MAX ? (int32_t)ordinal : 0;
    device.name = builder_intern(log->builder, span_trim(line));
    builder_device(log->builder, &device);
}

static void take_line(struct log *log, struct span line, uint64_t offset)
{
    static const struct csv_title titles[] = {{"method", METHOD}, {"gputime", GPUTIME}};
    struct csv_fields fields;
    struct span method, time;
    enum frame_kind kind;
    int64_t ns;
    bool has_row;

    line = span_trim(line);
    if (!line.len || line.at[0] == '#') {
        take_comment(log, line);
        return;
    }
    if (span_find(line, SPAN("method,")) != SIZE_MAX) {
        fields_of_csv(line, &fields);
        csv_header_read(&log->header, titles, COUNT_OF(titles), &fields, 0);
        return;
    }
    has_row = (find_value(line, SPAN("method=["), &method) &&
               find_value(line, SPAN("gputime=["), &time)) ||
              find_cells(log, line, &method, &time);
    if (!has_row || !decimal_scaled(time, NANO, &ns) || ns < 0) {
        warning_count(builder_warnings(log->builder), WARNING_LOSS,
                      "lines without a method and its time, left out", offset);
        return;
    }
    kind = span_starts(method, SPAN("memcpy"))   ? KIND_MEMCPY
           : span_starts(method, SPAN("memset")) ? KIND_MEMSET
                                                 : kernel_name_kind(method);
    kernel_totals_add_launch(&log->totals, kernel_name_frame(log->builder, method, kind), ns);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct log log = {.builder = builder};
    uint64_t offset = input_offset(in);
    struct kernel_counters none = {0};
    struct span line;
    bool ok;

    for (; input_line(in, &line); offset = input_offset(in))
        take_line(&log, line, offset);
    if (log.totals.count)
        ok = kernel_flat(&log.totals, &none, builder, err);
    else
        ok = error_set(err, ERROR_LACK, "a log of CUDA's profiler without any kernel or copy");
    builder_producer(builder, "CUDA's profiler (COMPUTE_PROFILE)");
    kernel_totals_free(&log.totals);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const struct span mark = LITERAL("# CUDA_PROFILE_LOG_VERSION");

    if (span_starts(head, mark))
        return SNIFF_YES;
    return !is_all && head.len < mark.len && span_starts(mark, head) ? SNIFF_MORE : SNIFF_NO;
}

const struct parser parser_compute_profile = {
    .name = "cuda-log",
    .title = "logs of CUDA's first profiler",
    .summary = "CUDA before nvprof: COMPUTE_PROFILE=1",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
