/* SPDX-License-Identifier: Apache-2.0 */
/* otlp.h — what the readers of OpenTelemetry profiles share: the tables of a message's dictionary */
#ifndef PTK_PARSERS_PPROF_OTLP_H
#define PTK_PARSERS_PPROF_OTLP_H

#include "base/text/string_table.h"
#include "parsers/pprof/pprof_profile.h"
#include "parsers/stacks/timed_samples.h"

/* The tables of a message's dictionary, which are its fields: ProfilesDictionary, of profiles.proto. */
enum dictionary_table { MAPPINGS = 1, LOCATIONS, FUNCTIONS, LINKS, STRINGS, ATTRIBUTES, STACKS };

struct otlp_type {
    str_id name, unit;
};

struct otlp_function {
    str_id name, file;
    int64_t line;
};

struct integers {
    VECTOR(int64_t);
};

struct otlp_json_message {
    size_t end;      /* of its bytes */
    uint64_t offset; /* of its text in the file */
};

/* Messages that were JSON, one after the other. */
struct otlp_bytes {
    VECTOR(char);
    struct VECTOR_OF(struct otlp_json_message) messages;
};

struct otlp {
    struct builder *builder;
    bool is_json;
    struct otlp_bytes json;
    struct stack_builder *stacks;
    const char *start, *here; /* of the file; of the field read last */
    uint64_t json_offset;     /* of the message at hand */
    struct error *err;
    bool has_failed;

    struct VECTOR_OF(struct otlp_type) types; /* of all profiles of the file */

    struct VECTOR_OF(str_id) strings; /* the dictionary of the message at hand */
    struct VECTOR_OF(struct sample_label) attributes;
    struct VECTOR_OF(str_id) modules; /* of mappings */
    struct VECTOR_OF(struct otlp_function) functions;
    struct VECTOR_OF(struct expansion) locations; /* in `frames` */
    struct VECTOR_OF(frame_id) frames;
    struct VECTOR_OF(struct span) stack_table;

    struct VECTOR_OF(struct sample_label) labels; /* of the resource, then of the sample */
    size_t resource_labels;
    struct integers values, places, numbers, profile_locations;
    struct VECTOR_OF(frame_id) stack;
    uint64_t frames_left;

    struct timed_samples timed; /* where times are asked for, and samples have some */
    bool has_times;
};

/* ---- JSON ---- */

/* Whether a file begins so. */
bool otlp_is_json(struct span head);

/* Reads all of it; the caller frees both lists. */
void otlp_of_json(struct input *in, struct otlp_bytes *bytes, struct warnings *warnings);

/* ---- fields ---- */

/* The next field; false at the end, and at a fault, which ends the reading: see has_failed. */
bool otlp_next(struct otlp *otlp, struct wire *wire, struct wire_field *field);

/* Of the field read last, in the file; of JSON its message's. */
uint64_t otlp_offset(const struct otlp *otlp);

/* Notes a fault at a place in the bytes, and ends the reading. */
void otlp_fail(struct otlp *otlp, const char *at, const char *fault);

/* Numbers one by one, packed, or of a fixed size. */
void otlp_integers(struct otlp *otlp, const struct wire_field *field, bool is_fixed,
                   struct integers *to);

/* A message into a struct, whole; a fault is noted as otlp_next() does. */
void otlp_read(struct otlp *otlp, struct span message, const struct wire_member *members,
               size_t count, void *into);
#define OTLP_READ(otlp, message, members, into)                                                    \
    otlp_read(otlp, message, members, COUNT_OF(members), into)

/* The numbers of a repeated field, behind those that are there. */
void otlp_list(struct otlp *otlp, struct wire_list list, bool is_fixed, struct integers *to);

/* Whether an entry of a table is meant, and is there: 0 is none. */
static inline bool otlp_is_place(uint64_t value, size_t count)
{
    return value > 0 && value < count;
}

/* The text at a place; 0 of none, and of one that is not there. */
str_id otlp_text(struct otlp *otlp, uint64_t place);

/* ---- samples ---- */

/* Where a sample has what; by the first release that had it so. */
enum otlp_layout {
    LAYOUT_7,  /* 1.7: a part of the profile's locations; a value of each type */
    LAYOUT_8,  /* 1.8 and 1.9: values before attributes */
    LAYOUT_10, /* 1.10 and later: attributes before values; and all that was JSON */
};

/* Adds the types that a profile counts to those of the file; what its values are of, in otlp->places. */
void otlp_read_types(struct otlp *otlp, struct span profile, enum otlp_layout layout);

/* Begins a call tree of all types of the file. */
MUST_CHECK bool otlp_begin_values(struct otlp *otlp);

/* Notes whether any sample says when it was taken. */
void otlp_find_times(struct otlp *otlp, struct span profile, enum otlp_layout layout);

/* Hands a profile's samples to the builder. */
void otlp_add_samples(struct otlp *otlp, struct span profile, enum otlp_layout layout);

/* ---- the dictionary ---- */

/* Fills the tables of a message. */
void otlp_dictionary(struct otlp *otlp, struct span message);

/* A resource's key with a text or a number; without a text where it is neither. */
struct sample_label otlp_attribute(struct otlp *otlp, struct span message);

#endif
