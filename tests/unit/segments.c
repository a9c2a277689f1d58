/* SPDX-License-Identifier: Apache-2.0 */
/* segments.c — an allocator's segments: what blocks add up to, which are kept, and what a page has of very many */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "render/page/page.h"
#include "tests/unit/hand_made.h"

enum { KIB = 1024, MIB = 1024 * KIB };

static struct builder *begin(bool has_blocks)
{
    static const struct value_name value[] = {{LITERAL("end"), UNIT_BYTES}};
    struct builder *builder = builder_new(&(struct builder_options){.blocks = has_blocks});
    struct error err = {0};

    cr_assert(builder_begin(builder, LEVEL_CALLTREE, value, 1, 0, &err));
    return builder;
}

Test(segments, blocks_add_up)
{
    for (int has_blocks = 0; has_blocks < 2; has_blocks++) {
        struct builder *builder = begin(has_blocks);
        str_id place = builder_intern(builder, SPAN("train.py:1 step"));
        struct graph graph;

        builder_segment(builder, &(struct allocator_segment){.size = 20 * MIB, .address = 1});
        builder_block(builder, 8 * MIB, BLOCK_FREE, 0);
        builder_block(builder, 4 * MIB, BLOCK_IN_USE, place);
        builder_block(builder, 2 * MIB, BLOCK_FREE, 0);
        builder_block(builder, 6 * MIB, BLOCK_AWAITED, 0);
        builder_segment(builder, &(struct allocator_segment){.size = 2 * MIB, .address = 2});
        builder_block(builder, 2 * MIB, BLOCK_FREE, 0);
        builder_finish(builder, &graph);
        cr_assert_eq(graph.segments.count, 2);
        cr_expect_eq(graph.segments.list[0].in[BLOCK_FREE], 10 * MIB);
        cr_expect_eq(graph.segments.list[0].in[BLOCK_IN_USE], 4 * MIB);
        cr_expect_eq(graph.segments.list[0].in[BLOCK_AWAITED], 6 * MIB);
        cr_expect_eq(graph.segments.list[0].largest_free, 8 * MIB);
        cr_expect_eq(segment_trapped(&graph.segments.list[0]), 10 * MIB);
        cr_expect_eq(segment_trapped(&graph.segments.list[1]), 0);
        cr_expect_eq(graph.segments.list[1].first, 4);
        cr_expect_eq(graph.segments.sizes.count, has_blocks ? 5 : 0);
        cr_expect_eq(graph.segments.places.count, has_blocks ? 5 : 0);
        graph_free(&graph);
    }
}

/* What the page has, as text. */
static char *page_of(const struct graph *graph, uint64_t size)
{
    struct page page;
    char *text = NULL;
    size_t length = 0;
    FILE *out = memory_stream_open(&text, &length);

    page_open(&page, out, &(struct page_head){.title = "segments"});
    page_section(&page, "memory", "Memory");
    page_segments(&page, graph, size);
    page_close(&page);
    memory_stream_close(out, &text);
    return text;
}

/* Pieces and the bytes that they have together, of all segments of a page. */
static void count_pieces(const char *text, uint64_t *pieces, int64_t *bytes, uint64_t *blocks)
{
    const char *at = text;

    *pieces = *blocks = 0;
    *bytes = 0;
    while ((at = strstr(at, "\"pieces\":["))) {
        at += strlen("\"pieces\":");
        while (*at == '[' || *at == ',') {
            long long size, state, third, fourth, many;
            int fields = sscanf(at + 1, "[%lld,%lld,%lld,%lld,%lld]", &size, &state, &third, &fourth, &many);

            if (fields < 3)
                break;
            ++*pieces;
            *bytes += size;
            *blocks += fields == 5 ? (uint64_t)many : 1;
            cr_expect_eq(fields == 5, state == 3);
            at = strchr(at + 1, ']') + 1;
        }
    }
}

Test(segments, a_page_has_few_pieces_of_very_many_blocks)
{
    enum { BLOCKS = 100000, LARGE = 1000 };
    struct builder *builder = begin(true);
    struct graph graph;
    uint64_t pieces, blocks;
    int64_t bytes;
    char *text;

    builder_segment(builder, &(struct allocator_segment){.size = (int64_t)BLOCKS * 512 + LARGE * (int64_t)MIB});
    for (int i = 0; i < BLOCKS; i++) {
        builder_block(builder, 512, i % 3 ? BLOCK_FREE : BLOCK_IN_USE, builder_intern(builder, SPAN("</script>")));
        if (i % (BLOCKS / LARGE) == 0)
            builder_block(builder, MIB, BLOCK_FREE, 0);
    }
    for (int i = 0; i < 5000; i++) /* more segments than are drawn */
        builder_segment(builder, &(struct allocator_segment){.size = 1});
    builder_finish(builder, &graph);
    text = page_of(&graph, 512 * KIB);
    count_pieces(text, &pieces, &bytes, &blocks);
    cr_expect_leq(pieces, 4096, "%lu pieces", (unsigned long)pieces);
    cr_expect_geq(pieces, LARGE);
    cr_expect_eq(bytes, graph.segments.list[0].size);
    cr_expect_eq(blocks, BLOCKS + LARGE);
    cr_expect(strstr(text, "\"all\":5001,"));
    cr_expect_null(strstr(text, "\"</script>"));
    free(text);
    text = page_of(&graph, 1);
    count_pieces(text, &pieces, &bytes, &blocks);
    cr_expect_leq(pieces, 1024);
    cr_expect_eq(bytes, graph.segments.list[0].size);
    free(text);
    graph_free(&graph);
}
