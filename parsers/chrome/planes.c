#include "parsers/chrome/planes.h"

static const struct span xla = {"/device:", 8};

bool plane_is(struct span process)
{
    return (span_starts(process, xla) && !span_starts(process, SPAN("/device:CPU"))) ||
           span_starts(process, SPAN("Ascend Hardware"));
}

int32_t plane_device(struct span process)
{
    size_t colon;
    int32_t device = 0;

    if (!span_starts(process, xla))
        return 0;
    process = span_after(process, xla.len);
    colon = span_find(process, SPAN(":"));
    if (colon == SIZE_MAX)
        return 0;
    process = span_after(process, colon + 1);
    for (size_t i = 0; i < process.len && i < 4 && process.at[i] >= '0' && process.at[i] <= '9';
         i++)
        device = device * 10 + (process.at[i] - '0');
    return device;
}

/* A TPU has no streams: its operators are what it does. */
enum role plane_role(struct span process, struct span thread)
{
    if (span_starts(process, SPAN("/device:TPU")))
        return span_eq(thread, SPAN("XLA Ops")) ? ROLE_STREAM : ROLE_RANGES;
    return thread.len == 0 || span_starts(thread, SPAN("Stream")) ? ROLE_STREAM : ROLE_RANGES;
}
