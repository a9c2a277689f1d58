/* standing.h — what kind of work an event is, and in which row it stands
 *
 * Events of one shape mostly come from one thread, so both are remembered with the shape, and found
 * again only where the thread is another one. */
#ifndef PTK_PARSERS_CHROME_STANDING_H
#define PTK_PARSERS_CHROME_STANDING_H

#include "parsers/chrome/classes.h"
#include "parsers/chrome/rows.h"
#include "parsers/chrome/scan/event.h"

/* Counts the event with its class. ROLE_THREAD stands for the role that the class has. */
const struct standing *standing_of(struct rows *rows, struct classes *classes,
                                   struct builder *builder, struct event *event, enum role role);

#endif
