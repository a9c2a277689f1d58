/* disambiguate.h — names that several processes or threads have, and so do not tell them apart */
#ifndef PTK_PARSERS_CHROME_PRODUCERS_DISAMBIGUATE_H
#define PTK_PARSERS_CHROME_PRODUCERS_DISAMBIGUATE_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"

/* Ready for use when zeroed. */
struct namesakes {
    struct idmap owners; /* (where, name) → whose it is; 0: of several */
};

/* `owner`, not 0, has the name there: a process of the file (where: 0), or a thread of a process. */
void namesakes_add(struct namesakes *namesakes, str_id where, str_id name, str_id owner);

/* The name, with the owner's number and label (0: none) after it where others have the same:
 * "Renderer 4711 (Inbox)". */
str_id namesakes_tell_apart(const struct namesakes *namesakes, struct builder *builder,
                            str_id where, str_id name, str_id owner, str_id label);

void namesakes_free(struct namesakes *namesakes);

#endif
