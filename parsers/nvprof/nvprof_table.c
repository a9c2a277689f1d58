/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_table.c — the headers, units and rows of tables, as text and as CSV */
#include "parsers/nvprof/nvprof.h"

#include "base/checked.h"

/* ---- what nvprof writes behind a name: the call that launched it, a device's number ---- */

int64_t name_take_correlation(struct span *name)
{
    size_t open = span_rfind(*name, '['), call = span_find(*name, SPAN(" ("));
    int64_t correlation;

    if (open != SIZE_MAX && span_ends(*name, SPAN("])")) && span_starts(*name, SPAN("cu")) &&
        call < open &&
        span_to_i64((struct span){name->at + open + 1, name->len - open - 3}, &correlation)) {
        name->len = call;
        return correlation;
    }
    if (!span_ends(*name, SPAN("]")) || open == SIZE_MAX || open < 2 || name->at[open - 1] != ' ' ||
        !span_to_i64((struct span){name->at + open + 1, name->len - open - 2}, &correlation))
        return -1;
    name->len = open - 1;
    return correlation;
}

int32_t name_take_ordinal(struct span *device)
{
    size_t open = span_rfind(*device, '(');
    uint64_t ordinal;

    if (!span_ends(*device, SPAN(")")) || open == SIZE_MAX ||
        !span_to_u64((struct span){device->at + open + 1, device->len - open - 2}, &ordinal) ||
        ordinal > INT32_MAX)
        return -1;
    *device = span_trim((struct span){device->at, open});
    return (int32_t)ordinal;
}

/* ---- tables of nvprof, Nsight and rocprof: which column is what, and in which unit ---- */

/* nvprof's and Nsight's, without their units. */
static const struct csv_title titles[] = {
    {"Type", COLUMN_TYPE},
    {"Time(%)", COLUMN_PERCENT},
    {"Time (%)", COLUMN_PERCENT},
    {"Time", COLUMN_TIME},
    {"Calls", COLUMN_CALLS},
    {"Avg", COLUMN_AVG},
    {"Min", COLUMN_MIN},
    {"Max", COLUMN_MAX},
    {"Name", COLUMN_NAME},
    {"Start", COLUMN_START},
    {"Duration", COLUMN_DURATION},
    {"Grid Size", COLUMN_GRID},
    {"Block Size", COLUMN_BLOCK},
    {"Grid X", COLUMN_GRID_X},
    {"Grid Y", COLUMN_GRID_Y},
    {"Grid Z", COLUMN_GRID_Z},
    {"Block X", COLUMN_BLOCK_X},
    {"Block Y", COLUMN_BLOCK_Y},
    {"Block Z", COLUMN_BLOCK_Z},
    {"Registers Per Thread", COLUMN_REGISTERS},
    {"Regs*", COLUMN_REGISTERS},
    {"Static SMem", COLUMN_STATIC},
    {"SSMem*", COLUMN_STATIC},
    {"Dynamic SMem", COLUMN_DYNAMIC},
    {"DSMem*", COLUMN_DYNAMIC},
    {"Size", COLUMN_SIZE},
    {"Throughput", COLUMN_THROUGHPUT},
    {"SrcMemType", COLUMN_SOURCE},
    {"DstMemType", COLUMN_TARGET},
    {"Device", COLUMN_DEVICE},
    {"Context", COLUMN_CONTEXT},
    {"Stream", COLUMN_STREAM},
    {"Unified Memory", COLUMN_UNIFIED},
    {"Correlation_ID", COLUMN_CORRELATION},
    {"Kernel", COLUMN_KERNEL},
    {"Invocations", COLUMN_INVOCATIONS},
    {"Metric Name", COLUMN_METRIC},
    {"Event Name", COLUMN_METRIC},
    {"Metric Description", COLUMN_DESCRIPTION},
    {"Total Time", COLUMN_TIME},
    {"Instances", COLUMN_CALLS},
    {"Num Calls", COLUMN_CALLS},
    {"Count", COLUMN_CALLS},
    {"Operations", COLUMN_CALLS},
    {"Average", COLUMN_AVG},
    {"Minimum", COLUMN_MIN},
    {"Maximum", COLUMN_MAX},
    {"Operation", COLUMN_NAME},
    {"Range", COLUMN_NAME},
    {"CorrId", COLUMN_CORRELATION},
    {"GrdX", COLUMN_GRID_X},
    {"GrdY", COLUMN_GRID_Y},
    {"GrdZ", COLUMN_GRID_Z},
    {"BlkX", COLUMN_BLOCK_X},
    {"BlkY", COLUMN_BLOCK_Y},
    {"BlkZ", COLUMN_BLOCK_Z},
    {"Reg/Trd", COLUMN_REGISTERS},
    {"StcSMem", COLUMN_STATIC},
    {"DymSMem", COLUMN_DYNAMIC},
    {"Bytes", COLUMN_SIZE},
    {"SrcMemKd", COLUMN_SOURCE},
    {"DstMemKd", COLUMN_TARGET},
    {"Ctx", COLUMN_CONTEXT},
    {"Strm", COLUMN_STREAM},
    {"PID", COLUMN_PROCESS},
    {"TID", COLUMN_THREAD},
    {"Pid", COLUMN_PROCESS},
    {"Tid", COLUMN_THREAD},
    {"CorrID", COLUMN_CORRELATION},
    {"Orig Start", COLUMN_START},
    {"Orig Duration", COLUMN_DURATION},
    {"Kernel Start", COLUMN_START},
    {"Kernel Dur", COLUMN_DURATION},
    {"GridXYZ", COLUMN_GRID},
    {"BlockXYZ", COLUMN_BLOCK},
    {"Kernel Name", COLUMN_NAME},
    {"DevId", COLUMN_DEVICE_NUMBER},
    {"API Function", COLUMN_CALL},
    {"API Name", COLUMN_CALL},
    {"API Start", COLUMN_CALL_START},
    {"API Dur", COLUMN_CALL_DURATION},
    {"AAvg", COLUMN_CALL_AVG},
    {"AMin", COLUMN_CALL_MIN},
    {"AMax", COLUMN_CALL_MAX},
    {"KAvg", COLUMN_AVG},
    {"KMin", COLUMN_MIN},
    {"KMax", COLUMN_MAX},
};

/* ---- headers ---- */

static const struct {
    const char *words[5];
    enum table_kind kind;
} headers[] = {
    {{"Type", "Time(%)", "Time", "Calls"}, TABLE_SUMMARY},
    {{"Time(%)", "Time", "Calls"}, TABLE_SUMMARY},
    {{"Time(%)", "Total Time"}, TABLE_SUMMARY},
    {{"Time (%)", "Total Time"}, TABLE_SUMMARY},
    {{"Start", "Duration"}, TABLE_TRACE},
    {{"Start", "End", "Duration"}, TABLE_TRACE},
    {{"Name", "Projected Start"}, TABLE_TRACE},
    {{"API Start", "API Dur"}, TABLE_EXECUTIONS},
    {{"PID", "TID", "DevId", "Count"}, TABLE_EXECUTION_SUMS},
    {{"Device", "Kernel", "Invocations"}, TABLE_METRICS},
    {{"Device", "Invocations"}, TABLE_METRICS},
    {{"Invocations", "Metric Name"}, TABLE_METRICS},
    {{"Invocations", "Event Name"}, TABLE_METRICS},
    {{"Device", "Context", "Stream", "Kernel"}, TABLE_WIDE},
};

/* What a header that begins at field `at` opens. */
static enum table_kind kind_at(const struct csv_fields *fields, size_t at)
{
    struct column_unit unit;

    for (size_t i = 0; i < COUNT_OF(headers); i++) {
        const char *const *words = headers[i].words;
        size_t same = 0;

        while (
            words[same] && at + same < fields->count &&
            span_eq(csv_title_without_unit(fields->list[at + same], &unit), span_of(words[same])))
            same++;
        if (!words[same])
            return headers[i].kind;
    }
    return TABLE_NONE;
}

/* Only Nsight writes units into headers. */
static bool is_nsight(const struct csv_fields *fields, size_t at)
{
    struct column_unit unit;

    (void)csv_title_without_unit(fields->list[at], &unit);
    if (!unit.is_time && at + 1 < fields->count)
        (void)csv_title_without_unit(fields->list[at + 1], &unit);
    return unit.is_time;
}

/* The header's cells; FORM_WORDS where nothing but single blanks is between them. */
static enum table_form split_header(struct span line, struct csv_fields *fields)
{
    if (memchr(line.at, ',', line.len)) {
        fields_of_csv(line, fields);
        return FORM_CSV;
    }
    fields_of_columns(line, 0, fields);
    if (kind_at(fields, 0) != TABLE_NONE && fields->count > 1 &&
        (kind_at(fields, 0) != TABLE_SUMMARY || is_nsight(fields, 0)))
        return FORM_COLUMNS;
    fields_of_words(line, 0, fields);
    return FORM_WORDS;
}

static void take_title(struct nvprof_table *table, struct span title, enum nvprof_column column)
{
    struct column_unit unit;

    title = csv_title_without_unit(title, &unit);
    table->is_ranges |= span_eq(title, SPAN("Range"));
    if (span_eq(title, SPAN("Instances")))
        table->count_title = COUNT_INSTANCES;
    else if (span_eq(title, SPAN("Num Calls")))
        table->count_title = COUNT_API_CALLS;
    else if (column == COLUMN_CALLS && !span_eq(title, SPAN("Calls")))
        table->count_title = COUNT_OPERATIONS;
}

bool table_open(struct nvprof_table *table, struct span line)
{
    static const char *const signs[] = {"Time(%)",   "Time (%)", "Duration",   "Invocations",
                                        "API Start", "QCount",   "\"Kernel\"", NULL};
    struct csv_fields fields;
    enum table_form form;
    enum table_kind kind = TABLE_NONE;
    size_t prefix = 0;

    line = span_trim(line);
    if (!span_holds_any(line, signs))
        return false;
    form = split_header(line, &fields);
    while (prefix < fields.count && (kind = kind_at(&fields, prefix)) == TABLE_NONE)
        prefix++;
    if (kind == TABLE_NONE || (prefix && form != FORM_CSV))
        return false;
    *table =
        (struct nvprof_table){.kind = kind, .form = form, .prefix = prefix, .awaits_units = true};
    table->is_nsight = kind == TABLE_EXECUTION_SUMS || is_nsight(&fields, prefix);
    csv_header_read(&table->header, titles, COUNT_OF(titles), &fields, prefix);
    for (size_t i = 0; i < table->header.width; i++)
        take_title(table, fields.list[prefix + i], (enum nvprof_column)table->header.field[i]);
    table->is_ranges |= kind == TABLE_TRACE && table_has(table, COLUMN_THREAD) &&
                        !table_has(table, COLUMN_CORRELATION);
    if (table->is_nsight && kind == TABLE_SUMMARY)
        table->header.unit[COLUMN_AVG] = table->header.unit[COLUMN_MIN] =
            table->header.unit[COLUMN_MAX] =
                table->header.unit[COLUMN_TIME]; /* some versions only say it once */
    return table_has(table, COLUMN_NAME) || table_has(table, COLUMN_METRIC) || kind == TABLE_WIDE;
}

/* ---- units ---- */

/* Below a text's header the cells stand as in the header, so only their order is known: percent,
 * then the unit of each time column. */
static bool take_text_units(struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;
    struct column_unit unit;

    fields_of_words(line, 0, &fields);
    if (table->kind != TABLE_SUMMARY || fields.count != 5 || !span_eq(fields.list[0], SPAN("%")))
        return false;
    for (size_t i = 1; i < fields.count; i++) {
        static const enum nvprof_column order[] = {COLUMN_OTHER, COLUMN_TIME, COLUMN_AVG,
                                                   COLUMN_MIN, COLUMN_MAX};

        unit = column_unit_of(fields.list[i]);
        if (!unit.is_time)
            return false;
        table->header.unit[order[i]] = unit;
    }
    return true;
}

static bool take_csv_units(struct nvprof_table *table, struct span line)
{
    struct csv_fields fields;
    bool has_unit = false;

    fields_of_csv(line, &fields);
    if (fields.count != table->prefix + table->header.width)
        return false;
    for (size_t i = 0; i < table->header.width; i++) {
        struct span word = span_trim(fields.list[table->prefix + i]);
        struct column_unit unit = column_unit_of(word);

        if (word.len && !unit.is_time && !unit.is_size && !span_eq(word, SPAN("%")))
            return false;
        has_unit |= unit.is_time || table->kind == TABLE_WIDE;
        table->header.unit[table->header.field[i]] = unit;
    }
    return has_unit;
}

/* " ----------  ---  ----": where the cells stand, for rows that leave some of them blank. */
static bool take_rule(struct nvprof_table *table, struct span line)
{
    size_t count = 0;

    for (size_t i = 0; i < line.len; i++) {
        if (line.at[i] != '-' && line.at[i] != ' ' && line.at[i] != '\r')
            return false;
        if (line.at[i] != '-' || (i && line.at[i - 1] == '-'))
            continue;
        if (count == table->header.width)
            return false;
        table->edge[count++] = (uint32_t)i;
    }
    if (count != table->header.width)
        return false;
    table->form = FORM_RULED;
    return true;
}

bool table_take_units(struct nvprof_table *table, struct span line)
{
    if (!table->awaits_units)
        return false;
    table->awaits_units = false;
    if (table->is_nsight)
        return table->form == FORM_COLUMNS && table->kind != TABLE_SUMMARY &&
               take_rule(table, line);
    line = span_trim(line);
    return table->form == FORM_CSV ? take_csv_units(table, line) : take_text_units(table, line);
}

/* ---- rows ---- */

/* "GPU activities:" at the front of a row, which only the first of its kind has. */
static bool split_type(struct span *line, struct span *type)
{
    size_t len = 0;

    while (len < line->len && line->at[len] != ':' && line->at[len] != '%' &&
           !is_digit(line->at[len]))
        len++;
    *type = (struct span){line->at, 0};
    if (len == 0 || len == line->len || line->at[len] != ':')
        return false;
    type->len = len;
    *line = span_trim(span_after(*line, len + 1));
    return true;
}

/* The last cell is the rest of the line; a line too short lacks cells. */
static void split_ruled(const struct nvprof_table *table, struct span line,
                        struct csv_fields *fields)
{
    fields->is_cut = false;
    for (fields->count = 0; fields->count < table->header.width; fields->count++) {
        size_t from = table->edge[fields->count];
        size_t to =
            fields->count + 1 < table->header.width ? table->edge[fields->count + 1] : line.len;

        if (from >= line.len || to > line.len)
            return;
        fields->list[fields->count] = (struct span){line.at + from, to - from};
    }
}

static bool split_row(const struct nvprof_table *table, struct span line, struct csv_fields *fields)
{
    struct span type = {0};
    bool has_type = table->form == FORM_WORDS && table_has(table, COLUMN_TYPE);

    if (table->form != FORM_RULED)
        line = span_trim(line);

    switch (table->form) {
    case FORM_RULED:
        split_ruled(table, line, fields);
        break;
    case FORM_CSV:
        fields_of_csv(line, fields);
        break;
    case FORM_COLUMNS:
        fields_of_columns(line, table->header.width, fields);
        break;
    case FORM_WORDS:
        if (has_type)
            split_type(&line, &type);
        fields_of_words(line, table->header.width - has_type, fields);
        if (!has_type || fields->count == FIELDS_MAX)
            break;
        memmove(fields->list + 1, fields->list, fields->count++ * sizeof(*fields->list));
        fields->list[0] = type;
        break;
    }
    return !fields->is_cut;
}

bool table_fields(const struct nvprof_table *table, struct span line, struct csv_fields *fields)
{
    if (table->form == FORM_CSV)
        fields_of_csv(span_trim(line), fields);
    else
        fields_of_columns(line, 0, fields);
    if (fields->is_cut || fields->count <= table->prefix)
        return false;
    fields->count -= table->prefix;
    memmove(fields->list, fields->list + table->prefix, fields->count * sizeof(*fields->list));
    return true;
}

bool nvprof_table_row(const struct nvprof_table *table, struct span line, struct nvprof_row *row)
{
    size_t width = table->prefix + table->header.width;
    struct csv_fields fields;

    if (!split_row(table, line, &fields))
        return false;
    if (fields.count > width)
        fields_join(&fields, table->prefix + table->header.place[COLUMN_NAME], width);
    if (fields.count != width)
        return false;
    *row = (struct nvprof_row){0};
    for (size_t i = 0; i < table->header.width; i++) {
        struct span cell = span_trim(fields.list[table->prefix + i]);

        if (!span_eq(cell, SPAN("-")))
            row->cell[table->header.field[i]] = cell;
    }
    return true;
}

static bool is_number(struct span text)
{
    uint64_t value;

    return span_to_u64(text, &value);
}

bool table_is_headless(struct span line)
{
    enum { LEAST = 16 };
    struct csv_fields fields;

    if (span_find(line, SPAN(")\",\"")) == SIZE_MAX)
        return false;
    fields_of_csv(span_trim(line), &fields);
    if (!fields.list[0].len || !is_digit(fields.list[0].at[0])) /* it starts with its start */
        return false;
    for (size_t i = LEAST - 3; i + 2 < fields.count; i++)
        if (span_ends(fields.list[i], SPAN(")")) && is_number(fields.list[i + 1]) &&
            is_number(fields.list[i + 2]))
            return true;
    return false;
}
