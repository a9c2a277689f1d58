#include "cmd/shared/progress.h"

#include <stdio.h>
#include <unistd.h>

#include "base/text/format.h"

static double seconds_between(struct timespec from, struct timespec to)
{
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

bool progress_begin(struct progress *progress, const char *name)
{
    *progress = (struct progress){.name = name};
    clock_gettime(CLOCK_MONOTONIC, &progress->begun);
    return isatty(STDERR_FILENO);
}

void progress_report(void *context, uint64_t done, uint64_t total)
{
    struct progress *progress = context;
    struct timespec now;
    char read[FORMAT_LEN], rate[FORMAT_LEN];
    double elapsed;

    clock_gettime(CLOCK_MONOTONIC, &now);
    elapsed = seconds_between(progress->begun, now);
    if (elapsed < 0.5 || (progress->is_visible && seconds_between(progress->shown, now) < 0.1))
        return;
    progress->shown = now;
    progress->is_visible = true;
    format_value(read, (int64_t)done, UNIT_BYTES);
    format_rate(rate, (double)done / elapsed, UNIT_BYTES);
    if (total)
        fprintf(stderr, "\r\033[Kreading %s %3.0f%%  %s  %s", progress->name,
                100.0 * (double)done / (double)total, read, rate);
    else
        fprintf(stderr, "\r\033[Kreading %s  %s  %s", progress->name, read, rate);
}

void progress_end(struct progress *progress)
{
    if (progress->is_visible)
        fputs("\r\033[K", stderr);
}
