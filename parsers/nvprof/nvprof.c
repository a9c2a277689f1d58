/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof.c — what nvprof and `nsys stats` print, as text and as CSV, with whatever the program
 * printed in between
 *
 * One file may hold tables of several kinds and of several runs. A line is nvprof's own, the header
 * of a table, a row of the table that is open, or somebody else's. */
#include <stdbool.h>
#include <stdint.h>

#include "base/checked.h"
#include "base/memory/span.h"
#include "graph/build/builder.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/device/profiler_messages.h"
#include "parsers/nvprof/nvprof.h"
#include "parsers/text/text_end.h"
#include "parsers/parser.h"

/* ---- nvprof's own lines: "==4711== Profiling result:", "======== Error: …" ---- */

struct framing {
    int64_t pid; /* 0: none, as when nvprof imports */
    struct span text;
};

enum { PREFIX_MAX = 80, MARKS = 2, MARKS_WITHOUT_PID = 6 };

static size_t count_marks(struct span text)
{
    size_t count = 0;

    while (count < text.len && text.at[count] == '=')
        count++;
    return count;
}

/* "==4711== ", "======== " and hand-copied "====== " */
static bool take_marks(struct span *text, int64_t *pid)
{
    size_t marks = count_marks(*text), digits;
    struct span rest = span_after(*text, marks);

    *pid = 0;
    if (marks < MARKS)
        return false;
    digits = span_digits(rest);
    if (digits) {
        if (!span_to_i64((struct span){rest.at, digits}, pid))
            return false;
        rest = span_after(rest, digits);
        marks = count_marks(rest);
        rest = span_after(rest, marks);
    }
    *text = rest;
    return digits ? marks >= MARKS : marks >= MARKS_WITHOUT_PID;
}

/* Blanks may stand before it, and cells that somebody's shell loop put before every line. */
static bool framing_read(struct span line, struct framing *framing)
{
    size_t comma;

    line = span_trim(line);
    comma = span_find((struct span){line.at, line.len < PREFIX_MAX ? line.len : PREFIX_MAX},
                      SPAN(",=="));
    if (comma != SIZE_MAX && line.at[0] != '"')
        line = span_after(line, comma + 1);
    if (!take_marks(&line, &framing->pid) || !line.len || line.at[0] != ' ')
        return false;
    framing->text = span_trim(line);
    return framing->text.len > 0;
}

/* Whether the text is one that nvprof says. */
static bool framing_is_nvprof(struct span text)
{
    static const char *const starts[] = {"NVPROF is profiling",
                                         "PGPROF is profiling",
                                         "Profiling ",
                                         "Generated result file",
                                         "API calls:",
                                         "Metric result:",
                                         "Event result:",
                                         "NVTX result:",
                                         "OpenACC (",
                                         "Unified Memory profiling result",
                                         "CPU profiling result",
                                         "Warning: ",
                                         "Error: ",
                                         NULL};

    return span_starts_any(text, starts);
}

/* "No kernels were profiled.", with something before it or not. */
static bool framing_is_empty_sentence(struct span line)
{
    line = span_trim(line);
    return span_ends(line, SPAN("No kernels were profiled.")) ||
           span_ends(line, SPAN("No API activities were profiled.")) ||
           span_ends(line, SPAN("No events/metrics were profiled."));
}

/* ---- unified memory: what moved between host and device by itself ---- */

/* Ready for use when zeroed. */
struct unified {
    bool is_open;
    int64_t to_device, to_host; /* bytes */
    int64_t gpu_faults, cpu_faults;
};

enum { BINARY = 1024, CELLS = 7, TOTAL_SIZE = 4, NAME = 6 };

/* Both forms have the same seven cells; CSV has the device before them. */
static bool split(struct span line, struct span cells[CELLS])
{
    struct csv_fields fields;
    size_t from = 0;

    if (memchr(line.at, ',', line.len)) {
        fields_of_csv(line, &fields);
        from = 1;
    } else {
        fields_of_columns(line, CELLS, &fields);
    }
    if (fields.count != CELLS + from)
        return false;
    for (size_t i = 0; i < CELLS; i++)
        cells[i] = span_trim(fields.list[i + from]);
    return true;
}

/* A row of the section, or the line that counts the host's faults; false when it is neither. */
static bool unified_take(struct unified *unified, struct span line)
{
    static const struct span faults = LITERAL("Total CPU Page faults: ");
    struct span cells[CELLS];
    struct amount amount;
    int64_t count = 0, bytes;

    line = span_trim(line);
    if (!unified->is_open)
        return false;
    if (span_starts(line, faults) && span_to_i64(span_after(line, faults.len), &count)) {
        unified->cpu_faults = checked_add(unified->cpu_faults, count);
        return true;
    }
    if (!split(line, cells))
        return false;
    (void)!span_to_i64(cells[0], &count);
    bytes = quantity_amount(cells[TOTAL_SIZE], (struct column_unit){0}, &amount)
                ? amount_bytes(amount, BINARY)
                : 0;
    if (span_eq(cells[NAME], SPAN("Host To Device")))
        unified->to_device = checked_add(unified->to_device, bytes);
    else if (span_eq(cells[NAME], SPAN("Device To Host")))
        unified->to_host = checked_add(unified->to_host, bytes);
    else if (span_eq(cells[NAME], SPAN("Gpu page fault groups")))
        unified->gpu_faults = checked_add(unified->gpu_faults, count ? count : bytes);
    else
        return false;
    return true;
}

/* ---- the table as it is read ---- */

struct nvprof {
    struct builder *builder;
    struct nvprof_table table;
    struct messages messages;
    struct nvprof_summary summary;
    struct nvprof_trace trace;
    struct metrics metrics;
    struct cpu_samples samples;
    struct unified unified;
    bool has_rows;         /* of the run that is read now */
    bool is_announced;     /* and nothing of it was read yet */
    bool awaits_notes;     /* of a trace's columns, which nvprof's text explains below the rows */
    struct error headless; /* where the first row stands that no header explains */
    uint64_t runs;
    int64_t pid;
    bool is_nsight, is_os; /* tables of nsys stats; the next one is of the operating system */
    bool has_sizes;        /* a table of nsys stats that says how much, and not how long */
};

/* ---- lines ---- */

static void begin_run(struct nvprof *nvprof, int64_t pid)
{
    nvprof->runs++;
    nvprof->pid = pid;
    if (nvprof->has_rows || nvprof->runs == 1)
        trace_new_run(&nvprof->trace, pid);
    nvprof->has_rows = false;
}

/* Results of a process that was not announced are another run's as well. */
static void take_framing(struct nvprof *nvprof, const struct framing *framing, uint64_t offset)
{
    struct span text = framing->text;

    nvprof->is_announced = span_find(text, SPAN(" is profiling process")) != SIZE_MAX ||
                           span_starts(text, SPAN("Profiling application"));
    if (span_find(text, SPAN(" is profiling process")) != SIZE_MAX)
        begin_run(nvprof, framing->pid);
    else if (framing->pid && framing->pid != nvprof->pid && (nvprof->has_rows || !nvprof->runs) &&
             span_starts(text, SPAN("Profiling ")))
        begin_run(nvprof, framing->pid);
    if (span_starts(text, SPAN("Warning: Some kernel(s) will be replayed")))
        nvprof->metrics.is_decimal = nvprof->trace.sizes.is_old = true; /* CUDA 6 and before */
    if (span_ends(text, SPAN(":")) || span_starts(text, SPAN("Thread ")) ||
        span_starts(text, SPAN("Domain ")) || span_starts(text, SPAN("Range "))) {
        nvprof->table.kind = TABLE_NONE;
        summary_end_rows(&nvprof->summary, nvprof->builder);
        summary_heading(&nvprof->summary, text);
        cpu_samples_heading(&nvprof->samples, nvprof->builder, text);
        nvprof->unified.is_open = span_starts(text, SPAN("Unified Memory profiling result"));
    }
    messages_take(&nvprof->messages, text, offset);
}

static bool take_row(struct nvprof *nvprof, struct span line)
{
    enum table_kind kind = nvprof->table.kind;
    struct nvprof_row row;
    bool ok;

    if (kind == TABLE_METRICS || kind == TABLE_WIDE)
        ok = metrics_take(&nvprof->metrics, nvprof->builder, &nvprof->table, line);
    else if (!nvprof_table_row(&nvprof->table, line, &row))
        ok = false;
    else if (kind == TABLE_EXECUTIONS)
        ok = trace_take_execution(&nvprof->trace, nvprof->builder, &nvprof->table, &row);
    else if (kind == TABLE_EXECUTION_SUMS)
        ok = summary_take_executions(&nvprof->summary, nvprof->builder, &nvprof->table, &row);
    else if (kind == TABLE_SUMMARY)
        ok = summary_take(&nvprof->summary, nvprof->builder, &nvprof->table, &row);
    else
        ok = trace_take(&nvprof->trace, nvprof->builder, &nvprof->table, &row);
    nvprof->has_rows |= ok;
    return ok;
}

static bool take_units(struct nvprof *nvprof, struct span line)
{
    if (!table_take_units(&nvprof->table, line))
        return false;
    metrics_take_units(&nvprof->metrics, &nvprof->table, line);
    return true;
}

static bool open_table(struct nvprof *nvprof, struct span line, struct error *err)
{
    if (!table_open(&nvprof->table, line))
        return true;
    summary_end_rows(&nvprof->summary, nvprof->builder);
    nvprof->is_nsight |= nvprof->table.is_nsight;
    if (table_has(&nvprof->table, COLUMN_REGISTERS))
        nvprof->awaits_notes = !nvprof->table.is_nsight && nvprof->table.form != FORM_CSV;
    if (nvprof->table.is_nsight && nvprof->table.kind == TABLE_SUMMARY)
        summary_open_nsight(&nvprof->summary, &nvprof->table, nvprof->is_os);
    if (nvprof->table.kind == TABLE_TRACE || nvprof->table.kind == TABLE_EXECUTIONS)
        return trace_begin(&nvprof->trace, nvprof->builder, err);
    if (nvprof->table.kind == TABLE_METRICS || nvprof->table.kind == TABLE_WIDE)
        metrics_open(&nvprof->metrics, nvprof->builder, &nvprof->table, line);
    return true;
}

/* Something that begins like a row of the open table and is none: cut, or mixed with what the
 * program printed. nvprof's text stands among the program's own, which may begin with anything. */
static bool is_like_row(const struct nvprof *nvprof, struct span line)
{
    bool is_csv = nvprof->table.form == FORM_CSV, begins_with_digit;

    line = span_trim(line);
    if (nvprof->table.kind == TABLE_NONE || !line.len || !(is_csv || nvprof->table.is_nsight))
        return false;
    begins_with_digit = is_digit(line.at[0]);
    return is_csv ? memchr(line.at, ',', line.len) && (line.at[0] == '"' || begins_with_digit)
                  : begins_with_digit;
}

static bool is_nsight_script(struct span line)
{
    return span_starts(span_trim(line), SPAN("Processing [")) &&
           span_find(line, SPAN(".sqlite] with [")) != SIZE_MAX;
}

/* Headings of nsys stats: "[4/8] Executing 'osrt_sum' stats report", "Processing [x.sqlite] with
 * [osrt_sum.py]...", "Operating System Runtime API Statistics:". */
static bool is_nsight_heading(struct span line)
{
    line = span_trim(line);
    return span_ends(line, SPAN(" stats report")) || span_ends(line, SPAN(" Statistics:")) ||
           span_ends(line, SPAN("Statistics (by time):")) || span_ends(line, SPAN("):")) ||
           span_ends(line, SPAN("Statistics (by size):")) ||
           (span_starts(line, SPAN("Processing [")) &&
            span_find(line, SPAN("] with [")) != SIZE_MAX);
}

/* "Total (MB),Count,...,Operation", the header of a report without times. */
static bool is_nsight_sizes(struct span line)
{
    line = span_trim(line);
    return span_starts(line, SPAN("Total (")) && span_ends(line, SPAN("Operation"));
}

static bool take_nsight(struct nvprof *nvprof, struct span line)
{
    bool is_heading = is_nsight_heading(line);

    nvprof->has_sizes |= is_nsight_sizes(line);
    if (nvprof->table.is_nsight && (is_heading || span_trim(line).len == 0))
        nvprof->table.kind = TABLE_NONE;
    nvprof->is_nsight |= is_nsight_script(line);
    if (is_heading)
        nvprof->is_os = span_find(line, SPAN("osrt")) != SIZE_MAX ||
                        span_find(line, SPAN("Operating System")) != SIZE_MAX;
    return is_heading;
}

static bool take_line(struct nvprof *nvprof, struct span line, uint64_t offset, struct error *err)
{
    struct framing framing;

    if (framing_read(line, &framing)) {
        take_framing(nvprof, &framing, offset);
        return true;
    }
    if (span_starts(span_trim(line), SPAN("Regs: ")))
        nvprof->awaits_notes = false;
    if (take_nsight(nvprof, line) || unified_take(&nvprof->unified, line) ||
        cpu_samples_take(&nvprof->samples, nvprof->builder, line))
        return true;
    if (nvprof->table.kind != TABLE_NONE && (take_units(nvprof, line) || take_row(nvprof, line)))
        return true;
    if (framing_is_empty_sentence(line)) {
        size_t at = span_find(line, SPAN("No "));

        messages_take(&nvprof->messages, span_after(line, at), offset);
        return true;
    }
    if (is_like_row(nvprof, line))
        warning_count(builder_warnings(nvprof->builder), WARNING_LOSS,
                      "rows that are cut or garbled, left out", offset);
    if (!nvprof->headless.kind && table_is_headless(line))
        error_set_at(&nvprof->headless, offset, 0, "rows of a trace without their header");
    messages_take(&nvprof->messages, line, offset);
    return open_table(nvprof, line, err);
}

/* ---- the whole ---- */

static bool explain(struct nvprof *nvprof, struct error *err)
{
    if (nvprof->is_nsight || nvprof->has_sizes)
        nvprof->messages.speaker = "nsys";
    if (nvprof->has_sizes && !nvprof->messages.count) {
        error_set(err, ERROR_LACK, "nsys says here how much was copied, and not for how long");
        return error_hint(err, "times are in other reports: nsys stats -r cuda_gpu_trace");
    }
    if (!nvprof->headless.kind)
        return messages_explain(&nvprof->messages, err);
    *err = nvprof->headless;
    return error_hint(err, "keep the line \"Start\",\"Duration\",... of nvprof and the units below "
                           "it: the rows do not show them");
}

static bool finish(struct nvprof *nvprof, struct error *err)
{
    struct builder *builder = nvprof->builder;
    const struct unified *unified = &nvprof->unified;

    summary_end_rows(&nvprof->summary, builder);
    cpu_samples_end_rows(&nvprof->samples, builder);
    if (!nvprof->trace.has_begun && !nvprof->summary.totals.count &&
        !nvprof->metrics.counters.kernels.count) {
        if (!nvprof->samples.count)
            return explain(nvprof, err);
        messages_warn(&nvprof->messages, builder_warnings(builder));
        builder_producer(builder, "nvprof --cpu-profiling");
        return cpu_samples_finish(&nvprof->samples, builder, err);
    }
    if (nvprof->trace.has_begun)
        trace_finish(&nvprof->trace, builder);
    else if (!kernel_flat(&nvprof->summary.totals, &nvprof->metrics.counters, builder, err))
        return false;
    else
        summary_warn(&nvprof->summary, builder_warnings(builder));
    if (nvprof->is_announced || nvprof->awaits_notes)
        text_ends_within(builder, nvprof->is_announced ? "a run" : "a trace");
    if (nvprof->metrics.counters.kernels.count)
        metrics_give(&nvprof->metrics, &nvprof->summary.totals, builder);
    if (nvprof->trace.has_begun && nvprof->summary.totals.count)
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "summary tables next to the trace, which says the same");
    if (nvprof->samples.count)
        warning_say(builder_warnings(builder), WARNING_NOTE,
                    "samples of the CPU next to the tables of the GPU, left out");
    if (unified->to_device)
        builder_fact(builder, "unified_to_device", unified->to_device, UNIT_BYTES);
    if (unified->to_host)
        builder_fact(builder, "unified_to_host", unified->to_host, UNIT_BYTES);
    if (unified->gpu_faults)
        builder_fact(builder, "gpu_page_fault_groups", unified->gpu_faults, UNIT_COUNT);
    if (unified->cpu_faults)
        builder_fact(builder, "cpu_page_faults", unified->cpu_faults, UNIT_COUNT);
    messages_warn(&nvprof->messages, builder_warnings(builder));
    builder_producer(builder, nvprof->is_nsight ? "nsys stats" : "nvprof");
    builder_fact(builder, "runs", (int64_t)(nvprof->runs ? nvprof->runs : 1), UNIT_COUNT);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct nvprof nvprof = {.builder = builder};
    uint64_t offset = input_offset(in);
    struct span line;
    bool ok = true;

    for (; ok && input_line(in, &line); offset = input_offset(in))
        ok = take_line(&nvprof, line, offset, err);
    ok = ok && finish(&nvprof, err);
    messages_free(&nvprof.messages);
    summary_free(&nvprof.summary);
    trace_free(&nvprof.trace);
    metrics_free(&nvprof.metrics);
    cpu_samples_free(&nvprof.samples);
    return ok;
}

static bool is_telling(struct span line)
{
    struct framing framing;
    struct nvprof_table table;

    if (framing_read(line, &framing))
        return framing_is_nvprof(framing.text);
    return framing_is_empty_sentence(line) || table_open(&table, line) || table_is_headless(line) ||
           is_nsight_script(line) || is_nsight_sizes(line) ||
           span_starts(span_trim(line), SPAN("Warning: Skipping profiling on device"));
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (memchr(head.at, '\0', head.len))
        return SNIFF_NO;
    while (head.len) {
        bool is_whole = is_all || memchr(head.at, '\n', head.len);
        struct span line = span_split(&head, '\n');

        if (is_whole && is_telling(line))
            return SNIFF_YES;
    }
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_nvprof = {
    .name = "nvprof",
    .title = "tables of nvprof and nsys stats",
    .summary = "nvprof: summaries, traces, metrics, events; nsys stats; as text or CSV",
    .tried = "nvprof of CUDA 5.5 to 11, nsys 2020 to 2026",
    .omitted = "the profiler of before CUDA 5",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
