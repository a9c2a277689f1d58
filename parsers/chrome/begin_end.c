/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/begin_end.h"

#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/memory/sort.h"

void marks_add(struct marks *marks, const struct mark *mark)
{
    marks->list = grow_one(marks->list, marks->count, &marks->cap, sizeof(*marks->list));
    marks->list[marks->count++] = *mark;
}

void marks_absorb(struct marks *marks, const struct marks *part, uint32_t first_event,
                  const uint32_t *row_of)
{
    for (size_t i = 0; i < part->count; i++) {
        struct mark mark = part->list[i];

        if (mark.group == mark.row)
            mark.group = row_of[mark.row];
        mark.row = row_of[mark.row];
        if (mark.event != NO_EVENT)
            mark.event += first_event;
        marks_add(marks, &mark);
    }
}

static bool is_before(const void *context, uint32_t a, uint32_t b)
{
    const struct mark *list = context;

    if (list[a].group != list[b].group)
        return list[a].group < list[b].group;
    if (list[a].name != list[b].name)
        return list[a].name < list[b].name;
    return list[a].time < list[b].time;
}

/* What is open of the group and name at hand: indices of marks, the innermost last. */
struct open {
    uint32_t *list;
    size_t count, cap;
};

/* An end is of the innermost that is open. */
static void close_one(struct marks *marks, struct open *open, const struct mark *end,
                      struct builder *builder)
{
    const struct mark *begin;

    if (open->count == 0) {
        warning_count_many(builder_warnings(builder), WARNING_NOTE,
                           "ends of events that never began, left out", 1);
        return;
    }
    begin = &marks->list[open->list[--open->count]];
    builder_set_duration(builder_timeline(builder), begin->event, end->time - begin->time);
}

static void close_rest(struct marks *marks, struct open *open, const struct rows *rows,
                       struct builder *builder)
{
    if (open->count == 0)
        return;
    warning_count_many(builder_warnings(builder), WARNING_NOTE,
                       "events that never end, shown until the last of their row", open->count);
    while (open->count) {
        const struct mark *begin = &marks->list[open->list[--open->count]];
        int64_t last = rows->list[begin->row].last_end;

        builder_set_duration(builder_timeline(builder), begin->event,
                             last > begin->time ? last - begin->time : 0);
    }
}

void marks_finish(struct marks *marks, const struct rows *rows, struct builder *builder)
{
    uint32_t *order = grow_to(NULL, marks->count + 1, sizeof(*order));
    struct open open = {0};
    const struct mark *before = NULL;

    for (size_t i = 0; i < marks->count; i++)
        order[i] = (uint32_t)i;
    sort_stable(order, marks->count, is_before, marks->list);
    for (size_t i = 0; i < marks->count; i++) {
        const struct mark *mark = &marks->list[order[i]];

        if (before && (mark->group != before->group || mark->name != before->name))
            close_rest(marks, &open, rows, builder);
        before = mark;
        if (mark->event == NO_EVENT) {
            close_one(marks, &open, mark, builder);
            continue;
        }
        open.list = grow_one(open.list, open.count, &open.cap, sizeof(*open.list));
        open.list[open.count++] = order[i];
    }
    close_rest(marks, &open, rows, builder);
    free(open.list);
    free(order);
}

void marks_free(struct marks *marks)
{
    free(marks->list);
    *marks = (struct marks){0};
}
