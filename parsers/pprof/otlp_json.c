/* SPDX-License-Identifier: Apache-2.0 */
/* otlp_json.c — OpenTelemetry's profiles as JSON, converted to the protocol buffers of release 1.10
 *
 * A file is one message or several: the collector's exporter writes one a line. Members have the protocol's names
 * in camel case, in every release. Only members that the readers use are converted. Numbers of 64 bits are texts.
 * Messages are as deep as the tables here: values of attributes that contain other values are left out. */
#include <stdlib.h>

#include "parsers/json/json.h"
#include "parsers/pprof/otlp.h"

enum { LENGTH_BYTES = 6, VARINT_MAX = 10 };

/* The wire form of a member; each item of an array has it. */
enum { MEMBER_NUMBER, MEMBER_REAL, MEMBER_TEXT, MEMBER_MESSAGE };

struct message_member {
    const char *name;
    uint8_t number, kind;
    const struct message_member *inside; /* of a message its members, which end without a name */
};

static const struct message_member any_value[] = {{"stringValue", 1, MEMBER_TEXT, NULL},
                                                  {"boolValue", 2, MEMBER_NUMBER, NULL},
                                                  {"intValue", 3, MEMBER_NUMBER, NULL},
                                                  {"doubleValue", 4, MEMBER_REAL, NULL},
                                                  {"stringValueStrindex", 8, MEMBER_NUMBER, NULL},
                                                  {0}};

/* KeyValue, and the dictionary's KeyValueAndUnit. */
static const struct message_member key_value[] = {{"key", 1, MEMBER_TEXT, NULL},
                                                  {"keyStrindex", 1, MEMBER_NUMBER, NULL},
                                                  {"value", 2, MEMBER_MESSAGE, any_value},
                                                  {"unitStrindex", 3, MEMBER_NUMBER, NULL},
                                                  {0}};

static const struct message_member resource[] = {{"attributes", 1, MEMBER_MESSAGE, key_value}, {0}};

static const struct message_member value_type[] = {
    {"typeStrindex", 1, MEMBER_NUMBER, NULL}, {"unitStrindex", 2, MEMBER_NUMBER, NULL}, {0}};

static const struct message_member sample[] = {{"stackIndex", 1, MEMBER_NUMBER, NULL},
                                               {"attributeIndices", 2, MEMBER_NUMBER, NULL},
                                               {"values", 4, MEMBER_NUMBER, NULL},
                                               {"timestampsUnixNano", 5, MEMBER_NUMBER, NULL},
                                               {"locationsStartIndex", 1, MEMBER_NUMBER, NULL},
                                               {"locationsLength", 6, MEMBER_NUMBER, NULL},
                                               {"value", 4, MEMBER_NUMBER, NULL},
                                               {0}};

static const struct message_member profile[] = {{"sampleType", 1, MEMBER_MESSAGE, value_type},
                                                {"samples", 2, MEMBER_MESSAGE, sample},
                                                {"sample", 2, MEMBER_MESSAGE, sample},
                                                {"locationIndices", 3, MEMBER_NUMBER, NULL},
                                                {0}};

static const struct message_member scope[] = {{"profiles", 2, MEMBER_MESSAGE, profile}, {0}};

static const struct message_member resource_profiles[] = {
    {"resource", 1, MEMBER_MESSAGE, resource}, {"scopeProfiles", 2, MEMBER_MESSAGE, scope}, {0}};

static const struct message_member mapping[] = {{"filenameStrindex", 4, MEMBER_NUMBER, NULL}, {0}};

static const struct message_member line[] = {
    {"functionIndex", 1, MEMBER_NUMBER, NULL}, {"line", 2, MEMBER_NUMBER, NULL}, {0}};

static const struct message_member location[] = {
    {"mappingIndex", 1, MEMBER_NUMBER, NULL},     {"address", 2, MEMBER_NUMBER, NULL},
    {"lines", 3, MEMBER_MESSAGE, line},           {"line", 3, MEMBER_MESSAGE, line},
    {"attributeIndices", 4, MEMBER_NUMBER, NULL}, {0}};

static const struct message_member function[] = {{"nameStrindex", 1, MEMBER_NUMBER, NULL},
                                                 {"systemNameStrindex", 2, MEMBER_NUMBER, NULL},
                                                 {"filenameStrindex", 3, MEMBER_NUMBER, NULL},
                                                 {"startLine", 4, MEMBER_NUMBER, NULL},
                                                 {0}};

static const struct message_member stack[] = {{"locationIndices", 1, MEMBER_NUMBER, NULL}, {0}};

static const struct message_member dictionary[] = {
    {"mappingTable", MAPPINGS, MEMBER_MESSAGE, mapping},
    {"locationTable", LOCATIONS, MEMBER_MESSAGE, location},
    {"functionTable", FUNCTIONS, MEMBER_MESSAGE, function},
    {"stringTable", STRINGS, MEMBER_TEXT, NULL},
    {"attributeTable", ATTRIBUTES, MEMBER_MESSAGE, key_value},
    {"stackTable", STACKS, MEMBER_MESSAGE, stack},
    {0}};

static const struct message_member profiles_data[] = {
    {"resourceProfiles", 1, MEMBER_MESSAGE, resource_profiles},
    {"dictionary", 2, MEMBER_MESSAGE, dictionary},
    {0}};

/* ---- bytes ---- */

struct json_to_wire {
    struct json_stream stream;
    struct otlp_bytes *bytes;
    struct arena arena; /* for a text */
};

static void put_bytes(struct json_to_wire *to, struct span bytes)
{
    if (to->bytes->cap - to->bytes->count < bytes.len) {
        to->bytes->cap = grow_cap(to->bytes->cap, to->bytes->count + bytes.len);
        to->bytes->list = grow_to(to->bytes->list, to->bytes->cap, 1);
    }
    if (bytes.len)
        memcpy(to->bytes->list + to->bytes->count, bytes.at, bytes.len);
    to->bytes->count += bytes.len;
}

/* In as many bytes as it needs, or in `least`. */
static size_t varint(uint64_t value, size_t least, char *bytes)
{
    size_t length = 0;

    do {
        bytes[length++] = (char)((value & 0x7f) | 0x80);
        value >>= 7;
    } while (value || length < least);
    bytes[length - 1] &= 0x7f;
    return length;
}

static void put_varint(struct json_to_wire *to, uint64_t value)
{
    char bytes[VARINT_MAX];

    put_bytes(to, (struct span){bytes, varint(value, 1, bytes)});
}

/* ---- values ---- */

/* Addresses may need all 64 bits. true is 1; a value that is not a number is 0. */
static uint64_t number_of(struct token token)
{
    uint64_t number;
    int64_t value;

    if (span_to_u64(token_raw_text(token), &number))
        return number;
    return token_integer(token, &value) ? (uint64_t)value : token_is(token, SPAN("true"));
}

static void write_scalar(struct json_to_wire *to, const struct message_member *member)
{
    struct token token;
    struct span text;
    uint64_t number;
    double real;

    if (!json_take(&to->stream, &token))
        return;
    if (member->kind == MEMBER_TEXT) {
        text = token_text(token, &to->arena);
        put_varint(to, member->number << 3u | WIRE_BYTES);
        put_varint(to, text.len);
        put_bytes(to, text);
        arena_clear(&to->arena);
    } else if (member->kind == MEMBER_NUMBER) {
        put_varint(to, member->number << 3u | WIRE_VARINT);
        put_varint(to, number_of(token));
    } else if (member->kind == MEMBER_REAL && token_real(token, &real)) {
        char bytes[sizeof(number)];

        memcpy(&number, &real, sizeof(number));
        for (size_t i = 0; i < sizeof(bytes); i++)
            bytes[i] = (char)(number >> 8 * i);
        put_varint(to, member->number << 3u | WIRE_FIXED64);
        put_bytes(to, (struct span){bytes, sizeof(bytes)});
    }
}

static void write_message(struct json_to_wire *to, const struct message_member *members);

/* A message's length is before it, but is known only after it. */
static void write_value(struct json_to_wire *to, const struct message_member *member)
{
    char room[LENGTH_BYTES] = {0};
    size_t start;

    if (member->kind != MEMBER_MESSAGE) {
        write_scalar(to, member);
        return;
    }
    if (!json_open(&to->stream, '{'))
        return;
    put_varint(to, member->number << 3u | WIRE_BYTES);
    start = to->bytes->count;
    put_bytes(to, (struct span){room, LENGTH_BYTES});
    write_message(to, member->inside);
    varint(to->bytes->count - start - LENGTH_BYTES, LENGTH_BYTES, to->bytes->list + start);
}

/* An object that has been entered. */
static void write_message(struct json_to_wire *to, const struct message_member *members)
{
    struct json_key key;

    while (json_member(&to->stream, &key)) {
        const struct message_member *member = members;

        while (member->name && !json_key_is(&key, member->name))
            member++;
        if (!member->name)
            json_skip(&to->stream);
        else if (!json_enter(&to->stream, '['))
            write_value(to, member);
        else
            while (json_item(&to->stream))
                write_value(to, member);
    }
}

/* ---- the file ---- */

bool otlp_is_json(struct span head)
{
    struct span key = walk_first_key(head);

    return span_eq(key, SPAN("resourceProfiles")) ||
           (span_eq(key, SPAN("dictionary")) && span_find(head, SPAN("Table\"")) != SIZE_MAX);
}

void otlp_of_json(struct input *in, struct otlp_bytes *bytes, struct warnings *warnings)
{
    struct json_to_wire to = {.bytes = bytes, .stream = json_start(in)};
    struct otlp_json_message message = {0};
    bool is_whole = true;

    while (is_whole && json_enter(&to.stream, '{')) {
        message.offset = input_offset(in) - 1; /* of its bracket */
        write_message(&to, profiles_data);
        if (bytes->count > message.end) { /* else it has no member that is read */
            message.end = bytes->count;
            vector_add(&bytes->messages, message);
        }
        is_whole = !to.stream.is_cut && !to.stream.is_bad;
    }
    if (is_whole) /* no message follows: it is the end, or other text */
        to.stream = (struct json_stream){.in = in, .is_bad = !to.stream.is_cut};
    json_end(&to.stream, warnings);
    arena_free(&to.arena);
}
