/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/profile_command.h"

bool profile_command_run(const struct profile_command *request, char **operands, size_t count,
                         struct error *err)
{
    struct profile profile;
    struct report_input input;
    struct report report = {.command = request->command, .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    bool ok;

    if (!profile_load_operand(&profile, operands, count, request->wanted, request->common, err))
        return false;
    input = (struct report_input){profile.path, &profile.graph};
    ok = request->fill(&profile, request->asked, &arena, &report, err) &&
         report_output_write(&report, request->common, err);
    arena_free(&arena);
    profile_free(&profile);
    return ok;
}
