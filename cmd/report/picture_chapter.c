#include "cmd/report/picture_chapter.h"

#include "base/memory/oom.h"

FILE *chapter_picture_open(struct chapter_content *content)
{
    struct picture *picture = &content->pictures[content->picture_count++];
    FILE *out = open_memstream(&picture->svg, &picture->size);

    if (!out)
        oom();
    return out;
}

void chapter_picture_close(FILE *out)
{
    if (fclose(out) != 0)
        oom();
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
    chapter_picture_close(out);
}

uint32_t at_most(uint32_t count, uint32_t most)
{
    return count < most ? count : most;
}
