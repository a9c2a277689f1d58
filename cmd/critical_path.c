#include "render/critical_path_report.h"

#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"

struct fields {
    struct common common;
    uint32_t limit;
};

static const struct option options[] = {
    OPT_INCLUDE(struct fields, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct fields, limit, "N", "show the N costliest rows; 0: all [20]"),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static const struct builder_options wanted = {
    .need = LEVEL_TIMELINE,
    .launches = true,
    .flows = true,
    .properties = (uint64_t)1 << PROP_WAIT_STREAM,
};

static bool answer(struct profile *profile, const struct fields *fields, struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {.command = "critical-path", .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    struct critical_path path;
    bool ok;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "there is no path through it", err))
        return false;
    critical_path_compute(&profile->graph, &arena, &path);
    critical_path_report(&path, fields->limit, &arena, &report);
    ok = answer_write(&report, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.limit = 20};
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) ||
        !profile_load_operand_events(&profile, argv, operands, &wanted, &fields.common, err))
        return false;
    ok = answer(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_critical_path = {
    .name = "critical-path",
    .summary = "the chain of work and waiting that decided when the run ended",
    .operands = "[FILE]",
    .examples = "ptk critical-path testdata/chrome/overlap.json\n"
                "ptk critical-path -n 5 -f json testdata/chrome/overlap.json\n",
    .options = options,
    .run = run,
};
