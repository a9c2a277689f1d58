/* SPDX-License-Identifier: Apache-2.0 */
/* part_reader.h — parts of a job, and their frames */
#ifndef PTK_PARSERS_PART_PART_READER_H
#define PTK_PARSERS_PART_PART_READER_H

#include <protobuf-c/protobuf-c.h>

#include "base/error/error.h"
#include "base/io/io.h"
#include "graph/build/builder.h"
#include "graph/model/job_part.h"

/* ---- a part of a job from its file: proto/part.proto ---- */

/* Whether a file begins as parts do. */
bool part_is_one(struct span head);

/* ERROR_INPUT where it is damaged, cut, or of a version that means something else. Everything is
 * checked against what is there. job_part_free() in any case. */
MUST_CHECK bool part_read(struct input *in, struct job_part *part, struct error *err);

/* A part as a profile: the device work of all its ranks by name. */
MUST_CHECK bool part_tell(const struct job_part *part, struct builder *builder, struct error *err);

/* ---- the frames that a part's file consists of, and the messages in them ---- */

/* Every length and every hash is checked; a message takes no more memory than its bytes allow. */

struct part_frames {
    struct input *in;
    struct error *err;
    uint32_t count;
    uint64_t hashes; /* of all frames so far */
    uint64_t at;     /* offset of the frame being read */
    size_t room;     /* what a message may still take */
    char *plain;     /* of that frame, unpacked; the caller frees it in the end */
};

struct part_frame {
    enum part_section section;
    struct span bytes; /* unpacked */
    size_t packed;     /* bytes that it has in the file */
};

/* Checks the file's first bytes and its version, and goes past them. */
MUST_CHECK bool part_frames_begin(struct part_frames *frames, struct input *in, struct error *err);

/* A fuzzer would not get past the hashes. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { PART_CHECKS_HASHES = false };
#else
enum { PART_CHECKS_HASHES = true };
#endif

/* The next frame, which stays until part_frame_skip(). */
MUST_CHECK bool part_frame_next(struct part_frames *frames, struct part_frame *frame);

void part_frame_skip(struct part_frames *frames, const struct part_frame *frame);

/* What a frame holds, until part_message_drop(); NULL with an error. */
ProtobufCMessage *part_message(struct part_frames *frames,
                               const ProtobufCMessageDescriptor *descriptor, struct span bytes);

void part_message_drop(struct part_frames *frames, ProtobufCMessage *message);

/* The error "a part's WHAT" at the frame being read; false. */
bool part_damaged(struct part_frames *frames, const char *what);

#endif
