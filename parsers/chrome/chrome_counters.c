/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/chrome_counters.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <xxhash.h>

#include "parsers/shared/json_value.h"

static int at_most(size_t len, int most)
{
    return len < (size_t)most ? (int)len : most;
}

/* "memory[id] used" */
static str_id series_name(struct builder *builder, struct span name, struct span id,
                          struct span key)
{
    char text[256];
    int len = snprintf(text, sizeof(text), "%.*s%s%.*s%s %.*s", at_most(name.len, 127), name.at,
                       id.len ? "[" : "", at_most(id.len, 31), id.at, id.len ? "]" : "",
                       at_most(key.len, 63), key.at);

    return builder_intern(builder, (struct span){text, (size_t)len});
}

/* What a series of the event is found by, but for its key. */
static uint64_t hash_of(struct span pid, struct span name, struct span id)
{
    uint64_t hash = XXH3_64bits_withSeed(pid.at, pid.len, 0);

    hash = XXH3_64bits_withSeed(name.at, name.len, hash);
    return XXH3_64bits_withSeed(id.at, id.len, hash);
}

void counters_add(struct counters *counters, struct builder *builder, const struct event *event,
                  int64_t time)
{
    struct walk walk = walk_into(event->field[FIELD_ARGS]);
    struct span name = token_raw_text(event->field[FIELD_NAME]), key;
    struct span pid = token_raw_text(event->field[FIELD_PID]);
    struct span id = token_raw_text(event->field[FIELD_ID]);
    uint64_t hash = hash_of(pid, name, id);
    struct token value;
    double real;

    while (walk_member(&walk, &key, &value)) {
        uint32_t *series;

        if (!token_real(value, &real))
            continue;
        series = idmap_at(&counters->series, XXH3_64bits_withSeed(key.at, key.len, hash));
        if (*series == IDMAP_NONE)
            *series = builder_series(builder_timeline(builder), series_name(builder, name, id, key),
                                     builder_intern(builder, pid), -1);
        builder_sample(builder_timeline(builder), *series, time, real);
    }
}

void counters_free(struct counters *counters)
{
    idmap_free(&counters->series);
}
