/* SPDX-License-Identifier: Apache-2.0 */
/* xla_details.c — what XLA writes of device work, as one text */
#include "parsers/device/xla_details.h"

#include "base/checked.h"
#include "base/text/decimal.h"
#include "graph/classify/event_class.h"

enum { REGISTERS_MAX = 65535 };

static bool read_pack3(struct span text, int64_t *value)
{
    int64_t part[3] = {1, 1, 1};

    for (int i = 0; i < 3 && text.len; i++)
        if (!span_to_i64(span_split(&text, ','), &part[i]))
            return false;
    *value = property_pack3(part[0], part[1], part[2]);
    return true;
}

enum detail_form { NUMBER, REGISTERS, PACK3, PERCENT, MEMORY };

/* Up to a blank or the end of a line. */
static struct span split_pair(struct span *rest)
{
    size_t len = 0;
    struct span pair;

    while (len < rest->len && rest->at[len] != ' ' && rest->at[len] != '\n')
        len++;
    pair = (struct span){rest->at, len};
    *rest = span_after(*rest, len < rest->len ? len + 1 : len);
    return pair;
}

static bool read_detail(enum detail_form form, struct span text, int64_t *value)
{
    switch (form) {
    case NUMBER:
        return span_to_i64(text, value);
    case REGISTERS: /* older writers on ROCm have garbage there */
        return span_to_i64(text, value) && *value > 0 && *value <= REGISTERS_MAX;
    case PACK3:
        return read_pack3(text, value);
    case PERCENT:
        return decimal_scaled(text, 4, value);
    case MEMORY:
        *value = memory_kind_of(text);
        return *value != MEMORY_UNKNOWN;
    }
    return false;
}

static void add_detail(struct builder *builder, uint32_t event, struct span key, struct span text)
{
    static const struct {
        const char *key;
        enum property property;
        enum detail_form form;
    } details[] = {
        {"regs", PROP_REGISTERS, REGISTERS}, {"grid", PROP_GRID, PACK3},
        {"block", PROP_BLOCK, PACK3},        {"occ_pct", PROP_OCCUPANCY, PERCENT},
        {"size", PROP_BYTES, NUMBER},        {"kind_src", PROP_SRC_KIND, MEMORY},
        {"kind_dst", PROP_DST_KIND, MEMORY},
    };

    for (size_t i = 0; i < COUNT_OF(details); i++) {
        int64_t value;

        if (span_eq(key, span_of(details[i].key)) && builder_wants(builder, details[i].property) &&
            read_detail(details[i].form, text, &value))
            builder_property(builder_timeline(builder), event, details[i].property, value);
    }
}

void xla_details_add(struct builder *builder, uint32_t event, struct span details)
{
    int64_t shared = UNKNOWN, part;

    while (details.len) {
        struct span text = split_pair(&details), key = span_split(&text, ':');

        add_detail(builder, event, key, text);
        if (span_ends(key, SPAN("_shared")) && span_to_i64(text, &part) && part >= 0)
            shared = shared == UNKNOWN ? part : checked_add(shared, part);
    }
    if (shared != UNKNOWN && builder_wants(builder, PROP_SHARED_MEMORY))
        builder_property(builder_timeline(builder), event, PROP_SHARED_MEMORY, shared);
}
