/* SPDX-License-Identifier: Apache-2.0 */
/* sample_types.c — a profile's value types in base units, and which of them is meant */
#include <stdlib.h>

#include "base/memory/grow.h"
#include "parsers/pprof/pprof_profile.h"

struct unit_name {
    const char *name;
    enum unit unit;
    int64_t scale; /* to the base unit */
};

static const struct unit_name units[] = {
    {"nanoseconds", UNIT_NS, 1},        {"ns", UNIT_NS, 1},
    {"microseconds", UNIT_NS, 1000},    {"us", UNIT_NS, 1000},
    {"milliseconds", UNIT_NS, 1000000}, {"ms", UNIT_NS, 1000000},
    {"seconds", UNIT_NS, 1000000000},   {"s", UNIT_NS, 1000000000},
    {"bytes", UNIT_BYTES, 1},           {"b", UNIT_BYTES, 1},
    {"kilobytes", UNIT_BYTES, 1024},    {"kb", UNIT_BYTES, 1024},
    {"megabytes", UNIT_BYTES, 1048576}, {"mb", UNIT_BYTES, 1048576},
};

/* A unit that is none of these is counted. */
static struct unit_name unit_named(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (span_eq(name, span_of(units[i].name)))
            return units[i];
    return (struct unit_name){NULL, UNIT_COUNT, 1};
}

static bool name_values(struct pprof *pprof, struct value_name *values, struct error *err)
{
    str_id name, unit;

    for (size_t i = 0; i < pprof->types.count; i++) {
        const struct value_type_row *type = &pprof->types.list[i];
        struct unit_name known;

        if (!pprof_string(pprof, type->type, "a sample type's name", type->offset, &name, err) ||
            !pprof_string(pprof, type->unit, "a sample type's unit", type->offset, &unit, err))
            return false;
        known = unit_named(builder_text(pprof->builder, unit));
        values[i] = (struct value_name){builder_text(pprof->builder, name), known.unit};
        pprof->scales[i] = known.scale;
    }
    return true;
}

/* The one that the profile names, else the last: pprof's rule. */
static uint32_t standard_value(const struct pprof *pprof, const struct value_name *values)
{
    uint64_t index = (uint64_t)pprof->plain[PROFILE_DEFAULT_TYPE];
    struct span wanted =
        builder_text(pprof->builder, index < pprof->strings.count ? pprof->strings.list[index] : 0);

    for (size_t i = 0; wanted.len && i < pprof->types.count; i++)
        if (span_eq(values[i].name, wanted))
            return (uint32_t)i;
    return (uint32_t)pprof->types.count - 1;
}

bool pprof_begin(struct pprof *pprof, struct error *err)
{
    static const struct value_name none[] = {{{"samples", 7}, UNIT_COUNT}};
    struct value_name *values = grow_zeroed(pprof->types.count, sizeof(*values));
    bool ok;

    pprof->scales = grow_zeroed(pprof->types.count, sizeof(*pprof->scales));
    if (pprof->types.count == 0)
        ok = builder_begin(pprof->builder, LEVEL_CALLTREE, none, 1, 0, err);
    else
        ok = name_values(pprof, values, err) &&
             builder_begin(pprof->builder, LEVEL_CALLTREE, values, (uint32_t)pprof->types.count,
                           standard_value(pprof, values), err);
    free(values);
    return ok;
}
