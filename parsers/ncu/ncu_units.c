#include "parsers/ncu/ncu_units.h"

#include "base/attr.h"
#include "base/text/decimal.h"
#include "graph/model/property.h"

enum { PLAIN_MAX = 64, PERCENT_TO_PPM = 4 };

/* Powers of ten; the words changed from version to version. */
static const struct {
    const char *word;
    int exponent;
} units[] = {
    {"usecond", 3},
    {"us", 3},
    {"msecond", 6},
    {"ms", 6},
    {"second", 9},
    {"s", 9},
    {"Kbyte", 3},
    {"Mbyte", 6},
    {"Gbyte", 9},
    {"Tbyte", 12},
    {"Khz", 3},
    {"Mhz", 6},
    {"Ghz", 9},
    {"K", 3},
    {"M", 6},
    {"G", 9},
    {"cycle/usecond", 6},
    {"cycle/nsecond", 9},
};

static int exponent_of(struct span unit)
{
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (span_eq(unit, span_of(units[i].word)))
            return units[i].exponent;
    return 0;
}

/* How often a mark stands in the text; `thousands`: with three digits after each, and then the end
 * or something else than a digit. */
static size_t count_marks(struct span text, char mark, bool *thousands)
{
    size_t count = 0, digits = 0;

    *thousands = true;
    for (size_t i = text.len; i-- > 0;) {
        if (text.at[i] == mark) {
            *thousands &= digits == 3;
            count++;
        }
        digits = text.at[i] >= '0' && text.at[i] <= '9' ? digits + 1 : 0;
    }
    return count;
}

bool ncu_has_decimal_comma(struct span text)
{
    bool is_thousands;

    return count_marks(text, ',', &is_thousands) == 1 && !is_thousands;
}

/* What stands between thousands goes: commas, or the points of locales that have a comma for a
 * point. One point alone is always that of a fraction. */
static struct span plain(struct span text, char room[PLAIN_MAX])
{
    bool has_comma = ncu_has_decimal_comma(text), is_thousands;
    bool drops_points = has_comma || count_marks(text, '.', &is_thousands) > 1;
    size_t len = 0;

    if (text.len >= PLAIN_MAX)
        return text;
    for (size_t i = 0; i < text.len; i++) {
        char at = text.at[i];

        if (at == ',' && has_comma)
            room[len++] = '.';
        else if (at != ',' && (at != '.' || !drops_points))
            room[len++] = at;
    }
    return (struct span){room, len};
}

bool ncu_figure(struct span text, struct span unit, int64_t *value)
{
    char room[PLAIN_MAX];

    return decimal_scaled(plain(text, room), exponent_of(unit), value);
}

bool ncu_percent(struct span text, int64_t *ppm)
{
    char room[PLAIN_MAX];

    return decimal_scaled(plain(text, room), PERCENT_TO_PPM, ppm) && *ppm >= 0;
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
