/* SPDX-License-Identifier: Apache-2.0 */
/* column_choice.c — the columns that a user names, in place of those that a table shows */
#include <string.h>

#include "render/forms/report.h"

/* The column of a key: for people how they call it, if there are two. */
static const struct column *find_column(const struct table *table, struct span key,
                                        enum column_use use)
{
    const struct column *found = NULL;

    for (uint32_t i = 0; i < table->width; i++) {
        const struct column *column = &table->columns[i];

        if (strncmp(column->key, key.at, key.len) == 0 && !column->key[key.len] &&
            (!found || column_is_for(column, use)))
            found = column;
    }
    return found;
}

/* Puts these columns in place of the table's, shown by everybody, unless it has none of them. Their cells stay
 * where they are. */
static void choose(struct table *table, const char *list, enum column_use use, struct arena *arena)
{
    struct column *columns = arena_array(arena, TABLE_MAX_WIDTH, sizeof(*columns));
    struct span rest = span_of(list);
    uint32_t width = 0;

    while (rest.len && width < TABLE_MAX_WIDTH) {
        const struct column *column = find_column(table, span_split(&rest, ','), use);

        if (!column)
            continue;
        columns[width] = *column;
        columns[width].is_spare = false;
        columns[width].is_kept = true;
        columns[width++].use = COLUMN_ALL;
    }
    if (width == 0)
        return;
    table->columns = columns;
    table->width = width;
}

/* And of the rows within its rows. */
static const struct table *choose_copy(const struct table *table, const char *list,
                                       enum column_use use, struct arena *arena)
{
    struct table *copy = arena_alloc(arena, sizeof(*copy));

    *copy = *table;
    if (table->text)
        return table;
    choose(copy, list, use, arena);
    if (table->inner) {
        copy->inner = arena_alloc(arena, sizeof(*copy->inner));
        *copy->inner = *table->inner;
        choose(copy->inner, list, use, arena);
    }
    return copy;
}

static bool has_column(const struct report *report, struct span key)
{
    for (uint32_t i = 0; i < report->table_count; i++)
        if (find_column(report->tables[i], key, COLUMN_MACHINES) ||
            (report->tables[i]->inner &&
             find_column(report->tables[i]->inner, key, COLUMN_MACHINES)))
            return true;
    return false;
}

static bool lack_column(const struct report *report, struct span key, struct error *err)
{
    char names[300] = "";

    for (uint32_t i = 0; i < report->table_count && i < 1; i++)
        for (uint32_t c = 0; c < report->tables[i]->width; c++) {
            const struct column *column = &report->tables[i]->columns[c];
            size_t used = strlen(names);

            if (column->use == COLUMN_PEOPLE || used + strlen(column->key) + 3 > sizeof(names))
                continue;
            memcpy(names + used, used ? ", " : "", used ? 2 : 0);
            strcpy(names + used + (used ? 2 : 0), column->key);
        }
    error_set(err, ERROR_USAGE, "there is no column '%.*s'", (int)(key.len < 60 ? key.len : 60),
              key.at);
    return error_hint(err, "columns are named as in JSON: %s", names);
}

bool report_choose_columns(struct report *report, const char *list, enum report_format format,
                           struct error *err)
{
    enum column_use use = report_is_for_people(format) ? COLUMN_PEOPLE : COLUMN_MACHINES;
    struct span rest = span_of(list);
    const struct table **chosen =
        arena_array(report->arena, (size_t)report->table_count + 1, sizeof(const struct table *));

    while (rest.len) {
        struct span key = span_split(&rest, ',');

        if (!has_column(report, key))
            return lack_column(report, key, err);
    }
    for (uint32_t i = 0; i < report->table_count; i++)
        chosen[i] = choose_copy(report->tables[i], list, use, report->arena);
    report->tables = chosen;
    return true;
}
