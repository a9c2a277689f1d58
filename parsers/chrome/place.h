/* place.h — the row and class of an event, remembered for the next one of the same shape */
#ifndef PTK_PARSERS_CHROME_PLACE_H
#define PTK_PARSERS_CHROME_PLACE_H

#include "parsers/chrome/event.h"

/* Whether the last event of this shape stood in the same row, so that event->place holds for this
 * one, too. Its category is the same: that is what makes a shape. */
bool place_holds(const struct event *event);

void place_keep(struct event *event, uint32_t class, uint32_t row);

#endif
