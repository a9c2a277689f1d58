/* SPDX-License-Identifier: Apache-2.0 */
/* page_block.c — what a page carries of a timeline, as text: its index and its columns */
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "render/page/page.h"
#include "render/page/page_data.h"

void page_block_make(const struct page_data *data, struct arena *arena, struct page_block *block)
{
    struct byte_list all = {0};
    FILE *memory;

    *block = (struct page_block){
        .origin = checked_add(data->choice.graph->timeline.origin, data->choice.origin)};
    memory = memory_stream_open(&block->index, &block->index_size);
    page_index_write(data, arena, memory);
    memory_stream_close(memory, &block->index);
    for (uint32_t i = 0; i < PAGE_COLUMNS; i++) {
        const struct byte_list *bytes = &data->columns.of[i];

        all.list = grow_to(all.list, all.count + bytes->count + 1, 1);
        if (bytes->count)
            memcpy(all.list + all.count, bytes->list, bytes->count);
        all.count += bytes->count;
    }
    block->columns = page_bytes_base64(&all, &block->columns_size);
    free(all.list);
}

void page_block_free(struct page_block *block)
{
    free(block->index);
    free(block->columns);
    *block = (struct page_block){.index = NULL};
}

static void write_script(struct html *html, const char *class, const char *type,
                         const struct page_rank *rank, struct span text)
{
    html_begin(html, "script");
    html_attribute(html, "type", type);
    html_attribute(html, "class", class);
    if (rank->is_known)
        html_integer(html, "data-rank", rank->number);
    if (rank->shift)
        html_integer(html, "data-shift", rank->shift);
    html_raw(html, text);
    html_end(html);
}

void page_embed(struct page *page, const struct page_block *block, const struct page_rank *rank)
{
    struct html *html = &page->html;

    page_end_section(page);
    write_script(html, "index", "application/json", rank,
                 (struct span){block->index, block->index_size});
    write_script(html, "columns", "text/plain", &(struct page_rank){.number = 0},
                 (struct span){block->columns, block->columns_size});
    arena_free(&html->arena);
}
