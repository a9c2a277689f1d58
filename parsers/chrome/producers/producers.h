/* SPDX-License-Identifier: Apache-2.0 */
/* producers.h — who wrote a trace: by its header, by what its processes are called, or by the categories
 * of its events */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H
#define PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H

#include "parsers/chrome/event_classes.h"
#include "parsers/chrome/producers/producer.h"

extern const struct producer producer_unannounced;

/* Each in a file of its own. */
extern const struct producer producer_paddle, producer_pytorch, producer_autograd, producer_clang,
    producer_viztracer;

/* Those of which no more than the names are known. */
extern const struct producer producer_ascend, producer_rocprof, producer_fluid,
    producer_nvprof2json, producer_nsys2json, producer_tensorflow, producer_xla;

/* Whether a member of the document says something of who wrote it, or is one that only some write. */
bool producers_know(struct span key);

void producers_take(struct sink *sink, struct span key, struct token value);

/* The more telling of two, either of which may be NULL. */
const struct producer *producer_of_two(const struct producer *a, const struct producer *b);

/* NULL: anybody. */
const struct producer *producer_by_categories(const struct classes *classes,
                                              const struct builder *builder);

#endif
