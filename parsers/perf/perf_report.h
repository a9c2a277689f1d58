/* SPDX-License-Identifier: Apache-2.0 */
/* perf_report.h — what perf report prints, while it is read: rows of a table, each with the tree below it */
#ifndef PTK_PARSERS_PERF_PERF_REPORT_H
#define PTK_PARSERS_PERF_PERF_REPORT_H

#include "graph/build/builder.h"

enum { REPORT_WHOLE = 10000 /* 100.00 % */, REPORT_DEPTH_MAX = 1000 };

/* A row of the table (depth 0), or a step of the tree below it. */
struct report_node {
    uint32_t depth;
    int64_t share; /* of REPORT_WHOLE; with -g fractal, a step's is of the one before */
    int64_t self;  /* of a row: without what it calls */
    str_id name;
    frame_id frame;
    bool is_inlined;
};

struct perf_report {
    struct builder *builder;
    struct VECTOR_OF(struct report_node) nodes;
    struct idmap rows; /* by name: the frame of the first row of it */
    str_id event;
    int64_t total; /* of all events */
    uint64_t tables;
    bool has_children, is_caller_order, is_fractal;
};

/* Hands all over: stacks, or where rows are with what they call, a call graph. */
MUST_CHECK bool perf_report_build(struct perf_report *report, struct error *err);

#endif
