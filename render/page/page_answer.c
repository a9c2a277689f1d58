/* SPDX-License-Identifier: Apache-2.0 */
/* page_answer.c — the answer of a page: its sentence, the bar below it, the cards of what to fix, and where the
 * timeline is to be */
#include "render/page/page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/text/escape.h"
#include "base/text/format.h"
#include "render/page/page_data.h"

/* ---- the bar ---- */

enum { BAR_WIDTH = 1000, BAR_HEIGHT = 24 };

static void write_bar_part(struct html *html, const char *style, double from, double width)
{
    html_begin(html, "rect");
    html_attribute(html, "class", arena_printf(&html->arena, "part-%s", style));
    html_attribute(html, "x", arena_printf(&html->arena, "%.2f", from));
    html_attribute(html, "width", arena_printf(&html->arena, "%.2f", width));
    html_integer(html, "height", BAR_HEIGHT);
    html_end(html);
}

static void write_key(struct html *html, const struct page_bar *bar,
                      const struct page_bar_part *part)
{
    char value[FORMAT_LEN], share[FORMAT_LEN];

    html_begin(html, "li");
    html_begin(html, "span");
    html_attribute(html, "class", arena_printf(&html->arena, "key part-%s", part->style));
    html_end(html);
    html_text(html, span_of(arena_printf(&html->arena, "%s %s (%s)", part->name,
                                         format_value(value, part->value, bar->unit),
                                         format_share(share, share_of(part->value, bar->whole)))));
    html_end(html);
}

static void write_bar(struct html *html, const struct page_bar *bar)
{
    double scale = (double)BAR_WIDTH / (double)bar->whole, at = 0;
    char whole[FORMAT_LEN];

    html_begin(html, "figure");
    html_attribute(html, "class", "bar");
    html_begin(html, "svg");
    html_attribute(html, "viewBox", "0 0 1000 24");
    html_attribute(html, "preserveAspectRatio", "none");
    html_attribute(html, "aria-hidden", "true");
    write_bar_part(html, "rest", 0, BAR_WIDTH);
    for (uint32_t i = 0; i < bar->count; i++) {
        write_bar_part(html, bar->parts[i].style, at, (double)bar->parts[i].value * scale);
        at += (double)bar->parts[i].value * scale;
    }
    html_end(html);
    html_element(html, "figcaption",
                 span_of(arena_printf(&html->arena, "%s: %s", bar->title,
                                      format_value(whole, bar->whole, bar->unit))));
    html_begin(html, "ul");
    for (uint32_t i = 0; i < bar->count; i++)
        write_key(html, bar, &bar->parts[i]);
    html_end(html);
    html_end(html);
}

void page_answer(struct page *page, const char *sentence, const struct page_picture *picture,
                 const struct page_bar *bar)
{
    struct html *html = &page->html;

    html_begin(html, "section");
    html_attribute(html, "id", "answer");
    html_attribute(html, "aria-label", "answer");
    if (sentence) {
        html_begin(html, "p");
        html_attribute(html, "class", "lead");
        html_text(html, span_of(sentence));
        html_end(html);
    }
    if (picture)
        page_picture(page, picture);
    else if (bar)
        write_bar(html, bar);
    html_end(html);
}

/* ---- the cards ---- */

/* Its words are the script's, which shows it. */
static void write_show(struct html *html, const struct page_card *card)
{
    if (card->event == UINT32_MAX && !card->function && !card->chapter)
        return;
    html_begin(html, "button");
    html_attribute(html, "type", "button");
    html_attribute(html, "class", "show");
    html_attribute(html, "hidden", "");
    if (card->event != UINT32_MAX)
        html_integer(html, "data-event", card->event);
    else if (card->chapter)
        html_attribute(html, "data-chapter", card->chapter);
    else
        html_attribute(
            html, "data-function",
            arena_copy(&html->arena, escape_plain(&html->arena, span_of(card->function))));
    html_text(html, span_of("Show"));
    html_end(html);
}

static void write_why(struct html *html, const struct page_card *card)
{
    html_begin(html, "details");
    html_element(html, "summary", span_of("Why"));
    html_element(html, "p", span_of(card->evidence));
    html_begin(html, "p");
    html_text(html, span_of(arena_printf(&html->arena, "Rule: %s", card->rule)));
    html_end(html);
    html_end(html);
}

static void write_gain(struct html *html, const struct page_card *card)
{
    html_begin(html, "p");
    html_attribute(html, "class", "gain");
    html_text(html, span_of(card->gain));
    if (card->is_largest_loss) {
        html_raw(html, span_of(" "));
        html_element(html, "small", span_of("largest loss"));
    }
    html_end(html);
}

static void write_card(struct html *html, const struct page_card *card)
{
    html_begin(html, "article");
    html_attribute(html, "data-rule", card->rule);
    if (card->gain)
        write_gain(html, card);
    html_element(html, "h3", span_of(card->cause));
    html_element(html, "p", span_of(card->remedy));
    if (card->place) {
        html_begin(html, "p");
        html_attribute(html, "class", "place");
        html_text(html, span_of(card->place));
        html_end(html);
    }
    write_show(html, card);
    write_why(html, card);
    html_end(html);
}

static void write_also(struct html *html, const struct page_card *card)
{
    html_begin(html, "li");
    html_attribute(html, "data-rule", card->rule);
    html_text(html, span_of(card->cause));
    if (card->gain)
        html_text(html, span_of(arena_printf(&html->arena, " (%s)", card->gain)));
    if (card->place)
        html_text(html, span_of(arena_printf(&html->arena, ": %s", card->place)));
    html_raw(html, span_of(" "));
    write_show(html, card);
    html_end(html);
}

void page_findings(struct page *page, const struct page_cards *cards)
{
    struct html *html = &page->html;

    if (!cards->count)
        return;
    html_begin(html, "section");
    html_attribute(html, "id", "findings");
    html_element(html, "h2", span_of("Findings"));
    html_begin(html, "div");
    html_attribute(html, "class", "cards");
    for (uint32_t i = 0; i < cards->leading; i++)
        write_card(html, &cards->list[i]);
    html_end(html);
    if (cards->count > cards->leading) {
        html_begin(html, "details");
        if (!cards->leading)
            html_attribute(html, "open", "");
        html_element(html, "summary",
                     span_of(arena_printf(&html->arena, "Also seen: %" PRIu32,
                                          cards->count - cards->leading)));
        html_begin(html, "ul");
        for (uint32_t i = cards->leading; i < cards->count; i++)
            write_also(html, &cards->list[i]);
        html_end(html);
        html_end(html);
    }
    html_end(html);
}

/* ---- the timeline ---- */

static const char *rest_text(const struct page_data *data, struct arena *arena)
{
    const struct event_choice *choice = &data->choice;
    char least[FORMAT_LEN], kept[FORMAT_LEN], counted[FORMAT_LEN], unit[FORMAT_LEN];

    if (!choice->kept_count && !data->columns.counted)
        return arena_printf(arena, "The file has no events, but %s over time.",
                            format_many(arena, data->columns.series_count, "counter"));
    if (!data->columns.counted)
        return arena_printf(arena, "All %s events are here, to within %s.",
                            format_count(kept, choice->kept_count),
                            format_value(unit, choice->unit, UNIT_NS));
    return arena_printf(arena,
                        "%s events are here, to within %s. %s host events shorter than %s are "
                        "shown as density.",
                        format_count(kept, choice->kept_count),
                        format_value(unit, choice->unit, UNIT_NS),
                        format_count(counted, (int64_t)data->columns.counted),
                        format_value(least, choice->least, UNIT_NS));
}

void page_timeline(struct page *page, const struct page_data *data, const char *note)
{
    struct html *html = &page->html;

    html_begin(html, "section");
    html_attribute(html, "id", "events");
    html_attribute(html, "hidden", ""); /* until the script has drawn it */
    html_element(html, "h2", span_of("Timeline"));
    html_begin(html, "p");
    html_attribute(html, "class", "rest");
    html_text(html, span_of(rest_text(data, &html->arena)));
    if (note)
        html_text(html, span_of(arena_printf(&html->arena, " %s", note)));
    html_end(html);
    html_end(html);
}
