/* SPDX-License-Identifier: Apache-2.0 */
/* pprof.c — profile.proto, which Go, pprof, py-spy, gperftools and many others write */
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/pprof/pprof_profile.h"

/* No table row, name or stack of a real profile comes near. */
enum { MESSAGE_MAX = 64 << 20 };

/* A field's number, its type, and a length: three times what they need at most. */
enum { HEAD_MAX = 64 };

static const char *field_name(uint64_t number)
{
    static const char *const names[PROFILE_FIELDS] = {
        [PROFILE_SAMPLE_TYPE] = "sample_type", [PROFILE_SAMPLE] = "sample",
        [PROFILE_MAPPING] = "mapping",         [PROFILE_LOCATION] = "location",
        [PROFILE_FUNCTION] = "function",       [PROFILE_STRING] = "string_table",
        [PROFILE_DROP_FRAMES] = "drop_frames", [PROFILE_KEEP_FRAMES] = "keep_frames",
        [PROFILE_TIME] = "time_nanos",         [PROFILE_DURATION] = "duration_nanos",
        [PROFILE_PERIOD_TYPE] = "period_type", [PROFILE_PERIOD] = "period",
        [PROFILE_COMMENT] = "comment",         [PROFILE_DEFAULT_TYPE] = "default_sample_type",
        [PROFILE_DOC_URL] = "doc_url",
    };

    return number < PROFILE_FIELDS && names[number] ? names[number] : "a field";
}

static bool is_message(uint64_t number)
{
    return (number >= PROFILE_SAMPLE_TYPE && number <= PROFILE_STRING) ||
           number == PROFILE_PERIOD_TYPE;
}

/* ---- sniffing ---- */

/* Nothing but two varints, type and unit: what every profile begins with, and little else. */
static bool is_value_type(struct span bytes)
{
    struct wire wire = wire_of(bytes);
    struct wire_field field;

    while (wire_next(&wire, &field))
        if (field.number > 2 || field.type != WIRE_VARINT)
            return false;
    return !wire.fault;
}

static bool fits(const struct wire_field *field)
{
    if (field->number >= PROFILE_FIELDS)
        return false;
    if (is_message(field->number))
        return field->type == WIRE_BYTES;
    return field->type == WIRE_VARINT ||
           (field->number == PROFILE_COMMENT && field->type == WIRE_BYTES);
}

static enum sniff sniff(struct span head, bool is_all)
{
    struct wire wire = wire_of(head);
    struct wire_field field;
    uint64_t length;
    bool has_type = false;

    if (wire_is_text(head))
        return SNIFF_NO;
    while (wire.at < wire.end && wire_head(&wire, &field, &length)) {
        if (!fits(&field))
            return has_type ? SNIFF_MAYBE : SNIFF_NO;
        if (length > (uint64_t)(wire.end - wire.at))
            break;
        if (field.number == PROFILE_SAMPLE_TYPE) {
            if (!is_value_type((struct span){wire.at, (size_t)length}))
                return SNIFF_NO;
            has_type = true;
        }
        wire.at += length;
    }
    if (has_type)
        return SNIFF_YES;
    if (wire.at == head.at)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    return wire.fault && (is_all || wire.end - wire.at > HEAD_MAX) ? SNIFF_NO : SNIFF_MAYBE;
}

/* ---- the outer message ---- */

static bool add_message(struct pprof *pprof, uint64_t number, struct span bytes, uint64_t offset,
                        struct error *err)
{
    switch (number) {
    case PROFILE_SAMPLE_TYPE:
        return pprof_add_value_type(pprof, bytes, offset, err);
    case PROFILE_SAMPLE:
        if (bytes.len == 0 && pprof->types.count)
            return error_set_at(err, offset, 0, "a sample without values");
        pprof_keep_sample(pprof, bytes, offset);
        return true;
    case PROFILE_MAPPING:
        return pprof_add_mapping(pprof, bytes, offset, err);
    case PROFILE_LOCATION:
        return pprof_add_location(pprof, bytes, offset, err);
    case PROFILE_FUNCTION:
        return pprof_add_function(pprof, bytes, offset, err);
    case PROFILE_STRING:
        if (pprof->strings.count == 0 && bytes.len)
            return error_set_at(err, offset, 0, "string_table does not begin with an empty string");
        vector_add(&pprof->strings, builder_intern(pprof->builder, bytes));
        return true;
    default:
        return true;
    }
}

static bool add_number(struct pprof *pprof, const struct wire_field *field, uint64_t offset,
                       struct error *err)
{
    if (field->number >= PROFILE_FIELDS)
        return true;
    if (field->type != WIRE_VARINT || is_message(field->number))
        return error_set_at(err, offset, 0, "%s: the field is not of the type that it should be",
                            field_name(field->number));
    if (field->number == PROFILE_TIME && pprof->plain[PROFILE_TIME]) {
        error_set_at(err, offset, 0, "time_nanos is there twice: two profiles in one file");
        return error_hint(err, "give them to ptk as two files");
    }
    if (field->number == PROFILE_COMMENT)
        vector_add(&pprof->comments, field->value);
    pprof->plain[field->number] = (int64_t)field->value;
    return true;
}

/* A field that nobody reads, however long. */
static bool pass_over(struct pprof *pprof, uint64_t length)
{
    while (length) {
        size_t step = input_peek(pprof->in, 1).len;

        if (step == 0)
            return false;
        step = length < step ? (size_t)length : step;
        input_skip(pprof->in, step);
        length -= step;
    }
    return true;
}

static bool read_bytes(struct pprof *pprof, const struct wire_field *field, uint64_t length,
                       struct error *err)
{
    uint64_t offset = input_offset(pprof->in);
    struct span bytes;

    if (!is_message(field->number) && field->number != PROFILE_COMMENT)
        return field->number < PROFILE_FIELDS ? add_number(pprof, field, offset, err)
               : pass_over(pprof, length)     ? true
                                              : error_set_at(err, offset, 0, "a field is cut");
    if (length > MESSAGE_MAX)
        return error_set_at(err, offset, 0, "%s: %llu bytes are more than any has",
                            field_name(field->number), (unsigned long long)length);
    if (!input_has(pprof->in, (size_t)length))
        return error_set_at(err, offset, 0, "%s: the file ends in the middle of it",
                            field_name(field->number));
    bytes = (struct span){pprof->in->at, (size_t)length};
    if (field->number == PROFILE_COMMENT) {
        struct wire wire = wire_of(bytes); /* packed */
        uint64_t index;

        while (wire_varint(&wire, &index))
            vector_add(&pprof->comments, index);
    } else if (!add_message(pprof, field->number, bytes, offset, err)) {
        return false;
    }
    input_skip(pprof->in, (size_t)length);
    return true;
}

static bool read_field(struct pprof *pprof, struct error *err)
{
    uint64_t offset = input_offset(pprof->in), length;
    struct wire head = {.at = pprof->in->at, .end = pprof->in->end};
    struct wire_field field;

    if (head.end - head.at < HEAD_MAX)
        head = wire_of(input_peek(pprof->in, HEAD_MAX));

    const char *begin = head.at;

    if (!wire_head(&head, &field, &length))
        return error_set_at(err, offset, 0, "%s", head.fault ? head.fault : "a field is cut");
    input_skip(pprof->in, (size_t)(head.at - begin));
    if (field.type == WIRE_BYTES)
        return read_bytes(pprof, &field, length, err);
    return add_number(pprof, &field, offset, err);
}

/* ---- facts ---- */

static void text_fact(struct pprof *pprof, const char *key, uint64_t index)
{
    if (index && index < pprof->strings.count)
        builder_fact_text(pprof->builder, key,
                          builder_text(pprof->builder, pprof->strings.list[index]));
}

/* What `ptk merge` notes of how many profiles a file is the sum of. */
#define RUNS_NOTE "#ptk merged profiles: "

static void runs_fact(struct pprof *pprof, struct span number)
{
    int64_t runs = 0;

    for (size_t i = 0; i < number.len && i < 9 && number.at[i] >= '0' && number.at[i] <= '9'; i++)
        runs = runs * 10 + (number.at[i] - '0');
    if (runs > 1)
        builder_known_fact(pprof->builder, FACT_RUNS, runs, UNIT_COUNT);
}

static void state_facts(struct pprof *pprof)
{
    const int64_t *plain = pprof->plain;

    builder_sample_facts(pprof->stacks);
    builder_fact(pprof->builder, "locations", (int64_t)pprof->locations.count, UNIT_COUNT);
    builder_fact(pprof->builder, "mappings", (int64_t)pprof->mappings.count, UNIT_COUNT);
    if (plain[PROFILE_DURATION])
        builder_known_fact(pprof->builder, FACT_DURATION, plain[PROFILE_DURATION], UNIT_NS);
    if (plain[PROFILE_PERIOD])
        builder_known_fact(pprof->builder, FACT_PERIOD, plain[PROFILE_PERIOD], UNIT_COUNT);
    text_fact(pprof, "drop_frames", (uint64_t)plain[PROFILE_DROP_FRAMES]);
    text_fact(pprof, "keep_frames", (uint64_t)plain[PROFILE_KEEP_FRAMES]);
    text_fact(pprof, "doc_url", (uint64_t)plain[PROFILE_DOC_URL]);
    for (size_t i = 0; i < pprof->comments.count; i++) {
        uint64_t index = pprof->comments.list[i];
        struct span text = builder_text(
            pprof->builder, index < pprof->strings.count ? pprof->strings.list[index] : 0);

        if (span_starts(text, SPAN(RUNS_NOTE)))
            runs_fact(pprof, span_after(text, strlen(RUNS_NOTE)));
        else if (text.len && text.at[0] != '#') /* those are notes between programs */
            builder_fact_text(pprof->builder, "comment", text);
    }
}

static void free_tables(struct pprof *pprof)
{
    free(pprof->types.list);
    free(pprof->mappings.list);
    free(pprof->functions.list);
    free(pprof->locations.list);
    free(pprof->lines.list);
    free(pprof->strings.list);
    free(pprof->comments.list);
    free(pprof->expansions);
    free(pprof->briefs);
    free(pprof->frames.list);
    free(pprof->scales);
    free(pprof->marks);
    ids_free(&pprof->mapping_ids);
    ids_free(&pprof->function_ids);
    ids_free(&pprof->location_ids);
    pprof_free_samples(pprof);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    struct pprof pprof = {.in = in, .builder = builder, .stacks = builder_stacks(builder)};
    bool ok = true;

    input_read_ahead(in);
    while (ok && input_has(in, 1))
        ok = read_field(&pprof, err);
    ok = ok && pprof_begin(&pprof, err) && pprof_resolve(&pprof, err) &&
         pprof_add_samples(&pprof, err);
    if (ok)
        state_facts(&pprof);
    free_tables(&pprof);
    return ok;
}

const struct parser parser_pprof = {
    .name = "pprof",
    .title = "pprof profiles",
    .summary = "profile.proto, as Go, pprof, py-spy and many others write it",
    .tried = "Go 1.19, gperftools, py-spy, .NET, Node",
    .level = LEVEL_CALLTREE,
    .sniff = sniff,
    .parse = parse,
};
