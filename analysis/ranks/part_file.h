/* SPDX-License-Identifier: Apache-2.0 */
/* part_file.h — a part of a job as a file
 *
 * "PTKPART" and a byte that is the version, then frames, of which the last is an end. A frame is: section,
 * codec (0: as it is, 1: Zstandard), two bytes 0, length packed and plain (4 bytes each), XXH3 of the plain
 * bytes (8 bytes), all little endian, and these bytes. In them are numbers as protocol buffers write them
 * (7 bits a byte, the low ones first), in the order of the tables in part_columns.c: all of one column, then
 * all of the next. Texts are places among the names. All rows are sorted: equal sets of ranks are equal
 * bytes. */
#ifndef PTK_ANALYSIS_RANKS_PART_FILE_H
#define PTK_ANALYSIS_RANKS_PART_FILE_H

#include <stdio.h>
#include <string.h>

#include "analysis/ranks/job_part.h"
#include "base/error/error.h"
#include "base/io/io.h"
#include "graph/build/builder.h"

/* ---- for others ---- */

/* Whether a file begins as parts do, of whatever version. */
bool part_is_one(struct span head);

/* ERROR_INPUT where it is damaged, cut, or of another version. Everything is checked against what is there.
 * job_part_free() in any case. */
MUST_CHECK bool part_read(struct input *in, struct job_part *part, struct error *err);

/* How many leaves a file has, without reading them; false where it is cut, or no part. */
MUST_CHECK bool part_leaves_count(struct input *in, uint32_t *count);

/* Equal parts give equal bytes. Write errors are found when the output is committed. */
void part_write(const struct job_part *part, FILE *out);

/* A part as a profile: the device work of all its ranks by name. */
MUST_CHECK bool part_tell(const struct job_part *part, struct builder *builder, struct error *err);

/* ---- its frames ---- */

#define PART_MAGIC "PTKPART\x03"

enum { PART_MAGIC_LEN = 8, PART_HEAD_LEN = 20, PART_MAJOR = 3 };

/* In this order in the file; one frame each, leaves one frame a leaf. */
enum part_section {
    PART_NAMES = 1,
    PART_GROUPS,
    PART_LEAF,
    PART_HOT,
    PART_TRAFFIC,
    PART_ABSENCES,
    PART_END = 255
};

/* How a frame's bytes are: as they are where packing gains nothing, or so much that a reader would
 * have to believe any number. */
enum part_codec { PART_PLAIN, PART_ZSTD };
enum { PART_ZSTD_LEVEL = 3, PART_PACKED_MOST = 64 };

/* More than this is no frame. */
enum { PART_FRAME_MOST = 256 << 20 };

/* What is read of a file. */
struct part_frames {
    struct input *in;
    struct error *err;
    const char *at, *end; /* of the frame at hand, unpacked: what has not been read */
    char *plain;          /* room for it; the caller frees it */
    uint64_t offset;      /* where it is in the file */
    uint32_t count;
    uint64_t hashes; /* of all frames so far */
};

/* A fuzzer would not get past the hashes. */
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { PART_CHECKS_HASHES = false };
#else
enum { PART_CHECKS_HASHES = true };
#endif

/* The error "a part's WHAT" at the frame being read; false. */
bool part_damaged(struct part_frames *frames, const char *what);

/* Checks the file's first bytes and its version, and goes past them. */
MUST_CHECK bool part_frames_begin(struct part_frames *frames);

/* The next frame, which stays until `*len` bytes are skipped. */
MUST_CHECK bool part_frame_next(struct part_frames *frames, enum part_section *section,
                                size_t *len);

/* How long the frame is that begins with `head`, of PART_HEAD_LEN bytes. */
MUST_CHECK bool part_frame_length(struct span head, size_t *len);

MUST_CHECK bool part_number(struct part_frames *frames, uint64_t *value);

/* How many of something follow, of which each has a byte at least. */
MUST_CHECK bool part_count(struct part_frames *frames, uint32_t *count);

/* ---- its columns, each declared once ---- */

/* How a column's items are numbers without a sign. */
enum part_coding {
    CODE_COUNT,            /* as they are, up to 2^63 - 1 where the member has a sign */
    CODE_BITS,             /* as they are */
    CODE_FLAG,             /* 0 or 1 */
    CODE_SIGNED,           /* in zigzag */
    CODE_FROM_LAST,        /* less the item before, in zigzag */
    CODE_KNOWN,            /* plus 1; 0: NOT_KNOWN */
    CODE_KNOWN_FROM_LAST,  /* less the last one that is known, in zigzag, plus 1; 0: NOT_KNOWN */
    CODE_TEXT,             /* a place among the names */
    CODE_GROUP,            /* one of the part's groups */
    CODE_FROM_GROUPS_LAST, /* less the last collective's of the same group, in zigzag */
    CODE_UNLESS_LASTED,    /* in zigzag; 0: as the operation's collective lasted */
};

/* How many items a leaf's column has. */
enum part_length { EACH_STEP, EACH_STEP_AND_END, EACH_OP, EACH_OP_AND_END, EACH_DEP, EACH_JOIN };

struct part_column {
    uint16_t at;  /* of the member in a row, or of the pointer to the column in a leaf */
    uint8_t size; /* bytes of an item */
    uint8_t coding;
    uint8_t length; /* of a leaf's */
    bool is_time;   /* sums of it must not leave 64 bits */
};

/* Rows of one struct. */
struct part_columns {
    const struct part_column *list;
    uint32_t count;
    size_t stride; /* bytes of a row */
};

extern const struct part_columns part_group_columns, part_clock_columns, part_hot_columns,
    part_distribution_columns, part_bucket_columns, part_traffic_columns, part_last_columns,
    part_absence_columns;

/* Of a leaf: what it has once, and its columns, each after those by which it is coded. */
extern const struct part_columns part_leaf_members, part_leaf_columns;

uint32_t part_column_length(const struct part_leaf *leaf, const struct part_column *column);

/* Where a leaf's column begins; NULL of dependencies before there is room for them. */
static inline char *part_column_items(const struct part_leaf *leaf,
                                      const struct part_column *column)
{
    char *items;

    memcpy(&items, (const char *)leaf + column->at, sizeof(items));
    return items;
}

/* An item as a number; of a struct's member that is negative the same bits. */
static inline uint64_t part_item(const char *at, const struct part_column *column)
{
    uint32_t half;
    uint64_t value;

    if (column->size == 1)
        return (unsigned char)*at;
    if (column->size == sizeof(value)) {
        memcpy(&value, at, sizeof(value));
        return value;
    }
    memcpy(&half, at, sizeof(half));
    return column->coding == CODE_SIGNED ? (uint64_t)(int64_t)(int32_t)half : half;
}

/* What the coding of one item depends on: those before it. Zeroed before each column. */
struct part_coder {
    const struct part_leaf *leaf; /* or NULL, of rows */
    int64_t *last;                /* by group, 0 between leaves: the last sequence of the leaf's */
    int64_t before;
};

#endif
