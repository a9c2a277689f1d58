/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a shard of a job: its columns as numbers, these in frames. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#include "analysis/ranks/shard_file.h"
#include "base/memory/varint.h"

struct shard_writing {
    const struct job_shard *shard;
    FILE *out;
    uint32_t *place; /* by str_id: its place among the names, plus 1 once it is known to be used */
    int64_t *last;   /* of shard_coder */
    uint32_t frames;
    uint64_t hashes;                       /* of all frames so far */
    struct byte_list bytes;                /* of the frame at hand */
};

/* ---- frames ---- */

static void put_bytes(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void write_frame(struct shard_writing *writing, enum shard_section section)
{
    size_t size = writing->bytes.count, most = ZSTD_compressBound(size);
    uint8_t *packed = grow_zeroed(most + 1, 1);
    unsigned char head[SHARD_HEAD_LEN] = {(unsigned char)section};
    uint64_t hash = XXH3_64bits(writing->bytes.list, size);
    size_t len = ZSTD_compress(packed, most, writing->bytes.list, size, SHARD_ZSTD_LEVEL);

    if (ZSTD_isError(len))
        oom(); /* there is room for any result */
    head[1] = len < size && size / len < SHARD_PACKED_MOST ? SHARD_ZSTD : SHARD_PLAIN;
    len = head[1] == SHARD_ZSTD ? len : size;
    put_bytes(head + 4, len, 4);
    put_bytes(head + 8, size, 4);
    put_bytes(head + 12, hash, 8);
    fwrite(head, 1, sizeof(head), writing->out);
    fwrite(head[1] == SHARD_ZSTD ? packed : writing->bytes.list, 1, len, writing->out);
    if (section != SHARD_END) {
        writing->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), writing->hashes);
        writing->frames++;
    }
    writing->bytes.count = 0;
    free(packed);
}

/* ---- numbers ---- */

static void put_number(struct shard_writing *writing, uint64_t value)
{
    varint_add(&writing->bytes, value);
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static int64_t less(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static uint64_t coded(const struct shard_writing *writing, const struct shard_column *column,
                      struct shard_coder *coder, uint64_t item, uint32_t at)
{
    const struct rank_summary *summary = coder->summary;
    int64_t value = (int64_t)item, difference;

    switch ((enum shard_coding)column->coding) {
    case CODE_COUNT:
    case CODE_BITS:
    case CODE_FLAG:
    case CODE_GROUP:
        break;
    case CODE_TEXT:
        return writing->place[item];
    case CODE_SIGNED:
        return zigzag(value);
    case CODE_KNOWN:
        return value == NOT_KNOWN ? 0 : item + 1;
    case CODE_FROM_LAST:
        difference = less(value, coder->before);
        coder->before = value;
        return zigzag(difference);
    case CODE_KNOWN_FROM_LAST:
        if (value == NOT_KNOWN)
            return 0;
        difference = less(value, coder->before);
        coder->before = value;
        return zigzag(difference) + 1;
    case CODE_FROM_GROUPS_LAST:
        difference = less(value, coder->last[summary->group[at]]);
        coder->last[summary->group[at]] = value;
        return zigzag(difference);
    case CODE_UNLESS_LASTED:
        return summary->participation[at] &&
                       summary->lasted[summary->participation[at] - 1] == value
                   ? 0
                   : zigzag(value);
    }
    return item;
}

static void put_column(struct shard_writing *writing, const struct shard_column *column,
                       const struct rank_summary *summary, const char *first, size_t stride,
                       uint32_t count)
{
    struct shard_coder coder = {.summary = summary, .last = writing->last};

    for (uint32_t i = 0; i < count; i++)
        put_number(writing,
                   coded(writing, column, &coder, shard_item(first + i * stride, column), i));
}

static void put_rows(struct shard_writing *writing, const struct shard_columns *columns,
                     const void *rows, size_t stride, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        put_column(writing, &columns->list[c], NULL, (const char *)rows + columns->list[c].at,
                   stride, count);
}

/* ---- names ---- */

static void use_column(struct shard_writing *writing, const struct shard_column *column,
                       const char *first, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < count && column->coding == CODE_TEXT; i++)
        writing->place[shard_item(first + i * stride, column)] = 1;
}

static void use_rows(struct shard_writing *writing, const struct shard_columns *columns,
                     const void *rows, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        use_column(writing, &columns->list[c], (const char *)rows + columns->list[c].at,
                   columns->stride, count);
}

static void use_all(struct shard_writing *writing)
{
    const struct job_shard *shard = writing->shard;

    writing->place[0] = 1;
    use_rows(writing, &rank_summary_members, shard->summaries, shard->summary_count);
    for (uint32_t l = 0; l < shard->summary_count; l++)
        for (uint32_t c = 0; c < rank_summary_columns.count; c++) {
            const struct shard_column *column = &rank_summary_columns.list[c];

            use_column(writing, column, shard_column_items(&shard->summaries[l], column),
                       column->size, shard_column_length(&shard->summaries[l], column));
        }
    use_rows(writing, &shard_group_columns, shard->groups, shard->group_count);
    use_rows(writing, &shard_hot_columns, shard->hot, shard->hot_count);
    use_rows(writing, &shard_traffic_columns, shard->traffic, shard->traffic_count);
    use_rows(writing, &shard_absence_columns, shard->absences, shard->absence_count);
}

struct part_name {
    struct span text;
    str_id id;
};

static int by_text(const void *a, const void *b)
{
    const struct part_name *first = a, *second = b;

    return span_cmp(first->text, second->text);
}

static void write_names(struct shard_writing *writing)
{
    const struct strings *strings = &writing->shard->strings;
    size_t known = strings->count ? strings->count : 1, count = 0;
    struct part_name *names = grow_zeroed(known + 1, sizeof(*names));

    writing->place = grow_zeroed(known + 1, sizeof(*writing->place));
    use_all(writing);
    for (str_id id = 0; id < known; id++)
        if (writing->place[id])
            names[count++] = (struct part_name){strings_get(strings, id), id};
    qsort(names, count, sizeof(*names), by_text);
    put_number(writing, count);
    for (size_t i = 0; i < count; i++) {
        writing->place[names[i].id] = (uint32_t)i;
        put_number(writing, names[i].text.len);
        for (size_t k = 0; k < names[i].text.len; k++)
            vector_add(&writing->bytes, (unsigned char)names[i].text.at[k]);
    }
    write_frame(writing, SHARD_NAMES);
    free(names);
}

/* ---- the other sections ---- */

static void write_groups(struct shard_writing *writing)
{
    const struct job_shard *shard = writing->shard;

    put_number(writing, shard->group_count);
    put_rows(writing, &shard_group_columns, shard->groups, sizeof(*shard->groups),
             shard->group_count);
    for (uint32_t i = 0; i < shard->group_count; i++)
        if (shard->groups[i].is_aligned)
            put_rows(writing, &shard_clock_columns, shard->groups[i].clock,
                     sizeof(*shard->groups[i].clock), shard->groups[i].rank_count);
    write_frame(writing, SHARD_GROUPS);
}

static void write_summary(struct shard_writing *writing, const struct rank_summary *summary)
{
    put_rows(writing, &rank_summary_members, summary, sizeof(*summary), 1);
    for (uint32_t c = 0; c < rank_summary_columns.count; c++) {
        const struct shard_column *column = &rank_summary_columns.list[c];

        put_column(writing, column, summary, shard_column_items(summary, column), column->size,
                   shard_column_length(summary, column));
    }
    for (uint32_t i = 0; i < summary->participation_count; i++)
        writing->last[summary->group[i]] = 0;
    write_frame(writing, SHARD_SUMMARY);
}

/* Those of `count` rows that are `stride` bytes apart. */
static void put_distributions(struct shard_writing *writing, const struct distribution *first,
                              size_t stride, uint32_t count)
{
    put_rows(writing, &shard_distribution_columns, first, stride, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct distribution *row = (const void *)((const char *)first + i * stride);

        put_rows(writing, &shard_bucket_columns, row->bucket, sizeof(*row->bucket), row->buckets);
    }
}

static void write_hot(struct shard_writing *writing)
{
    const struct job_shard *shard = writing->shard;
    uint32_t count = shard->hot_count;

    put_number(writing, count);
    if (count) {
        put_rows(writing, &shard_hot_columns, shard->hot, sizeof(*shard->hot), count);
        put_distributions(writing, &shard->hot->events, sizeof(*shard->hot), count);
        put_distributions(writing, &shard->hot->ranks, sizeof(*shard->hot), count);
    }
    write_frame(writing, SHARD_HOT);
}

static void write_traffic(struct shard_writing *writing)
{
    const struct job_shard *shard = writing->shard;
    uint32_t count = shard->traffic_count;

    put_number(writing, count);
    if (count) {
        put_rows(writing, &shard_traffic_columns, shard->traffic, sizeof(*shard->traffic), count);
        for (uint32_t i = 0; i < count; i++)
            put_rows(writing, &shard_last_columns, shard->traffic[i].last,
                     sizeof(*shard->traffic[i].last), shard->traffic[i].last_count);
        put_distributions(writing, &shard->traffic->skew, sizeof(*shard->traffic), count);
        put_distributions(writing, &shard->traffic->transfer, sizeof(*shard->traffic), count);
    }
    write_frame(writing, SHARD_TRAFFIC);
}

static void write_absences(struct shard_writing *writing)
{
    const struct job_shard *shard = writing->shard;

    put_number(writing, shard->absence_count);
    put_rows(writing, &shard_absence_columns, shard->absences, sizeof(*shard->absences),
             shard->absence_count);
    write_frame(writing, SHARD_ABSENCES);
}

void shard_write(const struct job_shard *shard, FILE *out)
{
    struct shard_writing writing = {
        .shard = shard,
        .out = out,
        .last = grow_zeroed((size_t)shard->group_count + 1, sizeof(*writing.last))};

    fwrite(SHARD_MAGIC, 1, SHARD_MAGIC_LEN - 1, out);
    fputc(SHARD_MAJOR, out);
    write_names(&writing);
    write_groups(&writing);
    for (uint32_t i = 0; i < shard->summary_count; i++)
        write_summary(&writing, &shard->summaries[i]);
    write_hot(&writing);
    write_traffic(&writing);
    write_absences(&writing);
    put_number(&writing, writing.frames);
    put_number(&writing, shard->summary_count);
    put_number(&writing, writing.hashes);
    write_frame(&writing, SHARD_END);
    free(writing.place);
    free(writing.last);
    free(writing.bytes.list);
}
