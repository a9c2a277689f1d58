/* SPDX-License-Identifier: Apache-2.0 */
/* column_widths.h — bytes that wait for the end of the file: is a KB 1000 bytes in it, or 1024?
 *
 * nvprof of CUDA 6 and before counts in thousands, later ones in 1024s, and no file says so. A copy
 * whose size and throughput have different prefixes ("8.0000MB" at "60.641GB/s") tells: size over
 * duration is the throughput in one of the two bases only. */
#ifndef PTK_PARSERS_NVPROF_COLUMN_WIDTHS_H
#define PTK_PARSERS_NVPROF_COLUMN_WIDTHS_H

#include "graph/build/builder.h"
#include "parsers/shared/quantity.h"

/* Ready for use when zeroed. */
struct sizes {
    struct waiting_size {
        uint32_t event;
        enum property property;
        struct amount amount, more; /* their sum is meant */
    } * list;
    size_t count, cap;
    uint64_t binary, decimal; /* rows that speak for either */
    bool is_nsight;           /* decimal by its manual */
    bool is_old;              /* figures as only old versions write them */
    bool is_new;              /* columns that only new versions have */
    bool has_prefix;          /* some copy's size has one: the base matters */
};

void sizes_add(struct sizes *sizes, uint32_t event, enum property property, struct amount amount,
               struct amount more);

/* What a copy says of the base. `ns`: its duration, known to `resolution`. */
void sizes_weigh(struct sizes *sizes, struct amount size, struct amount rate, int64_t ns,
                 int64_t resolution);

/* Decides, says how, and gives the events their bytes. */
void sizes_finish(struct sizes *sizes, struct builder *builder);

void sizes_free(struct sizes *sizes);

#endif
