/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/nvprof/cpu_samples.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/grow.h"
#include "parsers/shared/kernel_name.h"
#include "parsers/shared/quantity.h"

void cpu_samples_heading(struct cpu_samples *samples, struct span text)
{
    samples->is_open = span_starts(text, SPAN("CPU profiling result"));
    samples->depth = 0;
    if (samples->is_open)
        samples->is_top_down = span_find(text, SPAN("(top down)")) != SIZE_MAX;
}

/* ---- rows ---- */

static struct span take_word(struct span *line)
{
    const char *blank;
    struct span word;

    *line = span_trim(*line);
    blank = memchr(line->at, ' ', line->len);
    word = (struct span){line->at, blank ? (size_t)(blank - line->at) : line->len};
    *line = span_after(*line, word.len);
    return word;
}

/* Two blanks behind the time, then two characters a level: "| " or blanks. */
static uint32_t take_depth(struct span *line)
{
    uint32_t depth = 0;

    *line = span_after(*line, 2);
    while (depth < CPU_DEPTH_MAX &&
           (span_starts(*line, SPAN("| ")) || span_starts(*line, SPAN("  ")))) {
        *line = span_after(*line, 2);
        depth++;
    }
    return depth;
}

static void add_frame(struct cpu_samples *samples, uint32_t depth, int64_t ns, frame_id frame)
{
    uint32_t parent = depth ? samples->open[depth - 1] : 0;

    samples->rows = grow_one(samples->rows, samples->count, &samples->cap, sizeof(*samples->rows));
    samples->rows[samples->count++] = (struct cpu_row){frame, parent, ns};
    if (parent)
        samples->rows[parent - 1].rest = checked_sub(samples->rows[parent - 1].rest, ns);
    samples->open[depth] = (uint32_t)samples->count;
    samples->depth = depth + 1;
}

/* A row that is deeper than one below the row before it hangs in the air: some were left out. */
bool cpu_samples_take(struct cpu_samples *samples, struct builder *builder, struct span line)
{
    struct column_unit none = {0};
    struct span percent, time;
    int64_t ns, resolution;
    uint32_t depth;

    if (!samples->is_open)
        return false;
    percent = take_word(&line);
    time = take_word(&line);
    if (!span_ends(percent, SPAN("%")) || !quantity_time(time, none, &ns, &resolution) || ns < 0 ||
        line.len < 3)
        return false;
    depth = take_depth(&line);
    if (depth > samples->depth || depth >= CPU_DEPTH_MAX || !line.len)
        return false;
    add_frame(samples, depth, ns, kernel_name_frame(builder, span_trim(line), KIND_HOST));
    return true;
}

/* ---- the end ---- */

/* From the row up: these are the callers of a tree of callers, and in the other tree the
 * callees. */
static void plant(const struct cpu_samples *samples, struct stack_builder *builder, size_t row)
{
    frame_id path[CPU_DEPTH_MAX];
    uint32_t depth = 0;
    node_id node = 0;

    for (uint32_t at = (uint32_t)row + 1; at && depth < CPU_DEPTH_MAX;
         at = samples->rows[at - 1].parent)
        path[depth++] = samples->rows[at - 1].frame;
    for (uint32_t i = 0; i < depth; i++)
        node = builder_child(builder, node, path[samples->is_top_down ? depth - 1 - i : i]);
    builder_add(builder, node, 0, samples->rows[row].rest);
}

bool cpu_samples_finish(struct cpu_samples *samples, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{{"time", 4}, UNIT_NS}};

    if (!builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err))
        return false;
    for (size_t i = 0; i < samples->count; i++)
        if (samples->rows[i].rest > 0)
            plant(samples, builder_stacks(builder), i);
    builder_fact(builder, "cpu_rows", (int64_t)samples->count, UNIT_COUNT);
    return true;
}

void cpu_samples_free(struct cpu_samples *samples)
{
    free(samples->rows);
}
