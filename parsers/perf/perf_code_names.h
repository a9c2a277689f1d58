/* SPDX-License-Identifier: Apache-2.0 */
/* perf_code_names.h — tables that say which code is where: of compilers at run time, and of the kernel */
#ifndef PTK_PARSERS_PERF_CODE_NAMES_H
#define PTK_PARSERS_PERF_CODE_NAMES_H

#include "parsers/perf/perf_data.h"

/* ---- tables of names: "START [SIZE] NAME" ---- */

struct named_code {
    uint64_t start, end; /* end: 0 where the next one begins */
    struct span name;
    str_id module; /* of the kernel: "[ext4]"; 0 */
};

struct code_names {
    VECTOR(struct named_code);
    str_id module; /* what its code is in: the file of the names */
};

/* By start. Of equal starts the last stays last, and counts. */
void code_names_sort(struct code_names *table);

/* Needs a sorted table. NULL: nothing is there. Logarithmic. */
const struct named_code *code_names_find(const struct code_names *table, uint64_t address);

/* ---- the kernel's functions: perf_kernel.c ---- */

struct kernel_names;

/* Looks for the names when the first is asked for. Owned: see kernel_names_free(). */
struct kernel_names *kernel_names_new(struct perf_data *perf);

/* Of the kernel itself; 0: not known. */
str_id kernel_name(struct kernel_names *kernel, uint64_t address);

/* Of `module`, "[ext4]", which the recording has at `map`; 0: not known. */
str_id kernel_module_name(struct kernel_names *kernel, const struct perf_mapping *map,
                          str_id module, uint64_t address);

void kernel_names_free(struct kernel_names *kernel);

#endif
