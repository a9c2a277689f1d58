/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/ranks/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/leaves.h"
#include "analysis/ranks/part_join.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/build/builder.h"

/* What is shown beside the collective: so much of its own length on each side, or this at least. */
enum { SHARE_BESIDE = 2, BESIDE_LEAST = 20000 };

/* A rank's part in a collective, before groups are sealed: ns since the epoch, on its own clock. */
struct meeting_entry {
    uint32_t trace, join;
    int64_t start, end;
    uint32_t group; /* from here on as the joined part has it */
    int64_t sequence, offset;
};

struct search {
    const struct rank_traces *traces;
    struct job_part whole;
    struct meeting_entry *entries; /* the arena's */
    size_t count;
    uint32_t *rank; /* by trace */
};

/* ---- the collectives of all ranks, on their group's clock ---- */

static bool read_leaves(struct search *search, struct arena *arena, struct error *err)
{
    const struct rank_traces *traces = search->traces;
    struct job_part *parts = arena_array(arena, traces->count, sizeof(*parts));
    size_t at = 0, count = 0;
    bool ok = true;

    for (uint32_t i = 0; i < traces->count && ok; i++) {
        const char *slash = strrchr(traces->paths[i], '/');
        const struct leaves_options options = {
            .file = slash ? slash + 1 : traces->paths[i], .rank = -1, .place = i};

        ok = leaves_make(traces->graphs[i], &options, &parts[i], err);
        if (ok && parts[i].leaf_count != 1) {
            error_set(err, ERROR_USAGE, "it is of several ranks");
            ok = error_hint(err, "--around wants a file a rank");
        }
        if (!ok)
            error_file(err, traces->paths[i]);
        count += ok ? parts[i].leaves->join_count : 0;
    }
    search->entries = arena_array(arena, count, sizeof(*search->entries));
    for (uint32_t i = 0; i < traces->count && ok; i++) {
        const struct part_leaf *leaf = parts[i].leaves;

        search->rank[i] = leaf->rank;
        for (uint32_t j = 0; j < leaf->join_count; j++)
            if (leaf->lasted[j] != NOT_KNOWN)
                search->entries[search->count++] =
                    (struct meeting_entry){.trace = i,
                                           .join = j,
                                           .start = leaf->start[j],
                                           .end = leaf->start[j] + leaf->lasted[j]};
    }
    if (!ok) {
        for (uint32_t i = 0; i < traces->count; i++)
            job_part_free(&parts[i]);
        return false;
    }
    ok = parts_join(parts, traces->count, &search->whole, &at, err);
    return ok || error_file(err, traces->paths[at]);
}

static int64_t offset_of(const struct part_group *group, uint32_t rank, int64_t when)
{
    SEARCH(uint32_t, at, group->rank_count, group->ranks[at] < rank);

    if (!group->clock || at == group->rank_count || group->ranks[at] != rank ||
        group->clock[at].offset == NOT_KNOWN)
        return 0;
    return clock_offset(&group->clock[at], when);
}

static int by_collective(const void *a, const void *b)
{
    const struct meeting_entry *first = a, *second = b;

    if (first->group != second->group)
        return first->group < second->group ? -1 : 1;
    if (first->sequence != second->sequence)
        return first->sequence < second->sequence ? -1 : 1;
    return (first->trace > second->trace) - (first->trace < second->trace);
}

static void put_on_one_clock(struct search *search)
{
    part_seal(&search->whole, SEAL_ALL);
    for (size_t i = 0; i < search->count; i++) {
        struct meeting_entry *entry = &search->entries[i];
        uint32_t rank = search->rank[entry->trace];
        const struct part_leaf *leaf = part_leaf_of(&search->whole, rank);

        entry->group = leaf->group[entry->join];
        entry->sequence = leaf->sequence[entry->join];
        entry->offset = offset_of(&search->whole.groups[entry->group], rank, entry->start);
    }
    if (search->count)
        qsort(search->entries, search->count, sizeof(*search->entries), by_collective);
}

/* ---- which one ---- */

/* Any, or of a group, by its name or what it is for, a number: "default_pg:7". Waiting for what
 * another sends is no lateness. */
static bool is_asked_for(const struct search *search, const struct meeting_entry *entry,
                         struct span which)
{
    const struct part_group *group = &search->whole.groups[entry->group];
    struct span name = part_text(&search->whole, group->name);
    struct span use = part_text(&search->whole, group->use), asked = which;
    uint64_t number;

    if (!which.len)
        return !group->is_pair;
    while (asked.len && asked.at[asked.len - 1] != ':')
        asked.len--;
    if (!asked.len || !span_to_u64(span_after(which, asked.len), &number) ||
        (uint64_t)entry->sequence != number)
        return false;
    asked.len--;
    return span_eq(asked, name) || span_eq(asked, use);
}

static bool choose(const struct search *search, const char *which, struct collective_window *found)
{
    int64_t most = -1;

    for (size_t i = 0, end; i < search->count; i = end) {
        struct collective_window window = {.start = INT64_MAX, .end = INT64_MIN};
        int64_t last = INT64_MIN;

        for (end = i;
             end < search->count && search->entries[end].group == search->entries[i].group &&
             search->entries[end].sequence == search->entries[i].sequence;
             end++) {
            const struct meeting_entry *entry = &search->entries[end];
            int64_t start = entry->start - entry->offset, until = entry->end - entry->offset;

            window.start = start < window.start ? start : window.start;
            window.end = until > window.end ? until : window.end;
            window.last = start > last ? search->rank[entry->trace] : window.last;
            last = start > last ? start : last;
        }
        window.ranks = (uint32_t)(end - i);
        window.first = i;
        window.skew = last - window.start;
        if (window.ranks < 2 || window.skew <= most ||
            !is_asked_for(search, &search->entries[i], span_of(which)))
            continue;
        most = window.skew;
        *found = window;
    }
    return most >= 0;
}

/* ---- the timeline ---- */

static str_id text_of(struct builder *builder, const struct graph *graph, str_id id)
{
    return builder_intern(builder, graph_text(graph, id));
}

/* Adds what the rank's streams and threads did in the window, whose begin is time 0. */
static void add_rank(struct builder *builder, const struct graph *graph, uint32_t rank,
                     const struct collective_window *window, int64_t offset)
{
    const struct timeline *timeline = &graph->timeline;
    struct arena scratch = {0};
    str_id process =
        builder_intern(builder, span_of(arena_printf(&scratch, "rank %" PRIu32, rank)));

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *from = &timeline->tracks[t];
        struct span name = graph_text(graph, from->name);
        uint32_t track = UINT32_MAX;

        for (event_id e = from->first;
             track_takes_time(from) && from->kind != TRACK_SAMPLES && e < from->first + from->count;
             e++) {
            int64_t start = timeline->start[e] + timeline->origin - offset - window->start;
            int64_t end = start + timeline->duration[e];
            struct frame frame = *graph_frame(graph, timeline->frame[e]);

            start = start > 0 ? start : 0;
            end = end < window->end - window->start ? end : window->end - window->start;
            if (end <= start)
                continue;
            if (track == UINT32_MAX) {
                struct track as = *from;

                as.name = builder_intern(
                    builder, span_of(arena_printf(&scratch, "rank %" PRIu32 " %.*s", rank,
                                                  (int)(name.len & 0xff), name.at)));
                as.process = process;
                as.pid = rank;
                as.device = from->device < 0 ? -1 : (int32_t)rank;
                track = builder_track(builder_timeline(builder), &as);
            }
            frame.name = text_of(builder, graph, frame.name);
            frame.file = text_of(builder, graph, frame.file);
            frame.module = text_of(builder, graph, frame.module);
            builder_event(builder_timeline(builder), track, start, end - start,
                          builder_frame(builder, &frame));
        }
    }
    arena_free(&scratch);
}

static void describe(const struct search *search, struct collective_window *window,
                     struct arena *arena)
{
    const struct meeting_entry *entry = &search->entries[window->first];
    const struct part_group *group = &search->whole.groups[entry->group];
    const struct part_leaf *leaf = part_leaf_of(&search->whole, search->rank[entry->trace]);
    struct span operation = part_text(&search->whole, leaf->operation[entry->join]);
    struct span use = part_text(&search->whole, group->use ? group->use : group->name);
    char skew[FORMAT_LEN];

    format_value(skew, window->skew, UNIT_NS);
    window->title = arena_printf(arena,
                                 "%.*s %" PRId64 " of %.*s: rank %" PRIu32
                                 " came last, %s after the first of %" PRIu32,
                                 (int)(operation.len & 0xff), operation.at, entry->sequence,
                                 (int)(use.len & 0xff), use.at, window->last, skew, window->ranks);
}

static bool lack(const char *which, struct error *err)
{
    if (!*which) {
        error_set(err, ERROR_LACK, "no collective is of two of these ranks");
        return error_hint(err, "name the files of ranks that meet, one a rank");
    }
    error_set(err, ERROR_LACK, "no collective of two of these ranks is %.80s", which);
    return error_hint(err, "name a group and a number in it, such as default_pg:7, or \"worst\"");
}

bool collective_timeline_make(const struct rank_traces *traces, const char *which,
                              struct arena *arena, struct graph *graph,
                              struct collective_window *window, struct error *err)
{
    struct search search = {.traces = traces,
                            .rank = arena_array(arena, traces->count, sizeof(*search.rank))};
    struct builder *builder;
    int64_t beside;
    bool ok = read_leaves(&search, arena, err);

    if (ok)
        put_on_one_clock(&search);
    ok = ok && (choose(&search, which, window) || lack(which, err));
    if (ok) {
        describe(&search, window, arena);
        beside = (window->end - window->start) / SHARE_BESIDE;
        beside = beside > BESIDE_LEAST ? beside : BESIDE_LEAST;
        window->start -= beside;
        window->end += beside;
        builder = builder_new(&(struct builder_options){.need = LEVEL_TIMELINE});
        ok = builder_begin_timeline(builder, err);
        for (uint32_t i = 0; i < window->ranks; i++) {
            const struct meeting_entry *entry = &search.entries[window->first + i];

            add_rank(builder, traces->graphs[entry->trace], search.rank[entry->trace], window,
                     entry->offset);
        }
        builder_finish(builder, graph);
    }
    job_part_free(&search.whole);
    return ok;
}
