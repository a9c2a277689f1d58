/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_counters.h — counter events: every member of one's args is a sample of a series of its
 * own */
#ifndef PTK_PARSERS_CHROME_CHROME_COUNTERS_H
#define PTK_PARSERS_CHROME_CHROME_COUNTERS_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/chrome/scan/event.h"

/* Ready for use when zeroed. */
struct counters {
    struct idmap series; /* by hash of pid, name, id and key */
};

/* Members that are no numbers are left out. `time` in ns. */
void counters_add(struct counters *counters, struct builder *builder, const struct event *event,
                  int64_t time);

void counters_free(struct counters *counters);

#endif
