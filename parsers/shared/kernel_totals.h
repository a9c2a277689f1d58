/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_totals.h — how often kernels, copies and calls ran, and how long, where a file has a row for
 * each of them and no timeline */
#ifndef PTK_PARSERS_SHARED_KERNEL_TOTALS_H
#define PTK_PARSERS_SHARED_KERNEL_TOTALS_H

#include "base/memory/idmap.h"
#include "base/memory/vector.h"
#include "graph/build/builder.h"

/* Which part of a run a row is about. */
enum section {
    SECTION_GPU,
    SECTION_API,
    SECTION_OPENACC, /* host constructs, without what they call */
    SECTION_OS,      /* calls of the operating system, most of them waits */
    SECTION_RANGE,   /* with all that happens inside: its time is others' time, too */
    SECTION_COUNT
};

struct kernel_total {
    frame_id frame;
    enum section section;
    int64_t calls, time, min, max; /* ns */
};

/* Ready for use when zeroed; rows are kept until the end, when it is known what the file is. */
struct kernel_totals {
    VECTOR(struct kernel_total);
    struct idmap places;          /* (frame, section) → row */
    uint64_t read[SECTION_COUNT]; /* rows of the file */
};

/* Adds to what there is of the frame in that section. */
void kernel_totals_add(struct kernel_totals *totals, const struct kernel_total *row);

/* One launch of a kernel, or one copy. */
void kernel_totals_add_launch(struct kernel_totals *totals, frame_id frame, int64_t ns);

/* What the times can be summed by. */
enum totals_value { TOTALS_TIME, TOTALS_HOST, TOTALS_DEVICE, TOTALS_VALUES };

extern const struct value_name totals_values[TOTALS_VALUES];

/* The one that makes shares of one whole: the device's, where it did anything. */
enum totals_value kernel_totals_standard(const struct kernel_totals *totals);

/* Gives the builder the rows that are part of a value. */
void kernel_totals_list(const struct kernel_totals *totals, struct builder *builder,
                        enum totals_value value);

/* Facts about the rows read. */
void kernel_totals_tell(const struct kernel_totals *totals, struct builder *builder);

/* The mean time of a launch of a kernel, in ns; UNKNOWN. */
int64_t kernel_totals_mean(const struct kernel_totals *totals, frame_id frame);

void kernel_totals_free(struct kernel_totals *totals);

#endif
