/* SPDX-License-Identifier: Apache-2.0 */
/* stack_samples.h — a trace's "samples", which name their stacks in its "stackFrames" */
#ifndef PTK_PARSERS_CHROME_SAMPLES_STACK_SAMPLES_H
#define PTK_PARSERS_CHROME_SAMPLES_STACK_SAMPLES_H

#include "base/memory/arena.h"
#include "parsers/chrome/chrome_tracks.h"

/* Two members of the document, in either order, as they stand. Ready for use when zeroed. */
struct stack_samples {
    struct arena text;
    struct token frames, samples;
};

/* Each keeps a copy of the member's value. */
void stack_samples_keep_frames(struct stack_samples *stacks, struct token value);
void stack_samples_keep_samples(struct stack_samples *stacks, struct token value);

/* Adds the functions' events, in a row for each thread. */
void stack_samples_finish(const struct stack_samples *stacks, uint64_t file_bytes,
                          struct chrome_rows *rows, struct builder *builder);

void stack_samples_free(struct stack_samples *stacks);

#endif
