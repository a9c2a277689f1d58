/* SPDX-License-Identifier: Apache-2.0 */
/* autograd.c — PyTorch's profiler before Kineto: device times that operators took of themselves, of
 * which the innermost are work
 *
 * It writes for every operator, inner ones too, from when to when the device was at it. An operator
 * comes before those in it: one whose time encloses that of the next is a range, not work, and its
 * arrow would only point to the work of the inner one. */
#include "base/checked.h"
#include "parsers/chrome/event_sink.h"
#include "parsers/chrome/producers/producers.h"

static bool encloses(const struct added_event *outer, const struct added_event *inner)
{
    return outer->range && outer->start <= inner->start &&
           checked_add(outer->start, outer->duration) >= checked_add(inner->start, inner->duration);
}

/* What is before the event in its row becomes a range if it encloses it. */
static void added(struct sink *sink, const struct event *event, const struct added_event *added)
{
    struct added_event *here = &sink->rows.list[added->row].last_added;
    const struct added_event last = *here;

    *here = *added;
    here->flows = sink->flows.count;
    here->range =
        names_find(&sink->names, sink->builder, event->field[FIELD_NAME], KIND_OTHER)->frame;
    if (!encloses(&last, added))
        return;
    builder_reassign(sink->timeline, last.event,
                     rows_find(&sink->rows, sink->builder, event->field[FIELD_PID],
                               event->field[FIELD_TID], ROW_RANGES),
                     last.range);
    flows_forget(&sink->flows, last.flows, last.start);
}

const struct producer producer_autograd = {.name = "PyTorch (before Kineto)", .added = added};
