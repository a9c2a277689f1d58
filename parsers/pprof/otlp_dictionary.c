/* SPDX-License-Identifier: Apache-2.0 */
/* otlp_dictionary.c — the tables that all profiles of an OpenTelemetry message share */
#include <inttypes.h>
#include <stdio.h>

#include "parsers/pprof/otlp.h"
#include "parsers/stacks/language_names.h"

/* ---- fields ---- */

uint64_t otlp_offset(const struct otlp *otlp)
{
    return (uint64_t)(otlp->here - otlp->start);
}

bool otlp_next(struct otlp *otlp, struct wire *wire, struct wire_field *field)
{
    if (otlp->has_failed)
        return false;
    otlp->here = wire->at;
    if (wire_next(wire, field))
        return true;
    if (wire->fault)
        otlp->has_failed =
            !error_set_at(otlp->err, (uint64_t)(wire->at - otlp->start), 0, "%s", wire->fault);
    return false;
}

void otlp_integers(struct otlp *otlp, const struct wire_field *field, bool is_fixed,
                   struct integers *to)
{
    struct wire packed;
    uint64_t value;

    if (field->type != WIRE_BYTES) {
        vector_add(to, (int64_t)field->value);
        return;
    }
    packed = wire_of(field->bytes);
    if (is_fixed) { /* times, which are only counted */
        for (size_t i = 0; i < field->bytes.len / 8; i++)
            vector_add(to, 0);
        return;
    }
    while (packed.at < packed.end && wire_varint(&packed, &value))
        vector_add(to, (int64_t)value);
    if (packed.fault)
        otlp->has_failed =
            !error_set_at(otlp->err, (uint64_t)(packed.at - otlp->start), 0, "%s", packed.fault);
}

void otlp_numbers(struct otlp *otlp, struct span message, uint64_t *into, unsigned count)
{
    struct wire wire = wire_of(message);
    struct wire_field field;

    while (otlp_next(otlp, &wire, &field))
        if (field.number < count && field.type != WIRE_BYTES)
            into[field.number] = field.value;
}

str_id otlp_text(struct otlp *otlp, uint64_t place)
{
    if (place && place >= otlp->strings.count)
        warning_count(builder_warnings(otlp->builder), WARNING_LOSS,
                      "places in tables that are not there, left out", otlp_offset(otlp));
    return otlp_is_place(place, otlp->strings.count) ? otlp->strings.list[place] : 0;
}

/* ---- the dictionary ---- */

/* A text or a number as a label has it; false of lists and bytes. */
static bool read_any_value(struct otlp *otlp, struct span message, struct sample_label *label)
{
    enum { TEXT = 1, FLAG, INTEGER, REAL, TEXT_PLACE = 8 };
    struct wire wire = wire_of(message);
    struct wire_field field;
    char room[40];
    double real;
    int len;

    if (!otlp_next(otlp, &wire, &field))
        return false;
    switch (field.number) {
    case TEXT:
        label->text = builder_intern(otlp->builder, field.bytes);
        return true;
    case TEXT_PLACE:
        label->text = otlp_text(otlp, field.value);
        return true;
    case FLAG:
        label->text = builder_intern(otlp->builder, field.value ? SPAN("true") : SPAN("false"));
        return true;
    case INTEGER:
        len = snprintf(room, sizeof(room), "%" PRId64, (int64_t)field.value);
        break;
    case REAL:
        memcpy(&real, &field.value, sizeof(real));
        len = snprintf(room, sizeof(room), "%g", real);
        break;
    default:
        return false;
    }
    label->is_number = true;
    label->text = builder_intern(otlp->builder, (struct span){room, (size_t)len});
    return true;
}

/* Its key is a text, or a text's place; its unit a place. */
struct sample_label otlp_attribute(struct otlp *otlp, struct span message, unsigned unit_at)
{
    struct wire wire = wire_of(message);
    struct sample_label label = {0};
    struct wire_field field;

    while (otlp_next(otlp, &wire, &field)) {
        if (field.number == 1)
            label.key = field.type == WIRE_BYTES ? builder_intern(otlp->builder, field.bytes)
                                                 : otlp_text(otlp, field.value);
        else if (field.number == 2 && field.type == WIRE_BYTES)
            read_any_value(otlp, field.bytes, &label);
        else if (field.number == 3 && field.type == WIRE_VARINT && unit_at == 3)
            label.unit = otlp_text(otlp, field.value);
        else if (field.number == 3 && field.type == WIRE_VARINT)
            label.key = otlp_text(otlp, field.value);
    }
    return label;
}

/* What runs a location's code, as its attributes have it; KIND_OTHER: they do not say. */
static enum frame_kind frame_type(struct otlp *otlp)
{
    for (size_t i = 0; i < otlp->numbers.count; i++) {
        uint64_t place = (uint64_t)otlp->numbers.list[i];

        if (otlp_is_place(place, otlp->attributes.count) &&
            span_eq(builder_text(otlp->builder, otlp->attributes.list[place].key),
                    SPAN("profile.frame.type")))
            return span_eq(builder_text(otlp->builder, otlp->attributes.list[place].text),
                           SPAN("cpython"))
                       ? KIND_PYTHON
                       : KIND_HOST;
    }
    return KIND_OTHER;
}

static frame_id line_frame(struct otlp *otlp, struct span message, struct frame frame)
{
    uint64_t numbers[3] = {0}; /* the function, the line */
    const struct otlp_function *function;
    char room[24];
    int len;

    otlp_numbers(otlp, message, numbers, COUNT_OF(numbers));
    if (!otlp_is_place(numbers[1], otlp->functions.count) ||
        !otlp->functions.list[numbers[1]].name) {
        len = snprintf(room, sizeof(room), "0x%" PRIx64, frame.address);
        frame.name = builder_intern(otlp->builder, (struct span){room, (size_t)len});
        frame.is_nameless = true;
        frame.kind = KIND_HOST;
        frame.address = 0;
        return builder_frame(otlp->builder, &frame);
    }
    function = &otlp->functions.list[numbers[1]];
    frame.address = 0;
    frame.name = function->name;
    frame.file = function->file;
    if (frame.kind == KIND_OTHER)
        frame.kind =
            python_is_file(builder_text(otlp->builder, frame.file)) ? KIND_PYTHON : KIND_HOST;
    frame.line =
        builder_detail(otlp->builder, DETAIL_LINE) == DETAIL_LINE && (int64_t)numbers[2] > 0
            ? (int64_t)numbers[2]
            : function->line;
    return builder_frame_in(otlp->builder, &frame, function->line);
}

/* The frames of a location, the innermost inlined function first; one without a name where it has none. */
static void add_location(struct otlp *otlp, struct span message)
{
    enum { MAPPING = 1, ADDRESS, LINE, OF_FRAMES, OF_FRAMES_7, LINES_MAX = 256 };
    struct expansion expansion = {.first = (uint32_t)otlp->frames.count};
    struct frame frame = {0};
    uint64_t numbers[3] = {0};
    struct wire wire = wire_of(message);
    struct wire_field field;

    otlp_numbers(otlp, message, numbers, COUNT_OF(numbers));
    otlp->numbers.count = 0;
    while (otlp_next(otlp, &wire, &field))
        if (field.number == OF_FRAMES || field.number == OF_FRAMES_7)
            otlp_integers(otlp, &field, false, &otlp->numbers);
    if (otlp_is_place(numbers[MAPPING], otlp->modules.count))
        frame.module = otlp->modules.list[numbers[MAPPING]];
    frame.address = numbers[ADDRESS]; /* for a name, if need be */
    frame.kind = frame_type(otlp);
    wire = wire_of(message);
    while (otlp_next(otlp, &wire, &field))
        if (field.number == LINE && field.type == WIRE_BYTES && expansion.count < LINES_MAX) {
            vector_add(&otlp->frames, line_frame(otlp, field.bytes, frame));
            expansion.count++;
        }
    if (!expansion.count && !otlp->has_failed) {
        vector_add(&otlp->frames, line_frame(otlp, SPAN(""), frame));
        expansion.count = 1;
    }
    for (uint32_t i = 0; i < expansion.count; i++)
        builder_inlining(otlp->builder, otlp->frames.list[expansion.first + i],
                         i + 1 < expansion.count);
    vector_add(&otlp->locations, expansion);
}

static void add_row(struct otlp *otlp, enum dictionary_table table, const struct wire_field *row)
{
    uint64_t numbers[5] = {0};

    switch (table) {
    case STRINGS:
        vector_add(&otlp->strings, builder_intern(otlp->builder, row->bytes));
        break;
    case ATTRIBUTES:
        vector_add(&otlp->attributes, otlp_attribute(otlp, row->bytes, 3));
        break;
    case MAPPINGS: {
        enum { FILE_NAME = 4 };

        otlp_numbers(otlp, row->bytes, numbers, COUNT_OF(numbers));
        vector_add(&otlp->modules,
                   builder_intern(otlp->builder,
                                  span_file_name(builder_text(
                                      otlp->builder, otlp_text(otlp, numbers[FILE_NAME])))));
        break;
    }
    case FUNCTIONS: {
        enum { NAME = 1, SYSTEM_NAME, FILE_NAME, START_LINE };
        struct otlp_function function;

        otlp_numbers(otlp, row->bytes, numbers, COUNT_OF(numbers));
        function = (struct otlp_function){
            otlp_text(otlp, numbers[NAME] ? numbers[NAME] : numbers[SYSTEM_NAME]),
            otlp_text(otlp, numbers[FILE_NAME]),
            (int64_t)numbers[START_LINE] > 0 ? (int64_t)numbers[START_LINE] : 0};
        vector_add(&otlp->functions, function);
        break;
    }
    case LOCATIONS:
        add_location(otlp, row->bytes);
        break;
    case STACKS:
        vector_add(&otlp->stack_table, row->bytes);
        break;
    case LINKS:
        break;
    }
}

/* Each table needs those read before it, wherever they stand. */
void otlp_dictionary(struct otlp *otlp, struct span message)
{
    static const enum dictionary_table order[] = {STRINGS,   ATTRIBUTES, MAPPINGS,
                                                  FUNCTIONS, LOCATIONS,  STACKS};

    otlp->strings.count = otlp->attributes.count = otlp->modules.count = 0;
    otlp->functions.count = otlp->locations.count = otlp->frames.count = 0;
    otlp->stack_table.count = 0;
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        struct wire wire = wire_of(message);
        struct wire_field field;

        while (otlp_next(otlp, &wire, &field))
            if (field.number == (uint64_t)order[i] && field.type == WIRE_BYTES)
                add_row(otlp, order[i], &field);
    }
}
