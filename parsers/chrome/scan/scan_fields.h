/* SPDX-License-Identifier: Apache-2.0 */
/* scan_fields.h — the members that a trace event has by its format */
#ifndef PTK_PARSERS_CHROME_SCAN_SCAN_FIELDS_H
#define PTK_PARSERS_CHROME_SCAN_SCAN_FIELDS_H

#include "base/text/span.h"

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
    FIELD_FIRST_ARG,                    /* from here on they are members of args, which who takes the */
    FIELD_COUNT = FIELD_FIRST_ARG + 96, /* events numbers as it likes */
    FIELD_OTHER = 255,                  /* nobody wants it */
};

/* The field of a member of an event, FIELD_OTHER when it means nothing. */
enum field field_of_event(struct span key);

#endif
