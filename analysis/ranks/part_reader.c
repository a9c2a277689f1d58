/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a part of a job from the numbers in its frames, of which each is checked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/part_file.h"
#include "base/memory/memory.h"
#include "graph/model/frame.h"

struct part_reading {
    struct part_frames frames;
    struct job_part *part;
    str_id *text; /* by place among the names */
    uint64_t text_count;
    int64_t *last; /* of part_coder */
};

static bool damaged(struct part_reading *reading, const char *what)
{
    return part_damaged(&reading->frames, what);
}

static bool read_count(struct part_reading *reading, uint32_t *count)
{
    return part_count(&reading->frames, count);
}

/* ---- numbers ---- */

static int64_t of_zigzag(uint64_t value)
{
    return (int64_t)(value >> 1 ^ -(value & 1));
}

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* Times and lengths that sums of cannot leave 64 bits. */
static bool is_time(int64_t time)
{
    return time <= (int64_t)1 << 61 && time >= -((int64_t)1 << 61);
}

/* The item that a number stands for; false where it stands for none. */
static bool decode(const struct part_reading *reading, const struct part_column *column,
                   struct part_coder *coder, uint64_t number, uint32_t at, int64_t *item)
{
    const struct part_leaf *leaf = coder->leaf;
    int64_t *before = &coder->before;
    uint32_t join;

    *item = (int64_t)number;
    switch ((enum part_coding)column->coding) {
    case CODE_BITS:
        return true;
    case CODE_COUNT:
        return number <= INT64_MAX;
    case CODE_FLAG:
        return number <= 1;
    case CODE_GROUP:
        return number < reading->part->group_count;
    case CODE_TEXT:
        *item = number < reading->text_count ? reading->text[number] : 0;
        return number < reading->text_count;
    case CODE_KNOWN:
        *item = number ? (int64_t)(number - 1) : NOT_KNOWN;
        return number <= INT64_MAX;
    case CODE_SIGNED:
        *item = of_zigzag(number);
        return true;
    case CODE_KNOWN_FROM_LAST:
        *item = NOT_KNOWN;
        if (number)
            *item = *before = sum(*before, of_zigzag(number - 1));
        return true;
    case CODE_FROM_LAST:
        *item = *before = sum(*before, of_zigzag(number));
        return true;
    case CODE_FROM_GROUPS_LAST:
        before = &coder->last[leaf->group[at]];
        *item = *before = sum(*before, of_zigzag(number));
        return true;
    case CODE_UNLESS_LASTED:
        *item = of_zigzag(number);
        join = leaf->join[at];
        if (join > leaf->join_count)
            return false;
        if (!number && join && leaf->lasted[join - 1] != NOT_KNOWN)
            *item = leaf->lasted[join - 1];
        return true;
    }
    return false;
}

static bool fits(const struct part_column *column, int64_t item)
{
    bool is_known = column->coding == CODE_KNOWN || column->coding == CODE_KNOWN_FROM_LAST;

    if (column->size == 1)
        return item >= 0 && item <= UINT8_MAX;
    if (column->size == sizeof(uint32_t))
        return column->coding == CODE_SIGNED ? item >= INT32_MIN && item <= INT32_MAX
                                             : item >= 0 && item <= UINT32_MAX;
    return !column->is_time || is_time(item) || (is_known && item == NOT_KNOWN);
}

static void store(char *to, const struct part_column *column, int64_t item)
{
    uint32_t half = (uint32_t)item;

    if (column->size == 1)
        *to = (char)item;
    else if (column->size == sizeof(half))
        memcpy(to, &half, sizeof(half));
    else
        memcpy(to, &item, sizeof(item));
}

static bool read_column(struct part_reading *reading, const struct part_column *column,
                        const struct part_leaf *leaf, char *first, size_t stride, uint32_t count)
{
    struct part_coder coder = {.leaf = leaf, .last = reading->last};

    if (count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "frame lacks numbers");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number;
        int64_t item;

        if (!part_number(&reading->frames, &number))
            return false;
        if (!decode(reading, column, &coder, number, i, &item) || !fits(column, item))
            return damaged(reading, column->coding == CODE_TEXT
                                        ? "row names a text that is not there"
                                        : "frame has a number that cannot be");
        store(first + i * stride, column, item);
    }
    return true;
}

static bool read_rows(struct part_reading *reading, const struct part_columns *columns, void *rows,
                      size_t stride, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        if (!read_column(reading, &columns->list[c], NULL, (char *)rows + columns->list[c].at,
                         stride, count))
            return false;
    return true;
}

/* ---- sections ---- */

static bool read_names(struct part_reading *reading)
{
    uint32_t count;

    if (reading->text)
        return damaged(reading, "names come twice");
    if (!read_count(reading, &count))
        return false;
    reading->text = arena_array(&reading->part->arena, (size_t)count + 1, sizeof(*reading->text));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t len;

        if (!read_count(reading, &len))
            return false;
        reading->text[i] =
            strings_intern(&reading->part->strings, (struct span){reading->frames.at, len});
        reading->frames.at += len;
    }
    reading->text_count = count;
    return true;
}

/* Parts per billion, of which one in a thousand is beyond all clocks. */
static bool is_drift(int64_t drift)
{
    return drift <= 1000000 && drift >= -1000000;
}

static bool read_clocks(struct part_reading *reading, struct part_group *group)
{
    group->clock =
        arena_array(&reading->part->arena, group->rank_count + (size_t)1, sizeof(*group->clock));
    if (!read_rows(reading, &part_clock_columns, group->clock, sizeof(*group->clock),
                   group->rank_count))
        return false;
    for (uint32_t k = 0; k < group->rank_count; k++)
        if (!is_drift(group->clock[k].drift))
            return damaged(reading, "clock is none");
    return true;
}

static bool read_groups(struct part_reading *reading)
{
    struct job_part *part = reading->part;
    uint32_t count;

    if (part->group_count)
        return damaged(reading, "groups come twice");
    if (!read_count(reading, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        part_add_group(part);
    if (count && !read_rows(reading, &part_group_columns, part->groups, sizeof(*part->groups),
                            part->group_count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct part_group *group = &part->groups[i];

        part_group_ranks(group, part_text(part, group->members), &part->arena);
        if (group->is_sealed && !read_clocks(reading, group))
            return false;
    }
    free(reading->last);
    reading->last = grow_zeroed((size_t)count + 1, sizeof(*reading->last));
    return true;
}

static bool has_steps(const struct part_leaf *leaf)
{
    for (uint32_t s = 0; s < leaf->step_count; s++)
        if (leaf->first_op[s] > leaf->first_op[s + 1] || (s && leaf->step[s] <= leaf->step[s - 1]))
            return false;
    return leaf->first_op[0] == 0 && leaf->first_op[leaf->step_count] == leaf->op_count;
}

static bool has_joins(const struct job_part *part, const struct part_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->join_count; i++)
        if ((leaf->start[i] == NOT_KNOWN) != part->groups[leaf->group[i]].is_sealed ||
            (leaf->in_step[i] >= leaf->step_count && leaf->in_step[i] != UINT32_MAX))
            return false;
    return true;
}

/* Whether operations wait for others of their steps alone. */
static bool has_deps(const struct part_leaf *leaf)
{
    for (uint32_t s = 0; s < leaf->step_count; s++)
        for (uint32_t i = leaf->first_op[s]; i < leaf->first_op[s + 1]; i++)
            for (uint32_t d = leaf->first_dep[i]; d < leaf->first_dep[i + 1]; d++)
                if (leaf->dep[d] < leaf->first_op[s] || leaf->dep[d] >= leaf->first_op[s + 1])
                    return false;
    return true;
}

/* Room for its dependencies, of which there are as many as the last operation's end. */
static bool add_deps(struct part_reading *reading, struct part_leaf *leaf)
{
    uint32_t count = leaf->first_dep[leaf->op_count];

    for (uint32_t i = 0; i < leaf->op_count; i++)
        if (leaf->first_dep[i] > leaf->first_dep[i + 1])
            return damaged(reading, "dependencies are of no operation");
    if (leaf->first_dep[0] || count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "operations lack dependencies");
    leaf->dep = arena_array(&reading->part->arena, (size_t)count + 1, sizeof(*leaf->dep));
    return true;
}

static bool read_leaf(struct part_reading *reading)
{
    struct job_part *part = reading->part;
    struct part_leaf as = {0}, *leaf;

    if (!read_rows(reading, &part_leaf_members, &as, sizeof(as), 1))
        return false;
    if (as.stage < 0 || as.dp < 0 || as.tp < 0 ||
        (part->leaf_count && part->leaves[part->leaf_count - 1].rank >= as.rank))
        return damaged(reading, "leaves are not in order");
    if ((uint64_t)as.step_count + as.op_count + as.join_count >
        (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "frame lacks numbers");
    leaf = part_add_leaf(part, &as);
    part_leaf_make_columns(leaf, &part->arena);
    for (uint32_t c = 0; c < part_leaf_columns.count; c++) {
        const struct part_column *column = &part_leaf_columns.list[c];

        if (column->length == EACH_DEP && !add_deps(reading, leaf))
            return false;
        if (!read_column(reading, column, leaf, part_column_items(leaf, column), column->size,
                         part_column_length(leaf, column)))
            return false;
    }
    for (uint32_t i = 0; i < leaf->join_count; i++)
        reading->last[leaf->group[i]] = 0;
    if (!has_steps(leaf))
        return damaged(reading, "steps are not in order");
    if (!has_joins(part, leaf))
        return damaged(reading, "collective is not one");
    return has_deps(leaf) || damaged(reading, "operation waits for one of another step");
}

/* Into `count` rows that are `stride` bytes apart. */
static bool read_distributions(struct part_reading *reading, struct distribution *first,
                               size_t stride, uint32_t count)
{
    if (!read_rows(reading, &part_distribution_columns, first, stride, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct distribution *row = (void *)((char *)first + i * stride);

        if (row->first >= distribution_bucket_count() ||
            row->buckets > distribution_bucket_count() - row->first)
            return damaged(reading, "distribution has too many buckets");
        row->bucket =
            arena_array(&reading->part->arena, row->buckets + (size_t)1, sizeof(*row->bucket));
        if (!read_rows(reading, &part_bucket_columns, row->bucket, sizeof(*row->bucket),
                       row->buckets))
            return false;
    }
    return true;
}

static bool read_hot(struct part_reading *reading)
{
    struct job_part *part = reading->part;
    uint32_t count;

    if (part->hot_count)
        return damaged(reading, "work comes twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        part_add_hot(part, &(struct part_hot){0});
    if (!read_rows(reading, &part_hot_columns, part->hot, sizeof(*part->hot), count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (part->hot[i].kind >= KIND_COUNT)
            return damaged(reading, "work is of no kind");
    return read_distributions(reading, &part->hot->events, sizeof(*part->hot), count) &&
           read_distributions(reading, &part->hot->ranks, sizeof(*part->hot), count);
}

/* Who came last in the collectives of a row, and how often. */
static bool read_lasts(struct part_reading *reading, struct part_traffic *traffic)
{
    if (traffic->last_count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "traffic is of ranks that are not there");
    traffic->last =
        arena_array(&reading->part->arena, (size_t)traffic->last_count + 1, sizeof(*traffic->last));
    if (!read_rows(reading, &part_last_columns, traffic->last, sizeof(*traffic->last),
                   traffic->last_count))
        return false;
    for (uint32_t i = 1; i < traffic->last_count; i++)
        if (traffic->last[i].rank <= traffic->last[i - 1].rank)
            return damaged(reading, "ranks that came last are not in order");
    return true;
}

static bool read_traffic(struct part_reading *reading)
{
    struct job_part *part = reading->part;
    uint32_t count;

    if (part->traffic_count)
        return damaged(reading, "traffic comes twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        part_add_traffic(part, &(struct part_traffic){0});
    if (!read_rows(reading, &part_traffic_columns, part->traffic, sizeof(*part->traffic), count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_lasts(reading, &part->traffic[i]))
            return false;
    return read_distributions(reading, &part->traffic->skew, sizeof(*part->traffic), count) &&
           read_distributions(reading, &part->traffic->transfer, sizeof(*part->traffic), count);
}

static bool read_absences(struct part_reading *reading)
{
    struct job_part *part = reading->part;
    uint32_t count;

    if (part->absence_count)
        return damaged(reading, "absences come twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        part_add_absence(part, &(struct part_absence){0});
    return read_rows(reading, &part_absence_columns, part->absences, sizeof(*part->absences),
                     count);
}

/* ---- the whole ---- */

static bool read_end(struct part_reading *reading)
{
    uint64_t frames, leaves, hashes;

    if (!part_number(&reading->frames, &frames) || !part_number(&reading->frames, &leaves) ||
        !part_number(&reading->frames, &hashes))
        return false;
    return (frames == reading->frames.count && leaves == reading->part->leaf_count &&
            (!PART_CHECKS_HASHES || hashes == reading->frames.hashes)) ||
           damaged(reading, "end does not fit what is before it");
}

static bool read_section(struct part_reading *reading, enum part_section section)
{
    static const struct {
        enum part_section section;
        bool (*read)(struct part_reading *reading);
    } sections[] = {
        {PART_NAMES, read_names}, {PART_GROUPS, read_groups},   {PART_LEAF, read_leaf},
        {PART_HOT, read_hot},     {PART_TRAFFIC, read_traffic}, {PART_ABSENCES, read_absences},
        {PART_END, read_end},
    };
    size_t at = 0;

    while (at < COUNT_OF(sections) && sections[at].section != section)
        at++;
    if (at == COUNT_OF(sections))
        return damaged(reading, "frame is of a section that is not known");
    return sections[at].read(reading) && (reading->frames.at == reading->frames.end ||
                                          damaged(reading, "frame has more than it should"));
}

bool part_read(struct input *in, struct job_part *part, struct error *err)
{
    struct part_reading reading = {.frames = {.in = in, .err = err}, .part = part};
    enum part_section section = PART_NAMES;
    size_t len = 0;
    bool ok;

    *part = (struct job_part){0};
    err->kind = ERROR_NONE;
    ok = part_frames_begin(&reading.frames);
    while (ok && section != PART_END) {
        ok = part_frame_next(&reading.frames, &section, &len) && read_section(&reading, section);
        if (ok)
            input_skip(in, len);
    }
    free(reading.frames.plain);
    free(reading.last);
    part_trim(part);
    if (ok && input_peek(in, 1).len)
        ok = error_set_at(err, input_offset(in), 0, "a part's end is followed by something else");
    return ok;
}

bool part_leaves_count(struct input *in, uint32_t *count)
{
    struct error err = {0};
    struct part_frames frames = {.in = in, .err = &err};
    enum part_section section = PART_NAMES;
    bool ok = part_frames_begin(&frames);

    *count = 0;
    while (ok && section != PART_END) {
        struct span head = input_peek(in, PART_HEAD_LEN);
        size_t len;

        ok = head.len >= PART_HEAD_LEN && part_frame_length(head, &len) &&
             input_peek(in, len).len >= len;
        if (ok) {
            section = (enum part_section)(unsigned char)head.at[0];
            *count += section == PART_LEAF;
            input_skip(in, len);
        }
    }
    return ok;
}
