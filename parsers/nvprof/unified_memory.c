#include "parsers/nvprof/unified_memory.h"

#include "base/checked.h"
#include "parsers/nvprof/csv_fields.h"
#include "parsers/nvprof/quantity.h"

enum { BINARY = 1024, CELLS = 7, TOTAL_SIZE = 4, NAME = 6 };

void unified_heading(struct unified *unified, struct span text)
{
    unified->is_open = span_starts(text, SPAN("Unified Memory profiling result"));
}

/* Both forms have the same seven cells; CSV has the device before them. */
static bool split(struct span line, struct span cells[CELLS])
{
    struct fields fields;
    size_t from = 0;

    if (memchr(line.at, ',', line.len)) {
        fields_of_csv(line, &fields);
        from = 1;
    } else {
        fields_of_columns(line, CELLS, &fields);
    }
    if (fields.count != CELLS + from)
        return false;
    for (size_t i = 0; i < CELLS; i++)
        cells[i] = span_trim(fields.list[i + from]);
    return true;
}

static bool take_faults(struct unified *unified, struct span line)
{
    static const struct span mark = {"Total CPU Page faults: ", 23};
    int64_t count;

    if (!span_starts(line, mark) || !span_to_i64(span_after(line, mark.len), &count))
        return false;
    unified->cpu_faults = checked_add(unified->cpu_faults, count);
    return true;
}

bool unified_take(struct unified *unified, struct span line)
{
    struct span cells[CELLS];
    struct amount amount;
    int64_t count = 0, bytes;

    line = span_trim(line);
    if (!unified->is_open)
        return false;
    if (take_faults(unified, line))
        return true;
    if (!split(line, cells))
        return false;
    (void)!span_to_i64(cells[0], &count);
    bytes = quantity_amount(cells[TOTAL_SIZE], (struct column_unit){0}, &amount)
                ? amount_bytes(amount, BINARY)
                : 0;
    if (span_eq(cells[NAME], SPAN("Host To Device")))
        unified->to_device = checked_add(unified->to_device, bytes);
    else if (span_eq(cells[NAME], SPAN("Device To Host")))
        unified->to_host = checked_add(unified->to_host, bytes);
    else if (span_eq(cells[NAME], SPAN("Gpu page fault groups")))
        unified->gpu_faults = checked_add(unified->gpu_faults, count ? count : bytes);
    else
        return false;
    return true;
}

void unified_tell(const struct unified *unified, struct builder *builder)
{
    if (unified->to_device)
        builder_fact(builder, "unified_to_device", unified->to_device, UNIT_BYTES);
    if (unified->to_host)
        builder_fact(builder, "unified_to_host", unified->to_host, UNIT_BYTES);
    if (unified->gpu_faults)
        builder_fact(builder, "gpu_page_fault_groups", unified->gpu_faults, UNIT_COUNT);
    if (unified->cpu_faults)
        builder_fact(builder, "cpu_page_faults", unified->cpu_faults, UNIT_COUNT);
}
