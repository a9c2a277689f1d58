/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_file.h — --gpu-file: a GPU's peaks in a file of "key = value", and the built-in table in that form */
#ifndef PTK_CMD_OPTIONS_GPU_FILE_H
#define PTK_CMD_OPTIONS_GPU_FILE_H

#include <stdio.h>

#include "analysis/kernels/roofline.h"
#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"

/*     # TFLOP/s, dense; memory and link in GB/s, the link one way; cache in MiB
 *     [My GPU]
 *     fp32 = 60
 *     bf16 = 900
 *     memory = 4000
 *
 * Several GPUs may follow each other; what stands before the first name is of a GPU without one. */

/* The one whose name holds `asked`, in any case; where that is NULL, the first. In the arena. NULL with
 * ERROR_INPUT at the line that is wrong, ERROR_USAGE where there is no such GPU. */
const struct gpu *gpu_file_read(const char *path, const char *asked, struct arena *arena,
                                struct error *err);

void gpu_table_write(FILE *out);

#endif
