#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"
#include "render/info_report.h"

struct fields {
    struct common common;
};

static const struct option options[] = {
    OPT_INCLUDE(struct fields, common, struct common, report_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool answer(struct profile *profile, const struct fields *fields, struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {.command = "info", .inputs = &input, .input_count = 1};
    struct info info = {.packing = profile->packing};
    struct integrity integrity;
    struct inventory inventory;
    struct arena arena = {0};
    bool ok;

    if (!graph_need(&profile->graph,
                    profile->graph.native < LEVEL_CALLGRAPH ? LEVEL_FLAT : LEVEL_CALLGRAPH,
                    "there is nothing to tell", err))
        return false;
    info.total = graph_total(&profile->graph);
    info.whole = graph_whole(&profile->graph);
    if (profile->graph.native == LEVEL_CALLGRAPH) {
        integrity_check(&profile->graph, &arena, &integrity);
        info.integrity = &integrity;
    }
    if (profile->graph.native == LEVEL_TIMELINE) {
        inventory_take(&profile->graph, &arena, &inventory);
        info.inventory = &inventory;
    }
    info_report(&info, &arena, &report);
    ok = answer_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {0};
    struct common common;
    struct builder_options wanted = {0};
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    common = fields.common;
    common.is_quiet = true; /* the warnings are part of the answer */
    wanted.need = LEVEL_CALLGRAPH;
    wanted.properties = property_bit(PROP_STEP);
    if (!profile_load_operand_events(&profile, argv, operands, &wanted, &common, err))
        return false;
    ok = answer(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_info = {
    .name = "info",
    .summary = "what is in a profile, and how far it can be trusted",
    .operands = "[FILE]",
    .examples = "ptk info testdata/pstats/fractal.pstats\n"
                "ptk info -f json testdata/pstats/fractal.pstats\n",
    .options = options,
    .run = run,
};
