/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/event_classes.h"

#define XXH_INLINE_ALL
#include <stdlib.h>
#include <xxhash.h>

#include "base/memory/grow.h"

static struct class classify(struct builder *builder, struct span name)
{
    struct event_category known = event_category_named(name);
    str_id text = builder_intern(builder, name);

    return (struct class){.name = text,
                          .category = builder_category_number(builder_timeline(builder), text),
                          .kind = known.kind,
                          .role = known.row,
                          .is_by_row = known.is_by_row};
}

void classes_init(struct classes *classes, struct timeline_builder *builder)
{
    *classes = (struct classes){.count = 1};
    classes->list = grow_zeroed(1, sizeof(*classes->list));
    classes->list[0].category = builder_category_number(builder, 0);
    classes->list[0].kind = KIND_HOST;
    classes->list[0].is_by_row = true;
}

static uint32_t find(struct classes *classes, struct builder *builder, struct span text)
{
    uint32_t *index;

    if (text.len == 0)
        return 0;
    index = idmap_at(&classes->by_hash, XXH3_64bits(text.at, text.len));
    if (*index == IDMAP_NONE) {
        *index = classes->count;
        classes->list = grow_to(classes->list, (size_t)classes->count + 1, sizeof(*classes->list));
        classes->list[classes->count++] = classify(builder, text);
    }
    return *index;
}

uint32_t classes_find(struct classes *classes, struct builder *builder, struct token category)
{
    return category.at ? find(classes, builder, token_raw_text(category)) : 0;
}

void classes_absorb(struct classes *classes, struct builder *builder, const struct classes *part,
                    const str_id *texts)
{
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t here = find(classes, builder, builder_text(builder, texts[part->list[i].name]));

        classes->list[here].events += part->list[i].events;
    }
}

void classes_free(struct classes *classes)
{
    free(classes->list);
    idmap_free(&classes->by_hash);
    *classes = (struct classes){0};
}
