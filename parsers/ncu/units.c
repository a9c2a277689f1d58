#include "parsers/ncu/units.h"

#include "base/attr.h"
#include "base/decimal.h"
#include "graph/property.h"

enum { PLAIN_MAX = 64 };

/* Powers of ten; the words changed from version to version. */
static const struct {
    const char *word;
    int exponent;
} units[] = {
    {"usecond", 3}, {"us", 3},    {"msecond", 6}, {"ms", 6},     {"second", 9}, {"s", 9},
    {"Kbyte", 3},   {"Mbyte", 6}, {"Gbyte", 9},   {"Tbyte", 12}, {"Khz", 3},    {"Mhz", 6},
    {"Ghz", 9},     {"K", 3},     {"M", 6},       {"G", 9},
};

static int exponent_of(struct span unit)
{
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (span_eq(unit, span_of(units[i].word)))
            return units[i].exponent;
    return 0;
}

/* Commas stand between thousands: they go, and a locale that has them for a point is not known. */
static struct span without_commas(struct span text, char room[PLAIN_MAX])
{
    size_t len = 0;

    if (text.len >= PLAIN_MAX)
        return text;
    for (size_t i = 0; i < text.len; i++)
        if (text.at[i] != ',')
            room[len++] = text.at[i];
    return (struct span){room, len};
}

bool ncu_figure(struct span text, struct span unit, int64_t *value)
{
    char room[PLAIN_MAX];

    return decimal_scaled(without_commas(text, room), exponent_of(unit), value);
}

bool ncu_triple(struct span text, int64_t *packed)
{
    int64_t size[3];

    if (!span_starts(text, SPAN("(")) || !span_ends(text, SPAN(")")))
        return false;
    text = (struct span){text.at + 1, text.len - 2};
    for (int i = 0; i < 3; i++)
        if (!span_to_i64(span_trim(span_split(&text, ',')), &size[i]))
            return false;
    *packed = property_pack3(size[0], size[1], size[2]);
    return true;
}
