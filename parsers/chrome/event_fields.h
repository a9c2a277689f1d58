/* SPDX-License-Identifier: Apache-2.0 */
/* event_fields.h — the members of args that mean something to ptk, and which of them a command
 * wants */
#ifndef PTK_PARSERS_CHROME_EVENT_FIELDS_H
#define PTK_PARSERS_CHROME_EVENT_FIELDS_H

#include "graph/build/builder.h"
#include "parsers/chrome/scan/scanner.h"

enum argument {
    ARG_CORRELATION = FIELD_FIRST_ARG,
    ARG_EXTERNAL_ID, /* of the operator around it */
    ARG_COLLECTIVE,
    ARG_DEVICE,
    ARG_DEVICE_TYPE,
    ARG_DEVICE_ID,
    ARG_START_TIME,
    ARG_XLA_DETAILS,
    ARG_PROPERTY, /* from here on: properties */
    ARG_END = ARG_PROPERTY + PROP_COUNT,
};
_Static_assert((int)ARG_END <= (int)FIELD_COUNT, "an event has room for all members of args");

/* How an argument's value becomes a property's. */
enum argument_kind {
    ARGUMENT_NUMBER,
    ARGUMENT_TEXT,    /* a string's text, or any other value as it stands */
    ARGUMENT_PPM,     /* a number of units */
    ARGUMENT_PERCENT, /* a number of hundredths */
    ARGUMENT_PACK3,   /* [x, y, z] */
    ARGUMENT_GB_PER_SECOND,
};

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

/* Which of them a command wants. */
struct wanted_args {
    bool fields[FIELD_COUNT];
    bool any;          /* of them but ARG_COLLECTIVE */
    bool of_operators; /* any that PyTorch's operators have, of which most traces are, */
    bool of_python;    /* or its Python functions */
};

void wanted_args_init(struct wanted_args *args, const struct builder *builder);

/* What the scanner is to ask; `args` must outlive it. */
struct wanted wanted_args(const struct wanted_args *args);

#endif
