/* SPDX-License-Identifier: Apache-2.0 */
/* legend.c — keys in lines, each a coloured square and its text */
#include "render/svg/legend.h"

#include "render/svg/svg.h"

/* Pixels. */
enum { SQUARE = 11, LINE = 18, TEXT_AT = 16, TEXT_MOST = 240, BETWEEN = 14, CLOSE = 2, SIZE = 11 };

static double width_of(const struct legend_key *key)
{
    return key->text.len ? TEXT_AT + text_width(key->text) * SIZE : SQUARE;
}

double legend_lay_out(struct legend_key *keys, uint32_t count, double width, struct arena *arena)
{
    double x = 0, y = 0;

    for (uint32_t i = 0; i < count; i++) {
        double most = width - TEXT_AT < TEXT_MOST ? width - TEXT_AT : TEXT_MOST;

        keys[i].text = text_fit(arena, keys[i].text, most, SIZE);
        if (x > 0 && x + width_of(&keys[i]) > width) {
            x = 0;
            y += LINE;
        }
        keys[i].x = x;
        keys[i].y = y;
        x += width_of(&keys[i]) + (keys[i].text.len ? BETWEEN : CLOSE);
    }
    return count ? y + LINE : 0;
}

void legend_write(struct svg *svg, const struct legend_key *keys, uint32_t count, double x,
                  double y)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct legend_key *key = &keys[i];

        svg_rectangle(svg, key->class, (struct svg_box){x + key->x, y + key->y, SQUARE, SQUARE});
        if (key->text.len)
            svg_label(svg, "faint", x + key->x + TEXT_AT, y + key->y + 9.5, ANCHOR_START,
                      key->text);
    }
}
