/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/csv_header.h"

struct span csv_title_without_unit(struct span title, struct column_unit *unit)
{
    size_t open = span_rfind(title, '(');

    *unit = (struct column_unit){0};
    if (!span_ends(title, SPAN(")")) || open == SIZE_MAX)
        return title;
    *unit = column_unit_of((struct span){title.at + open + 1, title.len - open - 2});
    return unit->is_time || unit->is_size ? span_trim((struct span){title.at, open}) : title;
}

static unsigned field_of(const struct csv_title *titles, size_t count, struct span title)
{
    for (size_t i = 0; i < count; i++)
        if (span_eq(title, span_of(titles[i].text)))
            return titles[i].field;
    return 0;
}

void csv_header_read(struct csv_header *header, const struct csv_title *titles, size_t count,
                     const struct fields *cells, size_t from)
{
    header->width = cells->count - from;
    for (size_t field = 0; field < CSV_FIELDS_MAX; field++)
        header->place[field] = FIELDS_MAX;
    for (size_t i = 0; i < header->width; i++) {
        struct column_unit unit;
        struct span title = csv_title_without_unit(span_trim(cells->list[from + i]), &unit);
        unsigned field = field_of(titles, count, title);

        header->field[i] = (uint8_t)field;
        header->place[field] = (uint16_t)i;
        header->unit[field] = unit;
    }
}

struct span csv_cell(const struct csv_header *header, const struct fields *cells, unsigned field)
{
    size_t at = header->place[field];

    return at < cells->count ? span_trim(cells->list[at]) : (struct span){0};
}
