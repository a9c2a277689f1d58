/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_summary.h — summary tables: one row a kernel, copy or API call, with its count and
 * times */
#ifndef PTK_PARSERS_NVPROF_NVPROF_SUMMARY_H
#define PTK_PARSERS_NVPROF_NVPROF_SUMMARY_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/nvprof/nvprof_names.h"
#include "parsers/nvprof/nvprof_table.h"

/* Which of nvprof's parts a table or a row of it belongs to. */
enum section {
    SECTION_GPU,
    SECTION_API,
    SECTION_OPENACC, /* host constructs, without what they call */
    SECTION_OS,      /* calls of the operating system, most of them waits */
    SECTION_RANGE,   /* with all that happens inside: its time is others' time, too */
    SECTION_COUNT
};

/* Ready for use when zeroed; rows are kept until the end, when it is known what the file is. */
struct summary {
    struct summary_row {
        frame_id frame;
        enum section section;
        int64_t calls, time, min, max; /* ns */
    } * rows;
    size_t count, cap;
    struct idmap places;               /* (frame, section) → row */
    uint64_t read[SECTION_COUNT];      /* rows of the file */
    enum section section, row_section; /* of the open table, and of its row */
    bool is_ranged;                    /* below "NVTX result:": activities told again, by range */
    bool has_main;                     /* some table was not told by range */
    uint64_t retold;                   /* rows left out since they are told by range, too */
    enum table_kind teller[SECTION_COUNT]; /* the first table of kernels, and of calls */
    uint64_t resummed;                     /* rows of others that say the same, left out */
};

/* A heading: "API calls:", "NVTX result:". */
void summary_heading(struct summary *summary, struct span text);

/* A table of nsys stats was opened; its heading told of the operating system, or not. */
void summary_open_nsight(struct summary *summary, const struct table *table, bool is_os);

/* A row of the open table; false when its cells are not what they should be. */
bool summary_take(struct summary *summary, struct builder *builder, const struct table *table,
                  const struct row *row);

/* A row of TABLE_EXECUTION_SUMS: calls, and the kernels that they launched. */
bool summary_take_executions(struct summary *summary, struct builder *builder,
                             const struct table *table, const struct row *row);

/* A launch whose time another reader knows. */
void summary_add_launch(struct summary *summary, frame_id frame, int64_t ns);

/* What a summary's times can be summed by. */
enum summary_value { SUMMARY_TIME, SUMMARY_HOST, SUMMARY_DEVICE, SUMMARY_VALUES };

extern const struct value_name summary_values[SUMMARY_VALUES];

/* The one that makes shares of one whole: the device's, where it did anything. */
enum summary_value summary_standard(const struct summary *summary);

/* Gives the builder the rows that are part of a value. */
void summary_list(const struct summary *summary, struct builder *builder, enum summary_value value);

/* Facts about the rows read. */
void summary_tell(const struct summary *summary, struct builder *builder);

/* The mean time of a launch of a kernel, in ns; UNKNOWN. */
int64_t summary_mean(const struct summary *summary, frame_id frame);

void summary_free(struct summary *summary);

#endif
