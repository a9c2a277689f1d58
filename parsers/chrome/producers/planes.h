/* SPDX-License-Identifier: Apache-2.0 */
/* planes.h — rows of producers that do not say by categories what ran on a device
 *
 * TensorFlow, JAX and Ascend name the process after the device, "/device:GPU:0", and its rows after
 * what is in them: streams, and beside them what is derived from those: steps, modules, operators.
 * TensorFlow 1 has a process for each stream, "/device:GPU:0/stream:13 Compute", and repeats all of
 * them as "stream:all" and "memcpy". PyTorch's profiler before Kineto has a process of "CUDA
 * functions", whose threads are devices. Others' processes are always called the same: rocprof's
 * "GPU0" and "CPU HIP API", nsys2json's "Device 0", which is no name but the id. */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PLANES_H
#define PTK_PARSERS_CHROME_PRODUCERS_PLANES_H

#include "graph/build/builder.h"
#include "parsers/chrome/event_classify.h"
#include "parsers/shared/json_value.h"

/* ---- what XLA writes of device work, as one text ---- */

/* kernel_details "regs:32 static_shared:0 dynamic_shared:512 grid:864,1,1 block:256,1,1
 * occ_pct:87.5" memcpy_details "kind_src:pageable kind_dst:device size:4096 dest:0 async:1" */

/* Gives the event, by its number, what the details tell and somebody wants. No token: nothing. */
void xla_details_add(struct builder *builder, uint32_t event, struct token details);

/* ---- rows of producers that do not say by categories what ran on a device ---- */

/* What a row holds: ROW_STREAM what the device does, ROW_RANGES what is derived from it,
 * ROW_TOTALS what is written elsewhere, too. */
struct producer;

struct plane {
    enum row_role role;
    enum frame_kind kind;
};

bool plane_is(struct span process);

/* Whether a file that begins so may name processes after devices: who starts in the middle does not
 * know what its events are. */
bool planes_are_in(struct span head);

/* Who calls it so; NULL: several do, or it is none of those. */
const struct producer *plane_producer(struct span process);

/* "CUDA functions": the process has no other name, and its threads are devices. */
bool plane_is_autograd(struct span process);

/* Whether it is one stream of those that TensorFlow 1 also repeats as a whole. */
bool plane_is_numbered(struct span process);

/* Which device it is: 1 for "/device:GPU:1". */
int32_t plane_device(struct span process);

struct plane plane_of(struct span process, struct span thread, bool has_numbered);

#endif
