/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_samples.c — the samples, once everything that they refer to is known */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"
#include "parsers/pprof/pprof_profile.h"

/* ---- a profile's value types in base units, and which of them is meant ---- */

struct pprof_unit pprof_unit_named(struct span name)
{
    static const struct pprof_unit units[] = {
        {"nanoseconds", UNIT_NS, 1},
        {"ns", UNIT_NS, 1},
        {"microseconds", UNIT_NS, 1000},
        {"us", UNIT_NS, 1000},
        {"milliseconds", UNIT_NS, 1000000},
        {"ms", UNIT_NS, 1000000},
        {"seconds", UNIT_NS, 1000000000},
        {"s", UNIT_NS, 1000000000},
        {"bytes", UNIT_BYTES, 1},
        {"b", UNIT_BYTES, 1},
        {"kilobytes", UNIT_BYTES, 1024},
        {"kb", UNIT_BYTES, 1024},
        {"megabytes", UNIT_BYTES, 1048576},
        {"mb", UNIT_BYTES, 1048576},
        {NULL, UNIT_COUNT, 1},
    };

    return LOOKUP(units, name);
}

static bool name_values(struct pprof *pprof, struct value_name *values, struct error *err)
{
    str_id name, unit;

    for (size_t i = 0; i < pprof->types.count; i++) {
        const struct value_type_row *type = &pprof->types.list[i];
        struct pprof_unit known;

        if (!pprof_string(pprof, type->type, "a sample type's name", type->offset, &name, err) ||
            !pprof_string(pprof, type->unit, "a sample type's unit", type->offset, &unit, err))
            return false;
        known = pprof_unit_named(builder_text(pprof->builder, unit));
        values[i] = (struct value_name){builder_text(pprof->builder, name), known.unit};
        pprof->scales[i] = known.scale;
    }
    return true;
}

/* The one that the profile names, else the last: pprof's rule. */
static uint32_t standard_value(const struct pprof *pprof, const struct value_name *values)
{
    uint64_t index = (uint64_t)pprof->plain[PROFILE_DEFAULT_TYPE];
    struct span wanted =
        builder_text(pprof->builder, index < pprof->strings.count ? pprof->strings.list[index] : 0);

    for (size_t i = 0; wanted.len && i < pprof->types.count; i++)
        if (span_eq(values[i].name, wanted))
            return (uint32_t)i;
    return (uint32_t)pprof->types.count - 1;
}

bool pprof_begin(struct pprof *pprof, struct error *err)
{
    static const struct value_name none[] = {{LITERAL("samples"), UNIT_COUNT}};
    struct value_name *values = grow_zeroed(pprof->types.count, sizeof(*values));
    bool ok;

    pprof->scales = grow_zeroed(pprof->types.count, sizeof(*pprof->scales));
    if (pprof->types.count == 0)
        ok = builder_begin(pprof->builder, LEVEL_CALLTREE, none, 1, 0, err);
    else
        ok = name_values(pprof, values, err) &&
             builder_begin(pprof->builder, LEVEL_CALLTREE, values, (uint32_t)pprof->types.count,
                           standard_value(pprof, values), err);
    free(values);
    return ok;
}

/* ---- the samples, once everything that they refer to is known ---- */

enum { BLOCK_SIZE = 1 << 20 };

/* A location of many inlined functions may stand on many stacks, and many times on one: a byte of
 * the file would be hundreds of frames. No honest profile comes near these. */
enum { STACK_MAX = 1 << 14, INLINED_MIN = 1 << 20, INLINED_PER_BYTE = 4 };

/* In front of each sample's bytes. */
struct kept {
    uint64_t offset;
    uint64_t length;
};

void pprof_keep_sample(struct pprof *pprof, struct span bytes, uint64_t offset)
{
    struct kept kept = {offset, bytes.len};
    size_t need = sizeof(kept) + bytes.len;
    struct sample_block *block = pprof->last_block;

    if (!block || block->cap - block->used < need) {
        size_t cap = need > BLOCK_SIZE ? need : BLOCK_SIZE;

        block = grow_to(NULL, 1, sizeof(*block) + cap);
        *block = (struct sample_block){.cap = cap};
        if (pprof->last_block)
            pprof->last_block->next = block;
        else
            pprof->first_block = block;
        pprof->last_block = block;
    }
    memcpy(block->bytes + block->used, &kept, sizeof(kept));
    if (bytes.len)
        memcpy(block->bytes + block->used + sizeof(kept), bytes.at, bytes.len);
    block->used += need;
}

/* One sample while it is read; used again for the next. */
struct stack {
    struct pprof *pprof;
    struct span bytes;
    uint64_t offset;
    frame_id *frames;
    size_t depth, frame_cap;
    bool is_cut;           /* at STACK_MAX */
    uint64_t inlined_left; /* frames that all stacks may still have beyond one a location */
    int64_t *values;
    size_t value_count;
    struct VECTOR_OF(struct sample_label) labels; /* where anybody wants them */
    bool wants_labels;
    struct VECTOR_OF(struct stack_place) places; /* where something may be dropped */
};

static uint64_t offset_of(const struct stack *stack, const char *at)
{
    return stack->offset + (uint64_t)(at - stack->bytes.at);
}

/* Makes room for `more` frames, and for the locations that so many bytes can hold. */
static void make_room(struct stack *stack, size_t bytes, size_t more)
{
    size_t count = bytes * BRIEF + more;

    if (stack->frame_cap - stack->depth >= count)
        return;
    stack->frame_cap = grow_cap(stack->frame_cap, stack->depth + count);
    stack->frames = grow_to(stack->frames, stack->frame_cap, sizeof(*stack->frames));
}

/* How many of a location's frames the stack has room for, the innermost first. */
static uint32_t affordable(struct stack *stack, uint32_t count, const char *at)
{
    if (count > 1 && count - 1 > stack->inlined_left) {
        warning_count(
            builder_warnings(stack->pprof->builder), WARNING_LOSS,
            "locations on stacks without the functions that called what is inlined there: "
            "more frames than a file of this size can mean",
            offset_of(stack, at));
        count = 1;
    }
    if (count > STACK_MAX - stack->depth) {
        stack->is_cut = true;
        count = (uint32_t)(STACK_MAX - stack->depth);
    }
    stack->inlined_left -= count > 1 ? count - 1 : 0;
    return count;
}

static bool push_expansion(struct stack *stack, uint64_t id, const char *at, struct error *err)
{
    const struct pprof *pprof = stack->pprof;
    uint32_t row = ids_find(&pprof->location_ids, id);

    if (row == ID_UNKNOWN)
        return error_set_at(err, offset_of(stack, at), 0, "a sample: there is no location %" PRIu64,
                            id);

    struct expansion expansion = pprof->expansions[row];

    stack->depth = stack->depth < STACK_MAX ? stack->depth : STACK_MAX;
    expansion.count = affordable(stack, expansion.count, at);
    make_room(stack, (size_t)(stack->bytes.at + stack->bytes.len - at), expansion.count);
    if (pprof->marks)
        vector_add(&stack->places,
                   (struct stack_place){row, stack->depth, stack->depth + expansion.count});
    for (uint32_t i = 0; i < expansion.count; i++)
        stack->frames[stack->depth++] = pprof->frames.list[expansion.first + i];
    return true;
}

/* Nearly all that a profile has, in one step from the id: whether the second frame is there is no
 * branch, since nobody could foretell it. */
static inline bool push_location(struct stack *stack, uint64_t id, const char *at,
                                 struct error *err)
{
    const struct pprof *pprof = stack->pprof;
    frame_id *to = stack->frames + stack->depth;

    if (id >= pprof->brief_count || !pprof->briefs[id].frames[0])
        return push_expansion(stack, id, at, err);
    memcpy(to, pprof->briefs[id].frames, sizeof(pprof->briefs[id].frames));
    stack->depth += 1 + (to[1] != 0);
    return true;
}

static bool push_value(struct stack *stack, uint64_t value, const char *at, struct error *err)
{
    const struct pprof *pprof = stack->pprof;
    size_t count = stack->value_count++;

    if (count >= pprof->types.count)
        return error_set_at(err, offset_of(stack, at), 0,
                            "a sample with more than the %zu values that there are types",
                            pprof->types.count);
    if (__builtin_mul_overflow((int64_t)value, pprof->scales[count], &stack->values[count]))
        stack->values[count] = (int64_t)value < 0 ? INT64_MIN + 1 : INT64_MAX;
    if (stack->values[count] == UNKNOWN)
        stack->values[count]++;
    return true;
}

typedef bool pushing(struct stack *stack, uint64_t value, const char *at, struct error *err);

/* Packed or one by one: both are right, also mixed. Inline, so that each use is a loop of its
 * own. */
static inline bool push_all(struct stack *stack, const struct wire_field *field, pushing *push,
                            struct error *err)
{
    struct wire packed;
    uint64_t value;

    if (field->type == WIRE_VARINT)
        return push(stack, field->value, stack->bytes.at, err);
    if (field->type != WIRE_BYTES)
        return error_set_at(err, stack->offset, 0, "a sample: field %u is not a number",
                            (unsigned)field->number);
    packed = wire_of(field->bytes);
    while (packed.at < packed.end) {
        if (!wire_varint(&packed, &value))
            return error_set_at(err, offset_of(stack, packed.at), 0, "a sample: %s", packed.fault);
        if (!push(stack, value, packed.at, err))
            return false;
    }
    return true;
}

/* Label, of profile.proto. */
struct label_message {
    string_index key, text, unit;
    int64_t number;
};

static const struct wire_member label_members[] = {
    [1] = WIRE_MEMBER(struct label_message, key),
    [2] = WIRE_MEMBER(struct label_message, text),
    [3] = WIRE_MEMBER(struct label_message, number),
    [4] = WIRE_MEMBER(struct label_message, unit),
};

static bool take_label(struct stack *stack, const struct wire_field *field,
                       const struct label_message *fields, struct error *err)
{
    /* their numbers pprof takes for bytes when they have no unit */
    static const char *const sizes[] = {"bytes", "request", "alignment", NULL};
    const struct pprof *pprof = stack->pprof;
    uint64_t at = offset_of(stack, field->bytes.at);
    struct sample_label label;
    char room[32];

    if (!pprof_string(pprof, fields->key, "a label's key", at, &label.key, err) ||
        !pprof_string(pprof, fields->text, "a label's value", at, &label.text, err) ||
        !pprof_string(pprof, fields->unit, "a label's unit", at, &label.unit, err))
        return false;
    label.is_number = !fields->text;
    if (fields->text)
        label.unit = 0;
    else if (!label.unit && span_is_any(builder_text(pprof->builder, label.key), sizes))
        label.unit = builder_intern(pprof->builder, SPAN("bytes"));
    if (!fields->text)
        label.text = builder_intern(
            pprof->builder,
            (struct span){room, (size_t)snprintf(room, sizeof(room), "%" PRId64, fields->number)});
    vector_add(&stack->labels, label);
    return true;
}

/* A key with neither text nor number says nothing. */
static bool push_label(struct stack *stack, const struct wire_field *field, struct error *err)
{
    struct wire wire = wire_of(field->bytes);
    struct label_message label = {0};

    if (field->type != WIRE_BYTES)
        return error_set_at(err, stack->offset, 0, "a sample: a label is not a message");
    (void)wire_read(&wire, label_members, COUNT_OF(label_members), &label);
    if (wire.fault)
        return error_set_at(err, offset_of(stack, wire.at), 0, "a label: %s", wire.fault);
    return (!label.text && !label.number && !label.unit) || take_label(stack, field, &label, err);
}

/* Straight from the fields: most of a profile is samples. */
static bool read_sample(struct stack *stack, struct error *err)
{
    enum { SAMPLE_LOCATION_ID = 1, SAMPLE_VALUE = 2, SAMPLE_LABEL = 3 };
    struct wire wire = wire_of(stack->bytes);
    struct wire_field field;

    stack->depth = stack->places.count = stack->value_count = stack->labels.count = 0;
    stack->is_cut = false;
    make_room(stack, stack->bytes.len + 1, 0);
    while (wire_next(&wire, &field)) {
        if (field.number == SAMPLE_LOCATION_ID && !push_all(stack, &field, push_location, err))
            return false;
        if (field.number == SAMPLE_VALUE && !push_all(stack, &field, push_value, err))
            return false;
        if (field.number == SAMPLE_LABEL && stack->wants_labels && !push_label(stack, &field, err))
            return false;
    }
    if (wire.fault)
        return error_set_at(err, offset_of(stack, wire.at), 0, "a sample: %s", wire.fault);
    if (stack->value_count != stack->pprof->types.count)
        return error_set_at(err, stack->offset, 0, "a sample with %zu values, of %zu types",
                            stack->value_count, stack->pprof->types.count);
    if (stack->is_cut || stack->depth > STACK_MAX) {
        stack->depth = STACK_MAX;
        warning_count(builder_warnings(stack->pprof->builder), WARNING_LOSS,
                      "stacks of more than 16384 frames, without their outermost", stack->offset);
    }
    return true;
}

static void add_sample(struct stack *stack)
{
    const struct pprof *pprof = stack->pprof;
    size_t dropped =
        pprof->marks ? pprof_prune_stack(pprof, stack->places.list, stack->places.count) : 0;

    if (stack->depth == 0)
        warning_count(builder_warnings(pprof->builder), WARNING_NOTE,
                      "samples without a stack, in no function", stack->offset);
    if (stack->wants_labels)
        builder_labels(pprof->stacks, stack->labels.list, (uint32_t)stack->labels.count);
    builder_stack(pprof->stacks, stack->frames + dropped, (uint32_t)(stack->depth - dropped),
                  stack->values);
}

static bool add_block(struct stack *stack, const struct sample_block *block, struct error *err)
{
    struct kept kept;

    for (size_t at = 0; at < block->used; at += sizeof(kept) + kept.length) {
        memcpy(&kept, block->bytes + at, sizeof(kept));
        stack->bytes = (struct span){block->bytes + at + sizeof(kept), kept.length};
        stack->offset = kept.offset;
        if (!read_sample(stack, err))
            return false;
        add_sample(stack);
    }
    return true;
}

/* Blocks that have been read are given back, since the graph grows meanwhile. */
bool pprof_add_samples(struct pprof *pprof, struct error *err)
{
    struct stack stack = {.pprof = pprof,
                          .wants_labels = builder_wants_labels(pprof->stacks),
                          .inlined_left = INLINED_MIN + input_offset(pprof->in) * INLINED_PER_BYTE,
                          .values = grow_zeroed(pprof->types.count + 1, sizeof(*stack.values))};
    bool ok = true;

    while (ok && pprof->first_block) {
        struct sample_block *block = pprof->first_block;

        ok = add_block(&stack, block, err);
        pprof->first_block = block->next;
        free(block);
    }
    free(stack.frames);
    free(stack.values);
    free(stack.labels.list);
    free(stack.places.list);
    return ok;
}

void pprof_free_samples(struct pprof *pprof)
{
    while (pprof->first_block) {
        struct sample_block *block = pprof->first_block;

        pprof->first_block = block->next;
        free(block);
    }
}
