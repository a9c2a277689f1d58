/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include "analysis/captures/captures_join.h"
#include "base/text/format.h"

/* Below this share of a device's work, a capture would tell next to nothing. */
static const double WORTH_A_HINT = 0.01;

/* " by order, names agree", or of several ways the number of launches of each. */
static const char *ways(const struct captures_join *join, struct arena *arena)
{
    const char *text = "";

    for (int i = ALIGNED_NOT + 1; i < ALIGNMENT_COUNT; i++)
        if (join->by[i] == join->joined && join->joined)
            return arena_printf(arena, " (%s)", alignment_text((enum alignment)i));
        else if (join->by[i])
            text = arena_printf(arena, "%s%s%u %s", text, *text ? "; " : "", join->by[i],
                                alignment_text((enum alignment)i));
    return *text ? arena_printf(arena, " (%s)", text) : "";
}

void captures_report(const struct captures_join *join, struct arena *arena, struct report *report)
{
    double share = join->device_time ? (double)join->time / (double)join->device_time : 0;
    char in_graphs[FORMAT_LEN];

    format_share(in_graphs, share);
    if (join->captures)
        report_before(report,
                      arena_printf(arena,
                                   "%s of device time is in launches of graphs; %u of %u launches "
                                   "are joined with their captures%s%s",
                                   in_graphs, join->joined, join->launches, ways(join, arena),
                                   join->several ? "; where several captures fit, shapes are "
                                                   "left out"
                                                 : ""));
    else if (share >= WORTH_A_HINT)
        report_after(report,
                     arena_printf(arena,
                                  "%s of device time was launched by graphs: a trace of their "
                                  "capture (--capture FILE) tells whose work it is",
                                  in_graphs));
}
