/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/timeline/timeline_parts.h"

#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* Events of a part, about. */
enum { PART_EVENTS = 1 << 15 };

void parts_begin(struct parts *parts, const struct timeline *timeline)
{
    int64_t first = INT64_MAX, last = INT64_MIN;

    *parts = (struct parts){
        .timeline = timeline,
        .next = grow_to(NULL, (size_t)timeline->track_count + 1, sizeof(*parts->next)),
        .left = timeline->count / PART_EVENTS + 1,
    };
    for (uint32_t i = 0; i < timeline->track_count; i++) {
        const struct track *track = &timeline->tracks[i];

        parts->next[i] = track->first;
        if (track->count == 0)
            continue;
        if (timeline->start[track->first] < first)
            first = timeline->start[track->first];
        if (timeline->start[track->first + track->count - 1] > last)
            last = timeline->start[track->first + track->count - 1];
    }
    parts->until = first;
    parts->length = first > last ? 1 : checked_sub(last, first) / parts->left + 1;
}

bool parts_next(struct parts *parts)
{
    if (parts->left == 0)
        return false;
    parts->left--;
    parts->until = parts->left ? checked_add(parts->until, parts->length) : INT64_MAX;
    return true;
}

event_id parts_take(struct parts *parts, uint32_t track, event_id *first)
{
    const struct track *events = &parts->timeline->tracks[track];
    const int64_t *start = &parts->timeline->start[parts->next[track]];
    uint32_t left = events->count - (parts->next[track] - events->first);

    SEARCH(uint32_t, count, left, parts->left == 0 || start[count] < parts->until);
    *first = parts->next[track];
    parts->next[track] += count;
    return parts->next[track];
}

void parts_end(struct parts *parts)
{
    free(parts->next);
}
