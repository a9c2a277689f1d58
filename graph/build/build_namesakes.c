/* SPDX-License-Identifier: Apache-2.0 */
/* build_namesakes.c — native functions that their names do not tell apart
 *
 * Static functions, `main.init`, or the parts of a function that were inlined from other files, as
 * cachegrind lists them. */
#include "base/memory/idmap.h"
#include "graph/build/builder_state.h"

static bool is_concerned(const struct frame *frame)
{
    return frame->kind == KIND_HOST && frame->file && frame->name;
}

void build_namesakes_mark(struct builder *builder)
{
    struct frames *frames = &builder->graph.frames;
    struct idmap first = {0}; /* name → the first frame of it */

    if (builder->graph.frames.detail != DETAIL_FUNCTION)
        return; /* there all show their place */
    for (frame_id id = 1; id < frames->count; id++) {
        struct frame *frame = &frames->list[id];
        uint32_t *known;

        if (!is_concerned(frame))
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
