/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/load/share.h"

#include <stdlib.h>

#include "base/memory/span.h"

/* What engines call a task's number and how many there are. */
static const struct {
    const char *number, *count, *first;
} engines[] = {
    {"SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", "SLURM_ARRAY_TASK_MIN"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", NULL},
    {"PMI_RANK", "PMI_SIZE", NULL},
    {"SLURM_PROCID", "SLURM_NTASKS", NULL},
};

static bool number_in(const char *name, uint64_t *value)
{
    const char *text = name ? getenv(name) : NULL;

    return text && span_to_u64(span_of(text), value);
}

static bool ask_engine(uint64_t *number, uint64_t *count, struct error *err)
{
    for (size_t i = 0; i < sizeof(engines) / sizeof(engines[0]); i++) {
        uint64_t first = 0;

        if (!number_in(engines[i].number, number) || !number_in(engines[i].count, count))
            continue;
        number_in(engines[i].first, &first);
        *number -= first <= *number ? first : 0;
        return true;
    }
    error_set(err, ERROR_USAGE, "--share auto: no engine says which task this is");
    return error_hint(err,
                      "SLURM_ARRAY_TASK_ID, OMPI_COMM_WORLD_RANK, PMI_RANK and SLURM_PROCID are "
                      "asked, each with its count; or name it: --share 0/4");
}

bool share_take(const char *text, size_t count, size_t *first, size_t *end, struct error *err)
{
    struct span rest = span_of(text ? text : "0/1");
    uint64_t number, shares;

    if (span_eq(rest, SPAN("auto"))) {
        if (!ask_engine(&number, &shares, err))
            return false;
    } else if (!span_to_u64(span_split(&rest, '/'), &number) || !span_to_u64(rest, &shares)) {
        return error_set(err, ERROR_USAGE, "--share %s: I/N or auto is meant", text);
    }
    if (shares == 0 || number >= shares || shares > UINT32_MAX) {
        error_set(err, ERROR_USAGE, "--share: task %llu of %llu is not one",
                  (unsigned long long)number, (unsigned long long)shares);
        return error_hint(err, "tasks are counted from 0");
    }
    *first = (size_t)(count * number / shares);
    *end = (size_t)(count * (number + 1) / shares);
    return true;
}
