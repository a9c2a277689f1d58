/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/rank_answer.h"

#include <stdlib.h>

#include "base/memory/memory.h"
#include "cmd/answer/report_output.h"

void rank_report_inputs(struct rank_file *files, size_t count, const char *doubt,
                        struct arena *arena, struct report *report)
{
    struct report_input *inputs = arena_array(arena, count, sizeof(*inputs));

    if (doubt)
        report_before(report, doubt);
    for (size_t i = 0; i < count; i++)
        inputs[i] = (struct report_input){files[i].profile.path, &files[i].profile.graph};
    report->inputs = inputs;
    report->input_count = (uint32_t)count;
}

static bool write_report(const struct profile_request *request, struct rank_file *files,
                         rank_fill *fill, struct error *err)
{
    struct arena arena = {0};
    struct report report = {.command = request->command, .arena = &arena};
    int64_t *numbers = arena_array(&arena, request->count, sizeof(*numbers));
    bool ok;

    rank_report_inputs(files, request->count, rank_files_order(files, request->count), &arena,
                       &report);
    for (size_t i = 0; i < request->count; i++)
        numbers[i] = files[i].rank;
    ok = fill(files, numbers, (uint32_t)request->count, &arena, &report, err) &&
         report_output_write(&report, request->asked, err);
    arena_free(&arena);
    return ok;
}

bool rank_answer(const struct profile_request *request, const struct rank_reading *reading,
                 rank_fill *fill, struct error *err)
{
    struct rank_file *files = grow_zeroed(request->count, sizeof(*files));
    bool ok = rank_files_read(files, request->operands, request->count, reading, err) &&
              write_report(request, files, fill, err);

    rank_files_free(files, request->count);
    free(files);
    return ok;
}
