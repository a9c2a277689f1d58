/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "analysis/execution/amdahl.h"
#include "base/text/format.h"
#include "render/charts/chart.h"
#include "render/svg/svg.h"

#define NEAR(got, wanted)                                                                          \
    cr_expect_float_eq(got, wanted, 1e-9, "%.9g, not %.9g", (double)(got), (double)(wanted))

Test(axis, places_values)
{
    const struct axis linear = {.low = 10, .high = 20, .from = 100, .to = 300};
    const struct axis upright = {.low = 1, .high = 1000, .from = 300, .to = 0, .is_log = true};

    NEAR(axis_at(&linear, 10), 100);
    NEAR(axis_at(&linear, 15), 200);
    NEAR(axis_at(&upright, 1), 300);
    NEAR(axis_at(&upright, 10), 200);
    NEAR(axis_at(&upright, 1000), 0);
}

Test(axis, steps_are_round)
{
    static const struct {
        double high;
        uint32_t most;
        double step;
    } cases[] = {{10, 10, 1}, {11, 10, 2}, {30, 10, 5}, {70, 10, 10}, {0.7, 10, 0.1}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct axis axis = {.high = cases[i].high, .to = 100};

        NEAR(axis_step(&axis, cases[i].most), cases[i].step);
    }
}

/* The ticks of values that no double tells apart come to an end. */
Test(axis, ends_where_steps_are_lost)
{
    struct axis axis = {.low = 9e18, .high = 9e18 + 2048, .to = 100};
    struct svg svg;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    svg_open(&svg, out, 100, 100, "ticks");
    axis_write_values(&svg, &axis, (struct svg_box){0, 0, 100, 100}, UNIT_NS);
    axis_write_numbers(&svg, &axis, (struct svg_box){0, 0, 100, 100}, 1000000, "");
    svg_close(&svg);
    fclose(out);
    cr_expect_lt(size, 100000);
    free(text);
}

Test(format, one_unit_for_figures_side_by_side)
{
    static const struct {
        double largest;
        enum unit unit;
        double size;
        const char *name;
    } cases[] = {
        {999, UNIT_NS, 1, "ns"},    {1e3, UNIT_NS, 1e3, "us"},       {5e12, UNIT_NS, 1e9, "s"},
        {1023, UNIT_BYTES, 1, "B"}, {1024, UNIT_BYTES, 1024, "KiB"}, {2e6, UNIT_COUNT, 1e6, "M"},
        {0, UNIT_FLOP, 1, "FLOP"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *name;

        NEAR(format_scale(cases[i].largest, cases[i].unit, &name), cases[i].size);
        cr_expect_str_eq(name, cases[i].name);
    }
}

Test(placement, writes_no_text_over_another)
{
    struct label_placement placement = {.within = {0, 0, 200, 100}};
    struct svg_point mark = {100, 50}, at;
    uint32_t placed = 0;

    while (placed < 100 && placement_beside(&placement, mark, 5, 11, SPAN("12"), &at)) {
        struct svg_box box = placement_text_box(at.x, at.y, ANCHOR_START, 11, SPAN("12"));

        cr_expect(box.x >= 0 && box.x + box.width <= 200);
        placed++;
    }
    cr_expect(placed >= 4 && placed <= 8, "%u texts around one mark", placed);
    for (size_t i = 0; i < placement.count; i++)
        for (size_t j = 0; j < i; j++) {
            const struct svg_box *a = &placement.list[i], *b = &placement.list[j];

            cr_expect(a->x >= b->x + b->width || b->x >= a->x + a->width ||
                      a->y >= b->y + b->height || b->y >= a->y + a->height);
        }
    placement_free(&placement);
}

Test(placement, keeps_texts_in_the_picture)
{
    struct label_placement placement = {.within = {0, 0, 20, 10}};
    struct svg_point at;

    cr_expect_not(
        placement_beside(&placement, (struct svg_point){10, 5}, 5, 11, SPAN("wide"), &at));
    placement_free(&placement);
}

Test(placement, spreads_lines)
{
    double close[] = {10, 11, 12}, low[] = {95, 98}, apart[] = {10, 50};

    placement_spread(close, 3, 5, 0, 100);
    cr_expect(close[0] == 10 && close[1] == 15 && close[2] == 20);
    placement_spread(low, 2, 10, 0, 100);
    cr_expect(low[0] == 90 && low[1] == 100);
    placement_spread(apart, 2, 10, 0, 100);
    cr_expect(apart[0] == 10 && apart[1] == 50);
}

/* Every byte is in one line, and none is empty. */
Test(text_metrics, breaks_lines)
{
    static const char *const texts[] = {"a few short words in a row",
                                        "oneverylongwordwithoutablank", "ünï çödé ünï çödé", "a"};

    for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
        for (double width = 0; width < 200; width += 7) {
            struct span rest = span_of(texts[i]);

            while (rest.len) {
                size_t len = text_line_length(rest, width, 11);

                cr_assert(len > 0 && len <= rest.len);
                cr_assert(len == rest.len || ((unsigned char)rest.at[len] & 0xc0) != 0x80,
                          "a line ends within a character");
                rest = span_after(rest, len);
            }
        }
}

Test(trail, keeps_peaks_and_stays_small)
{
    struct arena arena = {0};
    struct step_trail trail;

    trail_init(&trail, 10, &arena);
    for (uint32_t i = 0; i <= 10000; i++)
        trail_add(&trail, i / 1000.0, i == 5003 ? 1 : 50);
    trail_end(&trail, 10);
    cr_expect(trail.count <= 2 * 10 + 3);

    double highest = 50;

    for (uint32_t i = 0; i < trail.count; i++)
        highest = fmin(highest, trail.points[i].y);
    NEAR(highest, 1);
    arena_free(&arena);
}

Test(amdahl, points_double)
{
    NEAR(amdahl_point(0), 1);
    NEAR(amdahl_point(4), 2);
    NEAR(amdahl_point(AMDAHL_POINTS - 1), 64);
}
