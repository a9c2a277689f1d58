/* SPDX-License-Identifier: Apache-2.0 */
/* What the ranks that take part in one collective did around it, as one timeline. */
#include "analysis/ranks/job.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/rank_summaries.h"
#include "analysis/ranks/shard_join.h"
#include "base/memory/memory.h"
#include "base/text/format.h"
#include "graph/build/builder.h"

/* What is shown beside the collective: so much of its own length on each side, or this at least. */
enum { SHARE_BESIDE = 2, BESIDE_LEAST = 20000 };

struct search {
    const struct rank_traces *traces;
    struct job_shard whole;
    struct group_meetings meetings;
    uint32_t *trace_of; /* by summary; the arena's */
};

/* ---- the collectives of all ranks, on their group's clock ---- */

static bool read_summaries(struct search *search, struct arena *arena, struct error *err)
{
    const struct rank_traces *traces = search->traces;
    struct job_shard *shards = arena_array(arena, traces->count, sizeof(*shards));
    struct idmap places = {0}; /* of ranks */
    size_t at = 0;
    bool ok = true;

    for (uint32_t i = 0; i < traces->count && ok; i++) {
        const char *slash = strrchr(traces->paths[i], '/');
        const struct rank_summaries_options options = {
            .file = slash ? slash + 1 : traces->paths[i], .rank = -1, .place = i};

        ok = rank_summaries_make(traces->graphs[i], &options, &shards[i], err);
        if (ok && shards[i].summary_count != 1) {
            error_set(err, ERROR_USAGE, "it is of several ranks");
            ok = error_hint(err, "--around wants a file a rank");
        }
        if (ok)
            *idmap_at(&places, shards[i].summaries->rank) = i;
        else
            error_file(err, traces->paths[i]);
    }
    if (!ok) {
        for (uint32_t i = 0; i < traces->count; i++)
            job_shard_free(&shards[i]);
    } else if (!shards_meet(shards, traces->count, &search->whole, &search->meetings, &at, err)) {
        ok = error_file(err, traces->paths[at]);
    }
    search->trace_of = arena_array(arena, search->whole.summary_count, sizeof(*search->trace_of));
    for (uint32_t l = 0; l < search->whole.summary_count; l++)
        search->trace_of[l] = idmap_find(&places, search->whole.summaries[l].rank);
    idmap_free(&places);
    return ok;
}

/* ---- which one ---- */

/* Any, or of a group, by its name or what it is for, a number: "default_pg:7". Waiting for what
 * another sends is no lateness. */
static int64_t number_of(const struct search *search, const struct group_meeting *meeting)
{
    const struct meeting_member *member = &search->meetings.members.list[meeting->first];

    return search->whole.summaries[member->summary].sequence[member->participation];
}

static bool is_asked_for(const struct search *search, const struct group_meeting *meeting,
                         struct span which)
{
    const struct shard_group *group = &search->whole.groups[meeting->group];
    struct span name = shard_text(&search->whole, group->name);
    struct span use = shard_text(&search->whole, group->use), asked = which;
    uint64_t number;

    if (!which.len)
        return !group->is_pair;
    while (asked.len && asked.at[asked.len - 1] != ':')
        asked.len--;
    if (!asked.len || !span_to_u64(span_after(which, asked.len), &number) ||
        (uint64_t)number_of(search, meeting) != number)
        return false;
    asked.len--;
    return span_eq(asked, name) || span_eq(asked, use);
}

/* By how much a member's clock is after the group's. */
static int64_t offset_of(const struct group_meeting *meeting, const struct meeting_member *member)
{
    return member->start - meeting->begin - member->late;
}

static bool choose(const struct search *search, const char *which, struct collective_window *found)
{
    const struct group_meeting *chosen = NULL;

    for (size_t i = 0; i < search->meetings.list.count; i++) {
        const struct group_meeting *meeting = &search->meetings.list.list[i];

        if (meeting->count < 2 || (chosen && meeting->skew <= chosen->skew) ||
            !is_asked_for(search, meeting, span_of(which)))
            continue;
        chosen = meeting;
        found->first = i;
    }
    if (!chosen)
        return false;
    found->start = found->end = chosen->begin;
    found->skew = chosen->skew;
    found->ranks = chosen->count;
    for (uint32_t i = 0; i < chosen->count; i++) {
        const struct meeting_member *member = &search->meetings.members.list[chosen->first + i];
        int64_t until = member->end - offset_of(chosen, member);

        found->end = until > found->end ? until : found->end;
        found->last = search->whole.summaries[member->summary].rank;
    }
    return true;
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

/* In the order of the files. */
static void add_ranks(struct builder *builder, const struct search *search,
                      const struct collective_window *window)
{
    const struct group_meeting *meeting = &search->meetings.list.list[window->first];

    for (uint32_t trace = 0; trace < search->traces->count; trace++)
        for (uint32_t i = 0; i < meeting->count; i++) {
            const struct meeting_member *member =
                &search->meetings.members.list[meeting->first + i];

            if (search->trace_of[member->summary] == trace)
                add_rank(builder, search->traces->graphs[trace],
                         search->whole.summaries[member->summary].rank, window,
                         offset_of(meeting, member));
        }
}

static void describe(const struct search *search, struct collective_window *window,
                     struct arena *arena)
{
    const struct group_meeting *meeting = &search->meetings.list.list[window->first];
    const struct meeting_member *member = &search->meetings.members.list[meeting->first];
    const struct shard_group *group = &search->whole.groups[meeting->group];
    const struct rank_summary *summary = &search->whole.summaries[member->summary];
    struct span operation = shard_text(&search->whole, summary->operation[member->participation]);
    struct span use = shard_text(&search->whole, group->use ? group->use : group->name);
    char skew[FORMAT_LEN];

    format_value(skew, window->skew, UNIT_NS);
    window->title = arena_printf(
        arena,
        "%.*s %" PRId64 " of %.*s: rank %" PRIu32 " came last, %s after the first of %" PRIu32,
        (int)(operation.len & 0xff), operation.at, number_of(search, meeting),
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
    struct search search = {.traces = traces};
    struct builder *builder;
    int64_t beside;
    bool ok = read_summaries(&search, arena, err);

    ok = ok && (choose(&search, which, window) || lack(which, err));
    if (ok) {
        describe(&search, window, arena);
        beside = (window->end - window->start) / SHARE_BESIDE;
        beside = beside > BESIDE_LEAST ? beside : BESIDE_LEAST;
        window->start -= beside;
        window->end += beside;
        builder = builder_new(&(struct builder_options){.need = LEVEL_TIMELINE});
        ok = builder_begin_timeline(builder, err);
        add_ranks(builder, &search, window);
        builder_finish(builder, graph);
    }
    group_meetings_free(&search.meetings);
    job_shard_free(&search.whole);
    return ok;
}
