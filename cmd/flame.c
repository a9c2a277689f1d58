#include "render/flame_svg.h"

#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"

struct fields {
    struct common common;
    struct selection selection;
    struct flame_options flame;
    uint32_t width;
    int colors;
    const char *title;
    bool is_icicle;
};

static const struct option options[] = {
    OPT_GROUP("What is drawn"),
    OPT_COUNT('d', "depth", struct fields, flame.depth, "N", "at most N levels, 0 for all [0]"),
    OPT_NUMBER(0, "min-percent", struct fields, flame.min_percent, "P",
               "merge boxes of less than P percent of the whole [0.1]"),
    OPT_GROUP("How it is drawn"),
    OPT_FLAG('i', "icicle", struct fields, is_icicle, "callers above their callees"),
    OPT_CHOICE(0, "colors", struct fields, colors, "BY", "what the colours tell [module]",
               coloring_names),
    OPT_COUNT(0, "width", struct fields, width, "PIXELS", "of the picture, 300 to 100000 [1200]"),
    OPT_TEXT(0, "title", struct fields, title, "TEXT", "above the picture [the file's name]"),
    OPT_INCLUDE(struct fields, selection, struct selection, selection_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool draw(struct profile *profile, const struct fields *fields, struct error *err)
{
    struct flame_style style = {.title = fields->title ? fields->title : profile->path,
                                .width = fields->width,
                                .is_icicle = fields->is_icicle};
    struct arena arena = {0};
    struct coloring coloring;
    struct flame flame;
    struct output out;
    bool ok = output_open(&out, fields->common.output, err);

    if (ok) {
        flame_lay_out(&profile->graph, &fields->flame, &arena, &flame);
        coloring_choose(&profile->graph, &flame, (enum coloring_by)fields->colors, &arena,
                        &coloring);
        flame_svg_write(&profile->graph, &flame, &coloring, &style, out.file);
        ok = output_commit(&out, err);
    }
    arena_free(&arena);
    return ok;
}

static bool check_width(uint32_t width, struct error *err)
{
    if (width >= FLAME_WIDTH_LEAST && width <= FLAME_WIDTH_MOST)
        return true;
    error_set(err, ERROR_USAGE, "a picture can be %d to %d pixels wide, not %u", FLAME_WIDTH_LEAST,
              FLAME_WIDTH_MOST, width);
    return false;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.flame = {.min_percent = 0.1}, .width = 1200};
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) || !check_width(fields.width, err) ||
        !profile_load_operand(&profile, argv, operands, &fields.selection, LEVEL_CALLGRAPH,
                              &fields.common, err))
        return false;
    ok = profile_select(&profile, &fields.selection, err) &&
         graph_need_paths(&profile.graph, "there is no flame graph to draw", err) &&
         draw(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_flame = {
    .name = "flame",
    .summary = "a flame graph or an icicle, as a picture that can be searched",
    .operands = "[FILE]",
    .examples = "ptk flame -o flame.svg testdata/pstats/fractal.pstats\n"
                "ptk flame --icicle --colors heat -o icicle.svg testdata/pstats/fractal.pstats\n",
    .options = options,
    .run = run,
};
