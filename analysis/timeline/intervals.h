/* SPDX-License-Identifier: Apache-2.0 */
/* intervals.h — sets of points in time: unions, intersections and differences of spans
 *
 * Spans are half-open, [start, end). Those that touch are one. */
#ifndef PTK_ANALYSIS_TIMELINE_INTERVALS_H
#define PTK_ANALYSIS_TIMELINE_INTERVALS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/vector.h"

struct interval {
    int64_t start, end; /* ns; start < end */
};

/* Ready for use when zeroed. Spans may be added in any order; intervals_unite() makes it a set,
 * which is what the functions below it take. */
struct intervals {
    struct interval *list; /* owned; see intervals_free() */
    size_t count, cap;
};

/* An empty span is no span. */
static inline void intervals_add(struct intervals *set, int64_t start, int64_t end)
{
    if (start >= end)
        return;
    set->list = grow_one(set->list, set->count, &set->cap, sizeof(*set->list));
    set->list[set->count++] = (struct interval){start, end};
}

void intervals_add_all(struct intervals *set, const struct intervals *other);

/* The same where nobody counts the spans: one that begins within the one added last, or at its end,
 * extends that. So the events of a thread take no more room than the outermost of them. */
static inline void intervals_cover(struct intervals *set, int64_t start, int64_t end)
{
    struct interval *last = set->count ? &set->list[set->count - 1] : NULL;

    if (!last || start < last->start || start > last->end)
        intervals_add(set, start, end);
    else if (end > last->end)
        last->end = end;
}

/* Sorts, and merges what overlaps or touches. */
void intervals_unite(struct intervals *set);

/* How long the set is, in ns. */
int64_t intervals_length(const struct intervals *set);

/* `out` must be empty, and becomes a set. */
void intervals_intersect(const struct intervals *a, const struct intervals *b,
                         struct intervals *out);
void intervals_subtract(const struct intervals *from, const struct intervals *what,
                        struct intervals *out);

/* The part of a set between two times. `out` must be empty, and becomes a set. */
void intervals_clip(const struct intervals *set, int64_t start, int64_t end, struct intervals *out);

/* Makes it a set, takes away what of it is before `time`, and returns how long that is, in ns: for
 * unions that nobody need hold as a whole. All spans must begin before then. */
int64_t intervals_take(struct intervals *set, int64_t time);

void intervals_free(struct intervals *set);

#endif
