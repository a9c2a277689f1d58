/* SPDX-License-Identifier: Apache-2.0 */
/* event_args.h — an event's args as the graph's properties and links */
#ifndef PTK_PARSERS_CHROME_EVENT_ARGS_H
#define PTK_PARSERS_CHROME_EVENT_ARGS_H

#include "parsers/chrome/chrome_names.h"
#include "parsers/chrome/event_fields.h"
#include "parsers/chrome/text_cache.h"

/* Gives the event of that number what its args say. */
void arguments_add(struct builder *builder, struct text_cache *text_cache,
                   const struct event *event, const struct name *name, uint32_t number);

#endif
