/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a shard's file, each declared once: room is made for them, they are written, read, checked,
 * hashed and moved from one shard to another by these tables. */
#include <stddef.h>

#include "analysis/ranks/shard_file.h"

#define MEMBER(type, name, code)                                                                   \
    {                                                                                              \
        .at = offsetof(struct type, name), .size = sizeof(((struct type *)NULL)->name),            \
        .coding = CODE_##code                                                                      \
    }
#define TIME_MEMBER(type, name, code)                                                              \
    {                                                                                              \
        .at = offsetof(struct type, name), .size = sizeof(((struct type *)NULL)->name),            \
        .coding = CODE_##code, .is_time = true                                                     \
    }
#define COLUMN(name, by, code)                                                                     \
    {                                                                                              \
        .at = offsetof(struct rank_summary, name),                                                 \
        .size = sizeof(*((struct rank_summary *)NULL)->name), .coding = CODE_##code, .length = by  \
    }
#define TIME_COLUMN(name, by, code)                                                                \
    {                                                                                              \
        .at = offsetof(struct rank_summary, name),                                                 \
        .size = sizeof(*((struct rank_summary *)NULL)->name), .coding = CODE_##code, .length = by, \
        .is_time = true                                                                            \
    }
#define COLUMNS(name, type)                                                                        \
    const struct shard_columns name = {name##_list, COUNT_OF(name##_list), sizeof(type)}

static const struct shard_column shard_group_columns_list[] = {
    MEMBER(shard_group, name, TEXT),      MEMBER(shard_group, use, TEXT),
    MEMBER(shard_group, members, TEXT),   MEMBER(shard_group, size, COUNT),
    MEMBER(shard_group, is_pair, FLAG),   MEMBER(shard_group, is_aligned, FLAG),
    MEMBER(shard_group, residual, KNOWN), MEMBER(shard_group, meetings, BITS),
    MEMBER(shard_group, clipped, BITS),
};
COLUMNS(shard_group_columns, struct shard_group);

/* Of a group that is clock-aligned, by member. */
static const struct shard_column shard_clock_columns_list[] = {
    TIME_MEMBER(member_clock, offset, KNOWN_FROM_LAST),
    TIME_MEMBER(member_clock, from, SIGNED),
    TIME_MEMBER(member_clock, drift, SIGNED),
    TIME_MEMBER(member_clock, jump, SIGNED),
    MEMBER(member_clock, residual, KNOWN),
};
COLUMNS(shard_clock_columns, struct member_clock);

static const struct shard_column rank_summary_members_list[] = {
    MEMBER(rank_summary, rank, COUNT),
    MEMBER(rank_summary, world, COUNT),
    MEMBER(rank_summary, stage, SIGNED),
    MEMBER(rank_summary, dp, SIGNED),
    MEMBER(rank_summary, tp, SIGNED),
    MEMBER(rank_summary, host, TEXT),
    MEMBER(rank_summary, file, TEXT),
    MEMBER(rank_summary, device, TEXT),
    MEMBER(rank_summary, hash, BITS),
    MEMBER(rank_summary, bytes, BITS),
    MEMBER(rank_summary, flags, COUNT),
    MEMBER(rank_summary, folds.operations, BITS),
    MEMBER(rank_summary, folds.collectives, BITS),
    MEMBER(rank_summary, folds.steps, BITS),
    MEMBER(rank_summary, folds.names, BITS),
    MEMBER(rank_summary, step_count, COUNT),
    MEMBER(rank_summary, op_count, COUNT),
    MEMBER(rank_summary, participation_count, COUNT),
};
COLUMNS(rank_summary_members, struct rank_summary);

static const struct shard_column rank_summary_columns_list[] = {
    COLUMN(step, EACH_STEP, FROM_LAST),
    TIME_COLUMN(begin, EACH_STEP, FROM_LAST),
    TIME_COLUMN(end, EACH_STEP, FROM_LAST),
    COLUMN(figure[ROW_LENGTH], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_COMPUTE], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_COMMUNICATION], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_EXPOSED], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_COPIES], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_IDLE], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_KERNELS], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_MEETINGS], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_LAST], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_MADE_WAIT], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_WAITED], EACH_STEP, SIGNED),
    COLUMN(first_op, EACH_STEP_AND_END, FROM_LAST),
    COLUMN(group, EACH_PARTICIPATION, GROUP),
    COLUMN(sequence, EACH_PARTICIPATION, FROM_GROUPS_LAST),
    COLUMN(operation, EACH_PARTICIPATION, TEXT),
    COLUMN(size, EACH_PARTICIPATION, KNOWN),
    TIME_COLUMN(start, EACH_PARTICIPATION, KNOWN_FROM_LAST),
    TIME_COLUMN(lasted, EACH_PARTICIPATION, KNOWN),
    COLUMN(in_step, EACH_PARTICIPATION, FROM_LAST),
    COLUMN(is_begun, EACH_PARTICIPATION, FLAG),
    COLUMN(label, EACH_OP, TEXT),
    COLUMN(type, EACH_OP, TEXT),
    COLUMN(kind, EACH_OP, FLAG),
    COLUMN(participation, EACH_OP, COUNT),
    TIME_COLUMN(length, EACH_OP, UNLESS_LASTED),
    TIME_COLUMN(delay, EACH_OP, SIGNED),
    COLUMN(first_dep, EACH_OP_AND_END, FROM_LAST),
    COLUMN(dep, EACH_DEP, FROM_LAST),
};
COLUMNS(rank_summary_columns, struct rank_summary);

/* Which half of a square is at its lower address. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
enum { LOW_HALF = 0, HIGH_HALF = sizeof(uint64_t) };
#else
enum { LOW_HALF = sizeof(uint64_t), HIGH_HALF = 0 };
#endif

#define HALF(half)                                                                                 \
    {                                                                                              \
        .at = offsetof(struct distribution, squares) + (half), .size = sizeof(uint64_t),           \
        .coding = CODE_BITS                                                                        \
    }

static const struct shard_column shard_distribution_columns_list[] = {
    MEMBER(distribution, count, BITS),
    MEMBER(distribution, sum, BITS),
    MEMBER(distribution, zeros, BITS),
    HALF(HIGH_HALF),
    HALF(LOW_HALF),
    MEMBER(distribution, least, SIGNED),
    MEMBER(distribution, most, SIGNED),
    MEMBER(distribution, first, COUNT),
    MEMBER(distribution, buckets, COUNT),
};
COLUMNS(shard_distribution_columns, struct distribution);

static const struct shard_column shard_bucket_columns_list[] = {
    {.size = sizeof(uint64_t), .coding = CODE_BITS}};
COLUMNS(shard_bucket_columns, uint64_t);

/* Rows of work, of traffic, are followed by their distributions. */
static const struct shard_column shard_hot_columns_list[] = {MEMBER(shard_hot, name, TEXT),
                                                             MEMBER(shard_hot, kind, COUNT),
                                                             MEMBER(shard_hot, stage, SIGNED)};
COLUMNS(shard_hot_columns, struct shard_hot);

static const struct shard_column shard_traffic_columns_list[] = {
    MEMBER(shard_traffic, group, GROUP),      MEMBER(shard_traffic, operation, TEXT),
    MEMBER(shard_traffic, size, KNOWN),       MEMBER(shard_traffic, bytes, COUNT),
    MEMBER(shard_traffic, most_bytes, COUNT), MEMBER(shard_traffic, last_count, COUNT),
};
COLUMNS(shard_traffic_columns, struct shard_traffic);

/* Who came last, of a row of traffic. */
static const struct shard_column shard_last_columns_list[] = {MEMBER(shard_last, rank, FROM_LAST),
                                                              MEMBER(shard_last, times, COUNT),
                                                              MEMBER(shard_last, made_wait, COUNT)};
COLUMNS(shard_last_columns, struct shard_last);

static const struct shard_column shard_absence_columns_list[] = {
    MEMBER(shard_absence, group, GROUP),    MEMBER(shard_absence, sequence, SIGNED),
    MEMBER(shard_absence, rank, COUNT),     MEMBER(shard_absence, entered, COUNT),
    MEMBER(shard_absence, operation, TEXT), MEMBER(shard_absence, size, KNOWN),
    MEMBER(shard_absence, is_begun, FLAG),
};
COLUMNS(shard_absence_columns, struct shard_absence);

uint32_t shard_column_length(const struct rank_summary *summary, const struct shard_column *column)
{
    switch ((enum shard_length)column->length) {
    case EACH_STEP:
        return summary->step_count;
    case EACH_STEP_AND_END:
        return summary->step_count + 1;
    case EACH_OP:
        return summary->op_count;
    case EACH_OP_AND_END:
        return summary->op_count + 1;
    case EACH_DEP:
        return summary->first_dep[summary->op_count];
    case EACH_PARTICIPATION:
        return summary->participation_count;
    }
    return 0;
}
