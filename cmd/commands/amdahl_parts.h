/* SPDX-License-Identifier: Apache-2.0 */
/* amdahl_parts.h — --part: what gets faster, and by how much */
#ifndef PTK_CMD_COMMANDS_AMDAHL_PARTS_H
#define PTK_CMD_COMMANDS_AMDAHL_PARTS_H

#include "analysis/amdahl/amdahl.h"
#include "base/cli/option.h"
#include "base/text/pattern.h"

struct amdahl_parts {
    const char *names[AMDAHL_PARTS_MAX]; /* the expressions, as given */
    struct pattern patterns[AMDAHL_PARTS_MAX];
    double factors[AMDAHL_PARTS_MAX];
    uint32_t count;
};

/* amdahl_parts_free() in any case. */
MUST_CHECK bool amdahl_parts_parse(const struct option_values *given, struct amdahl_parts *parts,
                                   struct arena *arena, struct error *err);

/* Each function goes to the first part whose expression its name, file or module matches; ERROR_NO
 * for a part that has none. */
MUST_CHECK bool amdahl_parts_combine(const struct amdahl_parts *parts, const struct graph *graph,
                                     const struct amdahl_options *options, struct arena *arena,
                                     struct amdahl_plan *plan, struct error *err);

void amdahl_parts_free(struct amdahl_parts *parts);

#endif
