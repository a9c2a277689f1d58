/* SPDX-License-Identifier: Apache-2.0 */
/* copy_names.h — what the name of a copy says of it: "Memcpy HtoD (Pageable -> Device)" */
#ifndef PTK_PARSERS_CHROME_COPY_NAMES_H
#define PTK_PARSERS_CHROME_COPY_NAMES_H

#include "graph/build/builder.h"

/* Gives the event, by its number, PROP_COPY_KIND, PROP_SRC_KIND and PROP_DST_KIND, as far as the
 * name tells and somebody wants them. */
void copy_name_add(struct builder *builder, uint32_t event, struct span name);

#endif
