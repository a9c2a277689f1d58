/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_ids.h — which events belong together: those with the same id, however it is written */
#ifndef PTK_PARSERS_CHROME_CHROME_IDS_H
#define PTK_PARSERS_CHROME_CHROME_IDS_H

#include "parsers/chrome/scan/scanner.h"

/* 31, "31" and "0x1f" are the same one. A member that is not there counts as an empty one. */
uint64_t id_hash(struct token id, uint64_t seed);

/* An operation's, or a flow's, which are also known by name. Ids are of a category, and of a
 * process where they say so. */
uint64_t id_group(const struct event *event, bool by_name);

/* What "bind_id" says: events of any name and category. */
uint64_t id_binding(const struct event *event);

#endif
