/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/scan/scanner.h"

#include "base/checked.h"

enum field field_of_event(struct span key)
{
    static const struct {
        const char *name;
        enum field field;
    } members[] = {
        {"ph", FIELD_PH},           {"name", FIELD_NAME},
        {"cat", FIELD_CAT},         {"pid", FIELD_PID},
        {"tid", FIELD_TID},         {"ts", FIELD_TS},
        {"dur", FIELD_DUR},         {"args", FIELD_ARGS},
        {"id", FIELD_ID},           {"id2", FIELD_ID2},
        {"bp", FIELD_BP},           {"sf", FIELD_SF},
        {"scope", FIELD_SCOPE},     {"bind_id", FIELD_BIND_ID},
        {"flow_in", FIELD_FLOW_IN}, {"flow_out", FIELD_FLOW_OUT},
    };

    for (size_t i = 0; i < COUNT_OF(members); i++)
        if (span_eq(key, span_of(members[i].name)))
            return members[i].field;
    return FIELD_OTHER;
}
