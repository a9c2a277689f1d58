/* SPDX-License-Identifier: Apache-2.0 */
/* ptk dot: the call graph for Graphviz, pruned or trimmed, or how it changed between two
 * profiles. */
#include "render/dot/dot.h"

#include <string.h>

#include "analysis/compare/diff.h"
#include "analysis/execution/replay.h"
#include "base/checked.h"

#include "base/io/io.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"

struct dot_arguments {
    struct common common;
    struct prune_options prune;
    struct dot_options dot;
    const char *root, *leaf;
    int colormap, style;
    uint32_t nodes;
    bool has_clusters, marks_path, compares;
};

enum style { STYLE_GPROF2DOT, STYLE_PPROF };

static const char *const style_names[] = {
    [STYLE_GPROF2DOT] = "gprof2dot", [STYLE_PPROF] = "pprof", NULL};

static const struct option options[] = {
    OPT_GROUP("What is drawn"),
    OPT_NUMBER('N', "node-percent", struct dot_arguments, prune.node_percent, "P",
               "leave out functions below P percent of the whole [0.5]"),
    OPT_NUMBER('E', "edge-percent", struct dot_arguments, prune.edge_percent, "P",
               "leave out calls below P percent of the whole [0.1]"),
    OPT_COUNT(0, "nodes", struct dot_arguments, nodes, "N",
              "pprof's style: at most N functions, the most important, 0 for all [80]"),
    OPT_TEXT(0, "root", struct dot_arguments, root, "RE", "only what these functions reach"),
    OPT_TEXT(0, "leaf", struct dot_arguments, leaf, "RE", "only what reaches these functions"),
    OPT_COUNT('d', "depth", struct dot_arguments, prune.depth, "N",
              "at most N calls away from the roots, 0 for all [0]"),
    OPT_FLAG('D', "diff", struct dot_arguments, compares,
             "two files, BEFORE and AFTER, in pprof's style: red grew, green shrank"),
    OPT_GROUP("How it is drawn"),
    OPT_CHOICE('S', "style", struct dot_arguments, style, "STYLE",
               "what is drawn, and how, as this tool does [gprof2dot]", style_names),
    OPT_FLAG('C', "cluster", struct dot_arguments, has_clusters, "frames around modules"),
    OPT_FLAG(0, "critical-path", struct dot_arguments, marks_path,
             "traces: mark what decided when the run ended"),
    OPT_CHOICE(0, "colormap", struct dot_arguments, colormap, "NAME", "colours [color]",
               colormap_names),
    OPT_NUMBER(0, "skew", struct dot_arguments, dot.skew, "X",
               "above 1: strong colours only for the largest weights [1]"),
    OPT_FLAG(0, "color-by-self", struct dot_arguments, dot.colors_by_self,
             "colour nodes by self time instead of total time"),
    OPT_FLAG(0, "strip", struct dot_arguments, dot.strips_arguments,
             "leave out arguments and template arguments"),
    OPT_FLAG('w', "wrap", struct dot_arguments, dot.wraps, "break long names into lines"),
    OPT_INCLUDE(struct dot_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct dot_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct dot_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct dot_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- the two styles ---- */

static bool draw_as_gprof2dot(struct profile *profile, const struct dot_arguments *fields,
                              const struct dot_groups *groups, struct arena *arena,
                              struct error *err)
{
    struct dot_options style = fields->dot;
    struct pruned pruned;
    struct output out;

    if (!prune(&profile->graph, &fields->prune, arena, &pruned, err) ||
        !output_open(&out, fields->common.output, err))
        return false;
    style.groups = *groups;
    dot_write(&profile->graph, &pruned, &style, out.file);
    return output_commit(&out, err);
}

static bool draw_as_pprof(struct profile *profile, const struct dot_arguments *fields,
                          const struct dot_groups *groups, struct arena *arena, struct error *err)
{
    struct trim_options wanted = {.node_percent = fields->prune.node_percent,
                                  .edge_percent = fields->prune.edge_percent,
                                  .nodes = fields->nodes};
    struct dot_pprof_options style = {.title = profile->path, .groups = *groups};
    struct trimmed trimmed;
    struct output out;

    if (!output_open(&out, fields->common.output, err))
        return false;
    trim(&profile->graph, &wanted, arena, &trimmed);
    dot_pprof_write(&profile->graph, &trimmed, &style, out.file);
    return output_commit(&out, err);
}

/* ---- what is marked ---- */

/* The path's time by function. */
static void mark_path(const struct graph *graph, struct arena *arena, struct dot_groups *groups)
{
    const struct functions *f = &graph->functions;
    int64_t *by_frame = arena_array(arena, graph->frames.count, sizeof(*by_frame));
    int64_t *by_function = arena_array(arena, f->count, sizeof(*by_function));
    struct execution execution;
    struct critical_path path;

    execution_build(graph, &execution);
    critical_path_compute(&execution, arena, &path);
    execution_free(&execution);
    for (uint32_t i = 0; i < path.row_count; i++)
        by_frame[path.rows[i].frame] = path.rows[i].time;
    for (uint32_t i = 0; i < f->count; i++)
        by_function[i] = by_frame[f->frame[i]];
    groups->path_time = by_function;
    groups->path_length = checked_sub(path.end, path.start);
}

static bool draw(struct profile *profile, const struct dot_arguments *fields, struct error *err)
{
    static const char question[] = "there is no call graph to draw";
    struct dot_groups groups = {.by_module = fields->has_clusters};
    struct graph *graph = &profile->graph;
    bool is_pprof = fields->style == STYLE_PPROF || fields->compares, ok;
    struct arena arena = {0};

    if (fields->marks_path &&
        !graph_need(graph, LEVEL_TIMELINE, "there is no critical path to mark", err))
        return false;
    if (is_pprof ? !graph_need_paths(graph, question, err) ||
                       !graph_need(graph, LEVEL_FLAT, question, err)
                 : !graph_need(graph, LEVEL_CALLGRAPH, question, err))
        return false;
    if (fields->marks_path)
        mark_path(graph, &arena, &groups);
    ok = (is_pprof ? draw_as_pprof : draw_as_gprof2dot)(profile, fields, &groups, &arena, err);
    arena_free(&arena);
    return ok;
}

/* ---- options ---- */

static bool answer(struct profile *profile, struct dot_arguments *fields, struct error *err)
{
    struct pattern root, leaf;
    bool ok = true;

    if (fields->root && !pattern_compile(&root, fields->root, err))
        return false;
    fields->prune.root = fields->root ? &root : NULL;
    if (fields->leaf)
        ok = pattern_compile(&leaf, fields->leaf, err);
    fields->prune.leaf = ok && fields->leaf ? &leaf : NULL;
    ok = ok && (fields->compares || profile_select(profile, &fields->common.selection, err)) &&
         draw(profile, fields, err);
    if (fields->prune.root)
        pattern_free(&root);
    if (fields->prune.leaf)
        pattern_free(&leaf);
    return ok;
}

static bool check(const struct dot_arguments *fields, struct error *err)
{
    const char *suffix = fields->common.output ? strrchr(fields->common.output, '.') : NULL;

    if (suffix && (strcmp(suffix, ".svg") == 0 || strcmp(suffix, ".png") == 0 ||
                   strcmp(suffix, ".pdf") == 0)) {
        error_set(err, ERROR_USAGE, "what dot writes is for Graphviz, and '%s' would be no picture",
                  fields->common.output);
        return error_hint(err, "ptk dot FILE | dot -T%s -o %s", suffix + 1, fields->common.output);
    }
    if ((fields->style == STYLE_PPROF || fields->compares) &&
        (fields->root || fields->leaf || fields->prune.depth))
        return error_set(err, ERROR_USAGE, "--root, --leaf and --depth are for --style gprof2dot");
    if (fields->marks_path && fields->compares)
        return error_set(err, ERROR_USAGE, "a difference has no critical path");
    if (fields->marks_path && !selection_is_all(&fields->common.selection))
        return error_set(err, ERROR_USAGE, "the critical path leads through all of a trace");
    return true;
}

/* Two profiles become the one that is drawn. */
static bool load_difference(struct profile *profile, char **operands, size_t count,
                            const struct dot_arguments *fields, struct error *err)
{
    struct builder_options wanted = selection_wanted(&fields->common.selection, LEVEL_CALLGRAPH);
    static const char question[] = "there is no difference to draw";
    struct profile ends[DIFF_ENDS] = {0};
    bool ok = operands_are_two(operands, count, err);

    for (int end = 0; ok && end < DIFF_ENDS; end++)
        ok = profile_load(&ends[end], operands[end], &wanted, &fields->common, err) &&
             profile_select(&ends[end], &fields->common.selection, err) &&
             graph_need(&ends[end].graph, LEVEL_FLAT, question, err);
    *profile = (struct profile){.path = count == DIFF_ENDS ? operands[DIFF_AFTER] : NULL};
    ok = ok &&
         difference_make(&ends[DIFF_BEFORE].graph, &ends[DIFF_AFTER].graph, &profile->graph, err);
    profile_free(&ends[DIFF_BEFORE]);
    profile_free(&ends[DIFF_AFTER]);
    return ok;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct dot_arguments *fields = request->asked;

    if (fields->marks_path)
        execution_want(&request->wanted);
    fields->dot.colormap = fields->colormap;
    return check(fields, err);
}

static bool read_and_draw(struct profile_request *request, struct error *err)
{
    struct dot_arguments *fields = request->asked;
    struct profile profile;
    bool ok = fields->compares
                  ? load_difference(&profile, request->operands, request->count, fields, err)
                  : profile_load_operand(&profile, request->operands, request->count,
                                         &request->wanted, &fields->common, err);

    if (!ok)
        return false;
    ok = answer(&profile, fields, err);
    profile_free(&profile);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct dot_arguments),
    .defaults = &(const struct dot_arguments){.prune = {.node_percent = 0.5, .edge_percent = 0.1},
                                              .dot.skew = 1,
                                              .nodes = 80},
    .wanted = {.need = LEVEL_CALLGRAPH, .no_extremes = true},
    .prepare = prepare,
    .answer = read_and_draw,
};

const struct command command_dot = {
    .name = "dot",
    .summary = "the call graph as a picture, through Graphviz",
    .operands = "[FILE] | --diff BEFORE AFTER",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk dot profile.out | dot -Tpng -o graph.png\n"
                "ptk dot --node-percent 5 --wrap profile.out | dot -Tsvg -o graph.svg\n"
                "ptk dot --style pprof --cluster profile.out | dot -Tsvg -o graph.svg\n"
                "ptk dot --diff before.out after.out | dot -Tsvg -o change.svg\n",
    .options = options,
    .profile = &profile_command,
};
