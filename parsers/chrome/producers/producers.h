/* SPDX-License-Identifier: Apache-2.0 */
/* producers.h — who wrote a trace: by its header, by what its processes are called, or by the
 * categories of its events */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H
#define PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H

#include "graph/classify/event_category.h"
#include "parsers/chrome/event_classify.h"
#include "parsers/chrome/event_fields.h"

/* ---- what is known of a producer ---- */

/* A document's header may say who wrote it; then that producer's hooks are called for the events
 * that follow. Until then, and for those that say it at the end or never, it is
 * producer_unannounced. */

struct sink;
struct added_event;

/* A member of the document beside its events. */
struct producer_member {
    struct span key;
    void (*take)(struct sink *sink, struct token value);
};

/* Hooks are NULL where the format says it all. */
struct producer {
    const char *name; /* as info shows it */

    const char *const *categories; /* how categories begin that only its events have; up to NULL */

    const struct producer_member *members;
    size_t member_count;

    /* A member of args that the hooks read, whatever the command wants; 0: none. */
    int wanted_arg;

    /* Looks at the events of a file's beginning, before any of them is added. */
    void (*peek)(struct sink *sink, const struct event *event);

    /* The event's start in ns, by more than its "ts". */
    int64_t (*start)(struct sink *sink, const struct event *event, int64_t ts);

    /* The event's name without what differs from one to the next. */
    struct token (*plain_name)(struct token name);

    /* Where an event with a duration stands, if not where its category says: else ROW_THREAD. */
    enum row_role (*role)(const struct event *event);

    /* Whether an instant is none that the program saw. `first` is the earliest start so far. */
    bool (*is_stray)(const struct event *event, int64_t start, int64_t first);

    /* An event was added to a row of a device, whose process only this producer calls so. */
    void (*added)(struct sink *sink, const struct event *event, const struct added_event *added);

    /* All events have been read; the rows have not yet become tracks. */
    void (*finish)(struct sink *sink);

    /* ns that the producer itself takes where Python code enters or leaves a range, see
     * track.entering. */
    int64_t entering;
};

/* ---- who wrote a trace ---- */

extern const struct producer producer_unannounced;

/* Those with hooks; a large one is a file of its own. */
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
