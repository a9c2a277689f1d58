/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h — memory that lives as long as one result; arrays, tables and sets that grow; stable sorts */
#ifndef PTK_BASE_MEMORY_MEMORY_H
#define PTK_BASE_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory/span.h"

/* ---- memory that lives as long as one graph or one result, freed in one call ---- */

/* Ready for use when zeroed. */
struct arena {
    struct arena_block *blocks; /* newest first */
    size_t used;                /* bytes handed out */
};

/* Never returns NULL (see vector.h). The memory is zeroed and aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);

/* As arena_alloc, for `count` items of `size`; an overflow counts as out of memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A NUL-terminated copy; the span may hold NULs itself. */
char *arena_copy(struct arena *arena, struct span text);

/* All texts in a row, which may hold any byte: no NUL-terminated copy. */
struct span arena_joined(struct arena *arena, const struct span *texts, size_t count);
#define JOINED(arena, ...)                                                                         \
    arena_joined(arena, (const struct span[]){__VA_ARGS__},                                        \
                 sizeof((const struct span[]){__VA_ARGS__}) / sizeof(struct span))

/* The formatted text, NUL-terminated. */
const char *arena_printf(struct arena *arena, const char *fmt, ...) PRINTF_LIKE(2, 3);

/* Takes over all that another holds, which is empty then. */
void arena_absorb(struct arena *arena, struct arena *other);

/* Forgets everything at once, but keeps a block for what comes next: for short work done often. */
void arena_clear(struct arena *arena);

/* Frees everything at once. The arena may be used again. */
void arena_free(struct arena *arena);

/* ---- the one place where the library may end the process ---- */

/* Says so on stderr and exits with status 5. */
_Noreturn void oom(void);

/* ---- plain arrays that grow by doubling: the columns of every big table ---- */

/* The capacity to use for `need` items when there is room for `cap`: at least double. */
size_t grow_cap(size_t cap, size_t need);

/* Resizes a malloc'ed column to `cap` items of `size` bytes. Never returns NULL (see oom()). */
void *grow_to(void *column, size_t cap, size_t size);

/* Makes room for one more item after `count` in a column that stands alone; updates `*cap`. */
static inline void *grow_one(void *column, size_t count, size_t *cap, size_t size)
{
    if (count < *cap)
        return column;
    *cap = grow_cap(*cap, count + 1);
    return grow_to(column, *cap, size);
}

/* Zeroed memory that the caller frees. Never returns NULL. */
void *grow_zeroed(size_t count, size_t size);

/* ---- an array of any type that grows by doubling, and how much is in it ---- */

/*     struct marks {
 *         VECTOR(struct mark);               marks->list[i], marks->count
 *     };
 *     struct VECTOR_OF(uint32_t) open;       one among other members: open.list[i], open.count
 *
 * Ready for use when zeroed; its owner frees `list`. Tables of many columns have one count for all of
 * them, and grow each with grow_to(). */

#define VECTOR_OF(type)                                                                            \
    {                                                                                              \
        type *list;                                                                                \
        size_t count, cap;                                                                         \
    }

/* The same as an anonymous member. */
#define VECTOR(type) struct VECTOR_OF(type)

/* Makes room for one more item, list[count]. `vector` is evaluated several times. */
#define vector_reserve(vector)                                                                     \
    ((vector)->list =                                                                              \
         grow_one((vector)->list, (vector)->count, &(vector)->cap, sizeof(*(vector)->list)))

/* Appends one item, the arguments after the first: a compound literal may have commas. What makes the
 * item may add to the same vector: it is made before its place is. */
#define vector_add(vector, ...)                                                                    \
    do {                                                                                           \
        __typeof__(*(vector)->list) vector_item = (__VA_ARGS__);                                   \
        vector_reserve(vector);                                                                    \
        (vector)->list[(vector)->count++] = vector_item;                                           \
    } while (0)

/* ---- finds things by their hash: the half that all tables of distinct things share ---- */

/* The things have ids from 1 on, in the order of their coming, and their owner keeps them. Open
 * addressing at most half full. A slot's first look is at one byte, of which 64 share a cache
 * line: a new thing, which is what big files are full of, seldom needs a second look. */

/* Ready for use when zeroed. */
struct index {
    uint8_t *tags;    /* by slot: some bits of the hash; 0 is free */
    uint32_t *ids;    /* by slot */
    uint32_t *hashes; /* by id, for the next growth */
    size_t cap;       /* slots: 0 or a power of two */
    uint64_t key; /* for the owner's hashes, from the first index_reserve() on: the process's own */
    uint32_t last; /* the highest id */
};

/* Where the search for a hash begins, and after each miss goes on. */
struct index_place {
    size_t slot;
    uint32_t hash;
};

static inline struct index_place index_start(const struct index *index, uint32_t hash)
{
    return (struct index_place){hash & (index->cap - 1), hash};
}

/* Starts to fetch what a search for a hash looks at first. */
static inline void hash_index_prefetch(const struct index *index, uint32_t hash)
{
    size_t slot = hash & (index->cap - 1);

    if (!index->cap)
        return;
    __builtin_prefetch(&index->tags[slot]);
    __builtin_prefetch(&index->ids[slot], 1);
}

static inline uint8_t index_tag(uint32_t hash)
{
    return (uint8_t)(hash >> 25 | 0x80);
}

/* The next id that may be the one; 0 when there is none, and then the place is where it belongs.
 * The index must not be empty: see index_reserve(). */
static inline uint32_t index_next(const struct index *index, struct index_place *place)
{
    for (size_t slot = place->slot;; slot = (slot + 1) & (index->cap - 1)) {
        if (index->tags[slot] == 0) {
            place->slot = slot;
            return 0;
        }
        if (index->tags[slot] == index_tag(place->hash)) {
            place->slot = (slot + 1) & (index->cap - 1);
            return index->ids[slot];
        }
    }
}

/* Makes room for one more; before index_start(), since places move, and before the first hash. */
void index_reserve(struct index *index);

/* Adds at the place where index_next() found nothing, and returns the new id. */
uint32_t index_add(struct index *index, const struct index_place *place);

void index_free(struct index *index);

/* ---- from a 64-bit key to a 32-bit id: (parent, frame) → node, (caller, callee) → edge ---- */

#define IDMAP_NONE UINT32_MAX

/* Ready for use when zeroed. Open addressing, at most half full. */
struct idmap {
    uint64_t *keys;
    uint32_t *ids; /* IDMAP_NONE where the slot is free */
    size_t count, cap;
    uint64_t seed; /* of hashes, as the key of struct index */
};

static inline uint64_t idmap_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}

/* Where the id of `key` is kept; IDMAP_NONE is there when the key is new, and the caller stores
 * the id at once. Valid until the next call. */
uint32_t *idmap_at(struct idmap *map, uint64_t key);

/* The id, or IDMAP_NONE. */
uint32_t idmap_find(const struct idmap *map, uint64_t key);

void idmap_free(struct idmap *map);

/* ---- a set of small numbers, which knows how many of them are before any number ---- */

/* Made in two goes: first all are set, then bits_count() is called, and questions may be asked. */

/* Owned: see bits_free(). */
struct bits {
    uint64_t *words;
    uint32_t *before; /* by word, how many there are in the words before it */
    uint32_t count;   /* of words */
};

/* An empty set of numbers up to, and with, `most`. */
void bits_init(struct bits *bits, uint32_t most);

static inline void bits_set(struct bits *bits, uint32_t number)
{
    bits->words[number / 64] |= UINT64_C(1) << number % 64;
}

static inline void bits_clear(struct bits *bits, uint32_t number)
{
    bits->words[number / 64] &= ~(UINT64_C(1) << number % 64);
}

static inline bool bits_has(const struct bits *bits, uint32_t number)
{
    return bits->words[number / 64] >> number % 64 & 1;
}

/* How many there are: to be called once, when all are set. */
uint32_t bits_count(struct bits *bits);

/* Without the processor's own instruction, which not every one has. */
static inline uint32_t bits_of_word(uint64_t word)
{
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    word = (word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(word * 0x0101010101010101u >> 56);
}

/* How many are below a number. */
static inline uint32_t bits_before(const struct bits *bits, uint32_t number)
{
    uint64_t below = (UINT64_C(1) << number % 64) - 1;

    return bits->before[number / 64] + bits_of_word(bits->words[number / 64] & below);
}

/* Whether there is none from `first` up to, not with, `end`; may say no where it would take
 * long. */
static inline bool bits_lack(const struct bits *bits, uint32_t first, uint32_t end)
{
    uint64_t from = UINT64_MAX << first % 64, below = (UINT64_C(1) << end % 64) - 1;

    return first / 64 == end / 64 && (bits->words[first / 64] & from & below) == 0;
}

/* The first from `first` on, below `end`; `end` where there is none. */
static inline uint32_t bits_next(const struct bits *bits, uint32_t first, uint32_t end)
{
    for (; first < end; first = (first | 63) + 1) {
        uint64_t left = bits->words[first / 64] >> first % 64;

        if (left)
            return first + (uint32_t)__builtin_ctzll(left) < end
                       ? first + (uint32_t)__builtin_ctzll(left)
                       : end;
    }
    return end;
}

void bits_free(struct bits *bits);

/* ---- a priority queue of numbers, the least key on top; of equal keys the least item ---- */

struct heap_entry {
    int64_t key; /* a time, mostly */
    uint32_t item;
};

/* Ready for use when zeroed; its owner frees `list`. The least entry is list[0]. */
struct heap {
    VECTOR(struct heap_entry);
};

void heap_push(struct heap *heap, int64_t key, uint32_t item);

/* Of one that is not empty. */
void heap_pop(struct heap *heap);

/* As heap_pop() and heap_push(), in one go. */
void heap_replace(struct heap *heap, int64_t key, uint32_t item);

/* ---- where something has its place in a sorted list ---- */

/* SEARCH(uint32_t, at, count, list[at] <= time) declares `at`: the first of `count` indices for
 * which the condition, which is about `at`, does not hold; `count` where it holds for all. It must
 * hold for all before one that it holds for. A macro, so that a search in a hot loop costs no
 * call. */

#define SEARCH(type, at, count, comes_before)                                                      \
    type at = 0;                                                                                   \
    for (type at##_low = 0, at##_high = (count); at##_low < at##_high;) {                          \
        at = at##_low + (at##_high - at##_low) / 2;                                                \
        if (comes_before)                                                                          \
            at##_low = ++at;                                                                       \
        else                                                                                       \
            at##_high = at;                                                                        \
    }

/* The same where the place is likely to be about `near`: the nearer it is, the fewer looks it
 * takes. */
#define SEARCH_NEAR(type, at, near, count, comes_before)                                           \
    type at = (near) < (count) ? (near) : (count);                                                 \
    for (type at##_low = 0, at##_high = (count), at##_step = 1; at##_low < at##_high;              \
         at##_step *= 2) {                                                                         \
        bool at##_is_up;                                                                           \
                                                                                                   \
        at -= at == at##_high;                                                                     \
        at##_is_up = (comes_before);                                                               \
        at##_low = at##_is_up ? at + 1 : at##_low;                                                 \
        at##_high = at##_is_up ? at##_high : at;                                                   \
        if (at##_high - at##_low <= at##_step)                                                     \
            at = at##_low + (at##_high - at##_low) / 2;                                            \
        else                                                                                       \
            at = at##_is_up ? at##_low + at##_step : at##_high - at##_step;                        \
    }

/* ---- columns in another order, which is given as a permutation of 0 … count - 1 ---- */

/* Makes column[i] what column[order[i]] was, for items of `size` bytes. `scratch` has room for the
 * column. Inline, so that the compiler knows the size. */
static inline void permute(void *column, size_t size, const uint32_t *order, size_t count,
                           void *scratch)
{
    const char *from = column;
    char *to = scratch;

    for (size_t i = 0; i < count; i++)
        memcpy(to + i * size, from + order[i] * size, size);
    if (count)
        memcpy(column, scratch, count * size);
}

/* By an item, where it has gone: at[order[i]] = i. The caller's to free. */
uint32_t *permute_places(const uint32_t *order, size_t count);

/* ---- numbers ---- */

/* From the least to the largest: many digit by digit, in time that grows as their count does. */
void sort_numbers(int64_t *numbers, size_t count);

/* ---- stable sorts of what is mostly in order already ---- */

/* Sorts indices so that no item comes after one that it is_before; ties stay in the order of the
 * file. A merge of the runs that are in order already: n log r with r runs, one scan when there is
 * one, and little more when they hardly overlap. */
void sort_stable(uint32_t *items, size_t count,
                 bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                 const void *context);

/* 0 … count - 1, sorted so. The caller's to free. */
uint32_t *sorted_order(size_t count, bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                       const void *context);

/* The first `kept` of them; of few, the others cost one question each, mostly. */
uint32_t *sorted_first(size_t count, size_t kept,
                       bool (*is_before)(const void *context, uint32_t a, uint32_t b),
                       const void *context);

/* The first `kept` of `count` items of `size` bytes, sorted so; `is_before` is asked of their places
 * with `list` as the context. In the arena. */
void *sorted_copy(struct arena *arena, const void *list, size_t size, size_t count, size_t kept,
                  bool (*is_before)(const void *list, uint32_t a, uint32_t b));

/* The same for things that are wherever the caller has them. `is_before` is asked of two places,
 * and `merge` puts those from `begin` to `end` in order, which those before and those from `middle`
 * on each are. */
struct mergeable {
    bool (*is_before)(const void *context, size_t a, size_t b);
    void (*merge)(void *context, size_t begin, size_t middle, size_t end);
    void *context;
};

void sort_by_merging(const struct mergeable *things, size_t count);

#endif
