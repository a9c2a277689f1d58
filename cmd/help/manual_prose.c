/* SPDX-License-Identifier: Apache-2.0 */
/* The form of man/NAME.txt: titles, paragraphs, lists, and lines that are shown as they are. */
#include <string.h>

#include "cmd/help/command.h"
#include "cmd/help/docs.h"

struct span doc_prose(const struct command *command)
{
    const char *name = command ? command->name : "ptk";

    for (size_t i = 0; manuals[i].name; i++)
        if (strcmp(manuals[i].name, name) == 0)
            return span_of(manuals[i].text);
    return SPAN("");
}

/* A list has terms, each on lines of its own, and explanations, which are indented. */
static enum doc_kind kind_of(struct span text)
{
    if (text.at[0] == ' ')
        return DOC_LITERAL;
    if (span_starts(text, SPAN("- ")))
        return DOC_BULLETS;
    return span_find(text, SPAN("\n    ")) != SIZE_MAX ? DOC_TERMS : DOC_PARAGRAPH;
}

bool doc_next_block(struct span *rest, struct doc_block *block)
{
    size_t end;

    while (rest->len && rest->at[0] == '\n')
        *rest = span_after(*rest, 1);
    if (rest->len == 0)
        return false;
    if (rest->at[0] == '#') {
        *block = (struct doc_block){DOC_TITLE, span_trim(span_after(span_split(rest, '\n'), 1))};
        return true;
    }
    end = span_find(*rest, SPAN("\n\n"));
    block->text = (struct span){rest->at, end == SIZE_MAX ? rest->len : end};
    block->kind = kind_of(block->text);
    *rest = span_after(*rest, block->text.len);
    return true;
}

/* Takes the lines off the front that are indented, or those that are not. */
static struct span take_lines(struct span *rest, bool is_indented)
{
    struct span taken = {rest->at, 0};

    while (rest->len && (rest->at[0] == ' ') == is_indented) {
        struct span line = span_split(rest, '\n');

        taken.len = (size_t)(line.at + line.len - taken.at);
    }
    return span_trim(taken);
}

bool doc_next_item(struct span *rest, struct doc_item *item)
{
    bool is_bullet = span_starts(*rest, SPAN("- "));

    if (rest->len == 0)
        return false;
    if (is_bullet) {
        struct span first = span_after(span_split(rest, '\n'), 2);
        struct span others = take_lines(rest, true);

        *item = (struct doc_item){.text = first};
        if (others.len)
            item->text.len = (size_t)(others.at + others.len - first.at);
        return true;
    }
    item->term = take_lines(rest, false);
    item->text = take_lines(rest, true);
    return true;
}

bool doc_ends_description(const struct command *command, const struct doc_block *block,
                          bool *is_listed)
{
    bool is_here = !command && block->kind == DOC_TITLE && !*is_listed;

    *is_listed |= is_here;
    return is_here;
}
