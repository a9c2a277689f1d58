/* SPDX-License-Identifier: Apache-2.0 */
/* massif.c — the heap at its peak, as valgrind --tool=massif saw it
 *
 *     heap_tree=peak
 *     n2: 79760 (heap allocation functions) malloc/new/new[], --alloc-fns, etc.
 *      n1: 72704 0x48FC7B9: parse (lexer.c:74)
 *       n0: 72704 0x401AB9F: main (app.c:12)
 *      n0: 7056 in 3 places, all below massif's threshold (1.00%)
 *
 * The tree begins with who allocated, and a node's callers stand below it; what they do not account for
 * ends there. Of the snapshots the peak is read; where none is marked, the last detailed one. Who wants a
 * timeline gets the bytes of all snapshots instead, as counters. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/text/text_end.h"
#include "parsers/valgrind/valgrind_frame.h"

enum { DEPTH_MAX = 1000, MS_IN_NS = 1000000 };

enum massif_bytes { MASSIF_HEAP, MASSIF_OVERHEAD, MASSIF_STACKS, MASSIF_CURVES };

struct massif_node {
    uint32_t depth;    /* 1: who allocated */
    uint64_t children; /* that it says to have */
    int64_t bytes;     /* with all that stands below */
    int64_t below;     /* what that accounts for */
    frame_id frame;
};

struct massif {
    struct builder *builder;
    struct stack_builder *stacks;
    struct VECTOR_OF(
        struct massif_node) nodes; /* of the last tree that was read, in the order of the file */
    int64_t heap, overhead, stack_bytes;         /* of the snapshot at hand, bytes */
    int64_t peak, peak_stacks;                   /* the most of each in any snapshot */
    int64_t shown, shown_overhead, shown_stacks; /* of the one that is shown */
    int64_t snapshots;
    int64_t time, time_scale;   /* of the snapshot at hand; ns in one of the file's units */
    bool is_timeline, is_timed; /* ...; and these are times */
    bool has_curves;            /* bytes over time are wanted, too */
    struct massif_curve {
        uint32_t series;
        bool is_there;
    } curves[MASSIF_CURVES];
    uint32_t depth;   /* of the node read last */
    uint64_t awaited; /* nodes that those of the tree at hand have announced */
    bool is_in_tree, has_peak, has_tree;
    bool is_in_snapshot; /* which ends with its tree */
};

/* ---- nodes ---- */

/* " n1: 72704 0x48FC7B9: f (a.c:1)"; false when the line is no node. */
static bool read_node(struct massif *massif, struct span line, struct massif_node *node)
{
    uint64_t children, bytes;
    size_t blanks = 0;
    struct span figure;

    while (blanks < line.len && line.at[blanks] == ' ')
        blanks++;
    line = span_after(line, blanks);
    if (blanks > DEPTH_MAX || !span_starts(line, SPAN("n")))
        return false;
    line = span_after(line, 1);
    if (!span_to_u64(span_split(&line, ':'), &children))
        return false;
    line = span_trim(line);
    figure = span_split(&line, ' ');
    if (!span_to_u64(figure, &bytes) || bytes > INT64_MAX)
        return false;
    *node = (struct massif_node){
        .depth = (uint32_t)blanks, .children = children, .bytes = (int64_t)bytes};
    if (span_starts(line, SPAN("0x"))) {
        struct frame frame = valgrind_frame(massif->builder, line);

        node->frame = builder_frame(massif->builder, &frame);
    } else if (blanks) { /* "in 3 places, all below massif's threshold" */
        struct frame frame = {.name = builder_intern(massif->builder, SPAN("(below threshold)")),
                              .kind = KIND_OTHER};

        node->frame = builder_frame(massif->builder, &frame);
    }
    return true;
}

/* ---- snapshots ---- */

static bool take_figure(struct span line, const char *key, int64_t *figure)
{
    uint64_t number;

    if (!span_starts(line, span_of(key)) || !span_to_u64(span_after(line, strlen(key)), &number) ||
        number > INT64_MAX)
        return false;
    *figure = (int64_t)number;
    return true;
}

static void show_snapshot(struct massif *massif)
{
    massif->shown = massif->heap;
    massif->shown_overhead = massif->overhead;
    massif->shown_stacks = massif->stack_bytes;
}

/* A snapshot's bytes. What has none from the first on has no curve. */
static void add_to_curve(struct massif *massif, enum massif_bytes which, const char *name,
                         int64_t bytes)
{
    struct massif_curve *curve = &massif->curves[which];
    struct timeline_builder *timeline = builder_timeline(massif->builder);

    if (!curve->is_there && (bytes || which == MASSIF_HEAP))
        curve->series =
            builder_series(timeline, builder_intern(massif->builder, span_of(name)), 0, -1);
    curve->is_there |= bytes || which == MASSIF_HEAP;
    if (curve->is_there)
        builder_sample(timeline, curve->series, massif->time, (double)bytes);
}

/* Where no snapshot has a tree the largest is shown. */
static void end_snapshot(struct massif *massif)
{
    if (massif->has_curves && time_is_possible(massif->time)) {
        add_to_curve(massif, MASSIF_HEAP, "heap bytes", massif->heap);
        add_to_curve(massif, MASSIF_OVERHEAD, "overhead bytes", massif->overhead);
        add_to_curve(massif, MASSIF_STACKS, "stacks bytes", massif->stack_bytes);
    }

    int64_t all = checked_add(massif->heap, checked_add(massif->overhead, massif->stack_bytes));

    if (!massif->has_tree &&
        all > checked_add(massif->shown, checked_add(massif->shown_overhead, massif->shown_stacks)))
        show_snapshot(massif);
}

static void begin_tree(struct massif *massif, struct span kind)
{
    bool is_peak = span_eq(kind, SPAN("peak"));

    massif->is_in_tree = (is_peak || span_eq(kind, SPAN("detailed"))) && !massif->has_peak;
    if (!massif->is_in_tree)
        return;
    massif->has_peak = is_peak;
    massif->has_tree = true;
    show_snapshot(massif);
    massif->nodes.count = 0;
    massif->depth = 0;
    massif->awaited = 0;
}

static bool read_line(struct massif *massif, struct span line, uint64_t offset, struct error *err)
{
    struct massif_node node;
    int64_t ignored;

    if (take_figure(line, "snapshot=", &ignored)) {
        massif->snapshots++;
        massif->is_in_tree = false;
        massif->is_in_snapshot = true;
    } else if (take_figure(line, "time=", &massif->time)) {
        massif->time = checked_mul(massif->time, massif->time_scale);
    } else if (span_starts(line, SPAN("time_unit: "))) {
        massif->is_timed = span_eq(span_after(line, strlen("time_unit: ")), SPAN("ms"));
        massif->time_scale = massif->is_timed ? MS_IN_NS : 1;
    } else if (take_figure(line, "mem_heap_B=", &massif->heap)) {
        massif->peak = massif->heap > massif->peak ? massif->heap : massif->peak;
    } else if (take_figure(line, "mem_heap_extra_B=", &massif->overhead)) {
        return true;
    } else if (take_figure(line, "mem_stacks_B=", &massif->stack_bytes)) {
        massif->peak_stacks =
            massif->stack_bytes > massif->peak_stacks ? massif->stack_bytes : massif->peak_stacks;
    } else if (span_starts(line, SPAN("cmd: "))) {
        builder_fact_text(massif->builder, "command", span_after(line, 5));
    } else if (span_starts(line, SPAN("heap_tree="))) {
        massif->is_in_snapshot = false;
        end_snapshot(massif);
        begin_tree(massif, span_after(line, strlen("heap_tree=")));
    } else if (massif->is_in_tree && line.len && line.at[0] != '#') {
        if (!read_node(massif, line, &node))
            return error_set_at(err, offset, 0, "a heap tree's line is not a node");
        if (massif->nodes.count && node.depth > massif->depth + 1)
            return error_set_at(err, offset, 0, "a node is deeper than below the one before");
        if ((massif->nodes.count == 0) != (node.depth == 0))
            return error_set_at(err, offset, 0, "a heap tree has more than one root, or none");
        massif->depth = node.depth;
        massif->awaited += node.children - (node.depth && massif->awaited);
        vector_add(&massif->nodes, node);
    }
    return true;
}

/* ---- the tree ---- */

/* Each node's part that no caller accounts for is a stack from it up to the root of the tree. */
static void hand_over(struct massif *massif)
{
    size_t *path = grow_zeroed(DEPTH_MAX + 1, sizeof(*path)); /* the node at each depth */
    frame_id *frames = grow_zeroed(DEPTH_MAX + 1, sizeof(*frames));

    for (size_t i = 0; i < massif->nodes.count; i++) {
        struct massif_node *node = &massif->nodes.list[i], *above;

        path[node->depth] = i;
        if (node->depth == 0)
            continue;
        above = &massif->nodes.list[path[node->depth - 1]];
        above->below = checked_add(above->below, node->bytes);
    }
    for (size_t i = 0; i < massif->nodes.count; i++) {
        const struct massif_node *node = &massif->nodes.list[i];
        int64_t rest = checked_sub(node->bytes, node->below);

        if (node->depth)
            frames[node->depth - 1] = node->frame;
        if (rest > 0)
            builder_stack(massif->stacks, frames, node->depth, &rest);
        else if (rest < 0)
            warning_count(builder_warnings(massif->builder), WARNING_NOTE,
                          "nodes whose callers account for more than they hold", 0);
    }
    free(path);
    free(frames);
}

/* A row of what the file has no tree for. */
static void add_total(struct massif *massif, const char *name, int64_t bytes)
{
    struct frame frame = {.name = builder_intern(massif->builder, span_of(name)),
                          .kind = KIND_OTHER};
    frame_id id = builder_frame(massif->builder, &frame);

    if (bytes > 0)
        builder_stack(massif->stacks, &id, 1, &bytes);
}

/* What of the file is shown. */
static void warn_of_choice(struct massif *massif)
{
    struct warnings *warnings = builder_warnings(massif->builder);

    if (massif->has_curves && !massif->is_timed)
        warning_say(warnings, WARNING_LOSS,
                    "massif counted instructions or bytes, not time: one of them is shown as 1 ns "
                    "(valgrind --time-unit=ms records times)");
    if (!massif->is_timeline && !massif->has_tree)
        warning_say(warnings, WARNING_NOTE,
                    "no snapshot has a tree: nothing says who allocated, and the totals of the "
                    "largest snapshot are shown");
    else if (!massif->is_timeline && !massif->has_peak)
        warning_say(warnings, WARNING_NOTE,
                    "no snapshot is marked as the peak: the last detailed one is shown");
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{LITERAL("space"), UNIT_BYTES}};
    struct massif massif = {.builder = builder,
                            .stacks = builder_stacks(builder),
                            .time_scale = 1,
                            .has_curves = builder_wants_series(builder),
                            .is_timeline =
                                builder_wants_times(builder) && builder_wants_series(builder)};
    uint64_t offset = input_offset(in);
    bool ok = massif.is_timeline ? builder_begin_timeline(builder, err)
                                 : builder_begin(builder, LEVEL_CALLTREE, values, 1, 0, err);
    struct span line;

    for (; ok && input_line(in, &line); offset = input_offset(in))
        ok = read_line(&massif, line, offset, err);
    if (ok && !massif.snapshots)
        ok = error_set_at(err, offset, 0, "no snapshot");
    if (ok) {
        if (massif.is_in_snapshot || massif.awaited)
            text_ends_within(builder, massif.awaited ? "the heap tree" : "a snapshot");
        builder_producer(builder, "Valgrind, massif");
        builder_fact(builder, "snapshots", massif.snapshots, UNIT_COUNT);
        builder_fact(builder, "peak", massif.peak, UNIT_BYTES);
        builder_fact(builder, "shown_snapshot", massif.shown, UNIT_BYTES);
        builder_fact(builder, "shown_overhead", massif.shown_overhead, UNIT_BYTES);
        if (massif.peak_stacks) {
            builder_fact(builder, "peak_of_stacks", massif.peak_stacks, UNIT_BYTES);
            builder_fact(builder, "shown_stacks", massif.shown_stacks, UNIT_BYTES);
        }
        warn_of_choice(&massif);
        if (!massif.is_timeline) {
            hand_over(&massif);
            /* Without a tree, of all; of stacks in any case. */
            if (!massif.has_tree) {
                add_total(&massif, "(heap)", massif.shown);
                add_total(&massif, "(heap overhead)", massif.shown_overhead);
            }
            add_total(&massif, "(stacks)", massif.shown_stacks);
        }
    }
    free(massif.nodes.list);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    static const struct span desc = LITERAL("desc:");

    if (!span_starts(head, desc))
        return !is_all && span_starts(desc, head) ? SNIFF_MORE : SNIFF_NO;
    if (span_find(head, SPAN("\nmem_heap_B=")) != SIZE_MAX)
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_massif = {
    .name = "massif",
    .title = "massif files",
    .summary = "valgrind --tool=massif: the heap at its peak, by who allocated",
    .tried = "Valgrind 3.19",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
