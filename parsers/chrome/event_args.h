/* SPDX-License-Identifier: Apache-2.0 */
/* event_args.h — what an event says beside its time: the graph's properties and links, samples of
 * counters */
#ifndef PTK_PARSERS_CHROME_EVENT_ARGS_H
#define PTK_PARSERS_CHROME_EVENT_ARGS_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/chrome/chrome_names.h"
#include "parsers/chrome/event_fields.h"
#include "parsers/chrome/scan/event.h"

/* ---- what the name of a copy says of it: "Memcpy HtoD (Pageable -> Device)" ---- */

/* Gives the event, by its number, PROP_COPY_KIND, PROP_SRC_KIND and PROP_DST_KIND, as far as the
 * name tells and somebody wants them. */
void copy_name_add(struct builder *builder, uint32_t event, struct span name);

/* ---- counter events: every member of one's args is a sample of a series of its own ---- */

/* Ready for use when zeroed. */
struct counters {
    struct idmap series; /* by hash of pid, name, id and key */
};

/* Members that are no numbers are left out. `time` in ns. */
void counters_add(struct counters *counters, struct builder *builder, const struct event *event,
                  int64_t time);

void counters_free(struct counters *counters);

/* ---- an event's args as the graph's properties and links ---- */

/* Gives the event of that number what its args say. */
void arguments_add(struct builder *builder, struct text_cache *text_cache,
                   const struct event *event, const struct chrome_name *name, uint32_t number);

#endif
