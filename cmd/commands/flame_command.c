/* SPDX-License-Identifier: Apache-2.0 */
/* ptk flame: a flame graph of one profile, of the difference of two, or in the order of time. */
#include "render/pictures/pictures.h"

#include "analysis/compare/diff.h"
#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "base/io/io.h"
#include "base/text/format.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/svg/svg.h"

struct flame_arguments {
    struct common common;
    struct flame_options flame;
    uint32_t width;
    int colors, order;
    const char *title;
    bool folds_recursion;
    bool is_icicle, compares, is_cum;
};

enum drawing_order { ORDER_WIDTH, ORDER_TIME };

static const char *const drawing_orders[] = {[ORDER_WIDTH] = "width", [ORDER_TIME] = "time", NULL};

static const struct option options[] = {
    OPT_GROUP("What is drawn"),
    OPT_COUNT('d', "depth", struct flame_arguments, flame.depth, "N",
              "at most N levels, 0 for 1790 [0]"),
    OPT_NUMBER(0, "min-percent", struct flame_arguments, flame.min_percent, "P",
               "merge boxes of less than P percent of the whole [0.1]"),
    OPT_FLAG('D', "diff", struct flame_arguments, compares,
             "two files, BEFORE and AFTER: blue is what shrank, red what grew"),
    OPT_FLAG('c', "cum", struct flame_arguments, is_cum,
             "with --diff and --base: colour by what boxes cost with callees"),
    OPT_FLAG(
        0, "fold-recursion", struct flame_arguments, folds_recursion,
        "a function that calls itself is one box [on where stacks are higher than the picture]"),
    OPT_GROUP("How it is drawn"),
    OPT_CHOICE(0, "order", struct flame_arguments, order, "BY",
               "from left to right [width]; time: every event of a trace by itself",
               drawing_orders),
    OPT_FLAG('i', "icicle", struct flame_arguments, is_icicle, "callers above their callees"),
    OPT_CHOICE(0, "colors", struct flame_arguments, colors, "BY", "what the colours show [auto]",
               coloring_names),
    OPT_COUNT(0, "width", struct flame_arguments, width, "PIXELS",
              "of the picture, 300 to 100000 [1200]"),
    OPT_TEXT(0, "title", struct flame_arguments, title, "TEXT",
             "above the picture [the file's name]"),
    OPT_INCLUDE(struct flame_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct flame_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct flame_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct flame_arguments, common, struct common, capture_options),
    OPT_INCLUDE(struct flame_arguments, common, struct common, base_options),
    OPT_INCLUDE(struct flame_arguments, common, struct common, output_options),
    OPT_END,
};

static const char *title_of(const struct profile *profiles, const struct flame_arguments *fields,
                            struct arena *arena)
{
    if (fields->title)
        return fields->title;
    if (fields->flame.is_difference)
        return arena_printf(arena, "%s less %s", profiles[DIFF_AFTER].path,
                            fields->common.base ? fields->common.base : fields->common.diff_base);
    return fields->compares ? arena_printf(arena, "%s → %s", profiles[DIFF_BEFORE].path,
                                           profiles[DIFF_AFTER].path)
                            : profiles[DIFF_AFTER].path;
}

/* Who held a device up most: "zoom_shift 98.2 %". */
static const char *culprit_of(struct graph *graph, struct arena *arena, struct error *err)
{
    struct hotspots_options most = {.limit = 1};
    struct hotspots hotspots;
    char share[FORMAT_LEN];
    struct span name;

    if (!graph->values.are_of_timeline || graph->values.selected != TIMELINE_IDLE ||
        !graph_need(graph, LEVEL_FLAT, "nobody is to blame", err) ||
        !order_parse(&most.order, "self", err))
        return NULL;
    hotspots_compute(graph, &most, arena, &hotspots);
    if (hotspots.count == 0)
        return NULL;
    name = graph_text(graph,
                      graph_frame(graph, graph->functions.frame[hotspots.rows[0].function])->name);
    return arena_printf(arena, "%.*s %s", (int)name.len, name.at,
                        format_share(share, hotspots.rows[0].self_share));
}

static bool write_flame(struct profile *profiles, const struct flame_arguments *fields,
                        struct arena *arena, struct error *err)
{
    struct graph *graph = &profiles[DIFF_AFTER].graph;
    struct flame_style style = {.title = title_of(profiles, fields, arena),
                                .culprit = culprit_of(graph, arena, err),
                                .width = fields->width,
                                .is_icicle = fields->is_icicle};
    struct coloring coloring;
    struct flame flame;
    struct output out;

    flame_lay_out(graph, &fields->flame, arena, &flame);
    if (flame.is_difference && flame.whole == 0)
        return error_set(err, ERROR_NO, "nothing changed: there is no flame graph to draw");
    if (!xml_stream_check(err) || !output_open(&out, fields->common.output, err))
        return false;
    if (fields->compares || fields->flame.is_difference)
        coloring_choose_change(&flame, fields->is_cum, &coloring);
    else
        coloring_choose(graph, &flame, (enum coloring_by)fields->colors, arena, &coloring);
    flame_svg_write(graph, &flame, &coloring, &style, out.file);
    return output_commit(&out, err);
}

/* Where the boxes come from: flame.h. */
static bool need_boxes(struct graph *graph, bool is_by_time, struct error *err)
{
    enum level level = is_by_time                       ? LEVEL_TIMELINE
                       : graph->native < LEVEL_CALLTREE ? LEVEL_CALLGRAPH
                                                        : LEVEL_CALLTREE;

    return graph_need(graph, level, "there is no flame graph to draw", err);
}

/* Of stacks alone: a call graph has one function once on a path. */
static void fold_towers(struct graph *graph, const struct flame_arguments *fields,
                        struct arena *arena)
{
    const struct calltree *tree = &graph->tree;
    bool folds = fields->folds_recursion;
    uint32_t *depth;

    if (!graph->has[LEVEL_CALLTREE] || fields->flame.is_by_time)
        return;
    depth = arena_array(arena, tree->count, sizeof(*depth));
    for (node_id node = 1; node < tree->count; node++) {
        depth[node] = depth[calltree_parent(tree, node)] + 1;
        folds |= depth[node] > FLAME_LEVELS_MAX;
    }
    if (folds)
        select_fold_recursion(graph);
}

static bool draw(struct profile *profiles, struct flame_arguments *fields, struct error *err)
{
    static const char question[] = "nothing can be compared";
    struct graph *before = &profiles[DIFF_BEFORE].graph, *after = &profiles[DIFF_AFTER].graph;
    struct function_matches found;
    struct flame_past past = {.graph = before};
    struct arena arena = {0};
    bool ok = true;

    if (fields->compares) {
        ok = graph_need(before, LEVEL_FLAT, question, err) &&
             graph_need(after, LEVEL_FLAT, question, err) &&
             function_matches_find(before, after, &arena, &found, err) &&
             need_boxes(before, false, err) && graph_need(before, LEVEL_FLAT, question, err) &&
             graph_need(after, LEVEL_FLAT, question, err);
        past.key = found.key[DIFF_BEFORE];
        past.key_now = found.key[DIFF_AFTER];
        fields->flame.past = &past;
    }
    ok = ok && need_boxes(after, fields->flame.is_by_time, err);
    if (ok && fields->compares)
        fold_towers(before, fields, &arena);
    if (ok)
        fold_towers(after, fields, &arena);
    ok = ok && write_flame(profiles, fields, &arena, err);
    arena_free(&arena);
    return ok;
}

/* ---- reading ---- */

static bool load(struct profile *profile, char **operands, size_t count,
                 const struct flame_arguments *fields, struct error *err)
{
    struct builder_options wanted = selection_wanted(
        &fields->common.selection, fields->flame.is_by_time ? LEVEL_TIMELINE : LEVEL_CALLGRAPH);

    wanted.no_extremes = true;
    wanted.sample_times = fields->flame.is_by_time;
    wanted.one_world = !fields->flame.is_by_time;
    wanted.launches |= wanted.one_world;
    if (!profile_load_operand(profile, operands, count, &wanted, &fields->common, err))
        return false;
    if (fields->flame.is_by_time && profile->graph.values.are_of_timeline &&
        (profile->graph.values.selected == TIMELINE_IDLE ||
         profile->graph.values.selected == TIMELINE_CPU))
        return error_set(err, ERROR_USAGE, "--value %s: sums of time have no order of time",
                         fields->common.value);
    return profile_select(profile, &fields->common.selection, err);
}

static bool check(const struct flame_arguments *fields, char **operands, size_t count,
                  struct error *err)
{
    if (!terminal_check("an SVG picture", fields->common.output, err) ||
        (fields->compares && !operands_are_two(operands, count, err)))
        return false;
    if (fields->width < FLAME_WIDTH_LEAST || fields->width > FLAME_WIDTH_MOST)
        return error_set(err, ERROR_USAGE, "a picture can be %d to %d pixels wide, not %u",
                         FLAME_WIDTH_LEAST, FLAME_WIDTH_MOST, fields->width);
    if (fields->compares && fields->flame.is_difference)
        return error_set(err, ERROR_USAGE, "--diff draws two profiles, --base one less another");
    if (fields->is_cum && !fields->compares && !fields->flame.is_difference)
        return error_set(err, ERROR_USAGE, "--cum is about --diff and --base");
    if (fields->flame.is_by_time && (fields->compares || fields->flame.is_difference ||
                                     !selection_is_all(&fields->common.selection)))
        return error_set(err, ERROR_USAGE,
                         "in the order of time all of one trace is drawn, event by event");
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct flame_arguments *fields = request->asked;

    fields->flame.is_by_time = fields->order == ORDER_TIME;
    fields->flame.is_difference = fields->common.base || fields->common.diff_base;
    if (fields->compares)
        fields->common.content = CONTENT_ANY; /* one of the two may be empty */
    return check(fields, request->operands, request->count, err);
}

static bool read_and_draw(struct profile_request *request, struct error *err)
{
    struct flame_arguments *fields = request->asked;
    struct profile profiles[DIFF_ENDS] = {0};
    char **operands = request->operands;
    bool ok = (fields->compares
                   ? load(&profiles[DIFF_BEFORE], operands, 1, fields, err) &&
                         load(&profiles[DIFF_AFTER], operands + DIFF_AFTER, 1, fields, err)
                   : load(&profiles[DIFF_AFTER], operands, request->count, fields, err)) &&
              draw(profiles, fields, err);

    for (int end = 0; end < DIFF_ENDS; end++)
        profile_free(&profiles[end]);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct flame_arguments),
    .defaults = &(const struct flame_arguments){.flame = {.min_percent = 0.1}, .width = 1200},
    .prepare = prepare,
    .answer = read_and_draw,
};

const struct command command_flame = {
    .name = "flame",
    .summary = "a flame graph or an icicle, as a picture that can be searched",
    .operands = "[FILE] | --diff BEFORE AFTER",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk flame -o flame.svg profile.out\n"
                "ptk flame --icicle --colors heat -o icicle.svg profile.out\n"
                "ptk flame --diff -o change.svg before.out after.out\n"
                "ptk flame --base old.snapshot -o grown.svg new.snapshot\n",
    .options = options,
    .profile = &profile_command,
};
