/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/gperftools/process_maps.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/sort.h"
#include "parsers/gperftools/gperf_hex.h"

/* Blank-separated words; empty at the end. */
static struct span next_word(struct span *rest)
{
    struct span word;

    *rest = span_trim(*rest);
    word = *rest;
    word.len = 0;
    while (word.len < rest->len && rest->at[word.len] != ' ' && rest->at[word.len] != '\t')
        word.len++;
    *rest = span_after(*rest, word.len);
    return word;
}

static bool is_permissions(struct span word)
{
    return word.len >= 3 && (word.at[0] == 'r' || word.at[0] == '-') &&
           (word.at[1] == 'w' || word.at[1] == '-') && (word.at[2] == 'x' || word.at[2] == '-');
}

/* "00400000-00500000", with a colon after it in the short form. */
static bool read_range(struct span word, struct map *map)
{
    if (word.len && word.at[word.len - 1] == ':')
        word.len--;
    return hex_take(&word, &map->at.start) && word.len && word.at[0] == '-' &&
           (word = span_after(word, 1), hex_take(&word, &map->at.end)) && word.len == 0 &&
           map->at.start < map->at.end;
}

/* "/bin/prog (deleted)" and "/bin/prog (@1000)" are both /bin/prog. */
static struct span read_path(struct span rest, uint64_t *offset)
{
    struct span path = span_trim(rest), tail;
    size_t at = span_find(path, SPAN(" (@"));

    if (at != SIZE_MAX) {
        tail = span_after(path, at + 3);
        if (!hex_take(&tail, offset))
            *offset = 0;
        path.len = at;
    }
    if (span_ends(path, SPAN(" (deleted)")))
        path.len -= sizeof(" (deleted)") - 1;
    return span_trim(path);
}

bool maps_add(struct maps *maps, struct span line, struct span *path)
{
    struct span rest = line, word;
    struct map map = {0};
    bool is_code = true;

    *path = (struct span){line.at, 0};
    if (!read_range(next_word(&rest), &map))
        return false;
    word = rest;
    word = next_word(&word);
    if (is_permissions(word)) {
        is_code = word.at[2] == 'x';
        next_word(&rest);
        word = next_word(&rest);
        if (!hex_take(&word, &map.at.offset))
            return false;
        next_word(&rest); /* device */
        next_word(&rest); /* inode */
    }
    *path = read_path(rest, &map.at.offset);
    if (!is_code)
        return true;
    vector_add(maps, map);
    return true;
}

static int by_start(const void *a, const void *b)
{
    const struct map *x = a, *y = b;

    return x->at.start < y->at.start ? -1 : x->at.start > y->at.start;
}

void maps_sort(struct maps *maps)
{
    if (maps->count)
        qsort(maps->list, maps->count, sizeof(*maps->list), by_start);
}

const struct map *maps_find(const struct maps *maps, uint64_t address)
{
    SEARCH(size_t, at, maps->count, maps->list[at].at.start <= address);
    return at && address < maps->list[at - 1].at.end ? &maps->list[at - 1] : NULL;
}

void maps_free(struct maps *maps)
{
    free(maps->list);
}
