/* SPDX-License-Identifier: Apache-2.0 */
/* samples.h — samples within Chrome traces */
#ifndef PTK_PARSERS_CHROME_SAMPLES_SAMPLES_H
#define PTK_PARSERS_CHROME_SAMPLES_SAMPLES_H

#include "base/memory/memory.h"
#include "parsers/chrome/chrome_events.h"
#include "parsers/chrome/scan/scanner.h"

/* ---- a trace's "samples", which name their stacks in its "stackFrames" ---- */

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

/* The sampled JavaScript profile that Chrome and Node write into a trace piece by piece.
 *
 * A "Profile" event says when the clock began and which thread it is; "ProfileChunk" events bring
 * nodes of the call tree and samples, as differences of time. Older ones, and webpack, write a
 * whole profile into one "CpuProfile" event, in the form of a .cpuprofile file. The pieces are kept
 * as they stand in the file, which is their shortest form, and put together at the end. */

struct v8_piece {
    uint64_t profile; /* a hash of process and id */
    struct token pid, tid, data;
    int64_t time; /* ns: when it was written */
    bool is_start, is_whole;
};

/* Ready for use when zeroed. */
struct v8_profiles {
    struct arena text;
    struct VECTOR_OF(struct v8_piece) pieces;
};

/* Keeps the event if it is such a piece. */
void v8_keep(struct v8_profiles *v8, const struct event *event);

/* Takes another reader's pieces, which follow. */
void v8_absorb(struct v8_profiles *v8, const struct v8_profiles *part);

/* Adds the functions' events, each profile in a row of its own. */
void v8_finish(const struct v8_profiles *v8, uint64_t file_bytes, struct chrome_rows *rows,
               struct builder *builder);

void v8_free(struct v8_profiles *v8);

#endif
