/* SPDX-License-Identifier: Apache-2.0 */
/* otlp_dictionary.c — the tables that all profiles of an OpenTelemetry message share */
#include <inttypes.h>
#include <stdio.h>

#include "parsers/pprof/otlp.h"
#include "parsers/stacks/language_names.h"

/* ---- fields ---- */

uint64_t otlp_offset(const struct otlp *otlp)
{
    return otlp->is_json ? otlp->json_offset : (uint64_t)(otlp->here - otlp->start);
}

void otlp_fail(struct otlp *otlp, const char *at, const char *fault)
{
    otlp->here = at;
    otlp->has_failed = !error_set_at(otlp->err, otlp_offset(otlp), 0, "%s", fault);
}

bool otlp_next(struct otlp *otlp, struct wire *wire, struct wire_field *field)
{
    if (otlp->has_failed)
        return false;
    otlp->here = wire->at;
    if (wire_next(wire, field))
        return true;
    if (wire->fault)
        otlp_fail(otlp, wire->at, wire->fault);
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
    if (is_fixed) { /* times */
        for (size_t i = 0; i < field->bytes.len / 8; i++) {
            value = 0;
            for (size_t byte = 8; byte-- > 0;)
                value = value << 8 | (unsigned char)field->bytes.at[8 * i + byte];
            vector_add(to, value > INT64_MAX ? INT64_MAX : (int64_t)value);
        }
        return;
    }
    while (packed.at < packed.end && wire_varint(&packed, &value))
        vector_add(to, (int64_t)value);
    if (packed.fault)
        otlp_fail(otlp, packed.at, packed.fault);
}

void otlp_read(struct otlp *otlp, struct span message, const struct wire_member *members,
               size_t count, void *into)
{
    struct wire wire = wire_of(message);

    if (otlp->has_failed)
        return;
    (void)wire_read(&wire, members, count, into);
    otlp->here = wire.at;
    if (wire.fault)
        otlp_fail(otlp, wire.at, wire.fault);
}

void otlp_list(struct otlp *otlp, struct wire_list list, bool is_fixed, struct integers *to)
{
    struct wire_field field;

    while (!otlp->has_failed && wire_list_next(&list, &field))
        otlp_integers(otlp, &field, is_fixed, to);
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

/* KeyValue, of common.proto, and the dictionary's KeyValueAndUnit. Keys are texts or, places. */
struct attribute {
    struct wire_list key;
    struct span value;
    uint64_t unit_strindex;
};

static const struct wire_member key_value[] = {
    [1] = WIRE_MEMBER(struct attribute, key),
    [2] = WIRE_MEMBER(struct attribute, value),
    [3] = WIRE_MEMBER(struct attribute, key), /* key_strindex */
};

static const struct wire_member key_value_and_unit[] = {
    [1] = WIRE_MEMBER(struct attribute, key),
    [2] = WIRE_MEMBER(struct attribute, value),
    [3] = WIRE_MEMBER(struct attribute, unit_strindex),
};

static struct sample_label label_of(struct otlp *otlp, struct attribute *attribute)
{
    struct sample_label label = {.unit = otlp_text(otlp, attribute->unit_strindex)};
    struct wire_field field;

    while (wire_list_next(&attribute->key, &field))
        label.key = field.type == WIRE_BYTES ? builder_intern(otlp->builder, field.bytes)
                                             : otlp_text(otlp, field.value);
    if (attribute->value.at)
        read_any_value(otlp, attribute->value, &label);
    return label;
}

struct sample_label otlp_attribute(struct otlp *otlp, struct span message)
{
    struct attribute attribute = {.unit_strindex = 0};

    OTLP_READ(otlp, message, key_value, &attribute);
    return label_of(otlp, &attribute);
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

/* Line. */
struct otlp_line {
    uint64_t function_index;
    int64_t line;
};

static const struct wire_member line_members[] = {
    [1] = WIRE_MEMBER(struct otlp_line, function_index),
    [2] = WIRE_MEMBER(struct otlp_line, line),
};

static frame_id line_frame(struct otlp *otlp, struct span message, struct frame frame)
{
    struct otlp_line fields = {0};
    const struct otlp_function *function;
    char room[24];
    int len;

    OTLP_READ(otlp, message, line_members, &fields);
    if (!otlp_is_place(fields.function_index, otlp->functions.count) ||
        !otlp->functions.list[fields.function_index].name) {
        len = snprintf(room, sizeof(room), "0x%" PRIx64, frame.address);
        frame.name = builder_intern(otlp->builder, (struct span){room, (size_t)len});
        frame.is_nameless = true;
        frame.kind = KIND_HOST;
        frame.address = 0;
        return builder_frame(otlp->builder, &frame);
    }
    function = &otlp->functions.list[fields.function_index];
    frame.address = 0;
    frame.name = function->name;
    frame.file = function->file;
    if (frame.kind == KIND_OTHER)
        frame.kind =
            python_is_file(builder_text(otlp->builder, frame.file)) ? KIND_PYTHON : KIND_HOST;
    frame.line = builder_detail(otlp->builder, DETAIL_LINE) == DETAIL_LINE && fields.line > 0
                     ? fields.line
                     : function->line;
    return builder_frame_in(otlp->builder, &frame, function->line);
}

/* Location. */
struct otlp_location {
    uint64_t mapping_index, address;
    struct wire_list lines, attribute_indices;
};

static const struct wire_member location_members[] = {
    [1] = WIRE_MEMBER(struct otlp_location, mapping_index),
    [2] = WIRE_MEMBER(struct otlp_location, address),
    [3] = WIRE_MEMBER(struct otlp_location, lines),
    [4] = WIRE_MEMBER(struct otlp_location, attribute_indices),
    [5] = WIRE_MEMBER(struct otlp_location, attribute_indices), /* of 1.7 */
};

/* The frames of a location, the innermost inlined function first; one without a name where it has none. */
static void add_location(struct otlp *otlp, struct span message)
{
    enum { LINES_MAX = 256 };
    struct expansion expansion = {.first = (uint32_t)otlp->frames.count};
    struct otlp_location fields = {.address = 0};
    struct frame frame = {0};
    struct wire_field field;

    OTLP_READ(otlp, message, location_members, &fields);
    otlp->numbers.count = 0;
    otlp_list(otlp, fields.attribute_indices, false, &otlp->numbers);
    if (otlp_is_place(fields.mapping_index, otlp->modules.count))
        frame.module = otlp->modules.list[fields.mapping_index];
    frame.address = fields.address; /* for a name, if need be */
    frame.kind = frame_type(otlp);
    while (!otlp->has_failed && expansion.count < LINES_MAX &&
           wire_list_next(&fields.lines, &field)) {
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

/* Mapping and Function: all texts of theirs are places. */
struct table_row {
    uint64_t name, system_name, filename;
    int64_t start_line;
};

static const struct wire_member mapping_members[] = {
    [4] = WIRE_MEMBER(struct table_row, filename),
};

static const struct wire_member function_members[] = {
    [1] = WIRE_MEMBER(struct table_row, name),
    [2] = WIRE_MEMBER(struct table_row, system_name),
    [3] = WIRE_MEMBER(struct table_row, filename),
    [4] = WIRE_MEMBER(struct table_row, start_line),
};

static void add_row(struct otlp *otlp, enum dictionary_table table, const struct wire_field *row)
{
    struct table_row fields = {0};
    struct attribute attribute = {.unit_strindex = 0};

    switch (table) {
    case STRINGS:
        vector_add(&otlp->strings, builder_intern(otlp->builder, row->bytes));
        break;
    case ATTRIBUTES:
        OTLP_READ(otlp, row->bytes, key_value_and_unit, &attribute);
        vector_add(&otlp->attributes, label_of(otlp, &attribute));
        break;
    case MAPPINGS:
        OTLP_READ(otlp, row->bytes, mapping_members, &fields);
        vector_add(&otlp->modules,
                   builder_intern(otlp->builder,
                                  span_file_name(builder_text(otlp->builder,
                                                              otlp_text(otlp, fields.filename)))));
        break;
    case FUNCTIONS:
        OTLP_READ(otlp, row->bytes, function_members, &fields);
        vector_add(&otlp->functions,
                   (struct otlp_function){otlp_text(otlp, fields.name ? fields.name : fields.system_name),
                                          otlp_text(otlp, fields.filename),
                                          fields.start_line > 0 ? fields.start_line : 0});
        break;
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
