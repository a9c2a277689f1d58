#include "render/steps_chart.h"

#include <string.h>

#include "render/columns.h"

enum { BELOW = 8 };

static const struct stack_part parts[PART_COUNT] = {
    [PART_KERNEL] = {"kernels", "h1"},
    [PART_MEMCPY] = {"memory copies", "h3"},
    [PART_MEMSET] = {"memory sets", "h5"},
    [PART_COMMUNICATION] = {"communication", "h2"},
    [PART_RUNTIME] = {"runtime calls", "h7"},
    [PART_DATALOADER] = {"data loader", "h6"},
    [PART_OPERATOR] = {"operators on the host", "h4"},
    [PART_OTHER] = {"other", "h0"},
};

/* Its number, where the name ends with one: "ProfilerStep#12" would not fit. */
static const char *label_of(const struct step_time *step, struct arena *arena)
{
    const char *name = arena_copy(arena, step->name), *sign = strrchr(name, '#');

    return sign && sign[1] ? sign + 1 : name;
}

void steps_chart_write(const struct step_times *steps, const struct report *report, FILE *out)
{
    struct chart chart = {.top = 0};
    struct legend_key keys[PART_COUNT];
    int64_t(*lengths)[PART_COUNT] = arena_array(&chart.arena, steps->count, sizeof(*lengths));
    const char **labels = arena_array(&chart.arena, steps->count, sizeof(*labels));
    struct columns columns = {parts, PART_COUNT, steps->count, *lengths, labels};
    double legend;

    for (uint32_t i = 0; i < steps->count; i++) {
        memcpy(lengths[i], steps->rows[i].parts, sizeof(*lengths));
        labels[i] = label_of(&steps->rows[i], &chart.arena);
    }
    stack_keys(parts, PART_COUNT, keys);
    legend = legend_lay_out(keys, PART_COUNT, CHART_WIDTH - 2 * CHART_MARGIN, &chart.arena);
    chart_open(&chart, out, report, "Steps", columns_height() + BELOW + legend);
    columns_write(&chart, &columns, "time of each step", chart.top);
    legend_write(&chart.svg, keys, PART_COUNT, CHART_MARGIN, chart.top + columns_height() + BELOW);
    chart_close(&chart);
}
