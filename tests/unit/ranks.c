/* SPDX-License-Identifier: Apache-2.0 */
#include <math.h>

#include "analysis/ranks/rank_overlap.h"
#include "tests/unit/hand_made.h"

/* Two and three ranks made by hand: which collectives are one, and what they cost. */

struct run {
    int64_t start, duration, sequence; /* sequence UNKNOWN: the file has none */
};

struct one {
    struct graph graph;
    struct arena arena;
    struct overlap overlap;
    struct collectives collectives;
    struct rank_share share;
};

/* `group_ranks`: "[0, 1]", or NULL. */
static void make_in_group(struct one *one, int64_t origin, const char *operation,
                          const char *group_ranks, const struct run *runs, uint32_t count)
{
    struct builder *builder =
        begin_timeline(&(struct builder_options){.properties = collectives_properties()});
    uint32_t stream;
    frame_id frame;

    *one = (struct one){0};
    stream = stream_of(builder, 0, 7);
    frame = named(builder, "ncclKernel", KIND_COMMUNICATION);
    builder_origin(builder_timeline(builder), origin);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t event = builder_event(builder_timeline(builder), stream, runs[i].start,
                                       runs[i].duration, frame);

        builder_property(builder_timeline(builder), event, PROP_COLLECTIVE,
                         builder_intern(builder, span_of(operation)));
        builder_property(builder_timeline(builder), event, PROP_DTYPE,
                         builder_intern(builder, SPAN("BFloat16")));
        builder_property(builder_timeline(builder), event, PROP_IN_ELEMENTS, 500);
        builder_property(builder_timeline(builder), event, PROP_OUT_ELEMENTS, 1000);
        builder_property(builder_timeline(builder), event, PROP_GROUP_SIZE, 2);
        if (group_ranks)
            builder_property(builder_timeline(builder), event, PROP_GROUP_RANKS,
                             builder_intern(builder, span_of(group_ranks)));
        if (runs[i].sequence != UNKNOWN)
            builder_property(builder_timeline(builder), event, PROP_COLLECTIVE_SEQ,
                             runs[i].sequence);
    }
    builder_finish(builder, &one->graph);
    overlap_compute(&one->graph, &(struct overlap_options){.has_exposed = true}, &one->arena,
                    &one->overlap);
    collectives_find(&one->graph, &one->arena, &one->collectives);
}

static void make(struct one *one, int64_t origin, const char *operation, const struct run *runs,
                 uint32_t count)
{
    make_in_group(one, origin, operation, NULL, runs, count);
}

static void compare(struct one *ones, uint32_t count, struct arena *arena, struct ranks *ranks)
{
    struct rank *list = arena_array(arena, count, sizeof(*list));

    for (uint32_t i = 0; i < count; i++) {
        rank_share_make(&ones[i].graph, &ones[i].collectives, "", i, arena, &ones[i].share);
        list[i] = (struct rank){&ones[i].graph, &ones[i].overlap, &ones[i].collectives,
                                &ones[i].share, i};
    }
    ranks_compare(list, count, 0.01, arena, ranks);
}

static void done(struct one *ones, uint32_t count, struct arena *arena)
{
    for (uint32_t i = 0; i < count; i++) {
        graph_free(&ones[i].graph);
        arena_free(&ones[i].arena);
    }
    arena_free(arena);
}

Test(ranks, clocks_count_from_the_origin_of_each_file)
{
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make(&ones[0], 5000, "allreduce", &(struct run){100, 400, UNKNOWN}, 1);
    make(&ones[1], 4000, "allreduce", &(struct run){1300, 200, UNKNOWN}, 1);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 1);
    cr_expect_eq(ranks.meetings[0].skew, 200);
    cr_expect_eq(ranks.meetings[0].transfer, 200);
    cr_expect_eq(ranks.meetings[0].bytes, 1000);
    cr_expect_float_eq(ranks.meetings[0].algorithm, 5e9, 1);
    cr_expect_float_eq(ranks.meetings[0].bus, 5e9, 1); /* 2(2-1)/2 */
    cr_expect_eq(ranks.span, 400);
    cr_expect_eq(ranks.lateness[0].waited, 200);
    cr_expect_eq(ranks.lateness[0].idle, 200);
    cr_expect_eq(ranks.lateness[0].idle_for, 1);
    cr_expect_eq(ranks.lateness[1].idle, 0);
    cr_expect_eq(ranks.lateness[1].idle_for, UINT32_MAX);
    cr_expect_eq(ranks.lateness[1].made_wait, 200);
    cr_expect(ranks.lateness[1].is_waited_for);
    cr_expect_not(ranks.lateness[0].is_waited_for);
    done(ones, 2, &arena);
}

/* Rank 0 waits on device 0 from 10 to 30 for rank 1 and from 20 to 50 for rank 2, and its device
 * communicates alone from 15 to 25 and from 40 on; device 1 waits for rank 1, and computes. */
Test(ranks, waiting_is_idle_where_nothing_is_computed_and_counts_once)
{
    struct interval exposed[] = {{15, 25}, {40, 60}};
    struct overlap_device devices[] = {{.device = 0, .exposed = exposed, .exposed_count = 2},
                                       {.device = 1}};
    struct overlap overlap = {.devices = devices, .device_count = 2};
    struct rank list[] = {{.overlap = &overlap}, {.overlap = &overlap}, {.overlap = &overlap}};
    struct rank_lateness lateness[] = {{.idle_for = UINT32_MAX}, {.idle_for = UINT32_MAX}, {0}};
    struct ranks ranks = {.list = list, .count = 3, .lateness = lateness};
    const struct rank_wait waits[] = {
        {20, 50, 0, 2, 0}, {10, 30, 0, 1, 0}, {0, 100, 0, 1, 1}, {50, 60, 1, 2, 0}};
    struct arena arena = {0};

    rank_waits_sum(waits, 4, &arena, &ranks);
    cr_expect_eq(lateness[0].idle, 20); /* 15 to 25, and 40 to 50 */
    cr_expect_eq(lateness[0].idle_for, 1);
    cr_expect_eq(lateness[1].idle, 10);
    cr_expect_eq(lateness[1].idle_for, 2);
    arena_free(&arena);
}

Test(ranks, groups_of_one_name_are_told_apart_where_all_say_their_ranks)
{
    static const struct {
        const char *ranks[4];
        uint32_t meetings, parts;
    } cases[] = {
        {{"[0, 2]", "[1,3]", "[0,2]", "[1, 3]"}, 2, 2},
        {{"[0, 2]", "[1, 3]", NULL, "[1, 3]"}, 1, 2},
        {{"[0, 2]", "[1, 3]", "[]", "[1, 3]"}, 1, 2},
        {{NULL, NULL, NULL, NULL}, 1, 4},
    };

    for (size_t c = 0; c < COUNT_OF(cases); c++) {
        struct one ones[4];
        struct arena arena = {0};
        struct ranks ranks;

        for (int64_t i = 0; i < 4; i++)
            make_in_group(&ones[i], 0, "allreduce", cases[c].ranks[i],
                          &(struct run){100 + 10 * i, 400, 1}, 1);
        compare(ones, 4, &arena, &ranks);
        cr_expect_eq(ranks.kind_count, cases[c].meetings);
        cr_assert_eq(ranks.meeting_count, cases[c].meetings, "%zu", c);
        cr_expect_eq(ranks.meetings[0].ranks, cases[c].parts, "%zu", c);
        done(ones, 4, &arena);
    }
}

Test(ranks, numbers_match_where_the_order_would_not)
{
    const struct run first[] = {{0, 10, 7}, {100, 50, 8}, {200, 50, 9}};
    const struct run second[] = {{110, 40, 8}, {230, 20, 9}, {400, 10, 10}};
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make(&ones[0], 0, "_allgather_base", first, 3);
    make(&ones[1], 0, "_allgather_base", second, 3);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 2);
    cr_expect_eq(ranks.unmatched, 2);
    cr_expect_eq(ranks.kinds[0].skew, 40);
    cr_expect_eq(ranks.kinds[0].transfer, 60);
    cr_expect_eq(ranks.kinds[0].bytes, 4000); /* what all ranks get, twice */
    cr_expect_float_eq(ranks.kinds[0].bus / ranks.kinds[0].algorithm, 0.5, 1e-9);
    done(ones, 2, &arena);
}

Test(ranks, without_numbers_the_order_decides)
{
    const struct run first[] = {{100, 50, UNKNOWN}, {200, 50, UNKNOWN}};
    const struct run second[] = {{110, 40, UNKNOWN}, {230, 20, UNKNOWN}, {300, 10, UNKNOWN}};
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make(&ones[0], 0, "broadcast", first, 2);
    make(&ones[1], 0, "broadcast", second, 3);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 2);
    cr_expect_eq(ranks.unmatched, 1);
    cr_expect_eq(ranks.kinds[0].skew, 40);
    cr_expect_eq(ranks.apart, 0);
    done(ones, 2, &arena);
}

/* A clock that is 5000 ahead shows in the ends, and makes nobody late. */
Test(ranks, clocks_are_aligned_by_the_ends)
{
    const struct run first[] = {{100, 50, 1}, {200, 50, 2}, {300, 50, 3}};
    const struct run second[] = {{5110, 40, 1}, {5190, 60, 2}, {5320, 30, 3}};
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make_in_group(&ones[0], 1000, "allreduce", "[0, 1]", first, 3);
    make_in_group(&ones[1], 1000, "allreduce", "[0, 1]", second, 3);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 3);
    cr_expect_eq(ranks.kinds[0].skew, 40);
    cr_expect_eq(ranks.kinds[0].transfer, 120);
    cr_expect_eq(ranks.lateness[0].made_wait, 10);
    cr_expect_eq(ranks.lateness[1].made_wait, 30);
    cr_expect_eq(ranks.lateness[1].last, 2);
    cr_expect_eq(ranks.offset[0] - ranks.offset[1], 5000);
    cr_expect_eq(ranks.span, 250);
    done(ones, 2, &arena);
}

Test(ranks, what_cannot_be_is_apart_and_has_no_transfer)
{
    const struct run first[] = {{0, 10, 1}, {1000, 10, 2}, {2000, 10, 3}};
    const struct run second[] = {{0, 10, 1}, {1000, 10, 2}, {2500, 10, 3}};
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make(&ones[0], 0, "allreduce", first, 3);
    make(&ones[1], 0, "allreduce", second, 3);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 3);
    cr_expect_eq(ranks.apart, 1);
    cr_expect_eq(ranks.meetings[2].transfer, UNKNOWN);
    cr_expect(isnan(ranks.meetings[2].algorithm));
    done(ones, 2, &arena);
}

Test(ranks, several_kernels_of_one_number_are_one)
{
    const struct run first[] = {{0, 10, 1}, {20, 25, 1}};
    struct one ones[3];
    struct arena arena = {0};
    struct ranks ranks;

    make(&ones[0], 0, "allreduce", first, 2);
    make(&ones[1], 0, "allreduce", &(struct run){5, 40, 1}, 1);
    make(&ones[2], 0, "allreduce", &(struct run){9, 36, 1}, 1);
    compare(ones, 3, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 1);
    cr_expect_eq(ranks.meetings[0].ranks, 3);
    cr_expect_eq(ranks.meetings[0].skew, 9);
    cr_expect_eq(ranks.meetings[0].transfer, 36); /* 9 to 45 */
    cr_expect_eq(ranks.lateness[2].made_wait, 4);
    done(ones, 3, &arena);
}

Test(ranks, a_send_and_its_receive_are_one)
{
    struct one ones[2];
    struct arena arena = {0};
    struct ranks ranks;

    make_in_group(&ones[0], 0, "send", "[0, 1]", &(struct run){0, 10, 1}, 1);
    make_in_group(&ones[1], 0, "recv", "[0, 1]", &(struct run){4, 6, 1}, 1);
    compare(ones, 2, &arena, &ranks);
    cr_assert_eq(ranks.meeting_count, 1);
    cr_expect_eq(ranks.meetings[0].skew, 4);
    cr_assert_not_null(ranks.meetings[0].pair);
    cr_expect(span_eq(ranks.meetings[0].pair->members, SPAN("[0,1]")));
    cr_expect_eq(ranks.unmatched, 0);
    done(ones, 2, &arena);
}

/* PyTorch before 2.3 says what a collective is on the operator that launches it only. */
Test(ranks, collectives_take_what_their_operator_says)
{
    struct builder *builder = begin_timeline(
        &(struct builder_options){.launches = true, .properties = collectives_properties()});
    uint32_t thread = thread_of(builder, 1);
    uint32_t stream = stream_of(builder, 0, 7);
    frame_id params = named(builder, "record_param_comms", KIND_OPERATOR);
    struct collectives collectives;
    struct arena arena = {0};
    struct graph graph;
    uint32_t event;

    event = builder_event(builder_timeline(builder), thread, 0, 50, params);
    builder_property(builder_timeline(builder), event, PROP_COLLECTIVE,
                     builder_intern(builder, SPAN("allreduce")));
    builder_property(builder_timeline(builder), event, PROP_DTYPE,
                     builder_intern(builder, SPAN("Float")));
    builder_property(builder_timeline(builder), event, PROP_IN_ELEMENTS, 100);
    event = builder_event(builder_timeline(builder), thread, 60, 10,
                          params); /* nothing is launched in it */
    builder_property(builder_timeline(builder), event, PROP_COLLECTIVE,
                     builder_intern(builder, SPAN("wait")));
    for (int64_t i = 0; i < 2; i++) {
        builder_launches(builder_timeline(builder),
                         timed(builder, thread, i ? 80 : 10, 5, "cudaLaunchKernel", KIND_RUNTIME),
                         i + 1);
        builder_launched(
            builder_timeline(builder),
            timed(builder, stream, i ? 200 : 100, 50, "ncclKernel", KIND_COMMUNICATION), i + 1);
    }
    builder_finish(builder, &graph);
    collectives_find(&graph, &arena, &collectives);
    cr_assert_eq(collectives.count, 2);
    cr_expect(span_eq(graph_text(&graph, collectives.list[0].operation), SPAN("allreduce")));
    cr_expect_eq(collective_bytes(&collectives.list[0]), 400);
    cr_expect_not(collectives.list[1].is_named);
    arena_free(&arena);
    graph_free(&graph);
}
