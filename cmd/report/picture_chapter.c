/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/report/chapters.h"

#include "base/io/output.h"

FILE *chapter_picture_open(struct chapter_content *content)
{
    struct picture *picture = &content->pictures[content->picture_count++];

    return memory_stream_open(&picture->svg, &picture->size);
}

void chapter_picture_close(struct chapter_content *content, FILE *out)
{
    memory_stream_close(out, &content->pictures[content->picture_count - 1].svg);
}

void chapter_draw_chart(struct chapter_content *content)
{
    struct report bare = content->report;
    FILE *out;

    if (!bare.chart.draw)
        return;
    out = chapter_picture_open(content);
    bare.before_count = bare.after_count = 0;
    report_write(&bare, REPORT_SVG, NULL, out);
    chapter_picture_close(content, out);
}

uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}
