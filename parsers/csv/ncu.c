/* SPDX-License-Identifier: Apache-2.0 */
/* ncu.c — what `ncu --csv` prints: counters of each launch, and its time
 *
 * A row a launch and metric (the details page, or --metrics), or a row a launch and a column a
 * metric (--page raw), between the program's own output. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/decimal.h"
#include "graph/model/property.h"
#include "parsers/csv/csv.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/device/profiler_messages.h"
#include "parsers/parser.h"

/* ---- figures of Nsight Compute: "134,221,568" of "byte", "3.99" of "Mbyte", "n/a" ---- */

enum { PLAIN_MAX = 64, PERCENT_TO_PPM = 4 };

/* Powers of ten; the words changed from version to version. */
static const struct {
    const char *word;
    int exponent;
} units[] = {
    {"usecond", 3},
    {"us", 3},
    {"msecond", 6},
    {"ms", 6},
    {"second", 9},
    {"s", 9},
    {"Kbyte", 3},
    {"Mbyte", 6},
    {"Gbyte", 9},
    {"Tbyte", 12},
    {"Khz", 3},
    {"Mhz", 6},
    {"Ghz", 9},
    {"K", 3},
    {"M", 6},
    {"G", 9},
    {"cycle/usecond", 6},
    {"cycle/nsecond", 9},
    {NULL, 0},
};

/* How often a mark stands in the text; `thousands`: with three digits after each, and then the end
 * or something else than a digit. */
static size_t count_marks(struct span text, char mark, bool *thousands)
{
    size_t count = 0, digits = 0;

    *thousands = true;
    for (size_t i = text.len; i-- > 0;) {
        if (text.at[i] == mark) {
            *thousands &= digits == 3;
            count++;
        }
        digits = is_digit(text.at[i]) ? digits + 1 : 0;
    }
    return count;
}

/* "99,5", in locales with a comma for a point: three digits after a comma are thousands. */
static bool ncu_has_decimal_comma(struct span text)
{
    bool is_thousands;

    return count_marks(text, ',', &is_thousands) == 1 && !is_thousands;
}

/* What stands between thousands goes: commas, or the points of locales that have a comma for a
 * point. One point alone is always that of a fraction. */
static struct span plain(struct span text, char room[PLAIN_MAX])
{
    bool has_comma = ncu_has_decimal_comma(text), is_thousands;
    bool drops_points = has_comma || count_marks(text, '.', &is_thousands) > 1;
    size_t len = 0;

    if (text.len >= PLAIN_MAX)
        return text;
    for (size_t i = 0; i < text.len; i++) {
        char at = text.at[i];

        if (at == ',' && has_comma)
            room[len++] = '.';
        else if (at != ',' && (at != '.' || !drops_points))
            room[len++] = at;
    }
    return (struct span){room, len};
}

/* In nanoseconds, bytes, hertz, or as it is; prefixes are decimal. False when it is no number. */
static bool ncu_figure(struct span text, struct span unit, int64_t *value)
{
    char room[PLAIN_MAX];

    return decimal_scaled(plain(text, room), LOOKUP(units, unit).exponent, value);
}

/* "(384, 1, 1)", packed as PROP_GRID is. */
static bool ncu_triple(struct span text, int64_t *packed)
{
    int64_t size[3];

    if (!span_starts(text, SPAN("(")) || !span_ends(text, SPAN(")")))
        return false;
    text = (struct span){text.at + 1, text.len - 2};
    for (int i = 0; i < 3; i++)
        if (!span_to_i64(span_trim(span_split(&text, ',')), &size[i]))
            return false;
    *packed = property_pack3(size[0], size[1], size[2]);
    return true;
}

/* ---- the table as it is read ---- */

enum ncu_form { FORM_NONE, FORM_LONG, FORM_RAW };

enum ncu_column { ID = 1, PROCESS, KERNEL, BLOCK, GRID, CAPABILITY, METRIC, UNIT, VALUE };

/* Where a launch's time is not told, its cycles and how many there were a second tell it. */
struct pace {
    int64_t cycles, per_second; /* 0: not told */
};

struct ncu {
    struct builder *builder;
    enum ncu_form form;
    struct csv_header header;
    bool awaits_units;
    struct span titles[FIELDS_MAX], units[FIELDS_MAX]; /* of the raw form, in `arena` */
    struct arena arena;
    struct messages messages;
    struct kernel_counters counters;
    struct kernel_totals totals;
    struct idmap launch_of;              /* (process, ID) → index in counters */
    struct VECTOR_OF(struct pace) paces; /* by index in counters, as far as it goes */
    struct device device;
    uint64_t launches;
};

/* ---- headers ---- */

static bool is_header(struct span line)
{
    return span_find(line, SPAN("\"ID\",\"Process ID\",\"Process Name\"")) != SIZE_MAX;
}

static void open_table(struct ncu *ncu, struct span line)
{
    static const struct csv_title titles[] = {
        {"ID", ID},
        {"Process ID", PROCESS},
        {"Kernel Name", KERNEL},
        {"Block Size", BLOCK},
        {"Grid Size", GRID},
        {"CC", CAPABILITY},
        {"Metric Name", METRIC},
        {"Metric Unit", UNIT},
        {"Metric Value", VALUE},
    };
    struct csv_fields fields;

    fields_of_csv(line, &fields);
    csv_header_read(&ncu->header, titles, COUNT_OF(titles), &fields, 0);
    ncu->form = csv_has(&ncu->header, METRIC) ? FORM_LONG : FORM_RAW;
    ncu->awaits_units = ncu->form == FORM_RAW;
    for (size_t i = 0; ncu->form == FORM_RAW && i < fields.count; i++) {
        ncu->titles[i] = (struct span){arena_copy(&ncu->arena, fields.list[i]), fields.list[i].len};
        ncu->units[i] = (struct span){0};
    }
}

/* ---- rows ---- */

static struct span cell(const struct ncu *ncu, const struct csv_fields *fields,
                        enum ncu_column column)
{
    return csv_cell(&ncu->header, fields, column);
}

static uint32_t find_launch(struct ncu *ncu, const struct csv_fields *fields, int64_t id)
{
    int64_t process = 0;
    struct span name = cell(ncu, fields, KERNEL);
    struct kernel_counts *launch;
    uint32_t *at;

    (void)!span_to_i64(cell(ncu, fields, PROCESS), &process);
    at = idmap_at(&ncu->launch_of, (uint64_t)process << 32 ^ (uint64_t)id);
    if (*at != IDMAP_NONE)
        return *at;
    *at = kernel_counters_launch(&ncu->counters,
                                 kernel_name_frame(ncu->builder, name, kernel_name_kind(name)), 0);
    ncu->launches++;
    launch = &ncu->counters.kernels.list[*at].sum;
    if (!ncu_triple(cell(ncu, fields, GRID), &launch->grid))
        launch->grid = UNKNOWN;
    if (!ncu_triple(cell(ncu, fields, BLOCK), &launch->block))
        launch->block = UNKNOWN;
    return *at;
}

/* The device is described among the metrics. */
static void take_attribute(struct ncu *ncu, struct span name, struct span value, int64_t figure)
{
    struct device *device = &ncu->device;

    if (span_eq(name, SPAN("device__attribute_display_name")))
        device->name = builder_intern(ncu->builder, value);
    else if (span_eq(name, SPAN("device__attribute_compute_capability_major")))
        device->major = (int32_t)figure;
    else if (span_eq(name, SPAN("device__attribute_compute_capability_minor")))
        device->minor = (int32_t)figure;
    else if (span_eq(name, SPAN("device__attribute_multiprocessor_count")) ||
             span_eq(name, SPAN("# SMs")))
        device->sms = figure;
    else if (span_eq(name, SPAN("device__attribute_clock_rate")))
        device->clock = figure < INT64_MAX / 1000 ? figure * 1000 : 0; /* kHz */
    else if (span_eq(name, SPAN("device__attribute_memory_clock_rate")))
        device->memory_clock = figure < INT64_MAX / 2000 ? figure * 2000 : 0; /* kHz, two edges */
    else if (span_eq(name, SPAN("device__attribute_global_memory_bus_width")))
        device->memory_bus_width = figure;
}

static bool is_duration(struct span name)
{
    return span_eq(name, SPAN("gpu__time_duration.sum")) || span_eq(name, SPAN("Duration"));
}

static struct pace *pace_at(struct ncu *ncu, uint32_t launch)
{
    while (ncu->paces.count <= launch)
        vector_add(&ncu->paces, (struct pace){0});
    return &ncu->paces.list[launch];
}

/* Shares of the peaks, by the labels of the details page or by the metrics' own names. */
static void take_share(struct kernel_counts *launch, struct span name, struct span text)
{
    static const struct {
        const char *name;
        bool is_compute;
    } shares[] = {
        {"Compute (SM) Throughput", true},
        {"sm__throughput.avg.pct_of_peak_sustained_elapsed", true},
        {"Memory Throughput", false},
        {"gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed", false},
    };
    char room[PLAIN_MAX];
    int64_t ppm;

    for (size_t i = 0; i < COUNT_OF(shares); i++)
        if (span_eq(name, span_of(shares[i].name)) &&
            decimal_scaled(plain(text, room), PERCENT_TO_PPM, &ppm) && ppm >= 0)
            *(shares[i].is_compute ? &launch->compute_ppm : &launch->memory_ppm) = ppm;
}

static void take_metric(struct ncu *ncu, uint32_t at, struct span name, struct span unit,
                        struct span text)
{
    struct kernel_counts *launch = &ncu->counters.kernels.list[at].sum;
    int64_t value = 0;
    bool is_figure = ncu_figure(text, unit, &value) && value >= 0;

    take_attribute(ncu, name, text, value);
    if (!is_figure)
        return;
    if (ncu_has_decimal_comma(text))
        warning_count(builder_warnings(ncu->builder), WARNING_NOTE,
                      "figures with a comma for a point, read as such", 0);
    if (span_eq(unit, SPAN("%")))
        take_share(launch, name, text);
    else if (span_eq(name, SPAN("sm__cycles_elapsed.avg")))
        pace_at(ncu, at)->cycles = value;
    else if (span_eq(name, SPAN("sm__cycles_elapsed.avg.per_second")))
        pace_at(ncu, at)->per_second = value;
    if (is_duration(name) && launch->time == UNKNOWN) {
        launch->time = value;
        kernel_totals_add_launch(&ncu->totals, launch->frame, value);
    } else if (!is_duration(name) && span_ends(name, SPAN(".sum"))) {
        kernel_counters_add(&ncu->counters, ncu->builder, at,
                            kernel_counters_metric(&ncu->counters, ncu->builder, name), value);
    }
}

static bool take_row(struct ncu *ncu, struct span line)
{
    struct csv_fields fields;
    struct span major, minor;
    int64_t id, figure[2];
    uint32_t launch;

    fields_of_csv(line, &fields);
    if (ncu->awaits_units && fields.count >= ncu->header.width && !fields.list[0].len) {
        ncu->awaits_units = false;
        for (size_t i = 0; i < fields.count && i < ncu->header.width; i++)
            ncu->units[i] =
                (struct span){arena_copy(&ncu->arena, fields.list[i]), fields.list[i].len};
        return true;
    }
    if (fields.is_cut || fields.count <= ncu->header.place[KERNEL] ||
        !span_to_i64(cell(ncu, &fields, ID), &id))
        return false;
    launch = find_launch(ncu, &fields, id);
    minor = cell(ncu, &fields, CAPABILITY); /* "12.0" */
    major = span_split(&minor, '.');
    if (!ncu->device.major && span_to_i64(major, &figure[0]) && span_to_i64(minor, &figure[1])) {
        ncu->device.major = (int32_t)figure[0];
        ncu->device.minor = (int32_t)figure[1];
    }
    if (ncu->form == FORM_LONG)
        take_metric(ncu, launch, cell(ncu, &fields, METRIC), cell(ncu, &fields, UNIT),
                    cell(ncu, &fields, VALUE));
    for (size_t i = 0; ncu->form == FORM_RAW && i < fields.count && i < ncu->header.width; i++)
        take_metric(ncu, launch, ncu->titles[i], ncu->units[i], span_trim(fields.list[i]));
    return true;
}

/* "==ERROR== The application returned an error code (1)." */
static bool take_word(struct ncu *ncu, struct span line, uint64_t offset)
{
    static const char *const marks[] = {"==ERROR== ", "==WARNING== "};

    line = span_trim(line);
    for (size_t i = 0; i < COUNT_OF(marks); i++)
        if (span_starts(line, span_of(marks[i]))) {
            char text[300] = "";

            snprintf(text, sizeof(text), "%s%.*s", i ? "Warning: " : "Error: ",
                     (int)(line.len < 250 ? line.len - strlen(marks[i]) : 240),
                     line.at + strlen(marks[i]));
            messages_take(&ncu->messages, span_of(text), offset);
            return true;
        }
    return span_starts(line, SPAN("==PROF== "));
}

static void take_line(struct ncu *ncu, struct span line, uint64_t offset)
{
    static const struct span mark = LITERAL("\xef\xbb\xbf");

    if (span_starts(line, mark))
        line = span_after(line, mark.len);
    if (is_header(line))
        open_table(ncu, span_trim(line));
    else if (!take_word(ncu, line, offset) && ncu->form != FORM_NONE &&
             span_starts(line, SPAN("\"")) && !take_row(ncu, span_trim(line)))
        warning_count(builder_warnings(ncu->builder), WARNING_LOSS,
                      "rows that are cut or garbled, left out", offset);
}

/* ---- the whole ---- */

static void note_times(struct ncu *ncu)
{
    for (size_t i = 0; i < ncu->paces.count; i++) {
        const struct pace *pace = &ncu->paces.list[i];
        struct kernel_counts *launch = &ncu->counters.kernels.list[i].sum;
        double ns = (double)pace->cycles / (double)pace->per_second * 1e9;

        if (launch->time != UNKNOWN || !pace->cycles || !pace->per_second || ns >= 9e18)
            continue;
        launch->time = llround(ns);
        kernel_totals_add_launch(&ncu->totals, launch->frame, launch->time);
        warning_count(builder_warnings(ncu->builder), WARNING_NOTE,
                      "times that follow from cycles and how many there were a second", 0);
    }
}

static bool finish(struct ncu *ncu, struct error *err)
{
    struct warnings *warnings = builder_warnings(ncu->builder);
    const struct device *device = &ncu->device;

    ncu->messages.speaker = "ncu";
    if (!ncu->launches && ncu->messages.count)
        return messages_explain(&ncu->messages, err);
    if (!ncu->launches) {
        error_set(err, ERROR_LACK, "ncu profiled no kernel");
        return error_hint(err, "see whether the program launches kernels, in a child process "
                               "perhaps: ncu --target-processes all");
    }
    note_times(ncu);
    if (!kernel_flat(&ncu->totals, &ncu->counters, ncu->builder, err))
        return false;
    kernel_counters_give(&ncu->counters, &ncu->totals, ncu->builder);
    if (device->name || device->sms || device->major)
        builder_device(ncu->builder, device);
    builder_producer(ncu->builder, "NVIDIA Nsight Compute");
    if (ncu->totals.count)
        warning_say(
            warnings, WARNING_NOTE,
            "ncu locks clocks and flushes caches unless asked otherwise: times are not those "
            "of a run without it");
    messages_warn(&ncu->messages, warnings);
    return true;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct ncu *ncu = grow_zeroed(1, sizeof(*ncu));
    uint64_t offset = input_offset(in);
    struct span line;
    bool ok;

    ncu->builder = builder;
    for (; input_line(in, &line); offset = input_offset(in))
        take_line(ncu, line, offset);
    ok = finish(ncu, err);
    messages_free(&ncu->messages);
    kernel_counters_free(&ncu->counters);
    kernel_totals_free(&ncu->totals);
    idmap_free(&ncu->launch_of);
    free(ncu->paces.list);
    arena_free(&ncu->arena);
    free(ncu);
    return ok;
}

static enum sniff sniff(struct span head, bool is_all)
{
    if (memchr(head.at, '\0', head.len))
        return SNIFF_NO;
    if (span_find(head, SPAN("==PROF== ")) != SIZE_MAX || is_header(head))
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_ncu = {
    .name = "ncu",
    .title = "tables of Nsight Compute",
    .summary = "ncu --csv: details, --metrics, and --page raw",
    .tried = "Nsight Compute 2024 to 2026",
    .omitted = "source pages",
    .level = LEVEL_FLAT,
    .sniff = sniff,
    .parse = parse,
};
