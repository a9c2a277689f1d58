/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the fields of a trace's events by the shape that the producer's events had so far. */
#include "parsers/chrome/scan/scanner.h"

#define XXH_INLINE_ALL
#include <stddef.h>
#include <xxhash.h>

#include "base/checked.h"

/* ---- the learned shapes of a producer's events ---- */

/* What a shape is made from: the steps of the first event of its kind, and which of their values
 * are no longer the same in all. */
struct lesson {
    uint64_t identity;
    struct trail trail; /* its bytes live in the shapes' arena */
    bool is_hole[STEPS_MAX];
};

static enum hole hole_for(struct token value)
{
    switch (value.at[0]) {
    case '"':
        return HOLE_STRING;
    case '{':
    case '[':
        return HOLE_NEST;
    default:
        return HOLE_SCALAR;
    }
}

/* Phase and category decide what an event is, so events that differ in them have other shapes. */
static bool is_identity(const struct scan_step *step)
{
    return step->field == FIELD_PH || step->field == FIELD_CAT;
}

static uint64_t identity_of(const struct trail *trail)
{
    uint64_t hash = XXH3_64bits(trail->tail, trail->tail_len);

    for (uint32_t i = 0; i < trail->count; i++) {
        const struct scan_step *step = &trail->steps[i];

        hash = XXH3_64bits_withSeed(step->bytes, step->len, hash + hole_for(step->value));
        if (is_identity(step))
            hash = XXH3_64bits_withSeed(step->value.at, step->value.len, hash);
    }
    return hash;
}

/* ---- making pieces ---- */

struct shape_making {
    struct shape *shape;
    bool is_full;
};

static struct piece *last_piece(struct shape_making *making)
{
    struct shape *shape = making->shape;
    struct piece *piece = shape->piece_count ? &shape->pieces[shape->piece_count - 1] : NULL;

    if (piece && piece->hole == HOLE_NONE && piece->len < PIECE_LEN)
        return piece;
    if (shape->piece_count == PIECES_MAX) {
        making->is_full = true;
        return NULL;
    }
    piece = &shape->pieces[shape->piece_count++];
    *piece = (struct piece){.ignored = UINT32_MAX, .value = &shape->unwanted};
    return piece;
}

static void add_bytes(struct shape_making *making, const char *bytes, uint32_t len)
{
    while (len && !making->is_full) {
        struct piece *piece = last_piece(making);
        uint32_t part;

        if (!piece)
            return;
        part = (uint32_t)PIECE_LEN - piece->len;
        part = part < len ? part : len;
        memcpy(piece->bytes + piece->len, bytes, part);
        piece->len = (uint8_t)(piece->len + part);
        piece->ignored = piece->len == PIECE_LEN ? 0 : UINT32_MAX << piece->len;
        bytes += part;
        len -= part;
    }
}

static void add_hole(struct shape_making *making, enum hole hole, uint8_t field)
{
    struct piece *piece = last_piece(making);

    if (!piece)
        return;
    piece->hole = (uint8_t)hole;
    piece->field = field;
    piece->value =
        field == FIELD_OTHER ? &making->shape->unwanted : &making->shape->event.field[field];
}

static void add_value(struct shape_making *making, const struct scan_step *step, uint8_t field,
                      bool is_hole)
{
    enum hole hole = hole_for(step->value);

    if (field != FIELD_OTHER)
        event_set(&making->shape->event, (enum field)field, step->value);
    if (!is_hole) {
        add_bytes(making, step->value.at, step->value.len);
        if (field < FIELD_FIRST_ARG)
            making->shape->event.constant |= 1u << field;
        return;
    }
    if (hole == HOLE_STRING)
        add_bytes(making, "\"", 1);
    add_hole(making, hole, field);
    if (hole == HOLE_STRING)
        add_bytes(making, "\"", 1);
}

/* Of two members that mean the same, the later is the one that counts. */
static uint8_t counting_field(const struct trail *trail, uint32_t at)
{
    for (uint32_t i = at + 1; i < trail->count; i++)
        if (trail->steps[i].field == trail->steps[at].field)
            return FIELD_OTHER;
    return trail->steps[at].field;
}

/* ---- ends ---- */

/* Whether what makes the shape stands before the first hole or after the last. */
static bool is_shown_by_ends(const struct lesson *lesson)
{
    uint32_t begin = 0, end = lesson->trail.count;

    while (begin < end && !lesson->is_hole[begin])
        begin++;
    while (end > begin && !lesson->is_hole[end - 1])
        end--;
    for (uint32_t i = begin; i < end; i++)
        if (is_identity(&lesson->trail.steps[i]))
            return false;
    return begin < end;
}

/* The only closing brace must be the last byte. */
static bool has_inner_brace(const struct shape *shape)
{
    uint32_t braces = 0;

    for (uint32_t i = 0; i < shape->piece_count; i++) {
        if (shape->pieces[i].hole == HOLE_NEST)
            return true;
        for (uint8_t k = 0; k < shape->pieces[i].len; k++)
            braces += shape->pieces[i].bytes[k] == '}';
    }
    return braces > 1;
}

static void find_ends(struct shape *shape)
{
    shape->head = shape->tail = shape->tail_len = 0;
    if (!is_shown_by_ends(shape->lesson) || has_inner_brace(shape))
        return;
    while (shape->pieces[shape->head++].hole == HOLE_NONE)
        ;
    do {
        shape->tail++;
        shape->tail_len += shape->pieces[shape->piece_count - shape->tail].len;
    } while (shape->pieces[shape->piece_count - shape->tail - 1].hole == HOLE_NONE);
}

/* A shape of too many parts to be worth it has none, and matches nothing. */
static void make_steps(struct shape *shape)
{
    struct shape_making making = {.shape = shape};
    const struct lesson *lesson = shape->lesson;

    shape->piece_count = 0;
    event_clear(&shape->event);
    for (uint32_t i = 0; i < lesson->trail.count; i++) {
        const struct scan_step *step = &lesson->trail.steps[i];

        add_bytes(&making, step->bytes, step->len);
        add_value(&making, step, counting_field(&lesson->trail, i), lesson->is_hole[i]);
    }
    add_bytes(&making, lesson->trail.tail, lesson->trail.tail_len);
    add_hole(&making, HOLE_END, FIELD_OTHER);
    if (making.is_full)
        shape->piece_count = 0;
    else
        find_ends(shape);
}

/* ---- what shapes have in common ---- */

static uint8_t common_pieces(const struct shape *a, const struct shape *b)
{
    uint32_t most = a->piece_count < b->piece_count ? a->piece_count : b->piece_count, i = 0;

    for (; i < most; i++) {
        const struct piece *x = &a->pieces[i], *y = &b->pieces[i];

        if (x->len != y->len || x->hole != y->hole || x->field != y->field ||
            memcmp(x->bytes, y->bytes, x->len) != 0)
            break;
    }
    return (uint8_t)i;
}

static void compare_with_others(struct shapes *shapes, const struct shape *shape)
{
    for (uint32_t i = 0; i < shapes->count; i++)
        shapes->common[i][shape->index] = shapes->common[shape->index][i] =
            common_pieces(shape, shapes->list[i]);
}

/* ---- learning ---- */

static const char *kept(struct shapes *shapes, const char *bytes, uint32_t len)
{
    return arena_copy(&shapes->arena, (struct span){bytes, len});
}

/* Times differ in every event; so do values of more than a piece, as good as always. What makes a
 * shape never does. */
static bool is_hole_at_once(const struct scan_step *step)
{
    if (is_identity(step))
        return false;
    return step->field == FIELD_TS || step->field == FIELD_DUR || step->value.len > PIECE_LEN ||
           hole_for(step->value) == HOLE_NEST;
}

static void add_shape(struct shapes *shapes, const struct trail *trail, uint64_t identity)
{
    struct shape *shape = arena_alloc(&shapes->arena, sizeof(*shape));
    struct lesson *lesson = arena_alloc(&shapes->arena, sizeof(*lesson));

    lesson->identity = identity;
    lesson->trail = *trail;
    lesson->trail.tail = kept(shapes, trail->tail, trail->tail_len);
    for (uint32_t i = 0; i < trail->count; i++) {
        struct scan_step *step = &lesson->trail.steps[i];

        step->bytes = kept(shapes, step->bytes, step->len);
        lesson->is_hole[i] = is_hole_at_once(step);
        step->value.at = lesson->is_hole[i] ? kept(shapes, step->value.at, 1)
                                            : kept(shapes, step->value.at, step->value.len);
    }
    shape->lesson = lesson;
    shape->index = shapes->count;
    shape->event.shape = shapes->count + 1;
    shapes->list[shapes->count++] = shape;
    make_steps(shape);
    compare_with_others(shapes, shape);
}

/* Another event of a known kind: what it has otherwise becomes a hole. */
static void refine(struct shapes *shapes, struct shape *shape, const struct trail *trail)
{
    struct lesson *lesson = shape->lesson;
    bool has_changed = false;

    for (uint32_t i = 0; i < trail->count; i++) {
        struct token known = lesson->trail.steps[i].value, value = trail->steps[i].value;

        if (!lesson->is_hole[i] &&
            (known.len != value.len || memcmp(known.at, value.at, known.len) != 0))
            lesson->is_hole[i] = has_changed = true;
    }
    if (!has_changed)
        return;
    make_steps(shape);
    compare_with_others(shapes, shape);
}

static bool has_nul(const struct trail *trail)
{
    for (uint32_t i = 0; i < trail->count; i++)
        if (memchr(trail->steps[i].bytes, 0, trail->steps[i].len) ||
            memchr(trail->steps[i].value.at, 0, trail->steps[i].value.len))
            return true;
    return memchr(trail->tail, 0, trail->tail_len);
}

void shapes_learn(struct shapes *shapes, const struct trail *trail)
{
    uint64_t identity;

    if (trail->is_long)
        return;
    identity = identity_of(trail);
    for (uint32_t i = 0; i < shapes->count; i++)
        if (shapes->list[i]->lesson->identity == identity &&
            shapes->list[i]->lesson->trail.count == trail->count) {
            refine(shapes, shapes->list[i], trail);
            return;
        }
    if (shapes->count < SHAPES_MAX && !has_nul(trail))
        add_shape(shapes, trail, identity);
}

void shapes_free(struct shapes *shapes)
{
    arena_free(&shapes->arena);
    *shapes = (struct shapes){0};
}

/* ---- one trace event after the other out of a buffer, at the speed of memory ---- */

scan_function *scanner_select(void)
{
#if defined(__x86_64__)
    if (scan_event_avx2 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul"))
        return scan_event_avx2;
#endif
    return scan_event_sse2 ? scan_event_sse2 : scan_event_portable;
}

enum field field_of_event(struct span key)
{
    static const struct {
        const char *name;
        enum field field;
    } members[] = {
        {"ph", FIELD_PH},           {"name", FIELD_NAME},
        {"cat", FIELD_CAT},         {"pid", FIELD_PID},
        {"tid", FIELD_TID},         {"ts", FIELD_TS},
        {"dur", FIELD_DUR},         {"args", FIELD_ARGS},
        {"id", FIELD_ID},           {"id2", FIELD_ID2},
        {"bp", FIELD_BP},           {"sf", FIELD_SF},
        {"scope", FIELD_SCOPE},     {"bind_id", FIELD_BIND_ID},
        {"flow_in", FIELD_FLOW_IN}, {"flow_out", FIELD_FLOW_OUT},
        {"tts", FIELD_TTS},         {"tdur", FIELD_TDUR},
        {NULL, FIELD_OTHER},
    };

    return LOOKUP(members, key).field;
}
