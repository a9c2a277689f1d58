/* SPDX-License-Identifier: Apache-2.0 */
/* trace_header.h — what stands in a trace beside its events: who wrote it, on which devices */
#ifndef PTK_PARSERS_CHROME_TRACE_HEADER_H
#define PTK_PARSERS_CHROME_TRACE_HEADER_H

#include "parsers/chrome/event_sink.h"

/* Whether a member of the document means anything. All others are skipped unseen: real traces
 * carry whole environments, with tokens in them. */
bool header_is_known(struct span key);

void header_member(struct sink *sink, struct span key, struct token value);

#endif
