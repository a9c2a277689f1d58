/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_messages.h — what a profiler of NVIDIA's itself had to say: kept, shown above every
 * answer, and the answer itself where a file holds nothing else */
#ifndef PTK_PARSERS_DEVICE_PROFILER_MESSAGES_H
#define PTK_PARSERS_DEVICE_PROFILER_MESSAGES_H

#include <stdbool.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"

enum { MESSAGES_MAX = 32 };

/* Ready for use when zeroed. */
struct messages {
    struct arena arena;
    struct message {
        const char *text;
        uint64_t offset, times;
    } list[MESSAGES_MAX]; /* each text once */
    size_t count;
    const char *speaker; /* a literal; NULL: nvprof */
};

/* A line that may be an error, a warning or a sentence that says that there is nothing. */
void messages_take(struct messages *messages, struct span line, uint64_t offset);

/* What was kept, as warnings of a profile that has data. */
void messages_warn(const struct messages *messages, struct warnings *warnings);

/* The gravest, as the reason why there is no data, and what can be done; false. */
bool messages_explain(const struct messages *messages, struct error *err);

void messages_free(struct messages *messages);

#endif
