/* SPDX-License-Identifier: Apache-2.0 */
/* event_classify.h — what kind of work an event is, and in which row it stands
 *
 * Events of one shape mostly come from one thread, so both are remembered with the shape, and found
 * again only where the thread is another one. */
#ifndef PTK_PARSERS_CHROME_EVENT_CLASSIFY_H
#define PTK_PARSERS_CHROME_EVENT_CLASSIFY_H

#include "parsers/chrome/chrome_tracks.h"
#include "parsers/chrome/event_classes.h"
#include "parsers/chrome/scan/event.h"

/* Counts the event with its class. ROW_THREAD stands for the role that the class has. */
const struct standing *standing_of(struct rows *rows, struct classes *classes,
                                   struct builder *builder, struct event *event,
                                   enum row_role role);

#endif
