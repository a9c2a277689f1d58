/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/commands/commands.h"

#include <string.h>

#include "cmd/shared/shared_options.h"

static bool add_part(struct amdahl_parts *parts, const char *given, struct arena *arena,
                     struct error *err)
{
    uint32_t at = parts->count;

    if (!factor_parse_part("part", given, &parts->names[at], &parts->factors[at], arena, err) ||
        !pattern_compile(&parts->patterns[at], parts->names[at], err))
        return false;
    parts->count++;
    return true;
}

bool amdahl_parts_parse(const struct option_values *given, struct amdahl_parts *parts,
                        struct arena *arena, struct error *err)
{
    for (uint32_t i = 0; i < given->count; i++)
        if (!add_part(parts, given->list[i].text, arena, err))
            return false;
    return true;
}

static uint32_t part_of(const struct amdahl_parts *parts, const struct graph *graph, frame_id id)
{
    const struct frame *frame = graph_frame(graph, id);

    for (uint32_t i = 0; i < parts->count; i++) {
        const struct pattern *pattern = &parts->patterns[i];

        if (pattern_matches(pattern, graph_text(graph, frame->name)) ||
            (frame->file && pattern_matches(pattern, graph_text(graph, frame->file))) ||
            (frame->module && pattern_matches(pattern, graph_text(graph, frame->module))))
            return i;
    }
    return parts->count;
}

static bool check(const struct amdahl_parts *parts, const struct amdahl_plan *plan,
                  struct error *err)
{
    for (uint32_t i = 0; i < plan->count; i++)
        if (plan->parts[i].functions == 0)
            return error_set(err, ERROR_NO,
                             "--part '%.60s' matches no function that no earlier part has",
                             parts->names[i]);
    return true;
}

bool amdahl_parts_combine(const struct amdahl_parts *parts, const struct graph *graph,
                          const struct amdahl_options *options, struct arena *arena,
                          struct amdahl_plan *plan, struct error *err)
{
    uint32_t *of = arena_array(arena, graph->frames.count, sizeof(*of));

    plan->count = parts->count;
    memcpy(plan->factors, parts->factors, sizeof(plan->factors));
    of[0] = parts->count;
    for (frame_id id = 1; id < graph->frames.count; id++)
        of[id] = part_of(parts, graph, id);
    amdahl_combine(graph, options, of, plan);
    return check(parts, plan, err);
}

void amdahl_parts_free(struct amdahl_parts *parts)
{
    for (uint32_t i = 0; i < parts->count; i++)
        pattern_free(&parts->patterns[i]);
}
