/* SPDX-License-Identifier: Apache-2.0 */
/* pc_samples.c — rocprofv3's samples of program counters: which instructions of kernels ran, and why others waited
 *
 *     "Sample_Timestamp","Exec_Mask","Dispatch_Id","Instruction","Instruction_Comment","Correlation_Id"
 *     390705261841337,18446744073709551615,22,"s_waitcnt vmcnt(0)","/src/v.cpp:80",22
 *
 * Stochastic samples say whether the instruction was issued, and why it waited. Waves are sampled, not time:
 * samples are shares. Kernel names are in kernel_trace.csv of the same run, in the same folder. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/parser.h"
#include "parsers/stacks/language_names.h"

enum sample_column { MASK = 1, DISPATCH, INSTRUCTION, PLACE, ISSUED, TYPE, STALL, KERNEL };

static const struct csv_title titles[] = {
    {"Exec_Mask", MASK},
    {"Dispatch_Id", DISPATCH},
    {"Instruction", INSTRUCTION},
    {"Instruction_Comment", PLACE},
    {"Wave_Issued_Instruction", ISSUED},
    {"Instruction_Type", TYPE},
    {"Stall_Reason", STALL},
    {"Kernel_Name", KERNEL}, /* of the other table */
};

enum sample_key { LABEL_DISPATCH, LABEL_ISSUED, LABEL_TYPE, LABEL_STALL, LABELS };

struct pc_samples {
    struct builder *builder;
    struct csv_header header;
    struct csv_fields cells;
    struct idmap kernels; /* by dispatch: the kernel's frame */
    str_id keys[LABELS];
    struct sample_label labels[LABELS]; /* of the sample at hand */
    bool by_line;
    uint64_t rows, nameless;
};

static struct span cell_of(const struct pc_samples *samples, enum sample_column column)
{
    return csv_cell(&samples->header, &samples->cells, column);
}

/* Whether the header is that of samples. */
static bool take_header(struct pc_samples *samples, struct span line)
{
    fields_of_csv(span_trim(line), &samples->cells);
    csv_header_read(&samples->header, titles, COUNT_OF(titles), &samples->cells, 0);
    return csv_has(&samples->header, MASK) && csv_has(&samples->header, DISPATCH) &&
           csv_has(&samples->header, INSTRUCTION) && csv_has(&samples->header, PLACE);
}

/* False for a row that is cut or garbled. */
static bool split_row(struct pc_samples *samples, struct span line)
{
    fields_of_csv(span_trim(line), &samples->cells);
    return !samples->cells.is_cut && samples->cells.count == samples->header.width;
}

/* ---- kernels' names ---- */

/* "out/7_pc_sampling_stochastic.csv" has its kernels in "out/7_kernel_trace.csv". */
static void read_names_beside(struct pc_samples *samples, struct span path)
{
    size_t at = span_find(span_file_name(path), SPAN("pc_sampling_"));
    char beside[PATH_MAX];
    uint64_t dispatch;
    struct span line;
    struct input in;

    if (at == SIZE_MAX || path.len >= PATH_MAX)
        return;
    at += path.len - span_file_name(path).len;
    snprintf(beside, sizeof(beside), "%.*skernel_trace.csv", (int)at, path.at);
    if (!input_open_beside(&in, beside))
        return;
    if (input_line(&in, &line))
        (void)take_header(samples, line);
    while (input_line(&in, &line))
        if (split_row(samples, line) && cell_of(samples, KERNEL).len &&
            span_to_u64(cell_of(samples, DISPATCH), &dispatch))
            *idmap_at(&samples->kernels, dispatch) =
                kernel_name_frame(samples->builder, cell_of(samples, KERNEL), KIND_KERNEL);
    input_close(&in);
}

/* Where the kernel is not known, the number of the dispatch is its name. */
static frame_id kernel_of(struct pc_samples *samples, uint64_t dispatch)
{
    uint32_t *at = idmap_at(&samples->kernels, dispatch);
    struct frame frame = {.kind = KIND_OTHER};
    char room[40];

    if (*at == IDMAP_NONE) {
        snprintf(room, sizeof(room), "dispatch %llu", (unsigned long long)dispatch);
        frame.name = builder_intern(samples->builder, span_of(room));
        *at = builder_frame(samples->builder, &frame);
        samples->nameless++;
    }
    return *at;
}

/* ---- rows ---- */

/* "ROCPROFILER_PC_SAMPLING_INSTRUCTION_TYPE_VALU" is VALU. */
static struct span reason_of(const struct pc_samples *samples, enum sample_column column)
{
    static const struct span fronts[] = {LITERAL("ROCPROFILER_PC_SAMPLING_INSTRUCTION_"),
                                         LITERAL("TYPE_"), LITERAL("NOT_ISSUED_REASON_")};
    struct span text = cell_of(samples, column);

    for (size_t i = 0; i < COUNT_OF(fronts); i++)
        if (span_starts(text, fronts[i]))
            text = span_after(text, fronts[i].len);
    return text;
}

static uint32_t put_label(struct pc_samples *samples, uint32_t at, enum sample_key key,
                          struct span text)
{
    samples->labels[at] = (struct sample_label){.key = samples->keys[key],
                                                .text = builder_intern(samples->builder, text)};
    return at + 1;
}

/* The reason for a wait means nothing where the instruction was issued. */
static void give_labels(struct pc_samples *samples)
{
    struct span issued = cell_of(samples, ISSUED);
    bool is_issued = span_eq(issued, SPAN("1"));
    uint32_t count = put_label(samples, 0, LABEL_DISPATCH, cell_of(samples, DISPATCH));

    if (issued.len) {
        count = put_label(samples, count, LABEL_ISSUED, is_issued ? SPAN("yes") : SPAN("no"));
        count = put_label(samples, count, LABEL_TYPE, reason_of(samples, TYPE));
    }
    if (issued.len && !is_issued)
        count = put_label(samples, count, LABEL_STALL, reason_of(samples, STALL));
    builder_labels(builder_stacks(samples->builder), samples->labels, count);
}

/* The instruction in its kernel; the kernel's line where the command asks for lines. */
static void give_sample(struct pc_samples *samples, frame_id kernel, uint64_t mask)
{
    int64_t values[] = {1, __builtin_popcountll(mask)};
    struct span text = cell_of(samples, INSTRUCTION);
    struct frame frame = {.kind = samples->by_line ? KIND_KERNEL : KIND_OTHER};
    frame_id stack[2] = {0, kernel};

    frame.file = builder_intern(samples->builder, place_file(cell_of(samples, PLACE), &frame.line));
    frame.name = builder_intern(samples->builder, samples->by_line
                                                      ? builder_frame_name(samples->builder, kernel)
                                                  : text.len ? text
                                                             : SPAN("(unknown instruction)"));
    stack[0] = samples->by_line ? builder_frame_in(samples->builder, &frame, 0)
                                : builder_frame(samples->builder, &frame);
    builder_stack(builder_stacks(samples->builder), stack, samples->by_line ? 1 : 2, values);
}

static bool take_row(struct pc_samples *samples, struct span line)
{
    struct stack_builder *stacks = builder_stacks(samples->builder);
    uint64_t dispatch, mask;

    if (!split_row(samples, line) || !span_to_u64(cell_of(samples, DISPATCH), &dispatch) ||
        !span_to_u64(cell_of(samples, MASK), &mask))
        return false;
    if (builder_wants_labels(stacks))
        give_labels(samples);
    give_sample(samples, kernel_of(samples, dispatch), mask);
    samples->rows++;
    return true;
}

/* ---- the whole ---- */

static bool read_lines(struct pc_samples *samples, struct input *in, struct error *err)
{
    uint64_t offset = input_offset(in);
    struct span line;

    if (!input_line(in, &line) || !take_header(samples, line))
        return error_set_at(err, offset, 1, "no header of a table of samples");
    for (offset = input_offset(in); input_line(in, &line); offset = input_offset(in)) {
        line = span_trim(line);
        if (line.len && !take_row(samples, line))
            warning_count(builder_warnings(samples->builder), WARNING_LOSS,
                          "rows that are cut or garbled, left out", offset);
    }
    if (samples->rows)
        return true;
    error_set(err, ERROR_LACK, "a table of samples of program counters without any row");
    return error_hint(err, "a shorter interval samples short kernels, too");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("samples"), UNIT_COUNT},
                                               {LITERAL("lanes"), UNIT_COUNT}};
    static const char *const keys[LABELS] = {"dispatch", "issued", "type", "stall"};
    struct pc_samples *samples = grow_zeroed(1, sizeof(*samples));
    bool ok = builder_begin(builder, LEVEL_CALLTREE, values, COUNT_OF(values), 0, err);

    samples->builder = builder;
    for (size_t i = 0; i < LABELS; i++)
        samples->keys[i] = builder_intern(builder, span_of(keys[i]));
    samples->by_line = builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;
    if (ok && in->name)
        read_names_beside(samples, span_of(in->name));
    ok = ok && read_lines(samples, in, err);
    if (ok)
        builder_sample_facts(builder_stacks(builder));
    builder_producer(builder, "rocprofv3");
    warning_count_many(
        builder_warnings(builder), WARNING_NOTE,
        "dispatches of kernels without a name: it is in kernel_trace.csv, beside the file",
        samples->nameless);
    idmap_free(&samples->kernels);
    free(samples);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct span line = span_split(&head, '\n');
    struct pc_samples samples = {0};

    if (!head.len && !is_all)
        return memchr(line.at, '\0', line.len) ? SNIFF_NO : SNIFF_MORE;
    return take_header(&samples, line) ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_pc_samples = {
    .name = "pc-samples",
    .title = "samples of AMD's program counters",
    .summary =
        "AMD: rocprofv3 --pc-sampling-method: instructions of kernels, and why they waited, as CSV",
    .tried = "ROCm 6.4 and 7",
    .omitted = "times of samples",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
