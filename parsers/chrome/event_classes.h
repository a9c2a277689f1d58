/* SPDX-License-Identifier: Apache-2.0 */
/* event_classes.h — what kind of work an event is: from its category, never from where it ran */
#ifndef PTK_PARSERS_CHROME_EVENT_CLASSES_H
#define PTK_PARSERS_CHROME_EVENT_CLASSES_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "graph/classify/event_category.h"
#include "parsers/shared/json_value.h"

/* A category as one file has it. */
struct class
{
    str_id name;
    uint16_t category; /* its number with the builder */
    enum frame_kind kind;
    enum row_role role;
    bool is_by_row; /* where it ran says more */
    uint64_t events;
};

struct classes {
    struct class *list; /* 0 is that of events without a category */
    uint32_t count;
    struct idmap by_hash;
};

void classes_init(struct classes *classes, struct timeline_builder *builder);

/* The index of the event's class. Known categories have their kinds; all others are host work. */
uint32_t classes_find(struct classes *classes, struct builder *builder, struct token category);

/* Adds what another reader has counted. `texts`: by its ids, those of builder. */
void classes_absorb(struct classes *classes, struct builder *builder, const struct classes *part,
                    const str_id *texts);

void classes_free(struct classes *classes);

#endif
