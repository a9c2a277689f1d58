/* SPDX-License-Identifier: Apache-2.0 */
/* Lists a rank's device work by step, with what each had to wait for. */
#include "analysis/ranks/kernel_work.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "analysis/execution/task_graph.h"
#include "analysis/timeline/device_work.h"
#include "analysis/timeline/inventory.h"
#include "base/memory/memory.h"
#include "graph/classify/event_class.h"

/* A range covers what begins half a nanosecond before it, as clocks are rounded; one kernel may end
 * as soon after another's start as this without having been waited for. */
enum { RANGE_SLACK = 500, SMALL = 5000 };

struct work_finder {
    const struct graph *graph;
    struct kernel_work *work;
    struct idmap lanes;    /* device and stream → lane */
    struct idmap ranges;   /* device and stream → their first track of ranges, or IDMAP_NONE */
    uint32_t *next_ranges; /* by track of ranges: the next of the same stream, or IDMAP_NONE */
    struct steps steps;
    size_t cap;
};

static uint64_t stream_key(const struct track *track)
{
    return (uint64_t)(uint32_t)track->device << 32 | (uint32_t)stream_of_track(track);
}

static uint32_t lane_of(struct work_finder *finding, const struct track *track)
{
    uint32_t *lane = idmap_at(&finding->lanes, stream_key(track));

    if (*lane == IDMAP_NONE)
        *lane = finding->work->lanes++;
    return *lane;
}

/* ---- steps ---- */

bool work_step_of(const struct graph *graph, const struct steps *steps, event_id event,
                  int64_t *number)
{
    const struct timeline *timeline = &graph->timeline;
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;
    int64_t time = timeline->start[launch == NO_EVENT ? event : launch];

    if (!steps->count) {
        *number = 0;
        return true;
    }
    SEARCH(uint32_t, after, steps->span_count, steps->spans[after].start <= time);
    if (!after || time >= steps->spans[after - 1].end)
        return false;
    *number = steps->list[steps->spans[after - 1].step].number;
    return true;
}

/* ---- ranges ---- */

static void find_ranges(struct work_finder *finding)
{
    const struct timeline *timeline = &finding->graph->timeline;

    finding->next_ranges = grow_zeroed((size_t)timeline->track_count + 1, sizeof(uint32_t));
    for (uint32_t t = timeline->track_count; t-- > 0;) {
        uint32_t *first;

        if (timeline->tracks[t].kind != TRACK_RANGES)
            continue;
        first = idmap_at(&finding->ranges, stream_key(&timeline->tracks[t]));
        finding->next_ranges[t] = *first;
        *first = t;
    }
}

/* The ranges that the host named, as a device's stream has them. */
static str_id range_over(const struct work_finder *finding, const struct track *track,
                         const struct work_item *item)
{
    const struct timeline *timeline = &finding->graph->timeline;
    str_id found = 0;

    for (uint32_t t = idmap_find(&finding->ranges, stream_key(track)); t != IDMAP_NONE;
         t = finding->next_ranges[t]) {
        const struct track *ranges = &timeline->tracks[t];

        SEARCH(uint32_t, after, ranges->count,
               timeline->start[ranges->first + after] <= item->start);
        if (after && event_end(timeline, ranges->first + after - 1) + RANGE_SLACK >= item->end) {
            frame_id range = timeline->frame[ranges->first + after - 1];

            if (graph_class(finding->graph, range).role != ROLE_STEP)
                found = graph_frame(finding->graph, range)->name;
        }
    }
    return found;
}

/* ---- items ---- */

static void take_event(struct work_finder *finding, const struct track *track, uint32_t lane,
                       event_id event)
{
    const struct graph *graph = finding->graph;
    const struct timeline *timeline = &graph->timeline;
    const struct frame *frame = graph_frame(graph, timeline->frame[event]);
    event_id launch = timeline->launch ? timeline->launch[event] : NO_EVENT;
    struct kernel_work *work = finding->work;
    struct work_item item = {.event = event,
                             .start = timeline->start[event],
                             .end = event_end(timeline, event),
                             .lane = lane,
                             .before = NO_ITEM,
                             .is_collective = frame->kind == KIND_COMMUNICATION};
    struct span name = graph_text(graph, frame->name);

    if (!work_step_of(graph, &finding->steps, event, &item.step))
        return;
    if (launch == NO_EVENT)
        work->flags |= RANK_NO_LAUNCHES;
    item.call = event_property(graph, PROP_CORRELATION, event,
                               launch == NO_EVENT ? item.start : timeline->start[launch]);
    item.label = item.is_collective ? 0 : range_over(finding, track, &item);
    item.is_ranged = item.label != 0;
    item.label = item.label ? item.label : frame->name;
    item.name_hash = XXH3_64bits(name.at, name.len);
    work->items = grow_one(work->items, work->count, &finding->cap, sizeof(item));
    work->items[work->count++] = item;
}

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int by_step(const void *a, const void *b)
{
    const struct work_item *first = a, *second = b;
    int order = compare(first->step, second->step);

    order = order ? order : compare(first->start, second->start);
    order = order ? order : compare(first->call, second->call);
    return order ? order : compare(first->event, second->event);
}

static void take_all(struct work_finder *finding)
{
    const struct timeline *timeline = &finding->graph->timeline;

    for (uint32_t t = 0; t < timeline->track_count; t++) {
        const struct track *track = &timeline->tracks[t];
        uint32_t lane;

        if (track->kind != TRACK_STREAM)
            continue;
        lane = lane_of(finding, track);
        for (event_id event = track->first; event < track->first + track->count; event++)
            if (is_device_work(finding->graph, event))
                take_event(finding, track, lane, event);
    }
    if (finding->work->count)
        qsort(finding->work->items, finding->work->count, sizeof(*finding->work->items), by_step);
}

/* ---- who waits for whom ---- */

struct wait_pair {
    uint32_t item, on;
};

/* By lane, its items in the order in which the host called for them. */
struct queues {
    uint32_t *first, *items;
};

static bool called_before(const void *items, uint32_t a, uint32_t b)
{
    const struct work_item *list = items;

    return list[a].call < list[b].call;
}

static void make_queues(struct kernel_work *work, struct queues *queues)
{
    queues->first = grow_zeroed((size_t)work->lanes + 2, sizeof(*queues->first));
    queues->items = grow_zeroed((size_t)work->count + 1, sizeof(*queues->items));
    for (uint32_t i = 0; i < work->count; i++)
        queues->first[work->items[i].lane + 2]++;
    for (uint32_t l = 0; l < work->lanes; l++)
        queues->first[l + 2] += queues->first[l + 1];
    for (uint32_t i = 0; i < work->count; i++)
        queues->items[queues->first[work->items[i].lane + 1]++] = i;
    for (uint32_t l = 0; l < work->lanes; l++)
        sort_stable(queues->items + queues->first[l], queues->first[l + 1] - queues->first[l],
                    called_before, work->items);
}

static void add_pair(struct wait_pair **pairs, size_t *count, size_t *cap, uint32_t item,
                     uint32_t on)
{
    *pairs = grow_one(*pairs, *count, cap, sizeof(**pairs));
    (*pairs)[(*count)++] = (struct wait_pair){item, on};
}

/* A stream had to wait for what another had been given before an event was recorded: the next
 * work called for on the first waits for the last before that on the second. */
static size_t find_stream_waits(struct work_finder *finding, const struct queues *queues,
                                struct wait_pair **pairs, size_t *cap)
{
    const struct graph *graph = finding->graph;
    const struct timeline *timeline = &graph->timeline;
    const struct property_column *column = &timeline->properties[PROP_WAIT_STREAM];
    struct kernel_work *work = finding->work;
    size_t count = 0;

    for (uint32_t i = 0; i < column->count; i++) {
        event_id event = column->event[i];
        const struct track *track = &timeline->tracks[track_of_event(timeline, event)];
        int64_t call = event_property(graph, PROP_CORRELATION, event, UNKNOWN);
        int64_t record = event_property(graph, PROP_WAIT_LAUNCH, event, UNKNOWN);
        uint64_t device = (uint64_t)(uint32_t)track->device << 32;
        uint32_t from = idmap_find(&finding->lanes, device | (uint32_t)property_value(column, i));
        uint32_t to = idmap_find(&finding->lanes, device | (uint32_t)stream_of_track(track));

        if (call == UNKNOWN || record == UNKNOWN || from == IDMAP_NONE || to == IDMAP_NONE)
            continue;
        SEARCH(uint32_t, next, queues->first[to + 1] - queues->first[to],
               work->items[queues->items[queues->first[to] + next]].call <= call);
        SEARCH(uint32_t, last, queues->first[from + 1] - queues->first[from],
               work->items[queues->items[queues->first[from] + last]].call < record);
        if (next < queues->first[to + 1] - queues->first[to] && last > 0)
            add_pair(pairs, &count, cap, queues->items[queues->first[to] + next],
                     queues->items[queues->first[from] + last - 1]);
    }
    return count;
}

static bool ended_before(const void *items, uint32_t a, uint32_t b)
{
    const struct work_item *list = items;

    return list[a].step != list[b].step ? list[a].step < list[b].step : list[a].end < list[b].end;
}

/* What of its step had ended when an item began, of those that end last. */
struct ended_work {
    uint32_t *items;      /* all, by step and end */
    uint32_t *seen;       /* by lane: the last item, plus 1, that was found to wait for it */
    uint32_t first, last; /* those of the step that had ended, or nearly */
    uint32_t past;        /* after those that had, and */
    int64_t begun;        /* when the last of them had begun */
};

static void move_on(struct ended_work *ended, const struct kernel_work *work, uint32_t at)
{
    const struct work_item *items = work->items, *item = &items[at];

    if (!at || items[at - 1].step != item->step) {
        ended->first = ended->last = ended->past = at;
        ended->begun = INT64_MIN;
    }
    while (ended->last < work->count && items[ended->items[ended->last]].step == item->step &&
           items[ended->items[ended->last]].end <= item->start + SMALL)
        ended->last++;
    for (; ended->past < ended->last && items[ended->items[ended->past]].end <= item->start;
         ended->past++)
        if (items[ended->items[ended->past]].start > ended->begun)
            ended->begun = items[ended->items[ended->past]].start;
}

/* Where nothing tells of waits: the last work of each other stream that had ended, unless other work that
 * had ended, too, began after it. It need not have been waited for, so what is gained by making things
 * faster is a lower bound then. Of many streams only those that ended last are looked at. */
static size_t guessed_waits(struct kernel_work *work, struct wait_pair **pairs, size_t *cap)
{
    enum { LOOKED_AT = 64 };
    struct ended_work ended = {.items = sorted_order(work->count, ended_before, work->items),
                               .seen = grow_zeroed((size_t)work->lanes + 1, sizeof(uint32_t))};
    size_t count = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        uint32_t stop;

        move_on(&ended, work, i);
        stop = ended.last - ended.first > LOOKED_AT ? ended.last - LOOKED_AT : ended.first;
        for (uint32_t k = ended.last; k-- > stop;) {
            uint32_t on = ended.items[k], lane = work->items[on].lane;

            if (work->items[on].end <= ended.begun)
                break;
            if (lane == work->items[i].lane || ended.seen[lane] == i + 1)
                continue;
            ended.seen[lane] = i + 1;
            add_pair(pairs, &count, cap, i, on);
        }
    }
    free(ended.items);
    free(ended.seen);
    return count;
}

static int by_item(const void *a, const void *b)
{
    const struct wait_pair *first = a, *second = b;

    return first->item != second->item ? (first->item < second->item ? -1 : 1)
                                       : compare(first->on, second->on);
}

/* Waits go to what began before; anything else is a slip of the clocks. */
static void keep_waits(struct kernel_work *work, struct wait_pair *pairs, size_t count)
{
    if (count)
        qsort(pairs, count, sizeof(*pairs), by_item);
    for (size_t i = 0; i < count; i++) {
        struct work_item *item = &work->items[pairs[i].item];

        if (pairs[i].on >= pairs[i].item || work->items[pairs[i].on].step != item->step ||
            work->items[pairs[i].on].lane == item->lane ||
            (i && by_item(&pairs[i], &pairs[i - 1]) == 0))
            continue;
        if (!item->wait_count)
            item->first_wait = (uint32_t)work->waits.count;
        item->wait_count++;
        work->items[pairs[i].on].is_source = true;
        vector_add(&work->waits, pairs[i].on);
    }
}

static void tie(struct work_finder *finding)
{
    struct kernel_work *work = finding->work;
    struct wait_pair *pairs = NULL;
    uint32_t *last = grow_zeroed((size_t)work->lanes + 1, sizeof(*last)); /* by lane, plus 1 */
    struct queues queues;
    size_t cap = 0, count;

    for (uint32_t i = 0; i < work->count; i++) {
        struct work_item *item = &work->items[i];

        item->before = last[item->lane] ? last[item->lane] - 1 : NO_ITEM;
        last[item->lane] = i + 1;
    }
    make_queues(work, &queues);
    count = find_stream_waits(finding, &queues, &pairs, &cap);
    if (!finding->graph->timeline.properties[PROP_WAIT_STREAM].count) {
        work->flags |= RANK_NO_WAITS;
        count = guessed_waits(work, &pairs, &cap);
    }
    keep_waits(work, pairs, count);
    free(pairs);
    free(last);
    free(queues.first);
    free(queues.items);
}

/* ---- delays ---- */

static void find_delays(struct kernel_work *work)
{
    int64_t begin = 0;

    for (uint32_t i = 0; i < work->count; i++) {
        struct work_item *item = &work->items[i];
        int64_t ready = INT64_MIN;

        if (!i || work->items[i - 1].step != item->step)
            begin = item->start;
        if (item->before != NO_ITEM && work->items[item->before].step == item->step)
            ready = work->items[item->before].end;
        for (uint32_t w = 0; w < item->wait_count; w++) {
            int64_t end = work->items[work->waits.list[item->first_wait + w]].end;

            ready = end > ready ? end : ready;
        }
        item->delay = item->start - (ready == INT64_MIN ? begin : ready);
        item->delay = item->delay > 0 ? item->delay : 0;
    }
}

static bool is_joint(const struct work_item *item)
{
    return item->is_collective && !item->is_folded;
}

void kernel_work_thin_waits(struct kernel_work *work, int64_t gap)
{
    for (uint32_t i = 0; i < work->count; i++)
        work->items[i].is_source = false;
    for (uint32_t i = 0; i < work->count; i++) {
        struct work_item *item = &work->items[i];
        bool is_first = item->before == NO_ITEM || work->items[item->before].step != item->step;
        int64_t ready = is_first ? INT64_MIN : work->items[item->before].end;
        uint32_t last = NO_ITEM;

        for (uint32_t w = item->first_wait; w < item->first_wait + item->wait_count; w++) {
            struct work_item *on = &work->items[work->waits.list[w]];

            on->is_source |= is_joint(item);
            if (on->end > ready) {
                ready = on->end;
                last = work->waits.list[w];
            }
        }
        if (is_joint(item))
            continue;
        item->wait_count = 0;
        if (last == NO_ITEM)
            continue;
        if (!is_first && !is_joint(&work->items[last]) &&
            ready - work->items[item->before].end < gap) {
            item->held += ready - work->items[item->before].end;
            continue;
        }
        item->wait_count = 1;
        work->waits.list[item->first_wait] = last;
        work->items[last].is_source = true;
    }
}

void kernel_work_find(const struct graph *graph, struct kernel_work *work)
{
    struct work_finder finding = {.graph = graph, .work = work};
    struct arena arena = {0};

    *work = (struct kernel_work){0};
    steps_find(graph, &arena, &finding.steps);
    if (!finding.steps.count)
        work->flags |= RANK_NO_STEPS;
    find_ranges(&finding);
    take_all(&finding);
    tie(&finding);
    find_delays(work);
    free(finding.next_ranges);
    idmap_free(&finding.ranges);
    idmap_free(&finding.lanes);
    arena_free(&arena);
}

/* ---- figures of a step ---- */

/* Where the union of one class of work ends so far. The items come by start. */
static void add_span(int64_t *until, int64_t *sum, int64_t start, int64_t end)
{
    int64_t from = start > *until ? start : *until;

    if (end > from)
        *sum += end - from;
    *until = end > *until ? end : *until;
}

void kernel_work_measure(const struct kernel_work *work, uint32_t first, uint32_t end,
                         int64_t figure[ROW_COUNT])
{
    int64_t until[WORK_COUNT] = {INT64_MIN, INT64_MIN, INT64_MIN}, sum[WORK_COUNT] = {0};
    int64_t busy_until = INT64_MIN, busy = 0, begin = work->items[first].start;

    for (uint32_t i = first; i < end; i++) {
        const struct work_item *item = &work->items[i];
        enum work_class class = item->is_collective ? WORK_COMMUNICATION : WORK_COMPUTE;

        add_span(&until[class], &sum[class], item->start, item->end);
        add_span(&busy_until, &busy, item->start, item->end);
    }
    memset(figure, 0, ROW_COUNT * sizeof(*figure));
    figure[ROW_LENGTH] = busy_until - begin;
    figure[ROW_COMPUTE] = sum[WORK_COMPUTE];
    figure[ROW_COMMUNICATION] = sum[WORK_COMMUNICATION];
    figure[ROW_EXPOSED] = busy - sum[WORK_COMPUTE];
    figure[ROW_IDLE] = figure[ROW_LENGTH] - busy;
    figure[ROW_KERNELS] = end - first;
}

void kernel_work_free(struct kernel_work *work)
{
    free(work->items);
    free(work->waits.list);
    *work = (struct kernel_work){0};
}
