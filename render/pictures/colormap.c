/* SPDX-License-Identifier: Apache-2.0 */
#include "render/pictures/svg.h"

#include <math.h>
#include <stdio.h>

const char *const colormap_names[] = {"color", "pink", "gray", "bw", "print", 0};

const struct colormap colormaps[] = {
    {{2.0 / 3, 0.80, 0.25}, {0, 1, 0.5}, 1.0, 10, 10, 0.5, 4, 0},
    {{0, 1, 0.90}, {0, 1, 0.5}, 2.2, 10, 10, 0.5, 4, 0},
    {{0, 0, 0.85}, {0, 0, 0}, 2.2, 10, 10, 0.5, 4, 0},
    {{0, 0, 0}, {0, 0, 0}, 2.2, 8, 24, 0.1, 8, 0},
    {{0, 0, 0}, {0, 0, 0}, 2.2, 18, 30, 0.1, 8, 1},
};

/* One channel of CSS's HSL → RGB. */
static double channel(double low, double high, double hue)
{
    hue -= floor(hue);
    if (hue * 6 < 1)
        return low + (high - low) * hue * 6;
    if (hue * 2 < 1)
        return high;
    if (hue * 3 < 2)
        return low + (high - low) * (2.0 / 3 - hue) * 6;
    return low;
}

static int byte(double value, double gamma)
{
    return (int)(255 * pow(value, gamma) + 0.5);
}

static double between(double least, double most, double weight)
{
    return least + weight * (most - least);
}

const char *colormap_color(char out[COLORMAP_LEN], const struct colormap *map, double weight,
                           double skew)
{
    double part = skew > 0 && skew != 1 ? (pow(skew, weight) - 1) / (skew - 1) : weight;
    double hue = between(map->least.hue, map->most.hue, part);
    double saturation = between(map->least.saturation, map->most.saturation, part);
    double lightness = between(map->least.lightness, map->most.lightness, part);

    saturation = fmin(fmax(saturation, 0), 1);
    lightness = fmin(fmax(lightness, 0), 1);
    double high = lightness <= 0.5 ? lightness * (saturation + 1)
                                   : lightness + saturation - lightness * saturation;
    double low = lightness * 2 - high;

    snprintf(out, COLORMAP_LEN, "#%02x%02x%02x",
             (unsigned)byte(channel(low, high, hue + 1.0 / 3), map->gamma) & 255,
             (unsigned)byte(channel(low, high, hue), map->gamma) & 255,
             (unsigned)byte(channel(low, high, hue - 1.0 / 3), map->gamma) & 255);
    return out;
}

double colormap_font(const struct colormap *map, double weight)
{
    return fmax(weight * weight * map->font_most, map->font_least);
}

double colormap_pen(const struct colormap *map, double weight)
{
    return fmax(weight * map->pen_most, map->pen_least);
}
