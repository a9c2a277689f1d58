#include "parsers/chrome/producers/copy_names.h"

static void add_text_property(struct builder *builder, uint32_t event, enum property property,
                              struct span text)
{
    if (text.len && builder_wants(builder, property))
        builder_property(builder, event, property, builder_intern(builder, text));
}

/* "HtoD" behind "Memcpy " (Kineto) or "MEMCPY_" (Paddle); "CopyHostToDevice" of ROCm; "MemcpyH2D"
 * of XLA. */
static struct span direction(struct span name)
{
    static const struct {
        struct span start, kind;
    } known[] = {
        {{"CopyHostToDevice", 16}, {"HtoD", 4}}, {{"CopyHostToHost", 14}, {"HtoH", 4}},
        {{"CopyDeviceToHost", 16}, {"DtoH", 4}}, {{"CopyDeviceToDevice", 18}, {"DtoD", 4}},
        {{"MEMCPY_HtoD", 11}, {"HtoD", 4}},      {{"MEMCPY_DtoH", 11}, {"DtoH", 4}},
        {{"MEMCPY_DtoD", 11}, {"DtoD", 4}},      {{"MEMCPY_PtoP", 11}, {"PtoP", 4}},
        {{"MemcpyH2D", 9}, {"HtoD", 4}},         {{"MemcpyD2H", 9}, {"DtoH", 4}},
        {{"MemcpyD2D", 9}, {"DtoD", 4}},         {{"MemcpyP2P", 9}, {"PtoP", 4}},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_starts(name, known[i].start))
            return known[i].kind;
    if (!span_starts(name, SPAN("Memcpy ")))
        return (struct span){0};
    name = span_after(name, 7);
    return span_split(&name, ' ');
}

void copy_name_add(struct builder *builder, uint32_t event, struct span name)
{
    struct span ends = name, from;

    add_text_property(builder, event, PROP_COPY_KIND, direction(name));
    span_split(&ends, '(');
    if (!span_ends(ends, SPAN(")")) || span_find(ends, SPAN(" -> ")) == SIZE_MAX)
        return;
    ends.len--;
    from = (struct span){ends.at, span_find(ends, SPAN(" -> "))};
    add_text_property(builder, event, PROP_SRC_KIND, from);
    add_text_property(builder, event, PROP_DST_KIND, span_after(ends, from.len + 4));
}
