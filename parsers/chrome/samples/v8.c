/* SPDX-License-Identifier: Apache-2.0 */
/* CPU profiles that V8 writes into a trace in pieces, put together by profile. */
#include "parsers/chrome/samples/samples.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "parsers/chrome/chrome_events.h"
#include "parsers/json/json.h"
#include "parsers/stacks/sampled_stacks.h"
#include "parsers/stacks/v8_names.h"

/* One profile while its pieces are put together. */
struct v8_profile {
    struct sampled sampled;
    struct token pid, tid;
    int64_t clock, end; /* ns */
    bool is_timed;      /* the clock has been set */
};

/* ---- keeping ---- */

static void keep_token(struct v8_profiles *v8, struct token *token)
{
    if (token->at)
        token->at = arena_copy(&v8->text, (struct span){token->at, token->len});
}

static void add_piece(struct v8_profiles *v8, const struct v8_piece *piece)
{
    struct v8_piece *kept;

    vector_reserve(&v8->pieces);
    kept = &v8->pieces.list[v8->pieces.count++];
    *kept = *piece;
    keep_token(v8, &kept->pid);
    keep_token(v8, &kept->tid);
    keep_token(v8, &kept->data);
}

/* Pieces of one profile have one id; a whole one is known by where and when it was written. */
void v8_keep(struct v8_profiles *v8, const struct event *event)
{
    struct token name = event->field[FIELD_NAME], ts = event->field[FIELD_TS];
    struct v8_piece piece = {.pid = event->field[FIELD_PID], .tid = event->field[FIELD_TID]};
    uint64_t hash;

    piece.is_whole = token_is(name, SPAN("CpuProfile"));
    piece.is_start = piece.is_whole || token_is(name, SPAN("Profile"));
    if (!event->field[FIELD_ARGS].at || !(piece.is_start || token_is(name, SPAN("ProfileChunk"))))
        return;
    piece.data = walk_find(event->field[FIELD_ARGS], SPAN("data"));
    hash = XXH3_64bits(piece.pid.at, piece.pid.len);
    if (piece.is_whole)
        hash = XXH3_64bits_withSeed(piece.tid.at, piece.tid.len, hash + 1);
    piece.profile = id_hash(piece.is_whole ? ts : event->field[FIELD_ID], hash);
    if (!ts.at || !token_scaled(ts, 3, &piece.time))
        piece.time = 0;
    if (piece.data.at)
        add_piece(v8, &piece);
}

void v8_absorb(struct v8_profiles *v8, const struct v8_profiles *part)
{
    for (size_t i = 0; i < part->pieces.count; i++)
        add_piece(v8, &part->pieces.list[i]);
}

/* ---- putting together ---- */

static void read_children(struct v8_profile *profile, uint32_t above, struct token children)
{
    struct json_walk walk = walk_into(children);
    struct token child;
    int64_t id;

    while (walk_item(&walk, &child))
        if (token_integer(child, &id)) {
            uint32_t at = sampled_node(&profile->sampled, (uint64_t)id);

            profile->sampled.nodes.list[at].parent = above;
        }
}

/* In pieces a node names its parent, in a whole profile its children. */
static void read_node(struct v8_profile *profile, struct token node, struct builder *builder)
{
    struct token id = walk_find(node, SPAN("id")), parent = walk_find(node, SPAN("parent"));
    struct token children = walk_find(node, SPAN("children"));
    int64_t number, above;
    uint32_t at;

    if (!id.at || !token_integer(id, &number))
        return;
    at = sampled_node(&profile->sampled, (uint64_t)number);
    profile->sampled.nodes.list[at].frame = v8_frame(walk_find(node, SPAN("callFrame")), builder);
    if (parent.at && token_integer(parent, &above)) {
        uint32_t to = sampled_node(&profile->sampled, (uint64_t)above);

        profile->sampled.nodes.list[at].parent = to;
    }
    if (children.at)
        read_children(profile, at, children);
}

static void read_samples(struct v8_profile *profile, uint32_t row, struct token samples,
                         struct token deltas)
{
    struct json_walk sample = walk_into(samples), delta = walk_into(deltas);
    struct token node, step;
    int64_t id, ns;

    while (walk_item(&sample, &node)) {
        if (walk_item(&delta, &step) && token_scaled(step, 3, &ns))
            profile->clock = checked_add(profile->clock, ns);
        if (token_integer(node, &id))
            sampled_add(&profile->sampled, row, profile->clock,
                        sampled_node(&profile->sampled, (uint64_t)id));
    }
}

/* Without a start, the samples of the first piece ended when it was written. */
static void guess_clock(struct v8_profile *profile, const struct v8_piece *piece)
{
    struct json_walk deltas = walk_into(walk_find(piece->data, SPAN("timeDeltas")));
    struct token delta;
    int64_t ns;

    profile->clock = piece->time;
    while (walk_item(&deltas, &delta))
        if (token_scaled(delta, 3, &ns))
            profile->clock = checked_sub(profile->clock, ns);
}

static void read_piece(struct v8_profile *profile, const struct v8_piece *piece,
                       struct chrome_rows *rows, struct builder *builder)
{
    struct token tree = walk_find(piece->data, SPAN("cpuProfile"));
    struct token times = piece->is_whole ? tree : piece->data;
    struct token start = walk_find(times, SPAN("startTime"));
    struct token end = walk_find(times, SPAN("endTime")), node;
    struct json_walk nodes;

    if (piece->is_start || !profile->pid.at) {
        profile->pid = piece->pid;
        profile->tid = piece->tid;
    }
    if (piece->is_start && start.at && token_scaled(start, 3, &profile->clock))
        profile->is_timed = true;
    if (end.at && !(token_scaled(end, 3, &profile->end) && time_is_possible(profile->end)))
        profile->end = 0;
    if (!tree.at)
        return;
    if (!profile->is_timed)
        guess_clock(profile, piece);
    profile->is_timed = true;
    nodes = walk_into(walk_find(tree, SPAN("nodes")));
    while (walk_item(&nodes, &node))
        read_node(profile, node, builder);
    read_samples(profile, rows_find(rows, builder, profile->pid, profile->tid, ROW_SAMPLES),
                 walk_find(tree, SPAN("samples")), walk_find(times, SPAN("timeDeltas")));
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct v8_piece *pieces = context;

    return pieces[a].time < pieces[b].time;
}

void v8_finish(const struct v8_profiles *v8, uint64_t file_bytes, struct chrome_rows *rows,
               struct builder *builder)
{
    struct idmap by_hash = {0};
    struct v8_profile *profiles = grow_zeroed(v8->pieces.count, sizeof(*profiles));
    /* a thread's pieces may stand in the file before the start, which another thread wrote */
    uint32_t *order = sorted_order(v8->pieces.count, is_before, v8->pieces.list), count = 0;
    struct sampled_budget budget;
    uint64_t samples = 0;

    for (size_t i = 0; i < v8->pieces.count; i++) {
        const struct v8_piece *piece = &v8->pieces.list[order[i]];
        uint32_t *known = idmap_at(&by_hash, piece->profile);

        if (*known == IDMAP_NONE)
            *known = count++;
        read_piece(&profiles[*known], piece, rows, builder);
    }
    for (uint32_t i = 0; i < count; i++)
        samples += profiles[i].sampled.samples.count;
    budget = sampled_budget(samples, file_bytes);
    for (uint32_t i = 0; i < count; i++) {
        sampled_emit(&profiles[i].sampled, builder, profiles[i].end, &budget);
        sampled_free(&profiles[i].sampled);
    }
    sampled_warn(&budget, builder);
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "samples of JavaScript: times and calls of its functions are estimates",
                       samples);
    free(profiles);
    free(order);
    idmap_free(&by_hash);
}

void v8_free(struct v8_profiles *v8)
{
    arena_free(&v8->text);
    free(v8->pieces.list);
    *v8 = (struct v8_profiles){0};
}
