/* SPDX-License-Identifier: Apache-2.0 */
/* shard_file.h — a shard of a job as a file
 *
 * "PTKPART" and a byte that is the version, then frames, of which the last is an end. A frame is: section,
 * codec (0: as it is, 1: Zstandard), two bytes 0, length packed and plain (4 bytes each), XXH3 of the plain
 * bytes (8 bytes), all little endian, and these bytes. In them are numbers as protocol buffers write them
 * (7 bits a byte, the low ones first), in the order of the tables in shard_columns.c: all of one column, then
 * all of the next. Texts are places among the names. All rows are sorted: equal sets of ranks are equal
 * bytes. */
#ifndef PTK_ANALYSIS_RANKS_SHARD_FILE_H
#define PTK_ANALYSIS_RANKS_SHARD_FILE_H

#include <stdio.h>
#include <string.h>

#include "analysis/ranks/job_shard.h"
#include "base/error/error.h"
#include "base/io/io.h"
#include "graph/build/builder.h"

/* ---- for others ---- */

/* Whether a file begins as shards do, of whatever version. */
bool span_is_shard(struct span head);

/* ERROR_INPUT where it is damaged, cut, or of another version. Everything is checked against what is there.
 * job_shard_free() in any case. */
MUST_CHECK bool shard_read(struct input *in, struct job_shard *shard, struct error *err);

/* How many summaries a file has, without reading them; false where it is cut, or no shard. */
MUST_CHECK bool shard_count_summaries(struct input *in, uint32_t *count);

/* Equal shards give equal bytes. Write errors are found when the output is committed. */
void shard_write(const struct job_shard *shard, FILE *out);

/* A shard as a profile: the device work of all its ranks by name. */
MUST_CHECK bool shard_to_profile(const struct job_shard *shard, struct builder *builder,
                                 struct error *err);

/* ---- its frames ---- */

#define SHARD_MAGIC "PTKPART" /* and a byte behind it: SHARD_MAJOR */

enum { SHARD_MAGIC_LEN = 8, SHARD_HEAD_LEN = 20, SHARD_MAJOR = 4 };

/* In this order in the file; one frame each, summaries one frame a summary. */
enum shard_section {
    SHARD_NAMES = 1,
    SHARD_GROUPS,
    SHARD_SUMMARY,
    SHARD_HOT,
    SHARD_TRAFFIC,
    SHARD_ABSENCES,
    SHARD_END = 255
};

/* How a frame's bytes are: as they are where packing gains nothing, or so much that a reader would
 * have to believe any number. */
enum shard_codec { SHARD_PLAIN, SHARD_ZSTD };
enum { SHARD_ZSTD_LEVEL = 3, SHARD_PACKED_MOST = 64 };

/* More than this is no frame. */
enum { SHARD_FRAME_MOST = 256 << 20 };

/* What is read of a file. */
struct shard_frames {
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
enum { SHARD_CHECKS_HASHES = false };
#else
enum { SHARD_CHECKS_HASHES = true };
#endif

/* The error "a part's WHAT" at the frame being read; false. */
bool shard_damaged(struct shard_frames *frames, const char *what);

/* Checks the file's first bytes and its version, and goes past them. */
MUST_CHECK bool shard_frames_begin(struct shard_frames *frames);

/* The next frame, which stays until `*len` bytes are skipped. */
MUST_CHECK bool shard_frame_next(struct shard_frames *frames, enum shard_section *section,
                                 size_t *len);

/* How long the frame is that begins with `head`, of SHARD_HEAD_LEN bytes. */
MUST_CHECK bool shard_frame_length(struct span head, size_t *len);

MUST_CHECK bool shard_number(struct shard_frames *frames, uint64_t *value);

/* How many of something follow, of which each has a byte at least. */
MUST_CHECK bool shard_count(struct shard_frames *frames, uint32_t *count);

/* ---- its columns, each declared once ---- */

/* How a column's items are numbers without a sign. */
enum shard_coding {
    CODE_COUNT,            /* as they are, up to 2^63 - 1 where the member has a sign */
    CODE_BITS,             /* as they are */
    CODE_FLAG,             /* 0 or 1 */
    CODE_SIGNED,           /* in zigzag */
    CODE_FROM_LAST,        /* less the item before, in zigzag */
    CODE_KNOWN,            /* plus 1; 0: NOT_KNOWN */
    CODE_KNOWN_FROM_LAST,  /* less the last one that is known, in zigzag, plus 1; 0: NOT_KNOWN */
    CODE_TEXT,             /* a place among the names */
    CODE_GROUP,            /* one of the shard's groups */
    CODE_FROM_GROUPS_LAST, /* less the last collective's of the same group, in zigzag */
    CODE_UNLESS_LASTED,    /* in zigzag; 0: as the operation's collective lasted */
};

/* How many items a summary's column has. */
enum shard_length {
    EACH_STEP,
    EACH_STEP_AND_END,
    EACH_OP,
    EACH_OP_AND_END,
    EACH_DEP,
    EACH_PARTICIPATION
};

struct shard_column {
    uint16_t at;  /* of the member in a row, or of the pointer to the column in a summary */
    uint8_t size; /* bytes of an item */
    uint8_t coding;
    uint8_t length; /* of a summary's */
    bool is_time;   /* sums of it must not leave 64 bits */
};

/* Rows of one struct. */
struct shard_columns {
    const struct shard_column *list;
    uint32_t count;
    size_t stride; /* bytes of a row */
};

extern const struct shard_columns shard_group_columns, shard_clock_columns, shard_hot_columns,
    shard_distribution_columns, shard_bucket_columns, shard_traffic_columns, shard_last_columns,
    shard_absence_columns;

/* Of a summary: what it has once, and its columns, each after those by which it is coded. */
extern const struct shard_columns rank_summary_members, rank_summary_columns;

uint32_t shard_column_length(const struct rank_summary *summary, const struct shard_column *column);

/* Where a summary's column begins; NULL of dependencies before there is room for them. */
static inline char *shard_column_items(const struct rank_summary *summary,
                                       const struct shard_column *column)
{
    char *items;

    memcpy(&items, (const char *)summary + column->at, sizeof(items));
    return items;
}

/* An item as a number; of a struct's member that is negative the same bits. */
static inline uint64_t shard_item(const char *at, const struct shard_column *column)
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
struct shard_coder {
    const struct rank_summary *summary; /* or NULL, of rows */
    int64_t *last; /* by group, 0 between summaries: the last sequence of the summary's */
    int64_t before;
};

#endif
