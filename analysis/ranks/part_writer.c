/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a part of a job: its columns as numbers, these in frames. */
#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>
#include <zstd.h>

#include "analysis/ranks/part_file.h"
#include "base/memory/memory.h"

struct part_writing {
    const struct job_part *part;
    FILE *out;
    uint32_t *place; /* by str_id: its place among the names, plus 1 once it is known to be used */
    int64_t *last;   /* of part_coder */
    uint32_t frames;
    uint64_t hashes;                       /* of all frames so far */
    struct VECTOR_OF(unsigned char) bytes; /* of the frame at hand */
};

/* ---- frames ---- */

static void put_bytes(unsigned char *to, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (unsigned char)(value >> 8 * i);
}

static void write_frame(struct part_writing *writing, enum part_section section)
{
    size_t size = writing->bytes.count, most = ZSTD_compressBound(size);
    uint8_t *packed = grow_zeroed(most + 1, 1);
    unsigned char head[PART_HEAD_LEN] = {(unsigned char)section};
    uint64_t hash = XXH3_64bits(writing->bytes.list, size);
    size_t len = ZSTD_compress(packed, most, writing->bytes.list, size, PART_ZSTD_LEVEL);

    if (ZSTD_isError(len))
        oom(); /* there is room for any result */
    head[1] = len < size && size / len < PART_PACKED_MOST ? PART_ZSTD : PART_PLAIN;
    len = head[1] == PART_ZSTD ? len : size;
    put_bytes(head + 4, len, 4);
    put_bytes(head + 8, size, 4);
    put_bytes(head + 12, hash, 8);
    fwrite(head, 1, sizeof(head), writing->out);
    fwrite(head[1] == PART_ZSTD ? packed : writing->bytes.list, 1, len, writing->out);
    if (section != PART_END) {
        writing->hashes = XXH3_64bits_withSeed(&hash, sizeof(hash), writing->hashes);
        writing->frames++;
    }
    writing->bytes.count = 0;
    free(packed);
}

/* ---- numbers ---- */

static void put_number(struct part_writing *writing, uint64_t value)
{
    while (value >= 0x80) {
        vector_add(&writing->bytes, (unsigned char)(value | 0x80));
        value >>= 7;
    }
    vector_add(&writing->bytes, (unsigned char)value);
}

static uint64_t zigzag(int64_t value)
{
    return (uint64_t)value << 1 ^ (uint64_t)(value >> 63);
}

static int64_t less(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a - (uint64_t)b);
}

static uint64_t coded(const struct part_writing *writing, const struct part_column *column,
                      struct part_coder *coder, uint64_t item, uint32_t at)
{
    const struct part_leaf *leaf = coder->leaf;
    int64_t value = (int64_t)item, difference;

    switch ((enum part_coding)column->coding) {
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
        difference = less(value, coder->last[leaf->group[at]]);
        coder->last[leaf->group[at]] = value;
        return zigzag(difference);
    case CODE_UNLESS_LASTED:
        return leaf->join[at] && leaf->lasted[leaf->join[at] - 1] == value ? 0 : zigzag(value);
    }
    return item;
}

static void put_column(struct part_writing *writing, const struct part_column *column,
                       const struct part_leaf *leaf, const char *first, size_t stride,
                       uint32_t count)
{
    struct part_coder coder = {.leaf = leaf, .last = writing->last};

    for (uint32_t i = 0; i < count; i++)
        put_number(writing,
                   coded(writing, column, &coder, part_item(first + i * stride, column), i));
}

static void put_rows(struct part_writing *writing, const struct part_columns *columns,
                     const void *rows, size_t stride, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        put_column(writing, &columns->list[c], NULL, (const char *)rows + columns->list[c].at,
                   stride, count);
}

/* ---- names ---- */

static void use_column(struct part_writing *writing, const struct part_column *column,
                       const char *first, size_t stride, uint32_t count)
{
    for (uint32_t i = 0; i < count && column->coding == CODE_TEXT; i++)
        writing->place[part_item(first + i * stride, column)] = 1;
}

static void use_rows(struct part_writing *writing, const struct part_columns *columns,
                     const void *rows, uint32_t count)
{
    for (uint32_t c = 0; c < columns->count; c++)
        use_column(writing, &columns->list[c], (const char *)rows + columns->list[c].at,
                   columns->stride, count);
}

static void use_all(struct part_writing *writing)
{
    const struct job_part *part = writing->part;

    writing->place[0] = 1;
    use_rows(writing, &part_leaf_members, part->leaves, part->leaf_count);
    for (uint32_t l = 0; l < part->leaf_count; l++)
        for (uint32_t c = 0; c < part_leaf_columns.count; c++) {
            const struct part_column *column = &part_leaf_columns.list[c];

            use_column(writing, column, part_column_items(&part->leaves[l], column), column->size,
                       part_column_length(&part->leaves[l], column));
        }
    use_rows(writing, &part_group_columns, part->groups, part->group_count);
    use_rows(writing, &part_hot_columns, part->hot, part->hot_count);
    use_rows(writing, &part_traffic_columns, part->traffic, part->traffic_count);
    use_rows(writing, &part_absence_columns, part->absences, part->absence_count);
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

static void write_names(struct part_writing *writing)
{
    const struct strings *strings = &writing->part->strings;
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
    write_frame(writing, PART_NAMES);
    free(names);
}

/* ---- the other sections ---- */

static void write_groups(struct part_writing *writing)
{
    const struct job_part *part = writing->part;

    put_number(writing, part->group_count);
    put_rows(writing, &part_group_columns, part->groups, sizeof(*part->groups), part->group_count);
    for (uint32_t i = 0; i < part->group_count; i++)
        if (part->groups[i].is_sealed)
            put_rows(writing, &part_clock_columns, part->groups[i].clock,
                     sizeof(*part->groups[i].clock), part->groups[i].rank_count);
    write_frame(writing, PART_GROUPS);
}

static void write_leaf(struct part_writing *writing, const struct part_leaf *leaf)
{
    put_rows(writing, &part_leaf_members, leaf, sizeof(*leaf), 1);
    for (uint32_t c = 0; c < part_leaf_columns.count; c++) {
        const struct part_column *column = &part_leaf_columns.list[c];

        put_column(writing, column, leaf, part_column_items(leaf, column), column->size,
                   part_column_length(leaf, column));
    }
    for (uint32_t i = 0; i < leaf->join_count; i++)
        writing->last[leaf->group[i]] = 0;
    write_frame(writing, PART_LEAF);
}

/* Those of `count` rows that are `stride` bytes apart. */
static void put_distributions(struct part_writing *writing, const struct distribution *first,
                              size_t stride, uint32_t count)
{
    put_rows(writing, &part_distribution_columns, first, stride, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct distribution *row = (const void *)((const char *)first + i * stride);

        put_rows(writing, &part_bucket_columns, row->bucket, sizeof(*row->bucket), row->buckets);
    }
}

static void write_hot(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    uint32_t count = part->hot_count;

    put_number(writing, count);
    if (count) {
        put_rows(writing, &part_hot_columns, part->hot, sizeof(*part->hot), count);
        put_distributions(writing, &part->hot->events, sizeof(*part->hot), count);
        put_distributions(writing, &part->hot->ranks, sizeof(*part->hot), count);
    }
    write_frame(writing, PART_HOT);
}

static void write_traffic(struct part_writing *writing)
{
    const struct job_part *part = writing->part;
    uint32_t count = part->traffic_count;

    put_number(writing, count);
    if (count) {
        put_rows(writing, &part_traffic_columns, part->traffic, sizeof(*part->traffic), count);
        for (uint32_t i = 0; i < count; i++)
            put_rows(writing, &part_last_columns, part->traffic[i].last,
                     sizeof(*part->traffic[i].last), part->traffic[i].last_count);
        put_distributions(writing, &part->traffic->skew, sizeof(*part->traffic), count);
        put_distributions(writing, &part->traffic->transfer, sizeof(*part->traffic), count);
    }
    write_frame(writing, PART_TRAFFIC);
}

static void write_absences(struct part_writing *writing)
{
    const struct job_part *part = writing->part;

    put_number(writing, part->absence_count);
    put_rows(writing, &part_absence_columns, part->absences, sizeof(*part->absences),
             part->absence_count);
    write_frame(writing, PART_ABSENCES);
}

void part_write(const struct job_part *part, FILE *out)
{
    struct part_writing writing = {
        .part = part,
        .out = out,
        .last = grow_zeroed((size_t)part->group_count + 1, sizeof(*writing.last))};

    fwrite(PART_MAGIC, 1, PART_MAGIC_LEN, out);
    write_names(&writing);
    write_groups(&writing);
    for (uint32_t i = 0; i < part->leaf_count; i++)
        write_leaf(&writing, &part->leaves[i]);
    write_hot(&writing);
    write_traffic(&writing);
    write_absences(&writing);
    put_number(&writing, writing.frames);
    put_number(&writing, part->leaf_count);
    put_number(&writing, writing.hashes);
    write_frame(&writing, PART_END);
    free(writing.place);
    free(writing.last);
    free(writing.bytes.list);
}
