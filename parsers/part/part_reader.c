/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/part/part_reader.h"

#include <inttypes.h>
#include <stdlib.h>

#include "graph/model/frame.h"
#include "graph/model/job_part.h"
#include "proto/part.pb-c.h"

struct part_reading {
    struct part_frames frames;
    struct job_part *part;
    str_id *text; /* by place among the names */
    size_t text_count;
    int64_t *last; /* by group, 0 between leaves: the last sequence of the leaf at hand */
};

static bool damaged(struct part_reading *reading, const char *what)
{
    return part_damaged(&reading->frames, what);
}

/* ---- numbers ---- */

static int64_t less_one(uint64_t value)
{
    return value == 0 || value > INT64_MAX ? NOT_KNOWN : (int64_t)(value - 1);
}

static int64_t figure_of(uint64_t value)
{
    return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

static int64_t added(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Times and lengths that sums of cannot leave 64 bits. */
static bool is_time(int64_t time)
{
    return time <= (int64_t)1 << 61 && time >= -((int64_t)1 << 61);
}

/* Parts per billion, of which one in a thousand is beyond all clocks. */
static bool is_drift(int64_t drift)
{
    return drift <= 1000000 && drift >= -1000000;
}

/* ---- names and groups ---- */

static bool text_at(struct part_reading *reading, uint32_t place, str_id *id)
{
    if (place >= reading->text_count)
        return damaged(reading, "row names a text that is not there");
    *id = reading->text[place];
    return true;
}

static bool take_names(struct part_reading *reading, const void *section)
{
    const PtkPart__Names *message = section;

    if (reading->text)
        return damaged(reading, "names come twice");
    reading->text = arena_array(&reading->part->arena, message->n_text + 1, sizeof(*reading->text));
    for (size_t i = 0; i < message->n_text; i++)
        reading->text[i] = strings_intern(
            &reading->part->strings,
            (struct span){(const char *)message->text[i].data, message->text[i].len});
    reading->text_count = message->n_text;
    return true;
}

/* Which of the clocks that change comes next, and whose it is. */
struct clock_place {
    size_t at;
    uint64_t member;
};

static bool take_clock(struct part_reading *reading, const PtkPart__Groups *message,
                       struct clock_place *next, size_t member, struct member_clock *clock)
{
    *clock = (struct member_clock){.offset = message->offset[member], .residual = NOT_KNOWN};
    if (member < message->n_distance)
        clock->residual = less_one(message->distance[member]);
    if (next->at < message->n_changing && next->member + message->changing[next->at] == member) {
        clock->from = message->from[next->at];
        clock->drift = message->drift[next->at];
        clock->jump = message->jump[next->at];
        next->at++;
        next->member = member;
    }
    return clock->offset == NOT_KNOWN ||
           (is_time(clock->offset) && is_time(clock->from) && is_time(clock->jump) &&
            is_drift(clock->drift)) ||
           damaged(reading, "clock is none");
}

static bool take_groups(struct part_reading *reading, const void *section)
{
    const PtkPart__Groups *message = section;
    struct job_part *part = reading->part;
    struct clock_place clocks = {0};
    size_t count = message->n_name, offsets = 0;

    if (message->n_use != count || message->n_members != count || message->n_size != count ||
        message->n_flags != count || message->n_residual != count || message->n_joins != count ||
        message->n_clipped != count || message->n_from != message->n_changing ||
        message->n_drift != message->n_changing || message->n_jump != message->n_changing ||
        count > UINT32_MAX || part->group_count)
        return damaged(reading, "groups have columns of different lengths");
    for (size_t i = 0; i < count; i++) {
        struct part_group group = {.size = message->size[i],
                                   .is_pair = message->flags[i] & 1,
                                   .is_sealed = message->flags[i] & 2,
                                   .joins = message->joins[i],
                                   .clipped = message->clipped[i]};

        if (!text_at(reading, message->name[i], &group.name) ||
            !text_at(reading, message->use[i], &group.use) ||
            !text_at(reading, message->members[i], &group.members))
            return false;
        part_group_ranks(&group, part_text(part, group.members), &part->arena);
        if (group.is_sealed) {
            if (message->n_offset - offsets < group.rank_count)
                return damaged(reading, "groups lack clocks");
            group.residual = message->residual[i] > 0 ? message->residual[i] - 1 : NOT_KNOWN;
            group.clock = arena_array(&part->arena, group.rank_count + 1, sizeof(*group.clock));
            for (uint32_t k = 0; k < group.rank_count; k++, offsets++)
                if (!take_clock(reading, message, &clocks, offsets, &group.clock[k]))
                    return false;
        }
        *part_add_group(part) = group;
    }
    free(reading->last);
    reading->last = grow_zeroed(count + 1, sizeof(*reading->last));
    return true;
}

/* ---- leaves ---- */

static bool take_steps(struct part_reading *reading, const PtkPart__Leaf *message,
                       struct part_leaf *leaf)
{
    uint64_t ops = 0;

    for (uint32_t s = 0; s < leaf->step_count; s++) {
        leaf->step[s] = s ? added(leaf->step[s - 1], message->step[s]) : message->step[s];
        leaf->begin[s] = s ? added(leaf->begin[s - 1], message->begin[s]) : message->begin[s];
        leaf->end[s] = added(leaf->begin[s], message->span[s]);
        leaf->first_op[s] = (uint32_t)ops;
        ops += message->ops[s];
        if (!is_time(leaf->begin[s]) || !is_time(leaf->end[s]) ||
            (s && leaf->step[s] <= leaf->step[s - 1]) || ops > leaf->op_count)
            return damaged(reading, "steps are not in order");
        for (uint32_t f = 0; f < ROW_COUNT; f++)
            leaf->figure[f][s] = message->figure[(size_t)f * leaf->step_count + s];
    }
    leaf->first_op[leaf->step_count] = (uint32_t)ops;
    return ops == leaf->op_count || damaged(reading, "steps do not have all operations");
}

static bool take_deps(struct part_reading *reading, const PtkPart__Leaf *message,
                      struct part_leaf *leaf)
{
    uint64_t deps = 0;
    uint32_t step = 0;

    leaf->dep = arena_array(&reading->part->arena, message->n_dep + 1, sizeof(*leaf->dep));
    for (uint32_t i = 0; i < leaf->op_count; i++) {
        while (i >= leaf->first_op[step + 1])
            step++;
        leaf->first_dep[i] = (uint32_t)deps;
        for (uint32_t k = 0; k < message->deps[i]; k++, deps++) {
            int64_t on;

            if (deps >= message->n_dep)
                return damaged(reading, "operations lack dependencies");
            on = (int64_t)i - message->dep[deps];
            if (on < leaf->first_op[step] || on >= leaf->first_op[step + 1])
                return damaged(reading, "operation waits for one of another step");
            leaf->dep[deps] = (uint32_t)on;
        }
    }
    leaf->first_dep[leaf->op_count] = (uint32_t)deps;
    return deps == message->n_dep || damaged(reading, "dependencies are of no operation");
}

static bool take_ops(struct part_reading *reading, const PtkPart__Leaf *message,
                     struct part_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->op_count; i++) {
        if (!text_at(reading, message->label[i] / 2, &leaf->label[i]) ||
            !text_at(reading, message->type[i], &leaf->type[i]))
            return false;
        leaf->kind[i] = message->label[i] % 2;
        leaf->length[i] = message->length[i];
        leaf->delay[i] = message->delay[i];
        leaf->join[i] = message->join[i];
        if (leaf->join[i] && leaf->join[i] <= leaf->join_count && !leaf->length[i] &&
            leaf->lasted[leaf->join[i] - 1] != NOT_KNOWN)
            leaf->length[i] = leaf->lasted[leaf->join[i] - 1];
        if (leaf->join[i] > leaf->join_count || !is_time(leaf->length[i]) ||
            !is_time(leaf->delay[i]))
            return damaged(reading, "operation is not one");
    }
    return take_deps(reading, message, leaf);
}

static bool take_joins(struct part_reading *reading, const PtkPart__Leaf *message,
                       struct part_leaf *leaf)
{
    int64_t *last = reading->last, before = 0;
    bool ok = true;

    for (uint32_t i = 0; i < leaf->join_count && ok; i++) {
        uint64_t start = message->start[i];

        leaf->group[i] = message->group[i];
        ok = leaf->group[i] < reading->part->group_count ||
             damaged(reading, "collective is of a group that is not there");
        if (!ok || !(ok = text_at(reading, message->operation[i], &leaf->operation[i])))
            break;
        leaf->sequence[i] = added(last[leaf->group[i]], message->sequence[i]);
        last[leaf->group[i]] = leaf->sequence[i];
        leaf->size[i] = less_one(message->size[i]);
        leaf->lasted[i] = less_one(message->lasted[i]);
        leaf->in_step[i] = (i ? leaf->in_step[i - 1] : 0) + (uint32_t)message->in_step[i];
        leaf->start[i] = NOT_KNOWN;
        if (start) {
            before = added(before, (int64_t)((start - 1) >> 1 ^ -((start - 1) & 1)));
            leaf->start[i] = before;
        }
        ok = ((leaf->start[i] == NOT_KNOWN) == reading->part->groups[leaf->group[i]].is_sealed &&
              (leaf->start[i] == NOT_KNOWN || is_time(leaf->start[i])) &&
              (leaf->lasted[i] == NOT_KNOWN || is_time(leaf->lasted[i])) &&
              (leaf->in_step[i] < leaf->step_count || leaf->in_step[i] == UINT32_MAX)) ||
             damaged(reading, "collective is not one");
    }
    for (uint32_t i = 0; i < leaf->join_count && ok; i++)
        last[leaf->group[i]] = 0;
    for (size_t i = 0, at = 0; i < message->n_begun && ok; i++) {
        at += message->begun[i];
        ok = at < leaf->join_count || damaged(reading, "collective has begun that is not there");
        if (ok)
            leaf->is_begun[at] = true;
    }
    return ok;
}

static bool has_equal_columns(const PtkPart__Leaf *message)
{
    size_t steps = message->n_step, ops = message->n_label, joins = message->n_group;

    return message->n_begin == steps && message->n_span == steps && message->n_ops == steps &&
           message->n_figure == steps * ROW_COUNT && message->n_type == ops &&
           message->n_length == ops && message->n_delay == ops && message->n_join == ops &&
           message->n_deps == ops && message->n_sequence == joins &&
           message->n_operation == joins && message->n_size == joins && message->n_start == joins &&
           message->n_lasted == joins && message->n_in_step == joins && steps < UINT32_MAX &&
           ops < UINT32_MAX && joins < UINT32_MAX && message->n_dep < UINT32_MAX;
}

static bool take_leaf(struct part_reading *reading, const void *section)
{
    const PtkPart__Leaf *message = section;
    struct job_part *part = reading->part;
    struct part_leaf as = {.rank = message->rank,
                           .world = message->world,
                           .stage = message->stage,
                           .dp = message->dp,
                           .tp = message->tp,
                           .hash = message->hash,
                           .bytes = message->bytes,
                           .flags = message->flags,
                           .folds = {message->folded_operations, message->folded_collectives,
                                     message->folded_steps, message->folded_names},
                           .step_count = (uint32_t)message->n_step,
                           .op_count = (uint32_t)message->n_label,
                           .join_count = (uint32_t)message->n_group};
    struct part_leaf *leaf;

    if (!has_equal_columns(message))
        return damaged(reading, "leaf has columns of different lengths");
    if (as.stage < 0 || as.dp < 0 || as.tp < 0 ||
        (part->leaf_count && part->leaves[part->leaf_count - 1].rank >= as.rank))
        return damaged(reading, "leaves are not in order");
    if (!text_at(reading, message->host, &as.host) || !text_at(reading, message->file, &as.file))
        return false;
    leaf = part_add_leaf(part, &as);
    part_leaf_columns(leaf, &part->arena);
    return take_steps(reading, message, leaf) && take_joins(reading, message, leaf) &&
           take_ops(reading, message, leaf);
}

/* ---- distributions ---- */

/* Into `count` rows that are `stride` bytes apart. */
static bool take_distributions(struct part_reading *reading, const PtkPart__Distributions *message,
                               struct distribution *list, size_t stride, size_t count)
{
    size_t buckets = 0;

    if (!count)
        return true;
    if (!message || message->n_count != count || message->n_sum != count ||
        message->n_squares_high != count || message->n_squares_low != count ||
        message->n_zeros != count || message->n_least != count || message->n_most != count ||
        message->n_first != count || message->n_buckets != count)
        return damaged(reading, "distributions have columns of different lengths");
    for (size_t i = 0; i < count; i++) {
        struct distribution *row = (struct distribution *)(void *)((char *)list + i * stride);

        *row = (struct distribution){.count = message->count[i],
                                     .sum = message->sum[i],
                                     .squares = (square)message->squares_high[i] << 64 |
                                                message->squares_low[i],
                                     .zeros = message->zeros[i],
                                     .least = message->least[i],
                                     .most = message->most[i],
                                     .first = message->first[i],
                                     .buckets = message->buckets[i]};
        if (row->buckets > message->n_bucket - buckets ||
            row->first >= distribution_bucket_count() ||
            row->buckets > distribution_bucket_count() - row->first)
            return damaged(reading, "distribution has too many buckets");
        row->bucket =
            arena_array(&reading->part->arena, row->buckets + (size_t)1, sizeof(*row->bucket));
        for (uint32_t b = 0; b < row->buckets; b++)
            row->bucket[b] = message->bucket[buckets++];
    }
    return true;
}

static bool take_hot(struct part_reading *reading, const void *section)
{
    const PtkPart__Hot *message = section;
    struct job_part *part = reading->part;
    size_t count = message->n_name;

    if (message->n_kind != count || message->n_stage != count || count > UINT32_MAX ||
        part->hot_count)
        return damaged(reading, "work has columns of different lengths");
    for (size_t i = 0; i < count; i++) {
        struct part_hot hot = {.kind = (uint8_t)message->kind[i], .stage = message->stage[i]};

        if (!text_at(reading, message->name[i], &hot.name))
            return false;
        if (message->kind[i] >= KIND_COUNT)
            return damaged(reading, "work is of no kind");
        part_add_hot(part, &hot);
    }
    return take_distributions(reading, message->events, count ? &part->hot->events : NULL,
                              sizeof(*part->hot), count) &&
           take_distributions(reading, message->ranks, count ? &part->hot->ranks : NULL,
                              sizeof(*part->hot), count);
}

/* Who came last in the collectives of a row, and how often. */
static bool take_lasts(struct part_reading *reading, const PtkPart__Traffic *message,
                       struct part_traffic *traffic, size_t *at)
{
    int64_t rank = 0;

    traffic->last =
        arena_array(&reading->part->arena, (size_t)traffic->last_count + 1, sizeof(*traffic->last));
    for (uint32_t i = 0; i < traffic->last_count; i++, (*at)++) {
        int64_t step = message->last[*at];

        if (step > UINT32_MAX || step < (i ? 1 : 0) || (rank += step) > UINT32_MAX)
            return damaged(reading, "ranks that came last are not in order");
        traffic->last[i] = (struct part_last){(uint32_t)rank, figure_of(message->times[*at]),
                                              figure_of(message->made_wait[*at])};
    }
    return true;
}

static bool take_traffic(struct part_reading *reading, const void *section)
{
    const PtkPart__Traffic *message = section;
    struct job_part *part = reading->part;
    size_t count = message->n_group, lasts = 0;

    if (message->n_operation != count || message->n_size != count || message->n_bytes != count ||
        message->n_most_bytes != count || message->n_lasts != count ||
        message->n_times != message->n_last || message->n_made_wait != message->n_last ||
        count > UINT32_MAX || part->traffic_count)
        return damaged(reading, "traffic has columns of different lengths");
    for (size_t i = 0; i < count; i++) {
        struct part_traffic traffic = {.group = message->group[i],
                                       .size = less_one(message->size[i]),
                                       .bytes = figure_of(message->bytes[i]),
                                       .most_bytes = figure_of(message->most_bytes[i]),
                                       .last_count = message->lasts[i]};

        if (traffic.group >= part->group_count || traffic.last_count > message->n_last - lasts)
            return damaged(reading, "traffic is of a group or of ranks that are not there");
        if (!text_at(reading, message->operation[i], &traffic.operation) ||
            !take_lasts(reading, message, &traffic, &lasts))
            return false;
        part_add_traffic(part, &traffic);
    }
    return take_distributions(reading, message->skew, count ? &part->traffic->skew : NULL,
                              sizeof(*part->traffic), count) &&
           take_distributions(reading, message->transfer, count ? &part->traffic->transfer : NULL,
                              sizeof(*part->traffic), count);
}

static bool take_absences(struct part_reading *reading, const void *section)
{
    const PtkPart__Absences *message = section;
    struct job_part *part = reading->part;
    size_t count = message->n_group;

    if (message->n_sequence != count || message->n_rank != count || message->n_entered != count ||
        message->n_operation != count || message->n_size != count || message->n_begun != count ||
        part->absence_count)
        return damaged(reading, "absences have columns of different lengths");
    for (size_t i = 0; i < count; i++) {
        struct part_absence absence = {.group = message->group[i],
                                       .sequence = message->sequence[i],
                                       .rank = message->rank[i],
                                       .entered = message->entered[i],
                                       .size = less_one(message->size[i]),
                                       .is_begun = message->begun[i]};

        if (absence.group >= part->group_count)
            return damaged(reading, "absence is of a group that is not there");
        if (!text_at(reading, message->operation[i], &absence.operation))
            return false;
        part_add_absence(part, &absence);
    }
    return true;
}

/* ---- the whole ---- */

static bool take_end(struct part_reading *reading, const void *section)
{
    const PtkPart__End *message = section;

    if (message->frames != reading->frames.count || message->leaves != reading->part->leaf_count ||
        (PART_CHECKS_HASHES && message->hash != reading->frames.hashes))
        return damaged(reading, "end does not fit what is before it");
    if (message->minor > PART_MINOR) {
        damaged(reading, "version is not known");
        return error_hint(reading->frames.err,
                          "it is of version %d.%" PRIu32 "; this ptk reads up to %d.%d", PART_MAJOR,
                          message->minor, PART_MAJOR, PART_MINOR);
    }
    return true;
}

static bool read_section(struct part_reading *reading, const struct part_frame *frame)
{
    static const struct {
        enum part_section section;
        const ProtobufCMessageDescriptor *descriptor;
        bool (*take)(struct part_reading *reading, const void *section);
    } sections[] = {
        {PART_NAMES, &ptk_part__names__descriptor, take_names},
        {PART_GROUPS, &ptk_part__groups__descriptor, take_groups},
        {PART_LEAF, &ptk_part__leaf__descriptor, take_leaf},
        {PART_HOT, &ptk_part__hot__descriptor, take_hot},
        {PART_TRAFFIC, &ptk_part__traffic__descriptor, take_traffic},
        {PART_ABSENCES, &ptk_part__absences__descriptor, take_absences},
        {PART_END, &ptk_part__end__descriptor, take_end},
    };
    ProtobufCMessage *message;
    size_t at = 0;
    bool ok;

    while (at < COUNT_OF(sections) && sections[at].section != frame->section)
        at++;
    if (at == COUNT_OF(sections))
        return damaged(reading, "frame is of a section that is not known: a newer ptk wrote it");
    message = part_message(&reading->frames, sections[at].descriptor, frame->bytes);
    if (!message)
        return false;
    ok = sections[at].take(reading, message);
    part_message_drop(&reading->frames, message);
    return ok;
}

bool part_read(struct input *in, struct job_part *part, struct error *err)
{
    struct part_reading reading = {.part = part};
    struct part_frame frame = {0};
    bool ok;

    *part = (struct job_part){0};
    err->kind = ERROR_NONE;
    ok = part_frames_begin(&reading.frames, in, err);
    while (ok && frame.section != PART_END) {
        ok = part_frame_next(&reading.frames, &frame) && read_section(&reading, &frame);
        if (ok)
            part_frame_skip(&reading.frames, &frame);
    }
    free(reading.frames.plain);
    free(reading.last);
    part_trim(part);
    if (ok && input_peek(in, 1).len)
        ok = error_set_at(err, input_offset(in), 0, "a part's end is followed by something else");
    return ok;
}
