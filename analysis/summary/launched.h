/* launched.h — how much device work the events of a range launched, at one look a range
 *
 * What is inside an event follows it on its track, so that it and all inside it are a range. */
#ifndef PTK_ANALYSIS_SUMMARY_LAUNCHED_H
#define PTK_ANALYSIS_SUMMARY_LAUNCHED_H

#include "analysis/summary/role.h"

/* A kernel, a copy or a fill. */
struct hosted_work {
    event_id event;
    event_id host; /* as host_tree_launcher() */
    uint32_t turn; /* of the host event's thread */
    enum summary_role role;
};

/* Owned: see launched_free(). */
struct launched {
    uint64_t *calls;      /* by 64 events, a bit for each that launched something */
    uint32_t *before;     /* by 64 events, how many calls there are before them */
    int64_t *time;        /* by call, ns of what those before it launched; and one more */
    int64_t *kernel_time; /* the same of kernels alone */
};

void launched_make(const struct timeline *timeline, const struct hosted_work *work, uint32_t count,
                   struct launched *launched);

/* Without the processor's own instruction, which not every one has. */
static inline uint32_t launched_count_bits(uint64_t bits)
{
    bits -= bits >> 1 & 0x5555555555555555u;
    bits = (bits & 0x3333333333333333u) + (bits >> 2 & 0x3333333333333333u);
    bits = (bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fu;
    return (uint32_t)(bits * 0x0101010101010101u >> 56);
}

/* How many of the calls are before this event. */
static inline uint32_t launched_before(const struct launched *launched, event_id event)
{
    uint64_t below = (UINT64_C(1) << event % 64) - 1;

    return launched->before[event / 64] +
           launched_count_bits(launched->calls[event / 64] & below);
}

/* Whether none of these events, which are few as a rule, launched anything. */
static inline bool launched_nothing(const struct launched *launched, event_id first, event_id end)
{
    uint64_t from = UINT64_MAX << first % 64, below = (UINT64_C(1) << end % 64) - 1;

    return first / 64 == end / 64 && (launched->calls[first / 64] & from & below) == 0;
}

/* ns of the work that the events from `first` up to, not with, `end` launched. */
static inline int64_t launched_time(const struct launched *launched, event_id first, event_id end)
{
    return launched_nothing(launched, first, end)
               ? 0
               : launched->time[launched_before(launched, end)] -
                     launched->time[launched_before(launched, first)];
}

static inline int64_t launched_kernel_time(const struct launched *launched, event_id first,
                                           event_id end)
{
    return launched_nothing(launched, first, end)
               ? 0
               : launched->kernel_time[launched_before(launched, end)] -
                     launched->kernel_time[launched_before(launched, first)];
}

/* The first of these events that launched something; `end` when none did. */
static inline event_id launched_next(const struct launched *launched, event_id first, event_id end)
{
    uint64_t bits;

    for (; first < end; first = (first | 63) + 1) {
        bits = launched->calls[first / 64] >> first % 64;
        if (bits)
            return first + (event_id)__builtin_ctzll(bits) < end
                       ? first + (event_id)__builtin_ctzll(bits)
                       : end;
    }
    return end;
}

void launched_free(struct launched *launched);

#endif
