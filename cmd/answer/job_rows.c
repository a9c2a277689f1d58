/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/job_rows.h"

#include "analysis/ranks/shard_file.h"
#include "analysis/ranks/shard_join.h"
#include "base/io/io.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/job_inputs.h"
#include "cmd/options/common_options.h"

bool shard_file_write(const struct job_shard *shard, const char *path, struct error *err)
{
    struct output out;

    if (!terminal_check("a binary file", path, err) || !output_open(&out, path, err))
        return false;
    shard_write(shard, out.file);
    return output_commit(&out, err);
}

bool job_rows_run(const char *command, job_rows *rows, char **paths, size_t count,
                  const struct common *common, uint64_t memory, struct error *err)
{
    const struct job_input_options options = {.memory = memory};
    struct arena arena = {0};
    struct report report = {.command = command, .arena = &arena};
    struct job_inputs inputs;
    bool ok = job_inputs_read(&inputs, paths, count, &options, common, err);

    if (ok && common->format == REPORT_SVG) {
        ok = error_set(err, ERROR_LACK, "a chart of a part is drawn by ptk job");
        error_hint(err, "ptk job -f svg draws heat maps of ranks and steps");
    }
    if (ok) {
        shard_align(&inputs.shard, GROUPS_ALL, NULL);
        report.inputs = inputs.inputs;
        report.input_count = inputs.count;
        rows(&inputs.shard, &arena, &report);
        ok = report_output_write(&report, common, err);
    }
    arena_free(&arena);
    job_inputs_free(&inputs);
    return ok;
}
