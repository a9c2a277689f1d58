/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a part's file, each declared once: room is made for them, they are written, read, checked,
 * hashed and moved from one part to another by these tables. */
#include <stddef.h>

#include "analysis/ranks/part_file.h"

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
        .at = offsetof(struct part_leaf, name), .size = sizeof(*((struct part_leaf *)NULL)->name), \
        .coding = CODE_##code, .length = by                                                        \
    }
#define TIME_COLUMN(name, by, code)                                                                \
    {                                                                                              \
        .at = offsetof(struct part_leaf, name), .size = sizeof(*((struct part_leaf *)NULL)->name), \
        .coding = CODE_##code, .length = by, .is_time = true                                       \
    }
#define COLUMNS(name, type)                                                                        \
    const struct part_columns name = {name##_list, COUNT_OF(name##_list), sizeof(type)}

static const struct part_column part_group_columns_list[] = {
    MEMBER(part_group, name, TEXT),      MEMBER(part_group, use, TEXT),
    MEMBER(part_group, members, TEXT),   MEMBER(part_group, size, COUNT),
    MEMBER(part_group, is_pair, FLAG),   MEMBER(part_group, is_sealed, FLAG),
    MEMBER(part_group, residual, KNOWN), MEMBER(part_group, joins, BITS),
    MEMBER(part_group, clipped, BITS),
};
COLUMNS(part_group_columns, struct part_group);

/* Of a group that is sealed, by member. */
static const struct part_column part_clock_columns_list[] = {
    TIME_MEMBER(member_clock, offset, KNOWN_FROM_LAST),
    TIME_MEMBER(member_clock, from, SIGNED),
    TIME_MEMBER(member_clock, drift, SIGNED),
    TIME_MEMBER(member_clock, jump, SIGNED),
    MEMBER(member_clock, residual, KNOWN),
};
COLUMNS(part_clock_columns, struct member_clock);

static const struct part_column part_leaf_members_list[] = {
    MEMBER(part_leaf, rank, COUNT),
    MEMBER(part_leaf, world, COUNT),
    MEMBER(part_leaf, stage, SIGNED),
    MEMBER(part_leaf, dp, SIGNED),
    MEMBER(part_leaf, tp, SIGNED),
    MEMBER(part_leaf, host, TEXT),
    MEMBER(part_leaf, file, TEXT),
    MEMBER(part_leaf, hash, BITS),
    MEMBER(part_leaf, bytes, BITS),
    MEMBER(part_leaf, flags, COUNT),
    MEMBER(part_leaf, folds.operations, BITS),
    MEMBER(part_leaf, folds.collectives, BITS),
    MEMBER(part_leaf, folds.steps, BITS),
    MEMBER(part_leaf, folds.names, BITS),
    MEMBER(part_leaf, step_count, COUNT),
    MEMBER(part_leaf, op_count, COUNT),
    MEMBER(part_leaf, join_count, COUNT),
};
COLUMNS(part_leaf_members, struct part_leaf);

static const struct part_column part_leaf_columns_list[] = {
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
    COLUMN(figure[ROW_JOINS], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_LAST], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_MADE_WAIT], EACH_STEP, SIGNED),
    COLUMN(figure[ROW_WAITED], EACH_STEP, SIGNED),
    COLUMN(first_op, EACH_STEP_AND_END, FROM_LAST),
    COLUMN(group, EACH_JOIN, GROUP),
    COLUMN(sequence, EACH_JOIN, FROM_GROUPS_LAST),
    COLUMN(operation, EACH_JOIN, TEXT),
    COLUMN(size, EACH_JOIN, KNOWN),
    TIME_COLUMN(start, EACH_JOIN, KNOWN_FROM_LAST),
    TIME_COLUMN(lasted, EACH_JOIN, KNOWN),
    COLUMN(in_step, EACH_JOIN, FROM_LAST),
    COLUMN(is_begun, EACH_JOIN, FLAG),
    COLUMN(label, EACH_OP, TEXT),
    COLUMN(type, EACH_OP, TEXT),
    COLUMN(kind, EACH_OP, FLAG),
    COLUMN(join, EACH_OP, COUNT),
    TIME_COLUMN(length, EACH_OP, UNLESS_LASTED),
    TIME_COLUMN(delay, EACH_OP, SIGNED),
    COLUMN(first_dep, EACH_OP_AND_END, FROM_LAST),
    COLUMN(dep, EACH_DEP, FROM_LAST),
};
COLUMNS(part_leaf_columns, struct part_leaf);

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

static const struct part_column part_distribution_columns_list[] = {
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
COLUMNS(part_distribution_columns, struct distribution);

static const struct part_column part_bucket_columns_list[] = {
    {.size = sizeof(uint64_t), .coding = CODE_BITS}};
COLUMNS(part_bucket_columns, uint64_t);

/* Rows of work, of traffic, are followed by their distributions. */
static const struct part_column part_hot_columns_list[] = {
    MEMBER(part_hot, name, TEXT), MEMBER(part_hot, kind, COUNT), MEMBER(part_hot, stage, SIGNED)};
COLUMNS(part_hot_columns, struct part_hot);

static const struct part_column part_traffic_columns_list[] = {
    MEMBER(part_traffic, group, GROUP),      MEMBER(part_traffic, operation, TEXT),
    MEMBER(part_traffic, size, KNOWN),       MEMBER(part_traffic, bytes, COUNT),
    MEMBER(part_traffic, most_bytes, COUNT), MEMBER(part_traffic, last_count, COUNT),
};
COLUMNS(part_traffic_columns, struct part_traffic);

/* Who came last, of a row of traffic. */
static const struct part_column part_last_columns_list[] = {MEMBER(part_last, rank, FROM_LAST),
                                                            MEMBER(part_last, times, COUNT),
                                                            MEMBER(part_last, made_wait, COUNT)};
COLUMNS(part_last_columns, struct part_last);

static const struct part_column part_absence_columns_list[] = {
    MEMBER(part_absence, group, GROUP),    MEMBER(part_absence, sequence, SIGNED),
    MEMBER(part_absence, rank, COUNT),     MEMBER(part_absence, entered, COUNT),
    MEMBER(part_absence, operation, TEXT), MEMBER(part_absence, size, KNOWN),
    MEMBER(part_absence, is_begun, FLAG),
};
COLUMNS(part_absence_columns, struct part_absence);

uint32_t part_column_length(const struct part_leaf *leaf, const struct part_column *column)
{
    switch ((enum part_length)column->length) {
    case EACH_STEP:
        return leaf->step_count;
    case EACH_STEP_AND_END:
        return leaf->step_count + 1;
    case EACH_OP:
        return leaf->op_count;
    case EACH_OP_AND_END:
        return leaf->op_count + 1;
    case EACH_DEP:
        return leaf->first_dep[leaf->op_count];
    case EACH_JOIN:
        return leaf->join_count;
    }
    return 0;
}
