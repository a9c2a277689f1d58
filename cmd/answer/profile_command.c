/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/profile_command.h"

#include <string.h>

#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "render/reports/reports.h"

static bool fill_and_write(const struct profile_command *record, struct profile_request *request,
                           struct profile *profile, struct arena *arena, struct error *err)
{
    const struct common *common = request->asked;
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {
        .command = request->command, .inputs = &input, .input_count = 1, .arena = arena};

    if (!profile_select(profile, &common->selection, err) ||
        !record->fill(profile, request->asked, arena, &report, err))
        return false;
    captures_report(&profile->captures, arena, &report);
    return report_output_write(&report, common, err);
}

/* Of the profile that the operands name, or the default one. */
static bool answer_one(const struct profile_command *record, struct profile_request *request,
                       struct error *err)
{
    struct profile profile;
    struct arena arena = {0};
    bool ok;

    if (!profile_load_operand(&profile, request->operands, request->count, &request->wanted,
                              request->asked, err))
        return false;
    ok = record->write ? record->write(&profile, request->asked, &arena, err)
                       : fill_and_write(record, request, &profile, &arena, err);
    arena_free(&arena);
    profile_free(&profile);
    return ok;
}

static bool is_of_several(const struct profile_command *record, const struct profile_request *request)
{
    return record->answer_several &&
           (request->count > 1 || is_shard_among(request->operands, request->count));
}

bool profile_command_run(const struct command *command, char **argv, struct error *err)
{
    const struct profile_command *record = command->profile;
    struct profile_request request = {.command = command->name, .operands = argv};
    struct common *common;
    bool ok;

    request.asked = common = arena_array(&request.arena, 1, record->size);
    if (record->defaults)
        memcpy(request.asked, record->defaults, record->size);
    ok = option_parse(command->options, request.asked, argv, &request.count, err);
    ok = ok && (!record->takes_function ||
                function_take(command->name, argv, &request.count, common->selection.is_literal,
                              &common->function, err));
    if (common->is_schema && common->format == REPORT_TEXT)
        common->format = REPORT_JSON;
    common->selection.is_of_events = record->filtering == FILTERS_EVENTS;
    request.wanted = record->wanted;
    selection_want(&common->selection, &request.wanted);
    if (record->wants_execution)
        execution_want(&request.wanted);
    ok = ok && (!record->prepare || record->prepare(&request, err));
    if (ok)
        ok = is_of_several(record, &request) ? record->answer_several(&request, err)
             : record->answer                ? record->answer(&request, err)
                                             : answer_one(record, &request, err);
    if (record->release)
        record->release(request.asked);
    name_pattern_free(&common->function);
    arena_free(&request.arena);
    return ok;
}
