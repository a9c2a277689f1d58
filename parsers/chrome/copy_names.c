/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/copy_names.h"

#include "graph/classify/memory_copy.h"

static void add_known(struct builder *builder, uint32_t event, enum property property, int value)
{
    if (value && builder_wants(builder, property))
        builder_property(builder_timeline(builder), event, property, value);
}

void copy_name_add(struct builder *builder, uint32_t event, struct span name)
{
    struct span to = name;
    size_t arrow;

    add_known(builder, event, PROP_COPY_KIND, (int)copy_direction_of_name(name));
    span_split(&to, '(');
    arrow = span_find(to, SPAN(" -> "));
    if (!span_ends(to, SPAN(")")) || arrow == SIZE_MAX)
        return;
    to.len--;
    add_known(builder, event, PROP_SRC_KIND, (int)memory_kind_of((struct span){to.at, arrow}));
    add_known(builder, event, PROP_DST_KIND, (int)memory_kind_of(span_after(to, arrow + 4)));
}
