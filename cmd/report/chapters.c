/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/chapters.h"

#include "analysis/job/leaves.h"
#include "analysis/roofline/roofline.h"
#include "analysis/summary/host_tree.h"
#include "analysis/verdict/advice.h"
#include "analysis/verdict/bottleneck.h"

struct builder_options chapters_wanted(void)
{
    return (struct builder_options){
        .need = LEVEL_TIMELINE,
        .launches = true,
        .flows = true,
        .categories = true,
        .labels = true,
        .series = true,
        .properties = advice_properties() | bottleneck_properties() | roofline_properties() |
                      summary_properties() | leaves_properties() | property_bit(PROP_WAIT_STREAM) |
                      property_bit(PROP_SRC_KIND) | property_bit(PROP_DST_KIND)};
}

const struct chapter chapters[] = {
    {"job", "What slows the job", LEVEL_FLAT, fill_job},
    {"advice", "What to fix first", LEVEL_FLAT, fill_advice},
    {"bound", "What holds the run up", LEVEL_FLAT, fill_bound},
    {"changes", "What changed", LEVEL_FLAT, fill_diff},
    {"ranks", "Ranks beside one another", LEVEL_TIMELINE, fill_ranks},
    {"hotspots", "Where the time goes", LEVEL_FLAT, fill_hotspots},
    {"flame", "Flame graph", LEVEL_CALLGRAPH, fill_flame},
    {"timeline", "Timeline", LEVEL_TIMELINE, fill_timeline},
    {"overlap", "What overlaps", LEVEL_TIMELINE, fill_overlap},
    {"critical-path", "Critical path", LEVEL_TIMELINE, fill_critical_path},
    {"lines", "Lines", LEVEL_FLAT, fill_lines},
    {"labels", "Labels", LEVEL_CALLTREE, fill_labels},
    {"amdahl", "How much faster the whole can get", LEVEL_FLAT, fill_amdahl},
    {"roofline", "How far from the hardware's peak", LEVEL_FLAT, fill_roofline},
    {"summary", "Summary tables", LEVEL_TIMELINE, fill_summary},
    {"input", "What was read", LEVEL_FLAT, fill_info},
    {NULL, NULL, LEVEL_FLAT, NULL},
};
