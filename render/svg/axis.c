/* SPDX-License-Identifier: Apache-2.0 */
/* Axes of charts: where ticks stand, and their labels. */
#include "render/svg/axis.h"

#include <math.h>
#include <stdio.h>

#include "base/text/format.h"

enum { PIXELS_A_VALUE = 110, PIXELS_UPRIGHT = 36, HALF_VALUE = 30, TEXT_LEFT = 6 };
enum { TICKS_MOST = 200 /* of values so large that they cannot be distinguished */ };
enum { PIXELS_A_POWER = 44, PIXELS_FOR_MINOR = 40 };

double axis_at(const struct axis *axis, double value)
{
    double part = axis->is_log ? log10(value / axis->low) / log10(axis->high / axis->low)
                               : (value - axis->low) / (axis->high - axis->low);

    return axis->from + part * (axis->to - axis->from);
}

double axis_step(const struct axis *axis, uint32_t most)
{
    double rough = (axis->high - axis->low) / (most ? most : 1);
    double power = pow(10, floor(log10(rough)));
    double lead = rough / power;

    return power * (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10);
}

/* The number of a tick, with as many digits as its step needs: "0.25". */
static const char *axis_number(char out[40], double value, double step)
{
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

    snprintf(out, 40, "%.*f", digits, fabs(value) < step / 1e6 ? 0 : value);
    return out;
}

/* ---- ticks ---- */

static void write_rule(struct svg *svg, const struct axis *axis, struct svg_box plot,
                       const char *class, double value)
{
    double at = axis_at(axis, value);

    if (axis->from > axis->to)
        svg_line(svg, class, plot.x, at, plot.x + plot.width, at);
    else
        svg_line(svg, class, at, plot.y, at, plot.y + plot.height);
}

static void write_number(struct svg *svg, const struct axis *axis, struct svg_box plot,
                         double value, const char *text)
{
    double at = axis_at(axis, value);

    if (axis->from > axis->to)
        svg_label(svg, "faint", plot.x - TEXT_LEFT, at + 4, ANCHOR_END, span_of(text));
    else
        svg_label(svg, "faint", at, plot.y + plot.height + AXIS_TEXT_BELOW, ANCHOR_MIDDLE,
                  span_of(text));
}

void axis_write_tick(struct svg *svg, const struct axis *axis, struct svg_box plot, double value,
                     const char *text)
{
    write_rule(svg, axis, plot, "grid", value);
    write_number(svg, axis, plot, value, text);
}

void axis_write_numbers(struct svg *svg, const struct axis *axis, struct svg_box plot,
                        uint32_t most, const char *unit)
{
    double step = axis_step(axis, most);
    char number[40], text[80];

    double tick = ceil(axis->low / step - 1e-9);

    for (uint32_t i = 0; i < TICKS_MOST && tick * step <= axis->high; i++, tick++) {
        snprintf(text, sizeof(text), "%s%s", axis_number(number, tick * step, step), unit);
        axis_write_tick(svg, axis, plot, tick * step, text);
    }
}

static const char *power_text(char out[40], int power)
{
    static const char *const prefixes[] = {"", " k", " M", " G", " T", " P", " E"};

    if (power < -4 || power > 20)
        snprintf(out, 40, "1e%d", power);
    else if (power < 0)
        snprintf(out, 40, "%.*f", -power, pow(10, power));
    else
        snprintf(out, 40, "%.0f%s", pow(10, power % 3), prefixes[power / 3]);
    return out;
}

void axis_write_powers(struct svg *svg, const struct axis *axis, struct svg_box plot)
{
    double pixels = fabs(axis->to - axis->from) / log10(axis->high / axis->low);
    int each = (int)ceil(PIXELS_A_POWER / pixels);
    int first = (int)floor(log10(axis->low)), last = (int)floor(log10(axis->high));
    char text[40];

    for (int power = first; power <= last; power++) {
        double value = pow(10, power);

        for (int lead = 2; lead < 10 && pixels >= PIXELS_FOR_MINOR; lead++)
            if (lead * value > axis->low && lead * value < axis->high)
                write_rule(svg, axis, plot, "grid minor", lead * value);
        if (power % each != 0 || value < axis->low)
            continue;
        axis_write_tick(svg, axis, plot, value, power_text(text, power));
    }
}

/* ---- values of a unit ---- */

/* Ticks are round in the unit that is shown, which for bytes is a power of two. */
void axis_write_values(struct svg *svg, const struct axis *axis, struct svg_box plot,
                       enum unit unit)
{
    const char *name;
    double size = format_scale(fmax(fabs(axis->high), fabs(axis->low)), unit, &name);
    struct axis shown = {.low = axis->low / size, .high = axis->high / size};
    bool is_upright = axis->from > axis->to;
    double room = fabs(axis->to - axis->from) / (is_upright ? PIXELS_UPRIGHT : PIXELS_A_VALUE);
    double step = axis_step(&shown, (uint32_t)fmax(room, 2)), tick = ceil(shown.low / step);

    for (uint32_t i = 0; i < TICKS_MOST && tick * step * size <= axis->high; i++, tick++) {
        char number[40], text[56];
        double value = tick * step * size;

        snprintf(text, sizeof(text), "%s%s%s", axis_number(number, tick * step, step),
                 *name ? " " : "", name);
        if (is_upright || axis_at(axis, value) <= axis->to - HALF_VALUE) {
            axis_write_tick(svg, axis, plot, value, text);
            continue;
        }
        /* In the middle of its tick, the number would leave the picture at the right end. */
        write_rule(svg, axis, plot, "grid", value);
        svg_label(svg, "faint", axis_at(axis, value), plot.y + plot.height + AXIS_TEXT_BELOW,
                  ANCHOR_END, span_of(text));
    }
}
