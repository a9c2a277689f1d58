/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/disambiguate.h"

#include <stdio.h>

#include "base/text/span.h"

enum { SHOWN_MAX = 100 }; /* bytes of each part */
#define OF_SEVERAL 0

void name_owners_add(struct name_owners *name_owners, str_id where, str_id name, str_id owner)
{
    uint32_t *known = idmap_at(&name_owners->owners, idmap_pair(where, name));

    if (*known == IDMAP_NONE)
        *known = owner;
    else if (*known != owner)
        *known = OF_SEVERAL;
}

static int shown(struct span text)
{
    return text.len < SHOWN_MAX ? (int)text.len : SHOWN_MAX;
}

str_id name_owners_disambiguate(const struct name_owners *name_owners, struct builder *builder,
                                str_id where, str_id name, str_id owner, str_id label)
{
    struct span text = builder_text(builder, name), number = builder_text(builder, owner);
    struct span title = builder_text(builder, label);
    char longer[3 * SHOWN_MAX + 8];
    int len;

    if (idmap_find(&name_owners->owners, idmap_pair(where, name)) != OF_SEVERAL)
        return name;
    len = snprintf(longer, sizeof(longer), "%.*s %.*s%s%.*s%s", shown(text), text.at, shown(number),
                   number.at, label ? " (" : "", shown(title), title.at, label ? ")" : "");
    return builder_intern(builder, (struct span){longer, (size_t)len});
}

void name_owners_free(struct name_owners *name_owners)
{
    idmap_free(&name_owners->owners);
}
