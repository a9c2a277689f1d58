/* SPDX-License-Identifier: Apache-2.0 */
/* timed_samples.h — samples of threads, each with its time, as a timeline */
#ifndef PTK_PARSERS_STACKS_TIMED_SAMPLES_H
#define PTK_PARSERS_STACKS_TIMED_SAMPLES_H

#include "parsers/stacks/sampled_stacks.h"

/* For parsers that are asked for times (builder_wants_times()): a track a thread, of TRACK_SAMPLES. A sample lasts until
 * the next one of its thread. Where that comes later than twice the usual distance of samples, which is the median, the
 * thread did not run in between, as samplers of processor time leave out waiting threads: then it lasts for that
 * distance. */
struct timed_samples {
    struct builder *builder;
    struct sampled sampled;
    struct idmap children; /* caller and frame → node */
    struct idmap tracks;   /* by the caller's key of a thread */
};

/* In place of builder_begin(). */
MUST_CHECK bool timed_samples_begin(struct timed_samples *samples, struct builder *builder, struct error *err);

/* The track of a thread, made on first mention: `key` tells threads apart. */
uint32_t timed_samples_track(struct timed_samples *samples, uint64_t key, str_id name, int64_t pid, int64_t tid);

/* A stack, the leaf first. */
void timed_samples_add(struct timed_samples *samples, uint32_t track, int64_t time, const frame_id *stack, size_t count);

/* Gives the events to the builder; `bytes`: of the file. Frees what is here. */
void timed_samples_end(struct timed_samples *samples, uint64_t bytes);

#endif
