/* SPDX-License-Identifier: Apache-2.0 */
/* report_inputs.h — what ptk report is asked, and what it reads: a profile, two, or the ranks of a job */
#ifndef PTK_CMD_REPORT_REPORT_INPUTS_H
#define PTK_CMD_REPORT_REPORT_INPUTS_H

#include "analysis/compare/diff.h"
#include "analysis/compare/structure.h"
#include "cmd/answer/overlap_ranks.h"
#include "cmd/load/files.h"
#include "cmd/load/job_inputs.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/source_files.h"
#include "cmd/options/ceiling_choice.h"
#include "cmd/options/common_options.h"
#include "cmd/report/chapters.h"

struct report_arguments {
    struct common common;
    struct ceiling_choice ceilings;
    struct source_choice sources;
    const char *title;
    uint32_t limit;
    uint64_t page_size; /* bytes */
    bool is_diff, is_ranks;
};

struct report_inputs {
    struct profile profile, before, lines, times;
    bool has_before;
    struct structure structure; /* of the two, likewise */
    struct diff diff; /* of `before` and `profile`, whose texts it has copied */
    struct overlap_ranks ranks;
    struct job_inputs job;
    struct files files;
};

/* Two profiles are one before and one after, unless they say that they are ranks of one job; more are
 * ranks, and the page is about the first. */
MUST_CHECK bool report_inputs_load(struct report_context *context, struct report_inputs *inputs,
                                   char **operands, size_t count,
                                   const struct report_arguments *fields, struct error *err);

void report_inputs_free(struct report_context *context, struct report_inputs *inputs);

/* What chapters leave of a page's size; other ranks have as much as the page's own timeline. */
uint64_t page_timelines_size(uint64_t size, bool has_ranks);

#endif
