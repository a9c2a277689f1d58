/* SPDX-License-Identifier: Apache-2.0 */
/* ptk what-if: the run replayed with some of its work faster, and where the critical path then
 * is. */
#include <math.h>
#include <string.h>

#include "analysis/execution/replay.h"
#include "analysis/kernels/gpu_move.h"
#include "base/text/pattern.h"
#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/options/factor.h"
#include "graph/classify/event_class.h"
#include "graph/derive/derive.h"
#include "render/reports/reports.h"

enum change_kind {
    CHANGE_SCALE,
    CHANGE_REMOVE,
    CHANGE_BANDWIDTH,
    CHANGE_LAUNCHING,
    CHANGE_NO_SYNC,
    CHANGE_RUN_AHEAD,
    CHANGE_REMEDY
};

/* Options that take no argument. */
enum { CURES = 4 };

_Static_assert((int)OPTION_VALUES_MAX + CURES <= (int)REPLAY_CHANGES_MAX,
               "every option may be a change");

/* How --scale and --remove say what is meant. */
enum what_if_subject {
    SUBJECT_NAME,     /* functions, by an expression */
    SUBJECT_INSIDE,   /* the same, with the device work that is launched in them */
    SUBJECT_KIND,     /* "kind:memcpy" */
    SUBJECT_CATEGORY, /* "category:gemm": kernels */
    SUBJECT_PHASE,    /* "phase:backward": with the device work that is launched in it */
};

struct change {
    const char *name; /* as the user wrote it */
    enum change_kind kind;
    enum what_if_subject subject;
    const char *word; /* of a kind, a category, a phase */
    enum remedy remedy;
    struct pattern pattern;
};

/* From 1; the first that matches a function counts. */
struct plan {
    struct change list[REPLAY_CHANGES_MAX + 1];
    const char *names[REPLAY_CHANGES_MAX + 1];
    double factors[REPLAY_CHANGES_MAX + 1];
    uint32_t count;
};

struct what_if_arguments {
    struct common common;
    struct option_values changes;
    bool no_blocking_copies, hides_communication, has_data_ready, has_even_steps;
    struct plan plan;
    uint32_t limit;
    struct option_choice by;     /* of group_rows() */
    struct ceiling_choice there; /* the GPU that the run is moved to */
};

static const struct option options[] = {
    OPT_GROUP("What is changed"),
    OPT_EACH(0, "scale", struct what_if_arguments, changes, "WHAT=FACTOR",
             "what matches gets FACTOR times faster; may be given again", CHANGE_SCALE),
    OPT_EACH(0, "remove", struct what_if_arguments, changes, "WHAT", "what matches takes no time",
             CHANGE_REMOVE),
    OPT_EACH(0, "bandwidth", struct what_if_arguments, changes, "FACTOR",
             "copies get FACTOR times faster", CHANGE_BANDWIDTH),
    OPT_EACH(0, "launching", struct what_if_arguments, changes, "FACTOR",
             "launch calls, and the time from them to their work, get FACTOR times shorter",
             CHANGE_LAUNCHING),
    OPT_EACH(0, "no-sync", struct what_if_arguments, changes, "RE",
             "calls that match, and what is called in functions that do, wait for no device",
             CHANGE_NO_SYNC),
    OPT_EACH(
        0, "run-ahead", struct what_if_arguments, changes, "RE",
        "functions that match run during the wait for a device before them, as far as it lasts",
        CHANGE_RUN_AHEAD),
    OPT_FLAG(0, "no-blocking-copies", struct what_if_arguments, no_blocking_copies,
             "no call waits for the copy that it asked for"),
    OPT_FLAG(0, "hide-communication", struct what_if_arguments, hides_communication,
             "collectives run beside all other work"),
    OPT_FLAG(0, "data-ready", struct what_if_arguments, has_data_ready,
             "the data loader is never late"),
    OPT_FLAG(0, "even-steps", struct what_if_arguments, has_even_steps,
             "no step takes longer than the median one"),
    OPT_TEXT(0, "gpu", struct what_if_arguments, there.gpu, "NAME",
             "the device work runs on this GPU: ptk roofline --gpus lists them"),
    OPT_FILE(0, "gpu-file", struct what_if_arguments, there.gpu_file, "FILE",
             "on the GPU of a file of key = value; with --gpu, on that of its name in it"),
    OPT_COUNT('n', "limit", struct what_if_arguments, limit, "N",
              "show the N costliest rows; 0: all [20]"),
    OPT_NAMED(0, "by", struct what_if_arguments, by, "WHAT", "what a row is of [function]",
              group_names),
    OPT_INCLUDE(struct what_if_arguments, common, struct common, report_options),
    OPT_INCLUDE(struct what_if_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct what_if_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct what_if_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct what_if_arguments, common, struct common, output_options),
    OPT_END,
};

/* ---- what the user asks for ---- */

static const char *const phase_names[] = {"dataloader", "forward", "backward", "optimizer"};

/* "kind:memcpy": a word of a list; anything else is an expression. */
static bool read_subject(struct change *change, const char *text, struct error *err)
{
    static const struct {
        const char *prefix;
        enum what_if_subject subject;
    } prefixes[] = {{"kind:", SUBJECT_KIND},
                    {"category:", SUBJECT_CATEGORY},
                    {"phase:", SUBJECT_PHASE},
                    {"in:", SUBJECT_INSIDE}};

    change->subject = SUBJECT_NAME;
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        size_t len = strlen(prefixes[i].prefix);

        if (strncmp(text, prefixes[i].prefix, len) != 0)
            continue;
        change->subject = prefixes[i].subject;
        change->word = text + len;
        if (change->subject != SUBJECT_INSIDE)
            return true;
        text += len;
    }
    return pattern_compile(&change->pattern, text, err);
}

static bool read_change(const char *text, struct plan *plan, struct arena *arena, struct error *err)
{
    struct change *change = &plan->list[plan->count];
    double *factor = &plan->factors[plan->count];

    *factor = (double)INFINITY;
    change->name = text;
    switch (change->kind) {
    case CHANGE_SCALE:
        return factor_parse_part("scale", text, &change->name, factor, arena, err) &&
               read_subject(change, change->name, err);
    case CHANGE_REMOVE:
        return read_subject(change, text, err);
    case CHANGE_NO_SYNC:
    case CHANGE_RUN_AHEAD:
        *factor = 1;
        change->subject = SUBJECT_NAME;
        return pattern_compile(&change->pattern, text, err);
    case CHANGE_BANDWIDTH:
    case CHANGE_LAUNCHING:
        change->name = change->kind == CHANGE_BANDWIDTH ? "copies" : "launching";
        return factor_parse(text, factor) ||
               error_set(err, ERROR_USAGE, "--%s takes a factor above 0, not '%.60s'",
                         change->kind == CHANGE_BANDWIDTH ? "bandwidth" : "launching", text);
    case CHANGE_REMEDY:
        break;
    }
    return true;
}

static void add_remedy(struct plan *plan, bool is_asked, const char *name, enum remedy remedy)
{
    if (!is_asked)
        return;
    plan->list[++plan->count] =
        (struct change){.name = name, .kind = CHANGE_REMEDY, .remedy = remedy};
    plan->names[plan->count] = name;
    plan->factors[plan->count] = (double)INFINITY;
}

static bool read_plan(const struct what_if_arguments *fields, struct plan *plan,
                      struct arena *arena, struct error *err)
{
    const struct option_values *given = &fields->changes;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++)
        plan->factors[i] = 1;
    for (uint32_t i = 0; i < given->count; i++) {
        struct change *change = &plan->list[++plan->count];

        change->kind = (enum change_kind)given->list[i].tag;
        if (!read_change(given->list[i].text, plan, arena, err)) {
            plan->count--;
            return false;
        }
        plan->names[plan->count] = change->name;
    }
    add_remedy(plan, fields->no_blocking_copies, "no blocking copies", REMEDY_BLOCKING_COPIES);
    add_remedy(plan, fields->hides_communication, "hidden communication",
               REMEDY_HIDDEN_COMMUNICATION);
    add_remedy(plan, fields->has_data_ready, "data ready", REMEDY_INPUT);
    add_remedy(plan, fields->has_even_steps, "even steps", REMEDY_UNEVEN_STEPS);
    return true;
}

/* ---- what that is in a run ---- */

static bool matches(const struct graph *graph, const struct change *change, frame_id id)
{
    static const enum event_role phases[] = {ROLE_DATALOADER, ROLE_FORWARD, ROLE_BACKWARD,
                                             ROLE_OPTIMIZATION};
    const struct frame *frame = graph_frame(graph, id);
    struct frame_class class = graph_class(graph, id);

    if (change->kind == CHANGE_BANDWIDTH)
        return frame->kind == KIND_MEMCPY;
    switch (change->subject) {
    case SUBJECT_KIND:
        return strcmp(frame_kind_name(frame->kind), change->word) == 0;
    case SUBJECT_CATEGORY:
        return class.family != FAMILY_NONE &&
               strcmp(kernel_family_name(class.family), change->word) == 0;
    case SUBJECT_PHASE:
        for (size_t i = 0; i < COUNT_OF(phases); i++)
            if (strcmp(phase_names[i], change->word) == 0)
                return class.role == phases[i] || class.implied_phase == phases[i];
        return false;
    default:
        return pattern_matches(&change->pattern, graph_text(graph, frame->name));
    }
}

static void apply(struct scenario *scenario, const struct plan *plan, uint8_t at,
                  struct arena *arena)
{
    const struct graph *graph = scenario->execution->graph;
    const struct change *change = &plan->list[at];
    bool *is_subject;

    if (change->kind == CHANGE_REMEDY) {
        scenario_apply(scenario, change->remedy, at);
        return;
    }
    if (change->kind == CHANGE_LAUNCHING) {
        scenario_change_launching(scenario, at);
        return;
    }
    is_subject = arena_array(arena, graph->frames.count, sizeof(*is_subject));
    for (frame_id id = 1; id < graph->frames.count; id++)
        is_subject[id] = matches(graph, change, id);
    if (change->kind == CHANGE_NO_SYNC) {
        scenario_remove_waits(scenario, is_subject);
        return;
    }
    if (change->kind == CHANGE_RUN_AHEAD) {
        scenario_run_ahead(scenario, is_subject);
        return;
    }
    if (change->kind != CHANGE_BANDWIDTH &&
        (change->subject == SUBJECT_INSIDE || change->subject == SUBJECT_PHASE))
        scenario_change_inside(scenario, is_subject, at);
    for (frame_id id = 1; id < graph->frames.count; id++)
        if (is_subject[id] && scenario->of_frame[id] == 0)
            scenario->of_frame[id] = at;
}

/* The functions that a change is of must be there. */
static bool check_plan(const struct plan *plan, const struct what_if *what_if, struct error *err)
{
    for (uint32_t i = 1; i <= plan->count; i++) {
        const struct change *change = &plan->list[i];
        bool is_of_waits = change->kind == CHANGE_NO_SYNC || change->kind == CHANGE_RUN_AHEAD;
        bool is_of_functions =
            !is_of_waits && (change->kind != CHANGE_REMEDY || change->remedy == REMEDY_INPUT ||
                             change->remedy == REMEDY_HIDDEN_COMMUNICATION);

        if (is_of_functions && what_if->bounds.pieces[i] == 0) {
            error_set(err, ERROR_NO,
                      "'%.60s' matches nothing that takes time and is not in an earlier change",
                      change->name);
            return error_hint(err,
                              "waits are as long as what they wait for, and threads that run "
                              "nothing but Python or queries while a device works may only wait");
        }
    }
    return true;
}

/* ---- another GPU ---- */

/* What a kernel takes there, as the changes behind those of the plan. */
struct moving {
    struct gpu_move move;
    const char *target;
    int64_t after[MOVE_ENDS]; /* ns of the run */
};

static bool find_move(const struct graph *graph, const struct ceiling_choice *choice,
                      const struct plan *plan, struct arena *arena, const struct report *report,
                      struct moving *moving, struct error *err)
{
    const struct ceiling_choice as_recorded = {0};
    struct ceilings here, there;

    if (!ceilings_find(&as_recorded, report->inputs, report->input_count, arena, &here, NULL,
                       err) ||
        !ceilings_find(choice, report->inputs, report->input_count, arena, &there, NULL, err))
        return false;
    moving->target = choice->gpu ? choice->gpu : choice->gpu_file;
    if (!(here.memory > 0) || !(there.memory > 0)) {
        error_set(err, ERROR_LACK, "the peaks of %s are not known, so its kernels are not scaled",
                  here.memory > 0 ? moving->target : "the GPU that was recorded");
        return error_hint(err, "ptk roofline --gpus lists the GPUs whose peaks are known, in the form "
                               "that a --gpu-file for another has");
    }
    gpu_move_find(graph, &here, &there, arena, &moving->move);
    if (moving->move.count == 0)
        return error_set(err, ERROR_LACK, "no device work is recorded");
    if (plan->count + moving->move.count > REPLAY_CHANGES_MAX)
        return error_set(err, ERROR_USAGE, "--gpu leaves room for fewer changes");
    return true;
}

/* What another change is of keeps that one. */
static void apply_move(struct scenario *scenario, const struct plan *plan,
                       const struct gpu_move *move, enum move_end end)
{
    for (uint32_t i = 0; i < move->count; i++)
        scenario->factors[plan->count + 1 + i] = 1 / move->list[i].ratio[end];
    for (frame_id id = 1; id < scenario->execution->graph->frames.count; id++)
        if (move->of_frame[id] && scenario->of_frame[id] == 0)
            scenario->of_frame[id] = (uint8_t)(plan->count + move->of_frame[id]);
}

/* The likely one last, which is what the answer is of. */
static void replay_moves(struct scenario *scenario, const struct plan *plan, struct moving *moving,
                         struct arena *arena, struct what_if *what_if)
{
    static const enum move_end ends[MOVE_ENDS] = {MOVE_LOW, MOVE_HIGH, MOVE_LIKELY};

    for (int i = 0; i < MOVE_ENDS; i++) {
        apply_move(scenario, plan, &moving->move, ends[i]);
        what_if_compute(scenario->execution, &scenario->change, arena, what_if);
        moving->after[ends[i]] = what_if->after;
    }
}

/* ---- the command ---- */

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct what_if_arguments *fields = asked;
    const struct plan *plan = &fields->plan;
    bool moves = fields->there.gpu || fields->there.gpu_file;
    struct moving moving = {.target = NULL};
    const frame_id *rows;
    struct execution execution;
    struct scenario scenario;
    struct what_if what_if;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "nothing can be replayed", err) ||
        !group_rows(&profile->graph, (enum group_by)fields->by.index, arena, &rows, err) ||
        (moves && !find_move(&profile->graph, &fields->there, plan, arena, report, &moving, err)))
        return false;
    execution_build(&profile->graph, &execution);
    execution.row_of = rows;
    scenario_begin(&scenario, &execution);
    memcpy(scenario.factors, plan->factors, sizeof(plan->factors));
    for (uint32_t i = 1; i <= plan->count; i++)
        apply(&scenario, plan, (uint8_t)i, arena);
    if (moves)
        replay_moves(&scenario, plan, &moving, arena, &what_if);
    else
        what_if_compute(&execution, &scenario.change, arena, &what_if);
    scenario_free(&scenario);
    execution_free(&execution);
    if (!check_plan(plan, &what_if, err))
        return false;
    what_if.is_moved = moves;
    what_if_report(&what_if, plan->names, plan->factors, plan->count, fields->limit, arena, report);
    if (moves)
        gpu_move_report(&moving.move, moving.target, moving.after, arena, report);
    return true;
}

static bool prepare(struct profile_request *request, struct error *err)
{
    struct what_if_arguments *fields = request->asked;

    /* Paddle's loader is known by its events' category */
    request->wanted.categories = fields->has_data_ready;
    if (fields->there.gpu || fields->there.gpu_file)
        request->wanted.properties |= roofline_properties();
    return read_plan(fields, &fields->plan, &request->arena, err);
}

static void release(void *asked)
{
    struct what_if_arguments *fields = asked;

    for (uint32_t i = 1; i <= fields->plan.count; i++)
        pattern_free(&fields->plan.list[i].pattern);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct what_if_arguments),
    .defaults = &(const struct what_if_arguments){.limit = 20},
    .wants_execution = true,
    .filtering = FILTERS_EVENTS,
    .prepare = prepare,
    .fill = fill_report,
    .release = release,
};

const struct command command_what_if = {
    .name = "what-if",
    .summary = "replay a run with some of its work faster",
    .operands = "[FILE]",
    .reads = "a timeline",
    .examples = "ptk what-if --scale gemm=2 trace.json\n"
                "ptk what-if --remove '^nccl' --bandwidth 2x trace.json\n"
                "ptk what-if --scale category:gemm=1.5 --no-blocking-copies trace.json\n"
                "ptk what-if --gpu B200 trace.json\n"
                "ptk what-if -f json --scale DataLoader=4 trace.json\n",
    .options = options,
    .profile = &profile_command,
};
