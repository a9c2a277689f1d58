/* SPDX-License-Identifier: Apache-2.0 */
/* ptk callers, ptk callees and ptk peek: the functions that call others, and those that are
 * called. */
#include "analysis/functions/hotspots.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

enum relatives_question { ASK_CALLERS, ASK_CALLEES, ASK_BOTH };

struct relatives_arguments {
    struct common common;
    struct ranking ranking;
    enum relatives_question question;
};

static const struct option options[] = {
    OPT_INCLUDE(struct relatives_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct relatives_arguments, ranking, struct ranking, ranking_options),
    OPT_INCLUDE(struct relatives_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct relatives_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct relatives_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct relatives_arguments, common, struct common, base_options),
    OPT_INCLUDE(struct relatives_arguments, common, struct common, output_options),
    OPT_END,
};

/* False where no function is the one that is meant. */
static bool answer(const struct graph *graph, const struct relatives_arguments *fields,
                   struct relatives_options *wanted, struct arena *arena, struct report *report)
{
    struct relatives callers = {0}, callees = {0};

    wanted->direction = CALLERS;
    if (fields->question != ASK_CALLEES)
        relatives_find(graph, wanted, arena, &callers);
    wanted->direction = CALLEES;
    if (fields->question != ASK_CALLERS)
        relatives_find(graph, wanted, arena, &callees);
    if (callers.count + callees.count == 0)
        return false;
    if (fields->question == ASK_BOTH)
        peek_report(&callers, &callees, arena, report);
    else
        relatives_report(fields->question == ASK_CALLERS ? &callers : &callees, arena, report);
    return true;
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct relatives_arguments *fields = asked;
    struct relatives_options wanted = {.limit = fields->ranking.limit,
                                       .min_percent = fields->ranking.min_percent};

    if (!ranking_order(&fields->ranking, &wanted.order, err) ||
        !graph_need(&profile->graph, LEVEL_CALLGRAPH, "callers and callees are not known", err))
        return false;
    wanted.is_wanted = name_pattern_function(&profile->graph, &fields->common.function, arena);
    if (!wanted.is_wanted || !answer(&profile->graph, fields, &wanted, arena, report))
        return name_pattern_lack(&fields->common.function, err);
    return true;
}

#define RELATIVES(question_asked)                                                                  \
    {                                                                                              \
        .size = sizeof(struct relatives_arguments),                                                \
        .defaults = &(const struct relatives_arguments){.ranking = {.sort = "cum", .limit = 20},   \
                                                        .question = (question_asked)},             \
        .wanted = {.need = LEVEL_CALLGRAPH}, .takes_function = true, .fill = fill_report           \
    }

static const struct profile_command callers = RELATIVES(ASK_CALLERS);
static const struct profile_command callees = RELATIVES(ASK_CALLEES);
static const struct profile_command peek = RELATIVES(ASK_BOTH);

const struct command command_callers = {
    .name = "callers",
    .summary = "who calls a function, how often and for how long",
    .operands = "FUNC [FILE]",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk callers '^row$' profile.out\n"
                "ptk callers --sort calls -n 3 -f csv step profile.out\n",
    .options = options,
    .profile = &callers,
};

const struct command command_callees = {
    .name = "callees",
    .summary = "what a function calls, how often and for how long",
    .operands = "FUNC [FILE]",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk callees '^row$' profile.out\n"
                "ptk callees --sort calls -n 3 -f csv step profile.out\n",
    .options = options,
    .profile = &callees,
};

const struct command command_peek = {
    .name = "peek",
    .summary = "a function between its callers and its callees",
    .operands = "FUNC [FILE]",
    .reads = "a timeline, a call tree or a call graph",
    .examples = "ptk peek '^row$' profile.out\n"
                "ptk peek -n 5 --min-percent 1 leaf cpu.pb\n",
    .options = options,
    .profile = &peek,
};
