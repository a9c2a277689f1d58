/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/producers/autograd_ranges.h"

#include "base/checked.h"

static bool encloses(const struct measured *outer, const struct measured *inner)
{
    return outer->range && outer->start <= inner->start &&
           checked_add(outer->start, outer->duration) >= checked_add(inner->start, inner->duration);
}

void measured_add(struct sink *sink, const struct event *event, uint32_t row,
                  const struct measured *measured)
{
    struct measured *here = &sink->rows.list[row].last_measured;
    const struct measured last = *here;

    *here = *measured;
    here->flows = sink->flows.count;
    here->range =
        names_find(&sink->names, sink->builder, event->field[FIELD_NAME], KIND_OTHER)->frame;
    if (!encloses(&last, measured))
        return;
    builder_reassign(sink->builder, last.event,
                     rows_find(&sink->rows, sink->builder, event->field[FIELD_PID],
                               event->field[FIELD_TID], ROW_RANGES),
                     last.range);
    flows_forget(&sink->flows, last.flows, last.start);
}
