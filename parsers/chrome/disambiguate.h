/* SPDX-License-Identifier: Apache-2.0 */
/* disambiguate.h — names that several processes or threads have, and so do not tell them apart */
#ifndef PTK_PARSERS_CHROME_DISAMBIGUATE_H
#define PTK_PARSERS_CHROME_DISAMBIGUATE_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"

/* Ready for use when zeroed. */
struct name_owners {
    struct idmap owners; /* (where, name) → whose it is; 0: of several */
};

/* `owner`, not 0, has the name there: a process of the file (where: 0), or a thread of a
 * process. */
void name_owners_add(struct name_owners *name_owners, str_id where, str_id name, str_id owner);

/* The name, with the owner's number and label (0: none) after it where others have the same:
 * "Renderer 4711 (Inbox)". */
str_id name_owners_disambiguate(const struct name_owners *name_owners, struct builder *builder,
                                str_id where, str_id name, str_id owner, str_id label);

void name_owners_free(struct name_owners *name_owners);

#endif
