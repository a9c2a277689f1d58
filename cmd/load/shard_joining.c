/* SPDX-License-Identifier: Apache-2.0 */
/* Joins shards of a job that are read one after the other, the largest first, so that only one is kept. */
#include <stdlib.h>

#include "analysis/ranks/shard_file.h"
#include "analysis/ranks/shard_join.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "cmd/help/messages.h"
#include "cmd/load/job_inputs.h"

struct shard_operand {
    char *path;
    uint32_t summaries;
    bool may_be_other;
    size_t at;
};

static int larger_first(const void *a, const void *b)
{
    const struct shard_operand *first = a, *second = b;

    if (first->summaries != second->summaries)
        return first->summaries > second->summaries ? -1 : 1;
    return (first->at > second->at) - (first->at < second->at);
}

/* What cannot be counted is read first, and told of. */
static uint32_t summaries_of(const char *path)
{
    struct error ignored = {0};
    struct input in;
    uint32_t count = UINT32_MAX;

    if (!input_open(&in, path, &(struct input_options){0}, &ignored))
        return UINT32_MAX;
    if (!shard_count_summaries(&in, &count))
        count = UINT32_MAX;
    input_close(&in);
    return count;
}

bool shards_join_in_order(struct job_shard *whole, char **paths, const bool *may_be_other,
                          size_t count, const struct common *common, struct error *err)
{
    struct shard_operand *list = grow_zeroed(count + 1, sizeof(*list));
    struct shard_joining joining = {.whole = whole};
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        list[i] = (struct shard_operand){paths[i], summaries_of(paths[i]), may_be_other[i], i};
    qsort(list, count, sizeof(*list), larger_first);
    for (size_t i = 0; i < count && ok; i++) {
        struct job_shard shard = {0};
        struct input in;
        bool is_read = input_open(&in, list[i].path, &(struct input_options){0}, err);

        if (is_read) {
            is_read = shard_read(&in, &shard, err);
            input_close(&in);
        }
        if (is_read) {
            ok = shards_join_one(&joining, &shard, err) || error_file(err, list[i].path);
            continue;
        }
        job_shard_free(&shard);
        ok = list[i].may_be_other || error_file(err, list[i].path);
        if (ok && !common->is_quiet)
            message_note("%s is passed over: %s", list[i].path, err->text);
        if (ok)
            *err = (struct error){0};
    }
    free(list);
    shards_join_end(&joining);
    if (ok)
        shard_align(whole, GROUPS_WHOLE, NULL);
    return ok;
}
