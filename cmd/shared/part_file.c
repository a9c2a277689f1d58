/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/part_file.h"

#include "base/io/output.h"
#include "render/writers/part_writer.h"

bool part_file_write(const struct job_part *part, const char *path, struct error *err)
{
    struct output out;

    if (!output_open(&out, path, err))
        return false;
    part_write(part, out.file);
    return output_commit(&out, err);
}
