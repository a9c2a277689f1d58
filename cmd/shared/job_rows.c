/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/load.h"

#include <string.h>

#include "analysis/job/part_join.h"
#include "cmd/shared/profile_command.h"
#include "graph/model/job_part.h"
#include "parsers/part/part_reader.h"

bool is_part_among(char **paths, size_t count)
{
    bool is_any = false;

    for (size_t i = 0; i < count && !is_any; i++) {
        struct error ignored = {0};
        struct input in;

        if (strcmp(paths[i], "-") == 0 ||
            !input_open(&in, paths[i], &(struct input_options){0}, &ignored))
            continue;
        is_any = part_is_one(input_peek(&in, PART_MAGIC_LEN));
        input_close(&in);
    }
    return is_any;
}

bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                  const struct common *common, uint64_t memory, struct error *err)
{
    const struct job_input_options options = {.memory = memory};
    struct report report = {.command = command};
    struct arena arena = {0};
    struct job_inputs inputs;
    bool ok = job_inputs_read(&inputs, paths, count, &options, common, err);

    if (ok && common->format == REPORT_SVG) {
        ok = error_set(err, ERROR_LACK, "a chart of a part is drawn by ptk job");
        error_hint(err, "ptk job -f svg draws heat maps of ranks and steps");
    }
    if (ok) {
        part_seal(&inputs.part, SEAL_ALL);
        report.inputs = inputs.inputs;
        report.input_count = inputs.count;
        rows(&inputs.part, &arena, &report);
        ok = report_output_write(&report, common, err);
    }
    arena_free(&arena);
    job_inputs_free(&inputs);
    return ok;
}
