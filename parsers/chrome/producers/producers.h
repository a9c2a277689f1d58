/* SPDX-License-Identifier: Apache-2.0 */
/* producers.h — who wrote a trace whose header does not say so: by the categories of its events */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H
#define PTK_PARSERS_CHROME_PRODUCERS_PRODUCERS_H

#include "parsers/chrome/event_classes.h"

/* NULL: anybody. */
const char *producer_by_categories(const struct classes *classes, const struct builder *builder);

#endif
