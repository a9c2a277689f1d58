/* SPDX-License-Identifier: Apache-2.0 */
/* part_reader.h — a part of a job from its file: proto/part.proto */
#ifndef PTK_PARSERS_PART_PART_READER_H
#define PTK_PARSERS_PART_PART_READER_H

#include "base/io/input.h"
#include "graph/build/builder.h"
#include "graph/model/job_part.h"

/* Whether a file begins as parts do. */
bool part_is_one(struct span head);

/* ERROR_INPUT where it is damaged, cut, or of a version that means something else. Everything is
 * checked against what is there. job_part_free() in any case. */
MUST_CHECK bool part_read(struct input *in, struct job_part *part, struct error *err);

/* A part as a profile: the device work of all its ranks by name. */
MUST_CHECK bool part_tell(const struct job_part *part, struct builder *builder, struct error *err);

#endif
