/* SPDX-License-Identifier: Apache-2.0 */
/* charts.h — the pictures that reports may have, as SVG
 *
 * Each gives a chart to the report that was filled from the same result, where there is something
 * to draw; the result must last until the report is written. */
#ifndef PTK_RENDER_CHARTS_CHARTS_H
#define PTK_RENDER_CHARTS_CHARTS_H

#include "analysis/summary/summary.h"
#include "render/forms/report.h"

struct amdahl;
struct amdahl_options;
struct diff;
struct difference;
struct job;
struct overlap;
struct ranks;
struct roofline;
struct roofline_options;
struct serve;

/* Bars: what each device did, why it was idle and, where steps were asked for, what each is made of. */
void overlap_chart(const struct overlap *overlap, struct report *report);

/* What all training steps of each rank are made of: a column a rank; `numbers` is what each of the
 * report's inputs is called. */
void rank_steps_chart(const struct rank_steps *steps, const int64_t *numbers, struct arena *arena,
                      struct report *report);

/* Bars: what each rank did, who waited for whom, and how far apart the ranks are in each figure. */
void ranks_chart(const struct ranks *ranks, struct report *report);

/* Where a job is slow: by stage and data-parallel rank, and by rank and step. */
void job_chart(const struct job *job, struct report *report);

/* Memory over time: what was allocated, and reserved, on each place, with the peak marked. */
void memory_chart(const struct memory_curve *curve, struct report *report);

/* Gives the report the chart of a view that is filled. False where it has none: the curve of memory
 * does if an allocator was recorded, the steps always, and no other does. */
bool summary_chart(enum summary_view view, const struct summary *summary, struct report *report);

/* The picture that a roofline is named after.
 *
 * FLOP a second over FLOP a byte, both logarithmic and with decades of one length, so that memory's
 * roof rises by 45 degrees. A dot is a row: its area is its time, its colour what holds it up, and
 * it is hollow where its work is not counted but follows from shapes. */
void roofline_chart(const struct roofline *roofline, const struct roofline_options *options,
                    struct arena *arena, struct report *report);

/* Dots: the device time of each step over time, and that of decode steps over their tokens. */
void serve_chart(const struct serve *serve, struct report *report);

/* Curves: how much faster the whole gets over how many times faster a part gets.
 *
 * A curve rises to its limit, which a dotted line marks; where only bounds are known it is a band,
 * with the curve at its upper side. */
void amdahl_chart(const struct amdahl *amdahl, const struct amdahl_options *options,
                  struct arena *arena, struct report *report);

/* A waterfall: from the total before, through what grew and what shrank, to the total after.
 *
 * Figures with callees do not add up: there, each change stands for itself. */
void diff_chart(const struct difference *difference, const struct diff *diff, struct arena *arena,
                struct report *report);

/* The same of parts of the program; both must live as long as the report. */
struct structure;
struct structure_difference;
void structure_chart(const struct structure *structure, const struct structure_difference *parts,
                     struct arena *arena, struct report *report);

#endif
