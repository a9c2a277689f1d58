/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that their names do not tell apart: which show their files, and which their columns. */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "graph/build/builder_state.h"

/* Marks functions of one name, whose place is shown beside it. */
static void disambiguate_names(struct builder *builder)
{
    struct frames *frames = &builder->graph.frames;
    struct idmap first = {0}; /* name → the first frame of it */

    if (builder->graph.frames.detail != DETAIL_FUNCTION)
        return; /* there all show their place */
    for (frame_id id = 1; id < frames->count; id++) {
        struct frame *frame = &frames->list[id];
        uint32_t *known;

        if (frame->kind != KIND_HOST || !frame->file || !frame->name)
            continue;
        known = idmap_at(&first, frame->name);
        if (*known == IDMAP_NONE) {
            *known = id;
        } else if (frames->list[*known].file != frame->file ||
                   frames->list[*known].line != frame->line) {
            frame->shows_place = true;
            frames->list[*known].shows_place = true;
        }
    }
    idmap_free(&first);
}

/* Marks functions of one name that begin in one line, whose column is shown. */
static void disambiguate_lines(struct builder *builder)
{
    struct frames *frames = &builder->graph.frames;
    struct frames places;                     /* frames without their columns */
    struct VECTOR_OF(uint32_t) columns = {0}; /* by place; 0: several */
    frame_id *place_of = NULL;

    frames_init(&places);
    for (frame_id id = 1; id < frames->count; id++) {
        struct frame place = frames->list[id];

        if (!place.column)
            continue;
        if (!place_of)
            place_of = grow_zeroed(frames->count, sizeof(*place_of));
        place.column = 0;
        place.line = frame_begins_at(frames, id);
        place_of[id] = frame_intern(&places, &place);
        while (columns.count < places.count)
            vector_add(&columns, frames->list[id].column);
        if (columns.list[place_of[id]] != frames->list[id].column)
            columns.list[place_of[id]] = 0;
    }
    for (frame_id id = 1; place_of && id < frames->count; id++)
        frames->list[id].shows_column = place_of[id] && !columns.list[place_of[id]];
    frames_free(&places);
    free(columns.list);
    free(place_of);
}

void build_names_finish(struct builder *builder)
{
    disambiguate_names(builder);
    disambiguate_lines(builder);
}
