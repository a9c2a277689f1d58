#include "cmd/shared/profile_command.h"

#include "cmd/shared/report_output.h"

bool profile_command_run(const struct profile_command *question, char **operands, size_t count,
                         struct error *err)
{
    struct profile profile;
    struct report_input input;
    struct report report = {.command = question->command, .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    bool ok;

    if (!profile_load_operand(&profile, operands, count, question->wanted, question->common, err))
        return false;
    input = (struct report_input){profile.path, &profile.graph};
    ok = question->fill(&profile, question->asked, &arena, &report, err) &&
         report_output_write(&report, question->common, err);
    arena_free(&arena);
    profile_free(&profile);
    return ok;
}
