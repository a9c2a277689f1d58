/* SPDX-License-Identifier: Apache-2.0 */
/* ceiling_choice.h — from options and devices to the peaks that work is compared with */
#ifndef PTK_CMD_OPTIONS_CEILING_CHOICE_H
#define PTK_CMD_OPTIONS_CEILING_CHOICE_H

#include "analysis/kernels/roofline.h"
#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/memory/memory.h"
#include "render/forms/report.h"

struct ceiling_choice {
    double peak_tflops, peak_gbs, link_gbs, l2_gbs, l1_gbs, clock_mhz;
    const char *gpu;
    const char *gpu_file; /* that says its peaks; NULL: the built-in table does */
    bool lists_gpus;      /* the built-in table is asked for, and nothing else */
    const char *achievable; /* NULL, "measured", or a share */
    int precision;          /* 0: by the work; else 1 + enum precision */
};

extern const struct option ceiling_options[]; /* of struct ceiling_choice */

/* The user's, else what the device's parts make, else those of the table, for the first device that
 * any of the graphs has. Adds where each is from to the report (NULL: nowhere), and doubts about
 * what was given.
 * ERROR_USAGE for a GPU that is not known, or not well enough. */
MUST_CHECK bool ceilings_find(const struct ceiling_choice *choice,
                              const struct report_input *inputs, uint32_t count,
                              struct arena *arena, struct ceilings *ceilings, struct report *report,
                              struct error *err);

#endif
