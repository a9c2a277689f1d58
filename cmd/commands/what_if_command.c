/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "base/text/pattern.h"
#include "cmd/shared/command.h"
#include "cmd/shared/factor.h"
#include "cmd/shared/profile_command.h"
#include "graph/derive/need.h"
#include "render/reports/what_if_report.h"

enum { CHANGE_SCALE, CHANGE_REMOVE, CHANGE_BANDWIDTH };

_Static_assert((int)OPTION_VALUES_MAX <= (int)REPLAY_CHANGES_MAX, "every option may be a change");

/* From 1; the first that matches a function counts. */
struct plan {
    const char *names[REPLAY_CHANGES_MAX + 1];
    double factors[REPLAY_CHANGES_MAX + 1];
    bool is_bandwidth[REPLAY_CHANGES_MAX + 1];
    struct pattern patterns[REPLAY_CHANGES_MAX + 1];
    uint32_t count;
};

struct fields {
    struct common common;
    struct option_values changes;
    struct plan plan;
    uint32_t limit;
};

static const struct option options[] = {
    OPT_EACH(0, "scale", struct fields, changes, "RE=FACTOR",
             "what matches gets FACTOR times faster; may be given again", CHANGE_SCALE),
    OPT_EACH(0, "remove", struct fields, changes, "RE", "what matches takes no time",
             CHANGE_REMOVE),
    OPT_EACH(0, "bandwidth", struct fields, changes, "FACTOR", "copies get FACTOR times faster",
             CHANGE_BANDWIDTH),
    OPT_COUNT('n', "limit", struct fields, limit, "N", "show the N costliest rows; 0: all [20]"),
    OPT_INCLUDE(struct fields, common, struct common, report_options),
    OPT_INCLUDE(struct fields, common, struct common, window_options),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

/* ---- changes ---- */

static bool add_bandwidth(const char *text, struct plan *plan, struct error *err)
{
    if (!factor_parse(text, &plan->factors[plan->count + 1]))
        return error_set(err, ERROR_USAGE, "--bandwidth takes a factor above 0, not '%.60s'", text);
    plan->count++;
    plan->names[plan->count] = "copies";
    plan->is_bandwidth[plan->count] = true;
    return true;
}

static bool add_pattern(const char *expression, double factor, struct plan *plan, struct error *err)
{
    uint32_t at = plan->count + 1;

    plan->names[at] = expression;
    plan->factors[at] = factor;
    if (!pattern_compile(&plan->patterns[at], expression, err))
        return false;
    plan->count = at;
    return true;
}

static bool add_scale(const char *text, struct plan *plan, struct arena *arena, struct error *err)
{
    const char *expression;
    double factor;

    return factor_parse_part("scale", text, &expression, &factor, arena, err) &&
           add_pattern(expression, factor, plan, err);
}

static bool read_plan(const struct option_values *given, struct plan *plan, struct arena *arena,
                      struct error *err)
{
    bool ok = true;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        plan->factors[i] = 1;
    for (uint32_t i = 0; ok && i < given->count; i++) {
        const char *text = given->list[i].text;

        if (given->list[i].tag == CHANGE_BANDWIDTH) {
            ok = add_bandwidth(text, plan, err);
        } else if (given->list[i].tag == CHANGE_SCALE) {
            ok = add_scale(text, plan, arena, err);
        } else {
            ok = add_pattern(text, INFINITY, plan, err);
        }
    }
    return ok;
}

static void free_plan(struct plan *plan)
{
    for (uint32_t i = 1; i <= plan->count; i++)
        if (!plan->is_bandwidth[i])
            pattern_free(&plan->patterns[i]);
}

static uint8_t change_of(const struct graph *graph, const struct plan *plan, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    for (uint32_t i = 1; i <= plan->count; i++)
        if (plan->is_bandwidth[i]
                ? frame->kind == KIND_MEMCPY
                : pattern_matches(&plan->patterns[i], graph_text(graph, frame->name)))
            return (uint8_t)i;
    return 0;
}

static bool check_plan(const struct plan *plan, const struct what_if *what_if, struct error *err)
{
    for (uint32_t i = 1; i <= plan->count; i++)
        if (what_if->bounds.pieces[i] == 0) {
            error_set(err, ERROR_NO,
                      "'%.60s' matches nothing that takes time and is not in an earlier change",
                      plan->names[i]);
            return error_hint(err, "waits are as long as what they wait for, and threads that run "
                                   "nothing but Python while a device works may only wait");
        }
    return true;
}

/* ---- the command ---- */

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct fields *fields = asked;
    const struct graph *graph = &profile->graph;
    const struct plan *plan = &fields->plan;
    uint8_t *changes = arena_array(arena, graph->frames.count, sizeof(*changes));
    struct execution execution;
    struct what_if what_if;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "nothing can be replayed", err))
        return false;
    for (frame_id id = 0; id < graph->frames.count; id++)
        changes[id] = change_of(graph, plan, id);
    execution_build(graph, &execution);
    what_if_compute(&execution, &(struct replay_change){changes, plan->factors}, arena, &what_if);
    execution_free(&execution);
    if (!check_plan(plan, &what_if, err))
        return false;
    what_if_report(&what_if, plan->names, plan->factors, plan->count, fields->limit, arena, report);
    return true;
}

static bool run(char **argv, struct error *err)
{
    const struct builder_options wanted = {
        .need = LEVEL_TIMELINE,
        .launches = true,
        .flows = true,
        .properties = execution_properties(),
    };
    struct fields fields = {.limit = 20};
    const struct profile_command request = {"what-if", &wanted, &fields.common, fill_report,
                                            &fields};
    struct arena arena = {0};
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    ok = read_plan(&fields.changes, &fields.plan, &arena, err) &&
         profile_command_run(&request, argv, operands, err);
    free_plan(&fields.plan);
    arena_free(&arena);
    return ok;
}

const struct command command_what_if = {
    .name = "what-if",
    .summary = "replay a run with some of its work faster",
    .operands = "[FILE]",
    .examples = "ptk what-if --scale gemm=2 trace.json\n"
                "ptk what-if --remove '^nccl' --bandwidth 2x trace.json\n"
                "ptk what-if -f json --scale DataLoader=4 trace.json\n",
    .options = options,
    .run = run,
};
