/* SPDX-License-Identifier: Apache-2.0 */
/* part_writer.h — a part of a job as a file: proto/part.proto */
#ifndef PTK_RENDER_WRITERS_PART_WRITER_H
#define PTK_RENDER_WRITERS_PART_WRITER_H

#include <stdio.h>

#include "graph/model/job_part.h"

/* Equal parts give equal bytes. Write errors are found when the output is committed. */
void part_write(const struct job_part *part, FILE *out);

#endif
