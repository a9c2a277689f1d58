/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow, arenas that are freed at once, and the one place that ends a run without
 * memory. */
#include "base/memory/memory.h"

#include <stdalign.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/unfinished.h"

/* ---- the one place where the library may end the process ---- */

void oom(void)
{
    static const char text[] = "ptk: out of memory\n";
    ssize_t written = write(STDERR_FILENO, text, sizeof(text) - 1);

    (void)written; /* nothing is left to do about it */
    unfinished_remove();
    _exit(5);
}

/* ---- plain arrays that grow by doubling: the columns of every big table ---- */

enum { FIRST_CAP = 16 };

size_t grow_cap(size_t cap, size_t need)
{
    size_t doubled = cap > SIZE_MAX / 2 ? SIZE_MAX : cap * 2;

    if (doubled < FIRST_CAP)
        doubled = FIRST_CAP;
    return doubled > need ? doubled : need;
}

void *grow_to(void *column, size_t cap, size_t size)
{
    void *larger = cap > SIZE_MAX / size ? NULL : realloc(column, cap * size);

    if (!larger)
        oom();
    return larger;
}

void *grow_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size);

    if (!memory)
        oom();
    return memory;
}

/* The first block is small, as many keep little; each one after it is half as large again. */
enum { BLOCK_LEAST = 1024, BLOCK_MOST = 64 * 1024 };

struct arena_block {
    struct arena_block *next;
    size_t cap, used;
    alignas(max_align_t) char bytes[];
};

/* A block for one large item goes behind the newest, whose room is still of use. */
static struct arena_block *block_add(struct arena *arena, size_t need)
{
    size_t cap = arena->blocks ? arena->blocks->cap / 2 * 3 : BLOCK_LEAST;
    struct arena_block *block;

    cap = cap < BLOCK_MOST ? cap : BLOCK_MOST;
    cap = cap > need ? cap : need;
    block = grow_zeroed(1, sizeof(*block) + cap);

    block->cap = cap;
    if (arena->blocks && need > BLOCK_MOST) {
        block->next = arena->blocks->next;
        arena->blocks->next = block;
    } else {
        block->next = arena->blocks;
        arena->blocks = block;
    }
    return block;
}

static void *take_bytes(struct arena *arena, size_t need)
{
    struct arena_block *block = arena->blocks;

    if (!block || block->cap - block->used < need)
        block = block_add(arena, need);

    void *memory = block->bytes + block->used;

    block->used += need;
    arena->used += need;
    return memory;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size_t align = alignof(max_align_t);

    if (size > SIZE_MAX / 2)
        oom();
    if (arena->blocks)
        arena->blocks->used = (arena->blocks->used + align - 1) & ~(align - 1);
    if (arena->blocks && arena->blocks->used > arena->blocks->cap)
        arena->blocks->used = arena->blocks->cap;
    return take_bytes(arena, size);
}

void *arena_array(struct arena *arena, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        oom();
    return arena_alloc(arena, count * size);
}

char *arena_copy(struct arena *arena, struct span text)
{
    char *copy = take_bytes(arena, text.len + 1); /* bytes need no alignment */

    if (text.len)
        memcpy(copy, text.at, text.len);
    return copy;
}

/* Straight into what is left of the newest block; what was written there in vain is zeroed again. */
struct span arena_joined(struct arena *arena, const struct span *texts, size_t count)
{
    size_t len = 0, at = 0;
    char *text;

    for (size_t i = 0; i < count; i++)
        len += texts[i].len;
    text = arena_array(arena, len + 1, 1);
    for (size_t i = 0; i < count; i++) {
        if (texts[i].len)
            memcpy(text + at, texts[i].at, texts[i].len);
        at += texts[i].len;
    }
    return (struct span){text, len};
}

const char *arena_printf(struct arena *arena, const char *fmt, ...)
{
    struct arena_block *block = arena->blocks;
    size_t room = block ? block->cap - block->used : 0, need;
    char *text = room ? block->bytes + block->used : NULL;
    va_list args, again;
    int len;

    va_start(args, fmt);
    va_copy(again, args);
    len = vsnprintf(text, room, fmt, args);
    need = (size_t)(len < 0 ? 0 : len) + 1;
    if (need > room && room)
        memset(text, 0, room);
    text = take_bytes(arena, need);
    if (need > room)
        vsnprintf(text, need, fmt, again);
    va_end(again);
    va_end(args);
    return text;
}

static void free_from(struct arena_block *block)
{
    while (block) {
        struct arena_block *next = block->next;

        free(block);
        block = next;
    }
}

void arena_absorb(struct arena *arena, struct arena *other)
{
    struct arena_block **end = &other->blocks;

    while (*end)
        end = &(*end)->next;
    if (arena->blocks) { /* behind the newest, whose room is still of use */
        *end = arena->blocks->next;
        arena->blocks->next = other->blocks;
    } else {
        arena->blocks = other->blocks;
    }
    arena->used += other->used;
    *other = (struct arena){0};
}

void arena_clear(struct arena *arena)
{
    struct arena_block *block = arena->blocks;

    if (!block)
        return;
    free_from(block->next);
    block->next = NULL;
    memset(block->bytes, 0, block->used);
    block->used = arena->used = 0;
}

void arena_free(struct arena *arena)
{
    free_from(arena->blocks);
    *arena = (struct arena){0};
}
