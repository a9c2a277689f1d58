/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c — tables: figures with their units, lines in cells, columns by their titles */
#include "parsers/csv/csv.h"

#include "base/text/decimal.h"

enum { MICRO = 6, MICROS = 1000000 };

struct column_unit column_unit_of(struct span word)
{
    static const struct {
        const char *word;
        struct column_unit unit;
    } units[] = {
        {"ns", {.is_time = true}},
        {"us", {.is_time = true, .exponent = 3}},
        {"ms", {.is_time = true, .exponent = 6}},
        {"s", {.is_time = true, .exponent = 9}},
        {"B", {.is_size = true}},
        {"B/s", {.is_size = true}},
        {"bytes", {.is_size = true}},
        {"KB", {.is_size = true, .exponent = 1}},
        {"KB/s", {.is_size = true, .exponent = 1}},
        {"MB", {.is_size = true, .exponent = 2}},
        {"MB/s", {.is_size = true, .exponent = 2}},
        {"MBps", {.is_size = true, .exponent = 2}},
        {"GB", {.is_size = true, .exponent = 3}},
        {"GB/s", {.is_size = true, .exponent = 3}},
        {"TB", {.is_size = true, .exponent = 4}},
        {"TB/s", {.is_size = true, .exponent = 4}},
        {NULL, {0}},
    };

    return LOOKUP(units, word).unit;
}

/* Takes the unit off the end of a figure; what a figure does not say its column does. */
static struct column_unit split_unit(struct span *text, struct column_unit unit)
{
    size_t len = text->len;
    struct column_unit own;

    while (len && !is_digit(text->at[len - 1]) && text->at[len - 1] != '.')
        len--;
    own = column_unit_of(span_after(*text, len));
    if (!own.is_time && !own.is_size)
        return unit;
    text->len = len;
    return own;
}

/* How many digits stand after the point; those of a power of ten do not count. */
static int decimals(struct span text)
{
    const char *point = text.len ? memchr(text.at, '.', text.len) : NULL;
    int count = 0;

    for (const char *at = point ? point + 1 : NULL; at && at < text.at + text.len; at++) {
        if (*at < '0' || *at > '9')
            break;
        count++;
    }
    return count;
}

enum { PLAIN_MAX = 64 };

/* How many digits stand before the comma or the end at `at`, back to the comma before. */
static size_t group_before(struct span text, size_t at)
{
    size_t len = 0;

    while (len < at && is_digit(text.at[at - len - 1]))
        len++;
    return len;
}

/* Without the commas between thousands, or, in East Asian locales, between ten thousands: after
 * each come three digits, or after each four. */
static struct span plain_figure(struct span text, char room[PLAIN_MAX])
{
    const char *point = text.len ? memchr(text.at, '.', text.len) : NULL;
    size_t whole = point ? (size_t)(point - text.at) : text.len, len = 0;
    size_t group = group_before(text, whole);
    bool is_first = true;

    if (!text.len || text.len >= PLAIN_MAX || !memchr(text.at, ',', whole) ||
        (group != 3 && group != 4))
        return text;
    for (size_t i = 0; i < text.len; i++) {
        if (text.at[i] != ',') {
            room[len++] = text.at[i];
            continue;
        }
        if (i >= whole || i == 0 || group_before(text, i) > group ||
            (!is_first && group_before(text, i) != group))
            return text;
        is_first = false;
    }
    return (struct span){room, len};
}

bool quantity_count(struct span text, int64_t *count)
{
    char room[PLAIN_MAX];

    return span_to_i64(plain_figure(text, room), count);
}

bool quantity_time(struct span text, struct column_unit unit, int64_t *ns, int64_t *resolution)
{
    char room[PLAIN_MAX];
    int places;

    unit = split_unit(&text, unit);
    text = plain_figure(text, room);
    if (!unit.is_time || !decimal_scaled(text, unit.exponent, ns))
        return false;
    *resolution = 1;
    for (places = decimals(text); places < unit.exponent; places++)
        *resolution *= 10;
    return true;
}

bool quantity_amount(struct span text, struct column_unit unit, struct amount *amount)
{
    unit = split_unit(&text, unit);
    amount->exponent = unit.exponent;
    return unit.is_size && decimal_scaled(text, MICRO, &amount->micros) && amount->micros >= 0;
}

int64_t amount_bytes(struct amount amount, int64_t base)
{
    __extension__ typedef __int128 wide;
    wide bytes = amount.micros;

    for (int i = 0; i < amount.exponent; i++)
        bytes *= base;
    bytes = (bytes + MICROS / 2) / MICROS;
    return bytes > INT64_MAX ? INT64_MAX : (int64_t)bytes;
}

/* ---- a line of a table in its cells: of a CSV file, or of columns that blanks set apart ---- */

static void add_field(struct csv_fields *fields, const char *from, const char *to)
{
    if (fields->count == FIELDS_MAX)
        fields->is_cut = true;
    else
        fields->list[fields->count++] = (struct span){from, (size_t)(to - from)};
}

/* ---- CSV ---- */

/* The end of a quoted cell: at its closing quote, or at the end of the line. */
static const char *find_quote(const char *at, const char *end)
{
    for (; at < end; at++)
        if (*at == '"') {
            if (at + 1 == end || at[1] != '"')
                return at;
            at++;
        }
    return end;
}

/* Reads the cell at `at` and returns where its comma is, or the end of the line. */
static const char *read_cell(struct csv_fields *fields, const char *at, const char *end)
{
    const char *comma;

    if (at < end && *at == '"') {
        const char *close = find_quote(at + 1, end);

        fields->is_cut |= close == end;
        add_field(fields, at + 1, close);
        at = close;
    }
    comma = at < end ? memchr(at, ',', (size_t)(end - at)) : NULL;
    return comma ? comma : end;
}

void fields_of_csv(struct span line, struct csv_fields *fields)
{
    const char *at = line.at, *end = line.at + line.len;

    fields->count = 0;
    fields->is_cut = false;
    while (at <= end && !(fields->count == FIELDS_MAX)) {
        size_t before = fields->count;
        const char *comma = read_cell(fields, at, end);

        if (fields->count == before)
            add_field(fields, at, comma);
        if (comma == end)
            return;
        at = comma + 1;
    }
    fields->is_cut = true;
}

void fields_join(struct csv_fields *fields, size_t at, size_t count)
{
    size_t surplus;

    if (fields->count <= count || at >= count)
        return;
    surplus = fields->count - count;
    fields->list[at].len = (size_t)(fields->list[at + surplus].at + fields->list[at + surplus].len -
                                    fields->list[at].at);
    for (size_t i = at + 1; i < count; i++)
        fields->list[i] = fields->list[i + surplus];
    fields->count = count;
}

/* ---- blanks ---- */

/* Where the cell ends that begins at `at`: before a tab, or before so many blanks. */
static const char *cell_end(const char *at, const char *end, size_t blanks)
{
    size_t run = 0;

    for (; at < end; at++) {
        if (*at == '\t')
            return at - run;
        run = *at == ' ' ? run + 1 : 0;
        if (run == blanks)
            return at - run + 1;
    }
    return end - run;
}

static void split_blanks(struct span line, size_t blanks, size_t most, struct csv_fields *fields)
{
    const char *at, *end;

    line = span_trim(line);
    at = line.at;
    end = at + line.len;
    fields->count = 0;
    fields->is_cut = false;
    while (at < end && !fields->is_cut) {
        const char *stop = fields->count + 1 == most ? end : cell_end(at, end, blanks);

        add_field(fields, at, stop);
        for (at = stop; at < end && (*at == ' ' || *at == '\t');)
            at++;
    }
}

void fields_of_columns(struct span line, size_t most, struct csv_fields *fields)
{
    split_blanks(line, 2, most, fields);
}

void fields_of_words(struct span line, size_t most, struct csv_fields *fields)
{
    split_blanks(line, 1, most, fields);
}

/* ---- which cell of a table's row is what, by the names in its header ---- */

struct span csv_title_without_unit(struct span title, struct column_unit *unit)
{
    size_t open = span_rfind(title, '(');

    *unit = (struct column_unit){0};
    if (!span_ends(title, SPAN(")")) || open == SIZE_MAX)
        return title;
    *unit = column_unit_of((struct span){title.at + open + 1, title.len - open - 2});
    return unit->is_time || unit->is_size ? span_trim((struct span){title.at, open}) : title;
}

void csv_header_read(struct csv_header *header, const struct csv_title *titles, size_t count,
                     const struct csv_fields *cells, size_t from)
{
    header->width = cells->count - from;
    for (size_t field = 0; field < CSV_FIELDS_MAX; field++)
        header->place[field] = FIELDS_MAX;
    for (size_t i = 0; i < header->width; i++) {
        struct column_unit unit;
        struct span title = csv_title_without_unit(span_trim(cells->list[from + i]), &unit);
        unsigned field = 0;

        for (size_t t = count; t-- > 0;)
            if (span_eq(title, span_of(titles[t].text)))
                field = titles[t].field;
        header->field[i] = (uint8_t)field;
        header->place[field] = (uint16_t)i;
        header->unit[field] = unit;
    }
}

struct span csv_cell(const struct csv_header *header, const struct csv_fields *cells,
                     unsigned field)
{
    size_t at = header->place[field];

    return at < cells->count ? span_trim(cells->list[at]) : (struct span){0};
}
