/* SPDX-License-Identifier: Apache-2.0 */
/* scan_fields.h — the members of a trace event that mean something to ptk */
#ifndef PTK_PARSERS_CHROME_SCAN_SCAN_FIELDS_H
#define PTK_PARSERS_CHROME_SCAN_SCAN_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"
#include "graph/build/builder.h"
#include "parsers/shared/json_token.h"

/* Which member of an event, or of its args, a value is. */
enum field {
    FIELD_PH,
    FIELD_NAME,
    FIELD_CAT,
    FIELD_PID,
    FIELD_TID,
    FIELD_TS,
    FIELD_DUR,
    FIELD_ARGS,
    FIELD_ID,
    FIELD_ID2,
    FIELD_SCOPE,
    FIELD_BP,
    FIELD_SF,
    FIELD_BIND_ID,
    FIELD_FLOW_IN,
    FIELD_FLOW_OUT,
    FIELD_FIRST_ARG, /* from here on they are members of args */
    ARG_CORRELATION = FIELD_FIRST_ARG,
    ARG_COLLECTIVE,
    ARG_DEVICE,
    ARG_DEVICE_TYPE,
    ARG_DEVICE_ID,
    ARG_START_TIME,
    ARG_XLA_DETAILS,
    ARG_PROPERTY, /* a property: see arguments[] in fields.c */
    FIELD_COUNT = ARG_PROPERTY + PROP_COUNT,
    FIELD_OTHER = 255, /* nobody wants it */
};

/* How an argument's value becomes a property's. */
enum argument_kind {
    ARGUMENT_NUMBER,
    ARGUMENT_TEXT,    /* a string's text, or any other value as it stands */
    ARGUMENT_PPM,     /* a number of units */
    ARGUMENT_PERCENT, /* a number of hundredths */
    ARGUMENT_PACK3,   /* [x, y, z] */
    ARGUMENT_GB_PER_SECOND,
};

/* The field of a member of an event, FIELD_OTHER when it means nothing. */
enum field field_of_event(struct span key);

/* The same for a member of args. */
enum field field_of_args(struct span key);

/* For a field from ARG_PROPERTY on. */
enum argument_kind argument_kind(enum field field);

static inline enum property argument_property(enum field field)
{
    return (enum property)(field - ARG_PROPERTY);
}

static inline enum field property_field(enum property property)
{
    return (enum field)(ARG_PROPERTY + property);
}

#endif
