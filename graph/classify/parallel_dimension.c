/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/parallel_dimension.h"

#include <stdbool.h>
#include <stddef.h>

static const struct {
    struct span word;
    enum parallel_dimension dimension;
} beginnings[] =
    {
        {{"TENSOR_MODEL_PARALLEL", 21}, DIMENSION_TENSOR},
        {{"TENSOR_PARALLEL", 15}, DIMENSION_TENSOR},
        {{"PIPELINE_MODEL_PARALLEL", 23}, DIMENSION_PIPELINE},
        {{"PIPELINE_PARALLEL", 17}, DIMENSION_PIPELINE},
        {{"DATA_PARALLEL", 13}, DIMENSION_DATA},
},
  shorts[] = {
      {{"tp", 2}, DIMENSION_TENSOR}, {{"mp", 2}, DIMENSION_TENSOR}, {{"pp", 2}, DIMENSION_PIPELINE},
      {{"dp", 2}, DIMENSION_DATA},   {{"fsdp", 4}, DIMENSION_DATA}, {{"ddp", 3}, DIMENSION_DATA},
};

/* Groups of two dimensions at once are of none: DATA_PARALLEL_GROUP_WITH_CP is not
 * DATA_PARALLEL_GROUP. */
static bool is_whole(struct span rest)
{
    return rest.len == 0 || span_eq(rest, SPAN("_GROUP")) || span_eq(rest, SPAN("_GROUP_GLOO"));
}

enum parallel_dimension parallel_dimension_of(struct span use)
{
    size_t underscore = span_rfind(use, '_');

    for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
        if (span_starts(use, beginnings[i].word) &&
            is_whole(span_after(use, beginnings[i].word.len)))
            return beginnings[i].dimension;
    if (underscore != SIZE_MAX && span_starts(use, SPAN("mesh_")))
        use = span_after(use, underscore + 1);
    for (size_t i = 0; i < sizeof(shorts) / sizeof(shorts[0]); i++)
        if (span_eq(use, shorts[i].word))
            return shorts[i].dimension;
    return DIMENSION_NONE;
}
