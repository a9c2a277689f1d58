/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/chrome_ids.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "parsers/shared/json_value.h"

enum { SEED_OPERATION, SEED_NAMED, SEED_BINDING };

static bool read_number(struct token id, uint64_t *number)
{
    struct span text = token_raw_text(id);
    int64_t bits;

    if (span_to_u64(text, number))
        return true;
    if (!(span_starts(text, SPAN("0x")) || span_starts(text, SPAN("0X"))) ||
        !token_integer(id, &bits))
        return false;
    *number = (uint64_t)bits;
    return true;
}

uint64_t id_hash(struct token id, uint64_t seed)
{
    struct span text = token_raw_text(id);
    uint64_t number;

    if (read_number(id, &number))
        return XXH3_64bits_withSeed(&number, sizeof(number), seed);
    return XXH3_64bits_withSeed(text.at, text.len, seed);
}

static uint64_t hash_field(const struct event *event, enum field field, uint64_t seed)
{
    struct span text = token_raw_text(event->field[field]);

    return XXH3_64bits_withSeed(text.at, text.len, seed);
}

uint64_t id_group(const struct event *event, bool by_name)
{
    struct token id = event->field[FIELD_ID], id2 = event->field[FIELD_ID2];
    struct token local = id2.at ? walk_find(id2, SPAN("local")) : (struct token){0};
    uint64_t hash =
        hash_field(event, FIELD_CAT, by_name ? (uint64_t)SEED_NAMED : (uint64_t)SEED_OPERATION);

    if (id2.at)
        id = local.at ? local : walk_find(id2, SPAN("global"));
    hash = id_hash(id, hash);
    hash = hash_field(event, FIELD_SCOPE, hash);
    if (local.at)
        hash = hash_field(event, FIELD_PID, hash);
    if (by_name)
        hash = hash_field(event, FIELD_NAME, hash);
    return hash | (uint64_t)1 << 63; /* apart from rows */
}

uint64_t id_binding(const struct event *event)
{
    return id_hash(event->field[FIELD_BIND_ID], SEED_BINDING);
}
