/* SPDX-License-Identifier: Apache-2.0 */
/* merged_inputs.h — several files of one program: times from one run, counters from another */
#ifndef PTK_CMD_LOAD_MERGED_INPUTS_H
#define PTK_CMD_LOAD_MERGED_INPUTS_H

#include "analysis/kernels/roofline.h"
#include "cmd/load/profile_load.h"

enum { MERGED_INPUTS_MAX = 16 };

struct merged_inputs {
    struct profile list[MERGED_INPUTS_MAX]; /* the one that answers are about stands first */
    uint32_t count;
    struct counters_join join; /* of all that was joined */
    bool is_joined;
};

/* Reads the operands and joins them. One alone is joined with its own counters, if it has any. */
MUST_CHECK bool merged_inputs_load(struct merged_inputs *joined, char **operands, size_t count,
                                   const struct builder_options *wanted,
                                   const struct common *common, struct error *err);

void merged_inputs_free(struct merged_inputs *joined);

#endif
