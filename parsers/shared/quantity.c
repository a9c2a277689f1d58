/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/shared/csv.h"

#include "base/text/text.h"

enum { MICRO = 6, MICROS = 1000000 };

static const struct {
    const char *word;
    int exponent;
} times[] = {{"ns", 0}, {"us", 3}, {"ms", 6}, {"s", 9}},
  sizes[] = {{"B", 0},    {"KB", 1},   {"MB", 2},   {"GB", 3},   {"TB", 4},   {"B/s", 0},
             {"KB/s", 1}, {"MB/s", 2}, {"GB/s", 3}, {"TB/s", 4}, {"MBps", 2}, {"bytes", 0}};

struct column_unit column_unit_of(struct span word)
{
    struct column_unit unit = {0};

    for (size_t i = 0; i < sizeof(times) / sizeof(*times); i++)
        if (span_eq(word, span_of(times[i].word)))
            unit = (struct column_unit){.is_time = true, .exponent = times[i].exponent};
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        if (span_eq(word, span_of(sizes[i].word)))
            unit = (struct column_unit){.is_size = true, .exponent = sizes[i].exponent};
    return unit;
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
