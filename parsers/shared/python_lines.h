/* SPDX-License-Identifier: Apache-2.0 */
/* python_lines.h — whether a sampler's frames say where functions begin, or which lines ran
 *
 * py-spy, unless it is told `--function`, and austin put the line that ran into the frame. One
 * function is then as many frames as lines of it were seen. Which it is, the frames tell: a module's
 * own code begins at line 1, so that one further down is a line that ran. Where no module's code is
 * seen, it is one when a name has several lines in one file. */
#ifndef PTK_PARSERS_SHARED_PYTHON_LINES_H
#define PTK_PARSERS_SHARED_PYTHON_LINES_H

#include "graph/build/builder.h"

/* Hands the frames of a file to the builder, whose ids for them go to `ids`. Lines that ran are kept
 * where lines are asked for; else the frames of one function become one, which has no line: where it
 * begins is not known. Lambdas and comprehensions, which only their lines tell apart, keep theirs.
 * Once, after the last frame was read; the texts must be the builder's. */
void python_frames_give(struct builder *builder, struct frame *frames, size_t count,
                        frame_id *ids);

#endif
