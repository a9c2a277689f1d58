#include "render/axis.h"

#include <math.h>
#include <stdio.h>

enum { PIXELS_A_TIME = 110, HALF_TIME = 30, TEXT_BELOW = 14 };

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

const char *axis_number(char out[40], double value, double step)
{
    int digits = step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0;

    snprintf(out, 40, "%.*f", digits, fabs(value) < step / 1e6 ? 0 : value);
    return out;
}

static double time_unit(double longest, const char **name)
{
    static const struct {
        double ns;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}};

    for (uint32_t i = 0; i < sizeof(units) / sizeof(*units); i++)
        if (longest >= units[i].ns) {
            *name = units[i].name;
            return units[i].ns;
        }
    *name = "ns";
    return 1;
}

void axis_write_time(struct svg *svg, const struct axis *axis, double top, double bottom)
{
    const char *name;
    double unit = time_unit(fmax(fabs(axis->high), fabs(axis->low)), &name);
    double step = axis_step(axis, (uint32_t)fmax((axis->to - axis->from) / PIXELS_A_TIME, 1));

    for (double tick = ceil(axis->low / step); tick * step <= axis->high; tick++) {
        char number[40], text[48];
        double x = axis_at(axis, tick * step);

        snprintf(text, sizeof(text), "%s %s", axis_number(number, tick * step / unit, step / unit),
                 name);
        svg_line(svg, "grid", x, top, x, bottom);
        svg_label(svg, "faint", x, bottom + TEXT_BELOW,
                  x > axis->to - HALF_TIME ? ANCHOR_END : ANCHOR_MIDDLE, span_of(text));
    }
}
