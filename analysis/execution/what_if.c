/* SPDX-License-Identifier: Apache-2.0 */
#include "analysis/execution/replay.h"

#include <stdlib.h>

#include "base/memory/hash_index.h"
#include "base/memory/sort.h"
#include "base/memory/vector.h"

static bool lasts_longer(const void *context, uint32_t a, uint32_t b)
{
    const struct what_if_row *rows = context;
    int64_t first = rows[a].after > rows[a].before ? rows[a].after : rows[a].before;
    int64_t second = rows[b].after > rows[b].before ? rows[b].after : rows[b].before;

    return first != second ? first > second : rows[a].frame < rows[b].frame;
}

static void list_rows(struct arena *arena, struct what_if *out)
{
    const struct critical_path *before = &out->path[0], *after = &out->path[1];
    uint32_t most = before->row_count + after->row_count;
    uint32_t *order = arena_array(arena, most, sizeof(*order));
    struct what_if_row *rows = arena_array(arena, most, sizeof(*rows));
    struct idmap places = {0};

    for (uint32_t i = 0; i < most; i++) {
        bool is_after = i >= before->row_count;
        const struct path_row *row =
            is_after ? &after->rows[i - before->row_count] : &before->rows[i];
        uint32_t *place = idmap_at(&places, row->frame);

        if (*place == IDMAP_NONE) {
            *place = out->row_count++;
            rows[*place].frame = row->frame;
        }
        *(is_after ? &rows[*place].after : &rows[*place].before) = row->time;
    }
    idmap_free(&places);
    out->rows = arena_array(arena, out->row_count, sizeof(*out->rows));
    for (uint32_t i = 0; i < out->row_count; i++)
        order[i] = i;
    sort_stable(order, out->row_count, lasts_longer, rows);
    for (uint32_t i = 0; i < out->row_count; i++)
        out->rows[i] = rows[order[i]];
}

static bool go_one_way(const double *factors)
{
    bool is_faster = false, is_slower = false;

    for (int i = 0; i <= REPLAY_CHANGES_MAX; i++) {
        is_faster |= factors[i] > 1;
        is_slower |= factors[i] < 1;
    }
    return !is_faster || !is_slower;
}

void what_if_compute(const struct execution *execution, const struct replay_change *change,
                     struct arena *arena, struct what_if *out)
{
    int64_t *length = grow_to(NULL, execution->count, sizeof(*length));
    int64_t *end = grow_to(NULL, execution->count, sizeof(*end));

    *out = (struct what_if){.has_bounds = go_one_way(change->factors),
                            .before = execution_span(execution)};
    critical_path_compute(execution, arena, &out->path[0]);
    replay_lengths(execution, change, length);
    out->after = replay_run(execution, change, length, end) - execution->run_start;
    critical_path_find(execution, change, length, end, arena, &out->path[1]);
    replay_bound(execution, change, &out->bounds);
    list_rows(arena, out);
    free(length);
    free(end);
}
