/* SPDX-License-Identifier: Apache-2.0 */
/* page_segments.c — an allocator's segments for the page's script: sizes, states and owners of their blocks, as JSON
 *
 * Blocks that are shorter than some length and stand beside each other are one piece of several. The length is the
 * least with which there are not too many pieces. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/text/escape.h"
#include "graph/model/graph.h"
#include "render/page/page.h"
#include "render/page/page_data.h"

enum { SEGMENTS_MOST = 2048, PLACES_MOST = 1000, PLACE_BYTES = 200 };
enum { PIECES_LEAST = 1024, BYTES_PER_PIECE = 128 }; /* a tenth of a page */

enum { STATE_SEVERAL = BLOCK_STATES };

/* A block, or several that are short: then what of it is in which state. */
struct drawn_piece {
    int64_t size, in[BLOCK_STATES];
    uint64_t blocks;
    str_id place;
    uint8_t state;
};

struct segments_writer {
    const struct allocator_segments *segments;
    const struct graph *graph;
    const struct allocator_segment **order; /* that are shown */
    size_t count;
    int64_t least;       /* bytes: shorter blocks may be joined */
    struct idmap places; /* by text, their numbers from 1 on */
    struct VECTOR_OF(str_id) texts;
    struct arena *arena;
    FILE *out;
};

/* ---- which segments and blocks ---- */

/* By device, then the largest first, then by address. */
static int compare_segments(const void *a, const void *b)
{
    const struct allocator_segment *x = *(const struct allocator_segment *const *)a,
                                   *y = *(const struct allocator_segment *const *)b;

    if (x->device != y->device)
        return x->device < y->device ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x < y ? -1 : x > y;
}

static int compare_sizes(const void *a, const void *b)
{
    const struct allocator_segment *x = *(const struct allocator_segment *const *)a,
                                   *y = *(const struct allocator_segment *const *)b;

    return x->size != y->size ? (x->size > y->size ? -1 : 1) : x < y ? -1 : x > y;
}

static void choose_segments(struct segments_writer *writer)
{
    const struct allocator_segments *segments = writer->segments;

    writer->order = arena_array(writer->arena, segments->count, sizeof(*writer->order));
    for (size_t i = 0; i < segments->count; i++)
        writer->order[i] = &segments->list[i];
    qsort(writer->order, segments->count, sizeof(*writer->order), compare_sizes);
    writer->count = segments->count < SEGMENTS_MOST ? segments->count : SEGMENTS_MOST;
    qsort(writer->order, writer->count, sizeof(*writer->order), compare_segments);
}

static uint64_t kept_blocks(const struct allocator_segments *segments, const struct allocator_segment *segment)
{
    uint64_t kept = segments->sizes.count;

    return segment->first >= kept ? 0
           : segment->blocks < kept - segment->first ? segment->blocks
                                                     : kept - segment->first;
}

/* The piece that begins at a block; moves on to the next one. */
static struct drawn_piece next_piece(const struct segments_writer *writer, uint64_t *at, uint64_t past)
{
    const struct allocator_segments *segments = writer->segments;
    struct drawn_piece piece = {.place = segments->places.list[*at], .state = segments->states.list[*at]};

    do {
        int64_t *in = &piece.in[segments->states.list[*at]];

        *in = checked_add(*in, segments->sizes.list[*at]);
        piece.size = checked_add(piece.size, segments->sizes.list[*at]);
        piece.blocks++;
        ++*at;
    } while (*at < past && segments->sizes.list[*at - 1] < writer->least &&
             segments->sizes.list[*at] < writer->least);
    if (piece.blocks > 1)
        piece.state = STATE_SEVERAL;
    return piece;
}

static uint64_t count_pieces(const struct segments_writer *writer)
{
    uint64_t count = 0;

    for (size_t i = 0; i < writer->count; i++) {
        uint64_t at = writer->order[i]->first, past = at + kept_blocks(writer->segments, writer->order[i]);

        for (; at < past; count++)
            next_piece(writer, &at, past);
    }
    return count;
}

static void choose_least(struct segments_writer *writer, uint64_t most)
{
    while (count_pieces(writer) > most && writer->least < INT64_MAX / 4)
        writer->least = writer->least ? 2 * writer->least : 1024;
}

/* ---- as JSON ---- */

static uint32_t place_number(struct segments_writer *writer, str_id place)
{
    uint32_t *known;

    if (!place)
        return 0;
    known = idmap_at(&writer->places, place);
    if (*known == IDMAP_NONE) {
        *known = writer->texts.count < PLACES_MOST ? (uint32_t)writer->texts.count + 1 : 0;
        if (*known)
            vector_add(&writer->texts, place);
    }
    return *known;
}

/* [size, state, place], of several [size, 3, in use, awaited, blocks]. */
static void write_piece(struct segments_writer *writer, const struct drawn_piece *piece)
{
    if (piece->state == STATE_SEVERAL)
        fprintf(writer->out, "[%" PRId64 ",%d,%" PRId64 ",%" PRId64 ",%" PRIu64 "]", piece->size, piece->state,
                piece->in[BLOCK_IN_USE], piece->in[BLOCK_AWAITED], piece->blocks);
    else
        fprintf(writer->out, "[%" PRId64 ",%d,%" PRIu32 "]", piece->size, piece->state,
                place_number(writer, piece->place));
}

/* Addresses are texts: a script's numbers do not hold them. */
static void write_segment(struct segments_writer *writer, const struct allocator_segment *segment)
{
    uint64_t first = segment->first, past = first + kept_blocks(writer->segments, segment);

    fprintf(writer->out,
            "{\"device\":%d,\"address\":\"0x%" PRIx64 "\",\"size\":%" PRId64 ",\"stream\":\"%" PRId64
            "\",\"small\":%s,\"private\":%s,\"expandable\":%s,\"used\":%" PRId64 ",\"awaited\":%" PRId64
            ",\"free\":%" PRId64 ",\"trapped\":%" PRId64 ",\"largest\":%" PRId64 ",\"blocks\":%" PRIu64 ",\"pieces\":[",
            (int)segment->device, segment->address, segment->size, segment->stream,
            segment->is_small ? "true" : "false", segment->is_private ? "true" : "false",
            segment->is_expandable ? "true" : "false", segment->in[BLOCK_IN_USE], segment->in[BLOCK_AWAITED],
            segment->in[BLOCK_FREE], segment_trapped(segment), segment->largest_free, segment->blocks);
    for (uint64_t at = first; at < past;) {
        struct drawn_piece piece;

        if (at > first)
            fputc(',', writer->out);
        piece = next_piece(writer, &at, past);
        write_piece(writer, &piece);
    }
    fputs("]}", writer->out);
}

static void write_all(struct segments_writer *writer)
{
    fprintf(writer->out, "{\"all\":%zu,\"least\":%" PRId64 ",\"segments\":[", writer->segments->count, writer->least);
    for (size_t i = 0; i < writer->count; i++) {
        fputs(i ? ",\n" : "\n", writer->out);
        write_segment(writer, writer->order[i]);
    }
    fputs("],\n\"places\":[", writer->out);
    for (size_t i = 0; i < writer->texts.count; i++) {
        fputs(i ? ",\n" : "\n", writer->out);
        escape_json(writer->out, escape_shortened(writer->arena, graph_text(writer->graph, writer->texts.list[i]),
                                                  PLACE_BYTES));
    }
    fputs("]}", writer->out);
}

/* "<" is in texts alone. */
static void write_script(struct html *html, const char *text, size_t size)
{
    html_begin(html, "script");
    html_attribute(html, "type", "application/json");
    html_attribute(html, "class", "segments");
    for (size_t at = 0; at < size;) {
        size_t past = at;

        while (past < size && text[past] != '<')
            past++;
        html_raw(html, (struct span){text + at, past - at});
        if (past < size)
            html_raw(html, span_of("\\u003c"));
        at = past + 1;
    }
    html_end(html);
}

void page_segments(struct page *page, const struct graph *graph, uint64_t size)
{
    struct segments_writer writer = {
        .segments = &graph->segments, .graph = graph, .arena = &page->html.arena};
    uint64_t most = size / BYTES_PER_PIECE;
    char *text = NULL;
    size_t length = 0;

    choose_segments(&writer);
    choose_least(&writer, most > PIECES_LEAST ? most : PIECES_LEAST);
    writer.out = memory_stream_open(&text, &length);
    write_all(&writer);
    memory_stream_close(writer.out, &text);
    write_script(&page->html, text, length);
    free(text);
    free(writer.texts.list);
    idmap_free(&writer.places);
}
