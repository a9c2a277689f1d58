/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/chapters.h"

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/kernels/roofline.h"
#include "analysis/ranks/rank_summaries.h"
#include "analysis/summary/host_tree.h"
#include "base/io/io.h"
#include "cmd/answer/report_output.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "render/reports/reports.h"

struct builder_options chapters_wanted(void)
{
    return (struct builder_options){
        .need = LEVEL_TIMELINE,
        .launches = true,
        .flows = true,
        .categories = true,
        .labels = true,
        .series = true,
        .blocks = true,
        .properties = advice_properties() | bottleneck_properties() | roofline_properties() |
                      summary_properties() | phase_summaries_properties() |
                      property_bit(PROP_WAIT_STREAM) | property_bit(PROP_SRC_KIND) |
                      property_bit(PROP_DST_KIND)};
}

static bool chapter_info(const struct report_context *context, struct arena *arena,
                         struct chapter_content *content, struct error *err)
{
    (void)err;
    profile_info_report(context->profile, arena, &content->report);
    captures_report(&context->profile->captures, arena, &content->report);
    return true;
}

const struct chapter chapters[] = {
    {"job", "What slows the job", LEVEL_FLAT, chapter_job, CHAPTER_BESIDE_OTHERS},
    {"changes", "What changed", LEVEL_FLAT, chapter_diff, CHAPTER_BESIDE_OTHERS},
    {"advice", "What to fix first", LEVEL_FLAT, chapter_advice, CHAPTER_AFTER_ADVICE},
    {"bound", "What limits the run", LEVEL_FLAT, chapter_bound, CHAPTER_AFTER_ADVICE},
    {"serve", "Steps of serving", LEVEL_TIMELINE, chapter_serve, CHAPTER_BESIDE_OTHERS},
    {"ranks", "Ranks beside one another", LEVEL_TIMELINE, chapter_ranks, CHAPTER_BESIDE_OTHERS},
    {"hotspots", "Where the time goes", LEVEL_FLAT, chapter_hotspots, CHAPTER_BESIDE_OTHERS},
    {"memory", "Memory", LEVEL_CALLTREE, chapter_memory, CHAPTER_BESIDE_OTHERS},
    {"flame", "Flame graph", LEVEL_CALLGRAPH, chapter_flame, CHAPTER_OF_TREE},
    {"timeline", "Timeline", LEVEL_TIMELINE, chapter_timeline, CHAPTER_BESIDE_OTHERS},
    {"overlap", "What overlaps", LEVEL_TIMELINE, chapter_overlap, CHAPTER_BESIDE_OTHERS},
    {"critical-path", "Critical path", LEVEL_TIMELINE, chapter_critical_path,
     CHAPTER_BESIDE_OTHERS},
    {"lines", "Lines", LEVEL_FLAT, chapter_lines, CHAPTER_BESIDE_OTHERS},
    {"labels", "Labels", LEVEL_CALLTREE, chapter_labels, CHAPTER_OF_TREE},
    {"amdahl", "How much faster the whole can get", LEVEL_FLAT, chapter_amdahl,
     CHAPTER_BESIDE_OTHERS},
    {"roofline", "How far from the hardware's peak", LEVEL_FLAT, chapter_roofline,
     CHAPTER_BESIDE_OTHERS},
    {"summary", "Summary tables", LEVEL_TIMELINE, chapter_summary, CHAPTER_OF_GRAPH},
    {"input", "What was read", LEVEL_FLAT, chapter_info, CHAPTER_BESIDE_OTHERS},
    {.id = NULL},
};

/* ---- pictures ---- */

FILE *chapter_picture_open(struct chapter_content *content)
{
    struct page_picture *picture = &content->pictures[content->picture_count++];

    return memory_stream_open(&picture->svg, &picture->size);
}

void chapter_picture_close(struct chapter_content *content, FILE *out)
{
    memory_stream_close(out, &content->pictures[content->picture_count - 1].svg);
}

static void draw_narrow(struct report *bare, struct page_picture *picture)
{
    FILE *out = memory_stream_open(&picture->narrow, &picture->narrow_size);

    bare->chart.width = bare->chart.narrow;
    report_write(bare, REPORT_SVG, NULL, out);
    memory_stream_close(out, &picture->narrow);
}

void chapter_draw_chart(struct chapter_content *content)
{
    struct report bare = content->report;
    FILE *out;

    if (!bare.chart.draw)
        return;
    out = chapter_picture_open(content);
    bare.before_count = bare.after_count = 0;
    bare.input_count = 0; /* the page's head names them */
    report_write(&bare, REPORT_SVG, NULL, out);
    chapter_picture_close(content, out);
    if (bare.chart.narrow > 0)
        draw_narrow(&bare, &content->pictures[content->picture_count - 1]);
}
