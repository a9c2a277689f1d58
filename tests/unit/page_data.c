/* SPDX-License-Identifier: Apache-2.0 */
/* page_data.c — what a page carries of a timeline, decoded again: each event to within the unit, the others in cells */
#include "render/page/page_data.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/io/io.h"
#include "tests/unit/hand_made.h"

enum { CALLS = 20000, WINDOW_START = 3000000, WINDOW_END = 3100000 };

/* A thread whose calls each launch a kernel and have a short call inside, of lengths that vary. */
static void make_trace(struct graph *graph)
{
    struct builder *builder = begin_timeline(&(struct builder_options){.launches = true});
    uint32_t thread = thread_of(builder, 1), stream = stream_of(builder, 0, 7);
    uint64_t seed = 1;

    for (int i = 0; i < CALLS; i++) {
        int64_t start = (int64_t)i * 1000, length;
        event_id call, kernel;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        length = 100 + (int64_t)(seed >> 55);
        call = timed(builder, thread, start, length, "call", KIND_RUNTIME);
        timed(builder, thread, start + 5, length / 4, "inner </script>", KIND_HOST);
        kernel =
            timed(builder, stream, start + 50, 3 + (int64_t)(seed >> 58), "kernel", KIND_KERNEL);
        builder_launches(builder_timeline(builder), call, (uint64_t)i);
        builder_launched(builder_timeline(builder), kernel, (uint64_t)i);
    }
    builder_finish(builder, graph);
}

static void pack(const struct graph *graph, uint64_t size, struct arena *arena,
                 struct page_data *data)
{
    static const struct window_bounds window = {WINDOW_START, WINDOW_END};
    const struct page_data_options wanted = {.windows = &window, .window_count = 1, .size = size};

    page_data_make(graph, &wanted, arena, data);
}

/* A column's numbers, one after the other. */
struct decoded {
    uint8_t *bytes;
    size_t count, at;
};

static struct decoded inflate_column(const struct page_columns *columns, enum page_column column)
{
    struct decoded plain = {grow_to(NULL, columns->sizes[column] + 1, 1), columns->sizes[column],
                            0};
    z_stream stream = {.next_in = columns->of[column].list,
                       .avail_in = (unsigned)columns->of[column].count,
                       .next_out = plain.bytes,
                       .avail_out = (unsigned)plain.count + 1};

    cr_assert_eq(inflateInit2(&stream, -MAX_WBITS), Z_OK);
    cr_assert_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
    cr_assert_eq(stream.total_out, plain.count);
    inflateEnd(&stream);
    return plain;
}

static int64_t next_number(struct decoded *column)
{
    uint64_t number = 0;
    unsigned shift = 0;

    do {
        cr_assert_lt(column->at, column->count);
        number |= (uint64_t)(column->bytes[column->at] & 127) << shift;
        shift += 7;
    } while (column->bytes[column->at++] & 128);
    return (int64_t)number;
}

static void check_events(const struct graph *graph, const struct page_data *data)
{
    const struct timeline *timeline = &graph->timeline;
    const struct event_choice *choice = &data->choice;
    struct decoded starts = inflate_column(&data->columns, PAGE_STARTS);
    struct decoded lengths = inflate_column(&data->columns, PAGE_LENGTHS);
    struct decoded names = inflate_column(&data->columns, PAGE_NAMES);

    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];
        int64_t start = 0;

        for (event_id event = track->first; event < track->first + track->count; event++) {
            bool must_be_kept = track->kind == TRACK_STREAM ||
                                timeline->duration[event] >= choice->least ||
                                (timeline->start[event] <= WINDOW_END &&
                                 event_end(timeline, event) >= WINDOW_START);

            cr_assert_eq(bits_has(&choice->kept, event), must_be_kept, "event %u", event);
            if (!must_be_kept)
                continue;
            start += next_number(&starts);
            cr_assert_eq(start, timeline->start[event] >> choice->level);
            cr_assert_eq(start + next_number(&lengths),
                         event_end(timeline, event) >> choice->level);
            cr_assert_eq(data->names.frames[next_number(&names)], timeline->frame[event]);
        }
    }
    cr_assert(starts.at == starts.count && lengths.at == lengths.count && names.at == names.count);
    free(starts.bytes);
    free(lengths.bytes);
    free(names.bytes);
}

static int64_t count_in_cells(const struct page_data *data, uint32_t tracks)
{
    struct decoded cells = inflate_column(&data->columns, PAGE_CELLS);
    int64_t count = 0;

    for (uint32_t i = 0; i < tracks; i++)
        for (int64_t filled = next_number(&cells); filled > 0; filled--) {
            next_number(&cells);
            count += next_number(&cells);
            cr_assert_leq(next_number(&cells), 255);
        }
    cr_assert_eq(cells.at, cells.count);
    free(cells.bytes);
    return count;
}

Test(page_data, keeps_all_where_there_is_room_and_counts_the_rest_where_not)
{
    static const struct {
        uint64_t size;
        bool fits;
    } cases[] = {{10000000, true}, {300000, false}, {150000, false}};
    struct graph graph;

    make_trace(&graph);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct arena arena = {0};
        struct page_data data;
        size_t size = 0;

        pack(&graph, cases[i].size, &arena, &data);
        for (int column = 0; column < PAGE_COLUMNS; column++)
            size += data.columns.of[column].count * 4 / 3;
        cr_assert_leq(size, cases[i].size);
        cr_assert_eq(data.choice.unit == 1, cases[i].fits);
        cr_assert_eq(data.columns.counted == 0, cases[i].fits);
        check_events(&graph, &data);
        cr_assert_eq(count_in_cells(&data, graph.timeline.track_count),
                     (int64_t)data.columns.counted);
        cr_assert_eq(data.choice.kept_count + data.columns.counted, graph.timeline.count);
        page_data_free(&data);
        arena_free(&arena);
    }
    graph_free(&graph);
}

/* A launch that is not kept leads to what is kept around it, else nowhere. */
Test(page_data, links_kernels_with_their_launches)
{
    struct graph graph;
    struct arena arena = {0};
    struct page_data data;
    struct decoded launches;
    int64_t last = 0, linked = 0;

    make_trace(&graph);
    pack(&graph, 10000000, &arena, &data);
    launches = inflate_column(&data.columns, PAGE_LAUNCHES);
    for (event_id event = 0; event < graph.timeline.count; event++) {
        int64_t code = next_number(&launches);

        if (graph.timeline.tracks[track_of_event(&graph.timeline, event)].kind != TRACK_STREAM) {
            cr_assert_eq(code, 0);
            continue;
        }
        code--;
        last += code % 2 ? -(code + 1) / 2 : code / 2;
        cr_assert_eq(last, page_event(&data, graph.timeline.launch[event]));
        linked++;
    }
    cr_assert_eq(linked, CALLS);
    free(launches.bytes);
    page_data_free(&data);
    arena_free(&arena);
    graph_free(&graph);
}

static char *index_of(const struct page_data *data)
{
    struct arena arena = {0};
    char *text = NULL;
    size_t size;
    FILE *out = memory_stream_open(&text, &size);

    page_index_write(data, &arena, out);
    memory_stream_close(out, &text);
    arena_free(&arena);
    return text;
}

Test(page_data, is_the_same_each_time_and_ends_no_script)
{
    struct graph graph;
    struct arena arena = {0};
    struct page_data one, two;
    char *first, *second;

    make_trace(&graph);
    pack(&graph, 300000, &arena, &one);
    pack(&graph, 300000, &arena, &two);
    for (int column = 0; column < PAGE_COLUMNS; column++) {
        cr_assert_eq(one.columns.of[column].count, two.columns.of[column].count);
        cr_assert(memcmp(one.columns.of[column].list, two.columns.of[column].list,
                         one.columns.of[column].count) == 0);
    }
    first = index_of(&one);
    second = index_of(&two);
    cr_assert_str_eq(first, second);
    cr_assert_null(strchr(first, '<'));
    free(first);
    free(second);
    page_data_free(&one);
    page_data_free(&two);
    arena_free(&arena);
    graph_free(&graph);
}

/* Of more gaps than a page has, all of one length, those that are there are from all of the run. */
Test(page_data, gaps_of_one_length_are_from_all_of_the_run)
{
    enum { GAPS = 450000, EVERY = 1000, LONG = 7 };
    struct graph graph;
    struct arena arena = {0};
    struct event_choice choice;
    struct page_columns columns = {.gap_devices = 0};
    struct device_bottleneck device = {.device = 3};
    const struct bottlenecks devices = {.devices = &device, .count = 1};
    struct gap *gaps = grow_zeroed(GAPS, sizeof(*gaps));
    struct decoded plain;
    int64_t time = 0, widest = 0, all = 0;

    make_trace(&graph);
    event_choice_begin(&choice, &graph, NULL, 0, 1000, &arena);
    for (int i = 0; i < GAPS; i++)
        gaps[i] = (struct gap){.start = (int64_t)i * EVERY, .length = i ? LONG : 2 * LONG, .class = IDLE_OF_LAUNCH};
    device.gaps.largest = gaps;
    device.gaps.count = GAPS;
    page_gaps_fill(&choice, &devices, &arena, &columns);
    cr_assert_eq(columns.gap_devices, 1);
    cr_assert_lt(columns.gaps->count, GAPS);
    plain = (struct decoded){columns.of[PAGE_GAPS].list, columns.of[PAGE_GAPS].count, 0};
    for (uint32_t i = 0; i < columns.gaps->count; i++) {
        int64_t step = next_number(&plain);

        widest = step > widest ? step : widest;
        time += step;
        all += next_number(&plain);
        cr_assert_eq(next_number(&plain), 0);
        cr_assert_eq(next_number(&plain), IDLE_OF_LAUNCH);
    }
    cr_expect_eq(plain.at, plain.count);
    cr_expect_leq(widest, 3 * EVERY);
    cr_expect_geq(time, (int64_t)(GAPS - 3) * EVERY);
    cr_expect_eq(all + columns.gaps->rest, (int64_t)(GAPS + 1) * LONG);
    free(gaps);
    event_choice_free(&choice);
    page_columns_free(&columns);
    arena_free(&arena);
    graph_free(&graph);
}

Test(page_data, base64)
{
    static const struct {
        const char *plain, *coded;
    } cases[] = {{"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foobar", "Zm9vYmFy"}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct byte_list bytes = {0};
        size_t length;
        char *text;

        for (const char *c = cases[i].plain; *c; c++)
            vector_add(&bytes, (uint8_t)*c);
        text = page_bytes_base64(&bytes, &length);
        cr_assert_eq(length, strlen(cases[i].coded));
        cr_assert(memcmp(text, cases[i].coded, length) == 0);
        free(text);
        free(bytes.list);
    }
}
