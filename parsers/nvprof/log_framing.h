/* SPDX-License-Identifier: Apache-2.0 */
/* log_framing.h — nvprof's own lines: "==4711== Profiling result:", "======== Error: …" */
#ifndef PTK_PARSERS_NVPROF_LOG_FRAMING_H
#define PTK_PARSERS_NVPROF_LOG_FRAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

struct framing {
    int64_t pid; /* 0: none, as when nvprof imports */
    struct span text;
};

/* Blanks may stand before it, and cells that somebody's shell loop put before every line. */
bool framing_read(struct span line, struct framing *framing);

/* Whether the text is one that nvprof says. */
bool framing_is_nvprof(struct span text);

/* "No kernels were profiled.", with something before it or not. */
bool framing_is_empty_sentence(struct span line);

#endif
