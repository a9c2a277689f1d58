#include "render/dot.h"

#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"

struct fields {
    struct common common;
    struct selection selection;
    struct prune_options prune;
    struct dot_options dot;
    const char *root, *leaf;
    int colormap;
};

static const struct option options[] = {
    OPT_GROUP("What is drawn"),
    OPT_NUMBER('N', "node-percent", struct fields, prune.node_percent, "P",
               "leave out functions below P percent of the whole [0.5]"),
    OPT_NUMBER('E', "edge-percent", struct fields, prune.edge_percent, "P",
               "leave out calls below P percent of the whole [0.1]"),
    OPT_TEXT(0, "root", struct fields, root, "RE", "only what these functions reach"),
    OPT_TEXT(0, "leaf", struct fields, leaf, "RE", "only what reaches these functions"),
    OPT_COUNT('d', "depth", struct fields, prune.depth, "N",
              "at most N calls away from the roots, 0 for all [0]"),
    OPT_GROUP("How it is drawn"),
    OPT_CHOICE(0, "colormap", struct fields, colormap, "NAME", "colours [color]", colormap_names),
    OPT_NUMBER(0, "skew", struct fields, dot.skew, "X",
               "above 1: strong colours only for the largest weights [1]"),
    OPT_FLAG(0, "color-by-self", struct fields, dot.colors_by_self,
             "colour nodes by self time instead of total time"),
    OPT_FLAG(0, "strip", struct fields, dot.strips, "leave out arguments and template arguments"),
    OPT_FLAG('w', "wrap", struct fields, dot.wraps, "break long names into lines"),
    OPT_INCLUDE(struct fields, selection, struct selection, selection_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool draw(struct profile *profile, const struct fields *fields, struct error *err)
{
    struct arena arena = {0};
    struct pruned pruned;
    struct output out;
    bool ok = prune(&profile->graph, &fields->prune, &arena, &pruned, err) &&
              output_open(&out, fields->common.output, err);

    if (ok) {
        dot_write(&profile->graph, &pruned, &fields->dot, out.file);
        ok = output_commit(&out, err);
    }
    arena_free(&arena);
    return ok;
}

static bool answer(struct profile *profile, struct fields *fields, struct error *err)
{
    struct pattern root, leaf;
    bool ok = true;

    if (fields->root && !pattern_compile(&root, fields->root, err))
        return false;
    fields->prune.root = fields->root ? &root : NULL;
    if (fields->leaf)
        ok = pattern_compile(&leaf, fields->leaf, err);
    fields->prune.leaf = ok && fields->leaf ? &leaf : NULL;
    ok = ok && profile_select(profile, &fields->selection, err) &&
         graph_need(&profile->graph, LEVEL_CALLGRAPH, "there is no call graph to draw", err) &&
         draw(profile, fields, err);
    if (fields->prune.root)
        pattern_free(&root);
    if (fields->prune.leaf)
        pattern_free(&leaf);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.prune = {.node_percent = 0.5, .edge_percent = 0.1}, .dot.skew = 1};
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) ||
        !profile_load_operand(&profile, argv, operands, &fields.selection, LEVEL_CALLGRAPH,
                              &fields.common, err))
        return false;
    fields.dot.colors = &colormaps[fields.colormap];
    ok = answer(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_dot = {
    .name = "dot",
    .summary = "the call graph as a picture, through Graphviz",
    .operands = "[FILE]",
    .examples = "ptk dot testdata/pstats/fractal.pstats | dot -Tpng -o graph.png\n"
                "ptk dot --node-percent 5 --wrap testdata/pstats/fractal.pstats | dot -Tsvg "
                "-o graph.svg\n",
    .options = options,
    .run = run,
};
