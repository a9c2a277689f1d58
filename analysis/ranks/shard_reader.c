/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a shard of a job from the numbers in its frames, of which each is checked. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/ranks/shard_file.h"
#include "base/memory/memory.h"
#include "graph/model/frame.h"

struct shard_reading {
    struct shard_frames frames;
    struct job_shard *shard;
    str_id *text; /* by place among the names */
    uint64_t text_count;
    int64_t *last; /* of shard_coder */
};

static bool damaged(struct shard_reading *reading, const char *what)
{
    return shard_damaged(&reading->frames, what);
}

static bool read_count(struct shard_reading *reading, uint32_t *count)
{
    return shard_count(&reading->frames, count);
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
static bool decode(const struct shard_reading *reading, const struct shard_column *column,
                   struct shard_coder *coder, uint64_t number, uint32_t at, int64_t *item)
{
    const struct rank_summary *summary = coder->summary;
    int64_t *before = &coder->before;
    uint32_t participation;

    *item = (int64_t)number;
    switch ((enum shard_coding)column->coding) {
    case CODE_BITS:
        return true;
    case CODE_COUNT:
        return number <= INT64_MAX;
    case CODE_FLAG:
        return number <= 1;
    case CODE_GROUP:
        return number < reading->shard->group_count;
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
        before = &coder->last[summary->group[at]];
        *item = *before = sum(*before, of_zigzag(number));
        return true;
    case CODE_UNLESS_LASTED:
        *item = of_zigzag(number);
        participation = summary->participation[at];
        if (participation > summary->participation_count)
            return false;
        if (!number && participation && summary->lasted[participation - 1] != NOT_KNOWN)
            *item = summary->lasted[participation - 1];
        return true;
    }
    return false;
}

static bool fits(const struct shard_column *column, int64_t item)
{
    bool is_known = column->coding == CODE_KNOWN || column->coding == CODE_KNOWN_FROM_LAST;

    if (column->size == 1)
        return item >= 0 && item <= UINT8_MAX;
    if (column->size == sizeof(uint32_t))
        return column->coding == CODE_SIGNED ? item >= INT32_MIN && item <= INT32_MAX
                                             : item >= 0 && item <= UINT32_MAX;
    return !column->is_time || is_time(item) || (is_known && item == NOT_KNOWN);
}

static void store(char *to, const struct shard_column *column, int64_t item)
{
    uint32_t half = (uint32_t)item;

    if (column->size == 1)
        *to = (char)item;
    else if (column->size == sizeof(half))
        memcpy(to, &half, sizeof(half));
    else
        memcpy(to, &item, sizeof(item));
}

static bool read_column(struct shard_reading *reading, const struct shard_column *column,
                        const struct rank_summary *summary, char *first, size_t stride,
                        uint32_t count)
{
    struct shard_coder coder = {.summary = summary, .last = reading->last};

    if (count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "frame lacks numbers");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t number;
        int64_t item;

        if (!shard_number(&reading->frames, &number))
            return false;
        if (!decode(reading, column, &coder, number, i, &item) || !fits(column, item))
            return damaged(reading, column->coding == CODE_TEXT
                                        ? "row names a text that is not there"
                                        : "frame has a number that cannot be");
        store(first + i * stride, column, item);
    }
    return true;
}

static bool read_rows(struct shard_reading *reading, const struct shard_columns *columns,
                      void *rows, size_t stride, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        if (!read_column(reading, &columns->list[c], NULL, (char *)rows + columns->list[c].at,
                         stride, count))
            return false;
    return true;
}

/* ---- sections ---- */

static bool read_names(struct shard_reading *reading)
{
    uint32_t count;

    if (reading->text)
        return damaged(reading, "names come twice");
    if (!read_count(reading, &count))
        return false;
    reading->text = arena_array(&reading->shard->arena, (size_t)count + 1, sizeof(*reading->text));
    for (uint32_t i = 0; i < count; i++) {
        uint32_t len;

        if (!read_count(reading, &len))
            return false;
        reading->text[i] =
            strings_intern(&reading->shard->strings, (struct span){reading->frames.at, len});
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

static bool read_clocks(struct shard_reading *reading, struct shard_group *group)
{
    group->clock =
        arena_array(&reading->shard->arena, group->rank_count + (size_t)1, sizeof(*group->clock));
    if (!read_rows(reading, &shard_clock_columns, group->clock, sizeof(*group->clock),
                   group->rank_count))
        return false;
    for (uint32_t k = 0; k < group->rank_count; k++)
        if (!is_drift(group->clock[k].drift))
            return damaged(reading, "clock is none");
    return true;
}

static bool read_groups(struct shard_reading *reading)
{
    struct job_shard *shard = reading->shard;
    uint32_t count;

    if (shard->group_count)
        return damaged(reading, "groups come twice");
    if (!read_count(reading, &count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        shard_add_group(shard);
    if (count && !read_rows(reading, &shard_group_columns, shard->groups, sizeof(*shard->groups),
                            shard->group_count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct shard_group *group = &shard->groups[i];

        shard_group_ranks(group, shard_text(shard, group->members), &shard->arena);
        if (group->is_aligned && !read_clocks(reading, group))
            return false;
    }
    free(reading->last);
    reading->last = grow_zeroed((size_t)count + 1, sizeof(*reading->last));
    return true;
}

static bool has_steps(const struct rank_summary *summary)
{
    for (uint32_t s = 0; s < summary->step_count; s++)
        if (summary->first_op[s] > summary->first_op[s + 1] ||
            (s && summary->step[s] <= summary->step[s - 1]))
            return false;
    return summary->first_op[0] == 0 && summary->first_op[summary->step_count] == summary->op_count;
}

static bool has_participations(const struct job_shard *shard, const struct rank_summary *summary)
{
    for (uint32_t i = 0; i < summary->participation_count; i++)
        if ((summary->start[i] == NOT_KNOWN) != shard->groups[summary->group[i]].is_aligned ||
            (summary->in_step[i] >= summary->step_count && summary->in_step[i] != UINT32_MAX))
            return false;
    return true;
}

/* Whether operations wait for others of their steps alone. */
static bool has_deps(const struct rank_summary *summary)
{
    for (uint32_t s = 0; s < summary->step_count; s++)
        for (uint32_t i = summary->first_op[s]; i < summary->first_op[s + 1]; i++)
            for (uint32_t d = summary->first_dep[i]; d < summary->first_dep[i + 1]; d++)
                if (summary->dep[d] < summary->first_op[s] ||
                    summary->dep[d] >= summary->first_op[s + 1])
                    return false;
    return true;
}

/* Room for its dependencies, of which there are as many as the last operation's end. */
static bool add_deps(struct shard_reading *reading, struct rank_summary *summary)
{
    uint32_t count = summary->first_dep[summary->op_count];

    for (uint32_t i = 0; i < summary->op_count; i++)
        if (summary->first_dep[i] > summary->first_dep[i + 1])
            return damaged(reading, "dependencies are of no operation");
    if (summary->first_dep[0] || count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "operations lack dependencies");
    summary->dep = arena_array(&reading->shard->arena, (size_t)count + 1, sizeof(*summary->dep));
    return true;
}

static bool read_summary(struct shard_reading *reading)
{
    struct job_shard *shard = reading->shard;
    struct rank_summary as = {0}, *summary;

    if (!read_rows(reading, &rank_summary_members, &as, sizeof(as), 1))
        return false;
    if (as.stage < 0 || as.dp < 0 || as.tp < 0 ||
        (shard->summary_count && shard->summaries[shard->summary_count - 1].rank >= as.rank))
        return damaged(reading, "leaves are not in order");
    if ((uint64_t)as.step_count + as.op_count + as.participation_count >
        (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "frame lacks numbers");
    summary = shard_add_summary(shard, &as);
    rank_summary_make_columns(summary, &shard->arena);
    for (uint32_t c = 0; c < rank_summary_columns.count; c++) {
        const struct shard_column *column = &rank_summary_columns.list[c];

        if (column->length == EACH_DEP && !add_deps(reading, summary))
            return false;
        if (!read_column(reading, column, summary, shard_column_items(summary, column),
                         column->size, shard_column_length(summary, column)))
            return false;
    }
    for (uint32_t i = 0; i < summary->participation_count; i++)
        reading->last[summary->group[i]] = 0;
    if (!has_steps(summary))
        return damaged(reading, "steps are not in order");
    if (!has_participations(shard, summary))
        return damaged(reading, "collective is not one");
    return has_deps(summary) || damaged(reading, "operation waits for one of another step");
}

/* Into `count` rows that are `stride` bytes apart. */
static bool read_distributions(struct shard_reading *reading, struct distribution *first,
                               size_t stride, uint32_t count)
{
    if (!read_rows(reading, &shard_distribution_columns, first, stride, count))
        return false;
    for (uint32_t i = 0; i < count; i++) {
        struct distribution *row = (void *)((char *)first + i * stride);

        if (row->first >= distribution_bucket_count() ||
            row->buckets > distribution_bucket_count() - row->first)
            return damaged(reading, "distribution has too many buckets");
        row->bucket =
            arena_array(&reading->shard->arena, row->buckets + (size_t)1, sizeof(*row->bucket));
        if (!read_rows(reading, &shard_bucket_columns, row->bucket, sizeof(*row->bucket),
                       row->buckets))
            return false;
    }
    return true;
}

static bool read_hot(struct shard_reading *reading)
{
    struct job_shard *shard = reading->shard;
    uint32_t count;

    if (shard->hot_count)
        return damaged(reading, "work comes twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        shard_add_hot(shard, &(struct shard_hot){0});
    if (!read_rows(reading, &shard_hot_columns, shard->hot, sizeof(*shard->hot), count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (shard->hot[i].kind >= KIND_COUNT)
            return damaged(reading, "work is of no kind");
    return read_distributions(reading, &shard->hot->events, sizeof(*shard->hot), count) &&
           read_distributions(reading, &shard->hot->ranks, sizeof(*shard->hot), count);
}

/* Who came last in the collectives of a row, and how often. */
static bool read_lasts(struct shard_reading *reading, struct shard_traffic *traffic)
{
    if (traffic->last_count > (uint64_t)(reading->frames.end - reading->frames.at))
        return damaged(reading, "traffic is of ranks that are not there");
    traffic->last = arena_array(&reading->shard->arena, (size_t)traffic->last_count + 1,
                                sizeof(*traffic->last));
    if (!read_rows(reading, &shard_last_columns, traffic->last, sizeof(*traffic->last),
                   traffic->last_count))
        return false;
    for (uint32_t i = 1; i < traffic->last_count; i++)
        if (traffic->last[i].rank <= traffic->last[i - 1].rank)
            return damaged(reading, "ranks that came last are not in order");
    return true;
}

static bool read_traffic(struct shard_reading *reading)
{
    struct job_shard *shard = reading->shard;
    uint32_t count;

    if (shard->traffic_count)
        return damaged(reading, "traffic comes twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        shard_add_traffic(shard, &(struct shard_traffic){0});
    if (!read_rows(reading, &shard_traffic_columns, shard->traffic, sizeof(*shard->traffic), count))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!read_lasts(reading, &shard->traffic[i]))
            return false;
    return read_distributions(reading, &shard->traffic->skew, sizeof(*shard->traffic), count) &&
           read_distributions(reading, &shard->traffic->transfer, sizeof(*shard->traffic), count);
}

static bool read_absences(struct shard_reading *reading)
{
    struct job_shard *shard = reading->shard;
    uint32_t count;

    if (shard->absence_count)
        return damaged(reading, "absences come twice");
    if (!read_count(reading, &count) || !count)
        return !reading->frames.err->kind;
    for (uint32_t i = 0; i < count; i++)
        shard_add_absence(shard, &(struct shard_absence){0});
    return read_rows(reading, &shard_absence_columns, shard->absences, sizeof(*shard->absences),
                     count);
}

/* ---- the whole ---- */

static bool read_end(struct shard_reading *reading)
{
    uint64_t frames, summaries, hashes;

    if (!shard_number(&reading->frames, &frames) || !shard_number(&reading->frames, &summaries) ||
        !shard_number(&reading->frames, &hashes))
        return false;
    return (frames == reading->frames.count && summaries == reading->shard->summary_count &&
            (!SHARD_CHECKS_HASHES || hashes == reading->frames.hashes)) ||
           damaged(reading, "end does not fit what is before it");
}

static bool read_section(struct shard_reading *reading, enum shard_section section)
{
    static const struct {
        enum shard_section section;
        bool (*read)(struct shard_reading *reading);
    } sections[] = {
        {SHARD_NAMES, read_names}, {SHARD_GROUPS, read_groups},   {SHARD_SUMMARY, read_summary},
        {SHARD_HOT, read_hot},     {SHARD_TRAFFIC, read_traffic}, {SHARD_ABSENCES, read_absences},
        {SHARD_END, read_end},
    };
    size_t at = 0;

    while (at < COUNT_OF(sections) && sections[at].section != section)
        at++;
    if (at == COUNT_OF(sections))
        return damaged(reading, "frame is of a section that is not known");
    return sections[at].read(reading) && (reading->frames.at == reading->frames.end ||
                                          damaged(reading, "frame has more than it should"));
}

bool shard_read(struct input *in, struct job_shard *shard, struct error *err)
{
    struct shard_reading reading = {.frames = {.in = in, .err = err}, .shard = shard};
    enum shard_section section = SHARD_NAMES;
    size_t len = 0;
    bool ok;

    *shard = (struct job_shard){0};
    err->kind = ERROR_NONE;
    ok = shard_frames_begin(&reading.frames);
    while (ok && section != SHARD_END) {
        ok = shard_frame_next(&reading.frames, &section, &len) && read_section(&reading, section);
        if (ok)
            input_skip(in, len);
    }
    free(reading.frames.plain);
    free(reading.last);
    shard_trim(shard);
    if (ok && input_peek(in, 1).len)
        ok = error_set_at(err, input_offset(in), 0, "a part's end is followed by something else");
    return ok;
}

bool shard_count_summaries(struct input *in, uint32_t *count)
{
    struct error err = {0};
    struct shard_frames frames = {.in = in, .err = &err};
    enum shard_section section = SHARD_NAMES;
    bool ok = shard_frames_begin(&frames);

    *count = 0;
    while (ok && section != SHARD_END) {
        struct span head = input_peek(in, SHARD_HEAD_LEN);
        size_t len;

        ok = head.len >= SHARD_HEAD_LEN && shard_frame_length(head, &len) &&
             input_peek(in, len).len >= len;
        if (ok) {
            section = (enum shard_section)(unsigned char)head.at[0];
            *count += section == SHARD_SUMMARY;
            input_skip(in, len);
        }
    }
    return ok;
}
