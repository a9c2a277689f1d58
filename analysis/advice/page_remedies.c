/* SPDX-License-Identifier: Apache-2.0 */
/* page_remedies.c — how to fix it in the words of a page, which has no commands and no options: for the rules whose
 * remedies name one */
#include "analysis/advice/advice.h"

#include <string.h>

static const struct {
    const char *rule, *words;
} remedies[] = {
    {"slow-host",
     "see in the timeline what its threads do then; less Python between operators, work in other "
     "processes, compilation"},
    {"uneven-steps",
     "see in the timeline what only they do; evaluation, checkpoints, logging, garbage collection, "
     "other shapes that are compiled or tuned anew"},
    {"gaps", "see in the timeline what the host did then: the gaps are listed with their causes"},
    {"idle-chunks", "see in the timeline which: warm-up, validation, checkpoints, logging"},
    {"collective-waits",
     "see who is late, in the traces of all ranks; even stages, shards and batches; in a pipeline "
     "more micro-batches, "
     "or an interleaved schedule. Smaller types and larger buckets do not help"},
    {"hot-kernel", "the roofline shows how far it is from what the hardware can do; a tuned "
                   "library, another algorithm"},
    {"above-roof", "check which device and which precision it is; Winograd, sparsity or data that "
                   "stays in caches need "
                   "less than the formula"},
    {"hot-path", "its algorithm and its data: fewer or cheaper steps; the flame graph shows what "
                 "it spreads over"},
    {"copied-sum", "keep data on the device, copy in a smaller type and from pinned memory; a "
                   "trace of the device "
                   "says what is hidden behind compute"},
    {"dynamic-linking", "fewer libraries and symbols, linked statically or prelinked; a longer "
                        "run, if start-up is not "
                        "what is measured"},
    {"garbage-collection",
     "fewer and longer-lived objects, buffers that are used again, a larger heap before it runs "
     "(GOGC, GOMEMLIMIT, Node's max-semi-space-size, gc.freeze)"},
    {"label-collisions",
     "what is lost is in nobody's self time: read callers with care, or sample instead"},
    {"oom-full", "see who held it; smaller batches, activation checkpointing, sharding, tensors "
                 "that are dropped "
                 "earlier"},
    {"memory-leak",
     "metrics and lists that keep tensors with their graphs; .detach() or .item() what is kept"},
    {"imports", "import where needed, drop unused dependencies, fill tables when first used; "
                "Python's importtime and "
                "Go's inittrace say which"},
};

const char *rule_page_remedy(const struct rule *rule)
{
    for (size_t i = 0; i < sizeof(remedies) / sizeof(*remedies); i++)
        if (strcmp(remedies[i].rule, rule->name) == 0)
            return remedies[i].words;
    return rule->remedy_text;
}
