/* SPDX-License-Identifier: Apache-2.0 */
/* sample_labels.h — what samples are tagged with, as sets that each stand once */
#ifndef PTK_GRAPH_MODEL_SAMPLE_LABELS_H
#define PTK_GRAPH_MODEL_SAMPLE_LABELS_H

#include "base/memory/memory.h"
#include "base/text/string_table.h"

struct sample_label {
    str_id key;
    str_id text; /* numbers are written out */
    str_id unit; /* of numbers; 0: none */
    bool is_number;
};

/* What samples were marked with, and what those that were so come to. */
struct sample_labels {
    struct sample_label *list;
    int64_t *value; /* of the selected value */
    int64_t *samples;
    uint32_t count, cap;
    int64_t total; /* of all samples, with a label or without, dropped by a filter or not */
};

/* All labels of a sample, for who wants to keep them as they are: each set once. */
struct label_sets {
    struct VECTOR_OF(struct sample_label) labels; /* of all sets, one after the other */
    struct VECTOR_OF(uint32_t) ends;              /* by set, counted from 1: where its labels end */
    struct index index;
};

/* The labels of a set; none of set 0. */
const struct sample_label *label_set_labels(const struct label_sets *sets, uint32_t set,
                                            size_t *count);

/* Equal labels in equal order are one set; no labels are set 0. */
uint32_t label_set_intern(struct label_sets *sets, const struct sample_label *labels,
                          uint32_t count);

void label_sets_free(struct label_sets *sets);

#endif
