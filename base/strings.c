#include "base/strings.h"

#include <assert.h>
#include <stdlib.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/grow.h"
#include "base/oom.h"

enum { FIRST_CAP = 256 };

static void resize(struct strings *strings, size_t cap)
{
    struct strings_slot *old = strings->slots;
    size_t old_cap = strings->cap;

    if (cap > UINT32_MAX)
        oom(); /* ids have 32 bits */
    strings->slots = grow_zeroed(cap, sizeof(*strings->slots));
    strings->text = grow_to(strings->text, cap / 2, sizeof(*strings->text));
    strings->cap = cap;
    for (size_t i = 0; i < old_cap; i++) {
        size_t slot = old[i].hash & (cap - 1);

        if (old[i].id == 0)
            continue;
        while (strings->slots[slot].id)
            slot = (slot + 1) & (cap - 1);
        strings->slots[slot] = old[i];
    }
    free(old);
}

static uint32_t hash_of(struct span text)
{
    return (uint32_t)XXH3_64bits(text.at, text.len);
}

/* The slot that holds the text, or the free one where it belongs. */
static size_t slot_of(const struct strings *strings, struct span text, uint32_t hash)
{
    size_t slot = hash & (strings->cap - 1);

    for (const struct strings_slot *s; (s = &strings->slots[slot])->id;
         slot = (slot + 1) & (strings->cap - 1))
        if (s->hash == hash && span_eq(strings->text[s->id], text))
            break;
    return slot;
}

str_id strings_intern(struct strings *strings, struct span text)
{
    if (text.len == 0)
        return 0;
    if (strings->count == 0) {
        resize(strings, FIRST_CAP);
        strings->text[0] = SPAN("");
        strings->count = 1;
    }
    if (strings->count == strings->cap / 2)
        resize(strings, strings->cap * 2);

    uint32_t hash = hash_of(text);
    size_t slot = slot_of(strings, text, hash);

    if (strings->slots[slot].id)
        return strings->slots[slot].id;

    str_id id = (str_id)strings->count++;

    strings->slots[slot] = (struct strings_slot){hash, id};
    strings->text[id] = (struct span){arena_copy(&strings->bytes, text), text.len};
    return id;
}

str_id strings_find(const struct strings *strings, struct span text)
{
    if (text.len == 0 || strings->count == 0)
        return 0;
    return strings->slots[slot_of(strings, text, hash_of(text))].id;
}

struct span strings_get(const struct strings *strings, str_id id)
{
    if (id == 0)
        return SPAN("");
    assert(id < strings->count);
    return strings->text[id];
}

void strings_free(struct strings *strings)
{
    free(strings->text);
    free(strings->slots);
    arena_free(&strings->bytes);
    *strings = (struct strings){0};
}
