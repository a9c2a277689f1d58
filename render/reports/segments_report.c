/* SPDX-License-Identifier: Apache-2.0 */
/* segments_report.c — what an allocator has of its devices: a sentence, and a row for each segment */
#include "render/reports/reports.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

/* ---- the whole ---- */

static int64_t fact_of(const struct graph *graph, enum fact_id id)
{
    int64_t figure;

    return graph_fact(graph, id, &figure) ? figure : 0;
}

static void add_sentences(const struct graph *graph, struct arena *arena, struct report *report)
{
    const struct allocator_segments *segments = &graph->segments;
    int64_t in_pieces = 0, piece = 0, beside = fact_of(graph, FACT_TRAPPED);
    int64_t awaited = fact_of(graph, FACT_AWAITING_FREE);
    char all[FORMAT_LEN], free[FORMAT_LEN], trapped[FORMAT_LEN], largest[FORMAT_LEN];

    for (size_t i = 0; i < segments->count; i++) {
        in_pieces = checked_add(in_pieces, segments->list[i].in[BLOCK_FREE]);
        piece = segments->list[i].largest_free > piece ? segments->list[i].largest_free : piece;
    }
    format_value(all, fact_of(graph, FACT_RESERVED), UNIT_BYTES);
    format_value(free, in_pieces, UNIT_BYTES);
    format_value(trapped, beside, UNIT_BYTES);
    format_value(largest, piece, UNIT_BYTES);
    report_beforef(report, arena, "The allocator has %s of device memory in %s. %s.", all,
                   format_many(arena, (int64_t)segments->count, "segment"),
                   in_pieces ? arena_printf(arena, "%s of it is free", free) : "No block of it is free");
    if (beside)
        report_beforef(report, arena,
                       "%s of the free memory lies beside blocks in use, so it cannot be returned to the driver.",
                       trapped);
    if (in_pieces > piece)
        report_beforef(report, arena, "The largest free block has %s. A larger request needs memory from the driver, although %s is free.",
                       largest, free);
    if (awaited)
        report_beforef(report, arena, "%s is freed but not usable yet, because another stream may still use it.",
                       format_value(all, awaited, UNIT_BYTES));
}

/* ---- a row a segment ---- */

/* The most free memory first, then the largest, then the file's order. */
static int compare_segments(const void *a, const void *b)
{
    const struct allocator_segment *x = *(const struct allocator_segment *const *)a, *y = *(const struct allocator_segment *const *)b;

    if (x->in[BLOCK_FREE] != y->in[BLOCK_FREE])
        return x->in[BLOCK_FREE] > y->in[BLOCK_FREE] ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return x < y ? -1 : x > y;
}

static bool has_several_devices(const struct allocator_segments *segments)
{
    for (size_t i = 1; i < segments->count; i++)
        if (segments->list[i].device != segments->list[0].device)
            return true;
    return false;
}

static const char *pool_of(const struct allocator_segment *segment, struct arena *arena)
{
    return arena_printf(arena, "%s%s%s", segment->is_private ? "private, " : "",
                        segment->is_small ? "small" : "large",
                        segment->is_expandable ? ", expandable" : "");
}

static struct table *table_of_segments(const struct allocator_segment *const *order, uint32_t count,
                                       const struct table_context *context)
{
    typedef struct {
        struct allocator_segment of;
        const char *address, *pool;
        int32_t device_shown; /* of several */
        int64_t stream_shown; /* not the default one */
        int64_t in_use, awaited, awaited_shown, free, blocks;
        double fragmentation;
    } row;
    static const struct column columns[] = {
        INDEX_AT("device", of.device, FOR_MACHINES),
        INDEX_AT("GPU", device_shown, FOR_PEOPLE),
        TEXT_AT("address", address, .is_whole = true, .yields = 2),
        BYTES_AT("size", of.size),
        BYTES_AT("allocated", in_use),
        BYTES_AT("awaiting_free", awaited, FOR_MACHINES),
        BYTES_AT("awaiting free", awaited_shown, FOR_PEOPLE, .yields = 4),
        BYTES_AT("free", free),
        BYTES_AT("largest_free", of.largest_free, .heading = "largest free"),
        SHARE_AT("fragmentation", fragmentation),
        COUNT_AT("blocks", blocks, .yields = 1),
        COUNT_AT("stream", of.stream, FOR_MACHINES),
        COUNT_AT("stream", stream_shown, FOR_PEOPLE, .yields = 3),
        TEXT_AT("pool", pool),
    };
    struct table *table = TABLE_BEGIN(context, columns, count, "allocator_segments", "Segments");
    bool has_several = has_several_devices(&context->graph->segments);

    for (uint32_t i = 0; i < count; i++) {
        const struct allocator_segment *segment = order[i];
        int64_t free = segment->in[BLOCK_FREE];

        TABLE_ADD(table, .of = *segment, .device_shown = has_several ? segment->device : -1,
                  .stream_shown = segment->stream ? segment->stream : TABLE_NULL,
                  .address = arena_printf(context->arena, "0x%" PRIx64, segment->address),
                  .pool = pool_of(segment, context->arena), .in_use = segment->in[BLOCK_IN_USE],
                  .awaited = segment->in[BLOCK_AWAITED], .free = free,
                  .awaited_shown = segment->in[BLOCK_AWAITED] ? segment->in[BLOCK_AWAITED] : TABLE_NULL,
                  .blocks = (int64_t)segment->blocks,
                  .fragmentation = free ? 1 - (double)segment->largest_free / (double)free : NAN);
    }
    return table;
}

void segments_report(const struct graph *graph, uint32_t limit, struct arena *arena,
                     struct report *report)
{
    const struct allocator_segments *segments = &graph->segments;
    struct table_context context = {.arena = arena, .graph = graph, .unit = UNIT_BYTES};
    uint32_t count = (uint32_t)segments->count;
    const struct allocator_segment **order;
    struct table *people, *machines;

    if (!segments->count)
        return;
    add_sentences(graph, arena, report);
    order = arena_array(arena, segments->count, sizeof(*order));
    for (size_t i = 0; i < segments->count; i++)
        order[i] = &segments->list[i];
    qsort(order, segments->count, sizeof(*order), compare_segments);
    machines = table_of_segments(order, count, &context);
    if (limit_rows(count, limit) == count) {
        report_table(report, machines);
        return;
    }
    people = table_of_segments(order, limit, &context);
    people->key = NULL;
    people->use = COLUMN_PEOPLE;
    report_afterf(report, arena, "%s",
                  format_many(arena, count - limit, "more segment"));
    machines->use = COLUMN_MACHINES;
    report_table(report, people);
    report_table(report, machines);
}
