/* SPDX-License-Identifier: Apache-2.0 */
/* event_classify.h — what kind of work an event is, from its category, never from where it ran;
 * and in which row it stands */
#ifndef PTK_PARSERS_CHROME_EVENT_CLASSIFY_H
#define PTK_PARSERS_CHROME_EVENT_CLASSIFY_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "graph/classify/event_category.h"
#include "parsers/chrome/scan/scanner.h"
#include "parsers/shared/json_value.h"

/* ---- what kind of work an event is: from its category, never from where it ran ---- */

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

/* ---- what kind of work an event is, and in which row it stands ---- */

/* Events of one shape mostly come from one thread, so both are remembered with the shape, and
 * found again only where the thread is another one. */

struct classified_event {
    uint32_t class, row;
    enum frame_kind kind;
    enum row_role role;
    uint16_t category;
    bool is_by_row; /* kind and role come from the row */
};

enum { PLACE_TEXT_MAX = 24 };

/* By shape: that of its last event, and by what the next is known to stand there, too. */
struct place {
    struct classified_event classified;
    bool is_known, may_change; /* when the row is named */
    uint8_t pid_len, tid_len;
    char pid[PLACE_TEXT_MAX], tid[PLACE_TEXT_MAX]; /* as they stand in the file */
};

/* Ready for use when zeroed. */
struct places {
    struct place of_shape[SHAPES_MAX + 1];
};

struct chrome_rows;

/* Counts the event with its class. ROW_THREAD stands for the role that the class has. Valid until the
 * next call. */
const struct classified_event *classify_event(struct places *places, struct chrome_rows *rows,
                                              struct classes *classes, struct builder *builder,
                                              const struct event *event, enum row_role role);

#endif
