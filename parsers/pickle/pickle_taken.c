/* SPDX-License-Identifier: Apache-2.0 */
/* pickle_taken.c — what a pickle's reader takes as it comes, and the values that are then needed no more */
#include "parsers/pickle/pickle.h"

#include "base/memory/memory.h"

/* Who holds the value holds it alone: it is not in the memo, or a tuple there that nobody named again. */
static bool is_only_here(struct pickle *pickle, const struct value *value)
{
    if (value->is_fetched || (value->memo && value->kind != VALUE_TUPLE))
        return false;
    if (value->memo)
        pickle->memo.list[value->memo - 1] = 0;
    return true;
}

void pickle_forget(struct pickle *pickle, size_t from)
{
    while (pickle->stack.count > from) {
        value_id id = pickle->stack.list[--pickle->stack.count];
        const struct value *value = value_at(&pickle->values, id);
        uint32_t cell = value_first(value);

        if (!is_only_here(pickle, value))
            continue;
        for (value_id item; (item = value_next(&pickle->values, &cell));)
            vector_add(&pickle->stack, item);
        values_forget(&pickle->values, id);
    }
}

void pickle_take(struct pickle *pickle, value_id id, uint32_t kind, uint32_t number)
{
    struct value *value = value_at(&pickle->values, id), taken = *value;
    size_t top = pickle->stack.count;
    uint32_t cell = value_first(value);

    for (value_id item; (item = value_next(&pickle->values, &cell));)
        vector_add(&pickle->stack, item);
    values_empty(&pickle->values, id);
    taken.kind = VALUE_TAKEN;
    taken.count = kind;
    taken.whole = number;
    *value_at(&pickle->values, id) = taken;
    pickle_forget(pickle, top);
}

bool pickle_read_at_once(struct pickle *pickle, size_t from, value_id container)
{
    const struct value *into = value_at(&pickle->values, container);
    pickle_reader *read = into->kind == VALUE_DICT ? pickle->read : pickle->read_list;
    size_t count = pickle->stack.count - from;
    uint32_t number = 0, kind;

    if (into->count || (into->kind == VALUE_LIST && count >= PICKLE_BATCH))
        return false;
    kind = read(pickle->context, pickle->stack.list + from, count, &number);
    if (!kind)
        return false;
    pickle_forget(pickle, from);
    pickle_take(pickle, container, kind, number);
    return true;
}

void pickle_share(struct pickle *pickle, value_id id, uint32_t kind, uint32_t number)
{
    struct value *value = value_at(&pickle->values, id);
    uint32_t memo = value->memo, *known;

    if (value->kind != VALUE_TAKEN)
        pickle_take(pickle, id, kind, number);
    if (!memo || value->is_fetched)
        return;
    value->memo = 0;
    known = idmap_at(&pickle->shared, idmap_pair(kind, number));
    if (*known == IDMAP_NONE)
        *known = value_add(&pickle->values, &(struct value){.kind = VALUE_TAKEN,
                                                            .is_fetched = true,
                                                            .count = kind,
                                                            .whole = number});
    pickle->memo.list[memo - 1] = *known;
}

/* An item that was taken is one and the same to those that name it again. */
static void forget_taken(struct pickle *pickle, value_id id)
{
    const struct value *value = value_at(&pickle->values, id);

    if (value->kind != VALUE_TAKEN || !value->count)
        pickle_share(pickle, id, 0, 0);
    vector_add(&pickle->stack, id);
    pickle_forget(pickle, pickle->stack.count - 1);
}

void pickle_fill(struct pickle *pickle, size_t from, value_id container)
{
    enum value_kind kind = value_at(&pickle->values, container)->kind;
    size_t first = from;

    if (pickle->take &&
        (kind == VALUE_LIST || (kind == VALUE_TUPLE && pickle->takes == VALUE_DICT)))
        for (size_t i = from; i < pickle->stack.count; i++) {
            value_id item = pickle->stack.list[i];
            enum value_kind of = value_at(&pickle->values, item)->kind;

            if ((of != pickle->takes && of != VALUE_TAKEN) ||
                !pickle->take(pickle->context, container, item))
                continue;
            values_append(&pickle->values, container, pickle->stack.list + first, i - first);
            forget_taken(pickle, item);
            first = i + 1;
        }
    values_append(&pickle->values, container, pickle->stack.list + first,
                  pickle->stack.count - first);
    pickle->stack.count = from;
}
