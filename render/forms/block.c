/* SPDX-License-Identifier: Apache-2.0 */
#include "render/forms/block.h"

#include <ctype.h>
#include <string.h>

#include "base/memory/memory.h"
#include "base/text/escape.h"

enum { INDENT = 3, KEY_WIDTH = 8, GAP = 2, WIDTH_LEAST = 40 };

/* Text that is wrapped: each line of it begins at a column. */
struct wrapping {
    FILE *out;
    uint32_t width, indent, column; /* where the next word would go */
    bool has_words;                 /* in this line */
};

static void begin_line(struct wrapping *text)
{
    fprintf(text->out, "\n%*s", (int)text->indent, "");
    text->column = text->indent;
    text->has_words = false;
}

/* The words, which stay before `limit`: a word that is too wide for a line stands in one alone. */
static void write_words(struct wrapping *text, struct span words, uint32_t limit)
{
    struct span word;

    while ((word = span_word(&words)).len) {
        uint32_t cells = (uint32_t)escape_cells(word);

        if (text->has_words && text->column + 1 + cells > limit)
            begin_line(text);
        if (text->has_words)
            text->column += (uint32_t)fprintf(text->out, " ");
        fwrite(word.at, 1, word.len, text->out);
        text->column += cells;
        text->has_words = true;
    }
}

/* At the right end of the line, or of a new one where this one has no room. */
static void write_right(struct wrapping *text, struct span words)
{
    uint32_t cells = (uint32_t)escape_cells(words);

    if (!words.len)
        return;
    if (text->column + GAP + cells > text->width)
        begin_line(text);
    if (text->column + cells < text->width)
        fprintf(text->out, "%*s", (int)(text->width - text->column - cells), "");
    fwrite(words.at, 1, words.len, text->out);
}

static struct span escaped(const char *text, struct arena *arena)
{
    return text ? escape_plain(arena, span_of(text)) : (struct span){NULL, 0};
}

static void write_block(const struct text_block *block, uint32_t number, uint32_t width, FILE *out, struct arena *arena)
{
    struct span title = escaped(block->title, arena), right = escaped(block->right, arena);
    struct span rule = escaped(block->rule, arena);
    struct wrapping text = {.out = out, .width = width};
    uint32_t beside = (uint32_t)escape_cells(right) + GAP, last = 0;

    text.indent = text.column = (uint32_t)fprintf(out, "%u. ", number);
    if (title.len && islower((unsigned char)title.at[0])) {
        char *copy = arena_copy(arena, title);

        copy[0] = (char)toupper((unsigned char)copy[0]);
        title.at = copy;
    }
    write_words(&text, title, right.len && width > beside + WIDTH_LEAST / 2 ? width - beside : width);
    write_right(&text, right);
    putc('\n', out);
    for (uint32_t i = 0; i < BLOCK_LINES_MAX; i++)
        if (block->lines[i].text && *block->lines[i].text)
            last = i;
    for (uint32_t i = 0; i <= last; i++) {
        struct span words = escaped(block->lines[i].text, arena);

        if (!words.len)
            continue;
        fprintf(out, "%*s%-*s", INDENT, "", KEY_WIDTH, block->lines[i].key);
        text = (struct wrapping){.out = out, .width = width, .indent = INDENT + KEY_WIDTH, .column = INDENT + KEY_WIDTH};
        write_words(&text, words, width);
        if (i == last && rule.len)
            write_right(&text, rule);
        putc('\n', out);
    }
}

void prose_write(struct span plain, uint32_t column, uint32_t indent, uint32_t width, FILE *out)
{
    struct wrapping text = {.out = out, .width = width, .indent = indent, .column = column};

    write_words(&text, plain, width);
    putc('\n', out);
}

void blocks_write(const struct text_block *blocks, uint32_t count, uint32_t width, FILE *out)
{
    struct arena arena = {0};

    if (width < WIDTH_LEAST)
        width = BLOCK_WIDTH;
    for (uint32_t i = 0; i < count; i++) {
        if (i)
            putc('\n', out);
        write_block(&blocks[i], i + 1, width, out, &arena);
        arena_clear(&arena);
    }
    arena_free(&arena);
}
