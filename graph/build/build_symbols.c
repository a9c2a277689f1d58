/* SPDX-License-Identifier: Apache-2.0 */
/* build_symbols.c — names that binaries gave, as frames; and what `ptk info` says of the
 * binaries */
#include <stdio.h>

#include "graph/build/builder_state.h"

struct frame builder_place(struct builder *builder, const struct symbol_place *place, str_id module)
{
    bool has_lines = builder->graph.frames.detail != DETAIL_FUNCTION;

    return (struct frame){.name = builder_intern(builder, place->name),
                          .file = place->file.len ? builder_intern(builder, place->file) : 0,
                          .line = has_lines ? place->line : place->start_line,
                          .module = module,
                          .kind = KIND_HOST};
}

static void state(struct builder *builder, const struct symbol_binary *binary)
{
    char text[1024];
    int len = snprintf(text, sizeof(text), "%.*s: %u of %u addresses named", (int)binary->path.len,
                       binary->path.at, binary->named, binary->asked);
    size_t used = len < (int)sizeof(text) ? (size_t)len : sizeof(text) - 1;
    bool is_elsewhere = binary->found && !span_eq(binary->path, span_of(binary->found));

    if (binary->trouble)
        snprintf(text + used, sizeof(text) - used, ": %s", binary->trouble);
    else
        snprintf(text + used, sizeof(text) - used, "%s%s%s%s%s", is_elsewhere ? ", from " : "",
                 is_elsewhere ? binary->found : "", binary->remark ? ", which is " : "",
                 binary->remark ? binary->remark : "",
                 binary->is_trusted ? "; on trust, without a build id" : "");
    builder_fact_text(builder, "binary", span_of(text));
}

/* A file of another build can have code of the same size, and other functions in it. */
static void warn_of_trust(struct builder *builder)
{
    const struct symbols *symbols = builder->options.symbols;
    const struct symbol_binary *first = NULL;
    uint32_t binaries = 0;

    for (uint32_t i = 0; i < symbols_binary_count(symbols); i++) {
        const struct symbol_binary *binary = symbols_binary_at(symbols, i);

        if (!binary->is_trusted || !binary->named)
            continue;
        if (!first)
            first = binary;
        binaries++;
    }
    if (binaries == 1)
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "names on trust: no build id proves that %.300s is the file that ran; "
                    "--no-symbols leaves them out",
                    first->found);
    if (binaries > 1)
        warning_say(builder_warnings(builder), WARNING_LOSS,
                    "names on trust: no build ids prove that %.300s and %u more are the files that "
                    "ran; --no-symbols leaves them out",
                    first->found, binaries - 1);
}

void builder_symbol_facts(struct builder *builder)
{
    const struct symbols *symbols = builder->options.symbols;

    if (!symbols)
        return;
    warn_of_trust(builder);
    for (uint32_t i = 0; i < symbols_binary_count(symbols); i++)
        state(builder, symbols_binary_at(symbols, i));
}
