/* SPDX-License-Identifier: Apache-2.0 */
/* begin_end.h — events that a file writes as two: where they begin, and where they end
 *
 * Beginnings are events at once, without a duration yet. All marks are kept and joined at the
 * end, by time: neither the order in a file nor how it was split among threads matters. */
#ifndef PTK_PARSERS_CHROME_BEGIN_END_H
#define PTK_PARSERS_CHROME_BEGIN_END_H

#include "graph/build/builder.h"
#include "parsers/chrome/chrome_tracks.h"

struct mark {
    uint64_t group; /* marks of one group and name nest: a row, or an async id */
    int64_t time;
    uint32_t event; /* what begins here; NO_EVENT: something ends here */
    uint32_t row;
    uint64_t name; /* a key of what an async end names; 0 on rows */
};

/* Ready for use when zeroed. */
struct marks {
    struct mark *list;
    size_t count, cap;
};

void marks_add(struct marks *marks, const struct mark *mark);

/* Takes another reader's marks, whose events and rows have moved on to these. */
void marks_absorb(struct marks *marks, const struct marks *part, uint32_t first_event,
                  const uint32_t *row_of);

/* Gives the events their durations. What has no end lasts until its row's last, and is counted,
 * as are ends without a beginning. */
void marks_finish(struct marks *marks, const struct rows *rows, struct builder *builder);

void marks_free(struct marks *marks);

#endif
