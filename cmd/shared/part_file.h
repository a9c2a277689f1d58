/* SPDX-License-Identifier: Apache-2.0 */
/* part_file.h — a part of a job, written whole or not at all */
#ifndef PTK_CMD_SHARED_PART_FILE_H
#define PTK_CMD_SHARED_PART_FILE_H

#include "base/cli/error.h"
#include "graph/model/job_part.h"

/* NULL and "-" are standard output. */
MUST_CHECK bool part_file_write(const struct job_part *part, const char *path, struct error *err);

#endif
