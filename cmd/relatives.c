#include "cmd/relatives.h"

#include "cmd/answer.h"
#include "graph/need.h"
#include "render/relatives_report.h"

struct fields {
    struct common common;
    struct selection selection;
    struct ranking ranking;
};

const struct option relatives_options[] = {
    OPT_INCLUDE(struct fields, common, struct common, report_options),
    OPT_INCLUDE(struct fields, ranking, struct ranking, ranking_options),
    OPT_INCLUDE(struct fields, selection, struct selection, selection_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static const char *command_of(enum direction direction)
{
    return direction == CALLERS ? "callers" : "callees";
}

static bool find_and_write(struct profile *profile, const struct fields *fields,
                           struct relatives_options *wanted, const char *function,
                           struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {
        .command = command_of(wanted->direction), .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    struct relatives relatives;
    bool ok;

    relatives_find(&profile->graph, wanted, &arena, &relatives);
    if (relatives.count == 0) {
        error_set(err, ERROR_NO, "no function matches '%.100s'", function);
        ok = error_hint(err, "the names are those that 'ptk hotspots -n 0 -f csv' lists first");
    } else {
        relatives_report(&relatives, &arena, &report);
        ok = answer_write(&report, &fields->common, err);
    }
    arena_free(&arena);
    return ok;
}

static bool answer(struct profile *profile, const struct fields *fields,
                   struct relatives_options *wanted, const char *function, struct error *err)
{

    return order_parse(&wanted->order, fields->ranking.sort, err) &&
           profile_select(profile, &fields->selection, err) &&
           graph_need(&profile->graph, LEVEL_CALLGRAPH, "callers and callees are not known", err) &&
           find_and_write(profile, fields, wanted, function, err);
}

bool relatives_run(enum direction direction, char **argv, struct error *err)
{
    struct fields fields = {.ranking = {.sort = "cum", .limit = 20}};
    struct relatives_options wanted = {.direction = direction};
    struct pattern pattern;
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(relatives_options, &fields, argv, &operands, err))
        return false;
    if (operands == 0) {
        error_set(err, ERROR_USAGE, "%s needs a function's name", command_of(direction));
        return error_hint(err, "ptk %s FUNC [FILE]", command_of(direction));
    }
    if (!pattern_compile(&pattern, argv[0], err))
        return false;
    wanted.pattern = &pattern;
    wanted.limit = fields.ranking.limit;
    wanted.min_percent = fields.ranking.min_percent;
    wanted.order.is_reversed = fields.ranking.is_reversed;
    ok = profile_load_operand(&profile, argv + 1, operands - 1, &fields.selection, LEVEL_CALLGRAPH,
                              &fields.common, err);
    if (ok) {
        ok = answer(&profile, &fields, &wanted, argv[0], err);
        profile_free(&profile);
    }
    pattern_free(&pattern);
    return ok;
}
