/* SPDX-License-Identifier: Apache-2.0 */
#include "render/writers/trace_rows.h"

int64_t trace_process(const struct track *track)
{
    if (track->device >= 0)
        return track->device;
    return track->pid ? track->pid : TRACE_TEXT_IDS + (int64_t)track->process;
}

/* "stream 7" is thread 7; a number is better than a text that stands for one. */
static int64_t number_at_end(struct span name)
{
    size_t blank = span_rfind(name, ' ');
    int64_t number;

    return span_to_i64(blank == SIZE_MAX ? name : span_after(name, blank + 1), &number) ? number
                                                                                        : -1;
}

int64_t trace_thread(const struct graph *graph, const struct track *track)
{
    int64_t number = track->tid;

    if (number == 0)
        number = track->device >= 0 ? number_at_end(graph_text(graph, track->name)) : -1;
    return number == -1 ? TRACE_TEXT_IDS + (int64_t)track->name : number;
}
