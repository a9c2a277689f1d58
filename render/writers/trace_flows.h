/* trace_flows.h — arrows from what launched or led to an event to the event, in a Chrome trace */
#ifndef PTK_RENDER_WRITERS_TRACE_FLOWS_H
#define PTK_RENDER_WRITERS_TRACE_FLOWS_H

#include "render/writers/trace_args.h"
#include "render/writers/writer.h"

/* After the events. Each link is a flow of its own: one call may launch a lot, and be itself what
 * something led to. A flow's ends mean the events that its times and threads mean, so that a link
 * can be one that no arrow shows: those are counted. */
void trace_flows_write(const struct trace_args *args, struct writing *writing);

#endif
