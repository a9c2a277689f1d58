/* SPDX-License-Identifier: Apache-2.0 */
/* firefox_tables.c — the tables of Firefox profiles, of rows or of columns, as the same columns */

#include "base/memory/memory.h"
#include "parsers/firefox/firefox.h"

static const struct column_shape {
    const char *table, *name;
    int scale;
} shapes[FIREFOX_COLUMNS] = {
    [SAMPLE_STACK] = {"samples", "stack", 0},
    [SAMPLE_TIME] = {"samples", "time", MS_TO_NS},
    [SAMPLE_TIME_DELTA] = {"samples", "timeDeltas", MS_TO_NS},
    [SAMPLE_WEIGHT] = {"samples", "weight", WEIGHT_SCALE},
    [SAMPLE_CPU] = {"samples", "threadCPUDelta", CPU_SCALE},
    [JS_STACK] = {"jsAllocations", "stack", 0},
    [JS_WEIGHT] = {"jsAllocations", "weight", 0},
    [NATIVE_STACK] = {"nativeAllocations", "stack", 0},
    [NATIVE_WEIGHT] = {"nativeAllocations", "weight", 0},
    [STACK_FRAME] = {"stackTable", "frame", 0},
    [STACK_PREFIX] = {"stackTable", "prefix", 0},
    [STACK_PREFIX_OFFSET] = {"stackTable", "prefixOffset", 0},
    [STACK_CATEGORY] = {"stackTable", "category", 0},
    [FRAME_FUNC] = {"frameTable", "func", 0},
    [FRAME_LOCATION] = {"frameTable", "location", 0},
    [FRAME_LINE] = {"frameTable", "line", 0},
    [FRAME_LIB] = {"frameTable", "lib", 0},
    [FRAME_CATEGORY] = {"frameTable", "category", 0},
    [FRAME_ADDRESS] = {"frameTable", "address", 0},
    [FRAME_INLINE_DEPTH] = {"frameTable", "inlineDepth", 0},
    [FUNC_NAME] = {"funcTable", "name", 0},
    [FUNC_RESOURCE] = {"funcTable", "resource", 0},
    [FUNC_IS_JS] = {"funcTable", "isJS", 0},
    [FUNC_FILE] = {"funcTable", "fileName", 0},
    [FUNC_SOURCE] = {"funcTable", "source", 0},
    [FUNC_LINE] = {"funcTable", "lineNumber", 0},
    [RESOURCE_LIB] = {"resourceTable", "lib", 0},
    [RESOURCE_NAME] = {"resourceTable", "name", 0},
    [RESOURCE_TYPE] = {"resourceTable", "type", 0},
    [SOURCE_FILE] = {"sources", "filename", 0},
    [MARKER_NAME] = {"markers", "name", 0},
    [MARKER_START] = {"markers", "startTime", MS_TO_NS},
    [MARKER_END] = {"markers", "endTime", MS_TO_NS},
    [MARKER_PHASE] = {"markers", "phase", 0},
};

bool firefox_is_table(const struct json_key *key)
{
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (json_key_is(key, shapes[i].table))
            return true;
    return false;
}

/* FIREFOX_COLUMNS of one that is not read. */
static enum firefox_column column_named(const struct firefox *firefox, const struct json_key *table,
                                        struct span name)
{
    size_t count = firefox->wants_beside ? FIREFOX_COLUMNS : MARKER_START;

    for (size_t i = 0; i < count; i++)
        if (json_key_is(table, shapes[i].table) && span_eq(name, span_of(shapes[i].name)))
            return (enum firefox_column)i;
    return FIREFOX_COLUMNS;
}

static int64_t cell_value(struct firefox *firefox, struct token token, enum firefox_column column)
{
    int scale = shapes[column].scale;
    int64_t value;

    if (!token.at || *token.at == 'n') /* null */
        return UNKNOWN;
    if (token_is(token, SPAN("true")) || token_is(token, SPAN("false")))
        return token_is(token, SPAN("true"));
    if (*token.at != '"' &&
        (scale ? token_scaled(token, scale, &value) : token_integer(token, &value)))
        return value;
    firefox_warn(firefox, WARNING_LOSS,
                 "cells of tables that hold no number, or too large a one, read as null", 1);
    return UNKNOWN;
}

static void read_column(struct firefox *firefox, struct firefox_tables *tables,
                        enum firefox_column column)
{
    struct token item;

    tables->columns[column].count = 0; /* of a repeated key the last counts */
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &item))
        vector_add(&tables->columns[column], cell_value(firefox, item, column));
}

/* Which columns the rows of a table have. */
struct row_schema {
    size_t place[FIREFOX_COLUMNS]; /* in a row, counted from 1; 0: it has no such column */
    bool is_known;
};

enum { ROW_CELLS_MAX = 64 };

static void read_schema(struct firefox *firefox, const struct json_key *table,
                        struct row_schema *schema)
{
    struct token value;
    struct json_walk walk;
    struct span name;
    int64_t place;

    if (!json_take(firefox->json, &value))
        return;
    *schema = (struct row_schema){.is_known = true};
    walk = walk_into(value);
    while (walk_member(&walk, &name, &value)) {
        enum firefox_column column = column_named(firefox, table, name);

        if (column != FIREFOX_COLUMNS && token_integer(value, &place) && place >= 0 &&
            place < ROW_CELLS_MAX)
            schema->place[column] = (size_t)place + 1;
    }
}

static void add_row(struct firefox *firefox, struct firefox_tables *tables,
                    const struct json_key *table, const struct row_schema *schema, struct token row)
{
    struct token cells[1 + ROW_CELLS_MAX] = {{0}}, value;
    struct json_walk walk = walk_into(row);
    size_t count = 0;
    struct span name;

    if (row.at[0] == '{') /* as old files have it */
        while (walk_member(&walk, &name, &value)) {
            enum firefox_column column = column_named(firefox, table, name);

            if (column != FIREFOX_COLUMNS)
                cells[schema->place[column]] = value;
        }
    else /* a row ends with its last cell that is not null */
        while (count < ROW_CELLS_MAX && walk_item(&walk, &value))
            cells[++count] = value;
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (schema->place[i])
            vector_add(&tables->columns[i],
                       cell_value(firefox, cells[schema->place[i]], (enum firefox_column)i));
}

static void clear_table(struct firefox_tables *tables, const struct json_key *table)
{
    for (size_t i = 0; i < FIREFOX_COLUMNS; i++)
        if (json_key_is(table, shapes[i].table))
            tables->columns[i].count = 0;
}

static void read_rows(struct firefox *firefox, struct firefox_tables *tables,
                      const struct json_key *table, const struct row_schema *schema)
{
    struct token row;

    clear_table(tables, table);
    if (!json_open(firefox->json, '['))
        return;
    while (json_item(firefox->json) && json_take(firefox->json, &row))
        add_row(firefox, tables, table, schema, row);
}

/* Rows that stand before their schema are kept until that is known. */
static void hold_rows(struct firefox *firefox, struct arena *arena, struct token *held)
{
    struct token value;

    if (json_take(firefox->json, &value))
        *held = (struct token){arena_copy(arena, (struct span){value.at, value.len}), value.len};
}

static void read_held_rows(struct firefox *firefox, struct firefox_tables *tables,
                           const struct json_key *table, const struct row_schema *schema,
                           struct token held)
{
    struct json_walk walk = walk_into(held);
    struct token row;

    clear_table(tables, table);
    while (walk_item(&walk, &row))
        add_row(firefox, tables, table, schema, row);
}

void firefox_read_table(struct firefox *firefox, struct firefox_tables *tables,
                        const struct json_key *table, enum firefox_value *weight)
{
    struct row_schema schema = {0};
    struct arena arena = {0};
    struct json_key key;
    struct token value, held = {0};

    if (!json_open(firefox->json, '{'))
        return;
    while (json_member(firefox->json, &key)) {
        enum firefox_column column = column_named(firefox, table, (struct span){key.text, key.len});

        if (json_key_is(&key, "schema"))
            read_schema(firefox, table, &schema);
        else if (json_key_is(&key, "data") && schema.is_known)
            read_rows(firefox, tables, table, &schema);
        else if (json_key_is(&key, "data") && !json_key_is(table, "markers")) /* a column there */
            hold_rows(firefox, &arena, &held);
        else if (column != FIREFOX_COLUMNS)
            read_column(firefox, tables, column);
        else if (!json_key_is(&key, "weightType") || !json_key_is(table, "samples"))
            json_skip(firefox->json);
        else if (json_take(firefox->json, &value))
            *weight = token_is(value, SPAN("tracing-ms")) ? FIREFOX_TRACING
                      : token_is(value, SPAN("bytes"))    ? FIREFOX_BYTES
                                                          : FIREFOX_SAMPLES;
    }
    if (held.at && schema.is_known)
        read_held_rows(firefox, tables, table, &schema, held);
    else if (held.at)
        firefox_warn(firefox, WARNING_LOSS, "tables without a schema, left out", 1);
    arena_free(&arena);
}
