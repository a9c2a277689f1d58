/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/model/job_part.h"

#include <stdlib.h>

void job_part_free(struct job_part *part)
{
    free(part->leaves);
    free(part->groups);
    free(part->absences);
    free(part->hot);
    free(part->traffic);
    strings_free(&part->strings);
    arena_free(&part->arena);
    *part = (struct job_part){0};
}
