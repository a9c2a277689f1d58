/* SPDX-License-Identifier: Apache-2.0 */
/* values.c — a document as a tree of values: JSON or a pickle */
#include "parsers/json/values.h"

#include <stdlib.h>

value_id value_add(struct values *values, const struct value *value)
{
    value_id id = values->free_value;

    if (!id) {
        vector_add(values, *value);
        return (value_id)values->count;
    }
    values->free_value = value_at(values, id)->first;
    *value_at(values, id) = *value;
    return id;
}

void values_append(struct values *values, value_id container, const value_id *items, size_t count)
{
    struct value *into = value_at(values, container);

    for (size_t i = 0; i < count; i++) {
        struct value_cell cell = {.value = items[i]};
        uint32_t added = values->free_cell;

        if (added) {
            values->free_cell = values->cells.list[added - 1].next;
            values->cells.list[added - 1] = cell;
        } else {
            vector_add(&values->cells, cell);
            added = (uint32_t)values->cells.count;
        }
        if (into->last)
            values->cells.list[into->last - 1].next = added;
        else
            into->first = added;
        into->last = added;
    }
    into->count += (uint32_t)count;
}

uint32_t value_list(const struct values *values, value_id id)
{
    const struct value *value = id ? value_at(values, id) : NULL;

    return value && (value->kind == VALUE_LIST || value->kind == VALUE_TUPLE) ? value->first : 0;
}

value_id value_member(const struct values *values, value_id dict, struct span key)
{
    const struct value *whole = value_of_kind(values, dict, VALUE_DICT);
    uint32_t cell = whole ? whole->first : 0;
    value_id found = 0;

    for (value_id name; (name = value_next(values, &cell));) {
        const struct value *text = value_of_kind(values, name, VALUE_TEXT);
        value_id value = value_next(values, &cell);

        if (text && span_eq(builder_text(values->builder, text->text), key))
            found = value;
    }
    return found;
}

void values_empty(struct values *values, value_id container)
{
    struct value *value = value_at(values, container);

    if (!value_first(value))
        return;
    values->cells.list[value->last - 1].next = values->free_cell;
    values->free_cell = value->first;
    value->first = value->last = value->count = 0;
}

void values_forget(struct values *values, value_id id)
{
    values_empty(values, id);
    *value_at(values, id) = (struct value){.kind = VALUE_NONE, .first = values->free_value};
    values->free_value = id;
}

void values_free(struct values *values)
{
    free(values->list);
    free(values->cells.list);
}

/* ---- from JSON ---- */

/* A list or an object is empty at first. */
static struct value json_value(struct values *values, struct token token, struct arena *scratch)
{
    struct value value = {.kind = VALUE_NONE};

    if (token.at[0] == '{')
        value.kind = VALUE_DICT;
    else if (token.at[0] == '[')
        value.kind = VALUE_LIST;
    else if (token.at[0] == '"')
        value = (struct value){.kind = VALUE_TEXT,
                               .text = builder_intern(values->builder, token_text(token, scratch))};
    else if (token_is(token, SPAN("true")) || token_is(token, SPAN("false")))
        value = (struct value){.kind = VALUE_INT, .whole = token.at[0] == 't'};
    else if (span_to_i64((struct span){token.at, token.len}, &value.whole))
        value.kind = VALUE_INT;
    else if (token_real(token, &value.real))
        value.kind = VALUE_REAL;
    return value;
}

value_id values_of_json(struct values *values, struct token token, struct error *err)
{
    struct {
        struct json_walk walk;
        value_id container;
    } open[JSON_DEPTH_MAX] = {{.walk = walk_into(token)}};
    struct arena scratch = {0};
    struct value value = json_value(values, token, &scratch);
    value_id root = open[0].container = value_add(values, &value);
    size_t depth = value.kind == VALUE_DICT || value.kind == VALUE_LIST;
    struct span key;

    while (depth && values->count < JSON_VALUES_MAX) {
        bool is_dict = value_at(values, open[depth - 1].container)->kind == VALUE_DICT;
        value_id pair[2];

        if (is_dict ? !walk_member(&open[depth - 1].walk, &key, &token)
                    : !walk_item(&open[depth - 1].walk, &token)) {
            depth--;
            continue;
        }
        if (is_dict) {
            value =
                (struct value){.kind = VALUE_TEXT, .text = builder_intern(values->builder, key)};
            pair[0] = value_add(values, &value);
        }
        value = json_value(values, token, &scratch);
        pair[1] = value_add(values, &value);
        values_append(values, open[depth - 1].container, pair + !is_dict, 1 + is_dict);
        if ((value.kind == VALUE_DICT || value.kind == VALUE_LIST) && depth < JSON_DEPTH_MAX) {
            open[depth].walk = walk_into(token);
            open[depth++].container = pair[1];
        }
    }
    arena_free(&scratch);
    if (!depth)
        return root;
    error_set(err, ERROR_INPUT, "more than %d values", JSON_VALUES_MAX);
    return 0;
}
