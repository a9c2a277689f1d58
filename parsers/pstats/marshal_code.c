/* SPDX-License-Identifier: Apache-2.0 */
/* marshal_code.c — code objects: what the profile module has as the name of the program it ran
 *
 * A code object is some numbers, then objects, one number among them. Which Python wrote it is not
 * said, but seen: from where the first object, the bytecode, begins, and from what the fifth is. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory/memory.h"
#include "parsers/pstats/pstats.h"

enum {
    NESTED_MAX = 1 << 16,
    ITEMS_MAX = 1 << 20,
    WORD = 4,
    WORDS_MIN = 4,
    WORDS_MAX = 6,
    HEAD = 5
};

/* Where a code object has what: before Python 3.11, and from then on. */
static const struct code_layout {
    unsigned file, name, line, end;
} layouts[] = {{6, 7, 8, 10}, {5, 6, 8, 11}};

/* What is open, the innermost last: items of a container, or a code object. */
struct open_code {
    const struct code_layout *code; /* NULL: a container */
    uint32_t done, items;           /* parts of a code object, or items */
};

struct skipping {
    struct marshal *marshal;
    struct VECTOR_OF(struct open_code) open;
    /* of the outermost */
    struct marshal_value file, name;
    int64_t line;
};

static bool fault(const struct skipping *skipping, struct error *err)
{
    return error_set_at(err, input_offset(skipping->marshal->in), 0,
                        "a code object that no Python writes");
}

static bool has(const struct skipping *skipping, size_t count, struct error *err)
{
    if (input_has(skipping->marshal->in, count))
        return true;
    skipping->marshal->is_cut = true;
    return error_set_at(err, input_offset(skipping->marshal->in), 0,
                        "the file ends inside the profile");
}

static uint32_t word_at(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;

    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool take_word(struct skipping *skipping, uint32_t *word, struct error *err)
{
    if (!has(skipping, WORD, err))
        return false;
    *word = word_at(skipping->marshal->in->at);
    input_skip(skipping->marshal->in, WORD);
    return true;
}

static bool open_one(struct skipping *skipping, const struct open_code *one, struct error *err)
{
    if (skipping->open.count == NESTED_MAX)
        return fault(skipping, err);
    vector_add(&skipping->open, *one);
    return true;
}

/* The numbers before the bytecode: 4 in Python 2, 5 in 3, 6 from 3.8 and 5 again from 3.11 on. */
static bool open_code(struct skipping *skipping, struct error *err)
{
    struct input *in = skipping->marshal->in;

    for (size_t words = WORDS_MIN; words <= WORDS_MAX; words++) {
        if (!has(skipping, words * WORD + HEAD, err))
            return false;
        if ((in->at[words * WORD] & 0x7f) == 's' && word_at(in->at + words * WORD + 1) < 1u << 24) {
            input_skip(in, words * WORD);
            return open_one(skipping, &(struct open_code){.code = layouts}, err);
        }
    }
    return fault(skipping, err);
}

static bool skip_bytes(struct skipping *skipping, size_t count, struct error *err)
{
    if (!has(skipping, count, err))
        return false;
    input_skip(skipping->marshal->in, count);
    return true;
}

/* A complex number's text: twice a length and so many bytes. */
static bool skip_texts(struct skipping *skipping, struct error *err)
{
    for (int i = 0; i < 2; i++)
        if (!has(skipping, 1, err) ||
            !skip_bytes(skipping, 1 + (size_t)(unsigned char)*skipping->marshal->in->at, err))
            return false;
    return true;
}

static bool open_container(struct skipping *skipping, bool is_short, struct error *err)
{
    uint32_t items;

    if (is_short) {
        if (!has(skipping, 1, err))
            return false;
        items = (unsigned char)*skipping->marshal->in->at;
        input_skip(skipping->marshal->in, 1);
    } else if (!take_word(skipping, &items, err)) {
        return false;
    }
    if (items > ITEMS_MAX)
        return fault(skipping, err);
    return open_one(skipping, &(struct open_code){.items = items}, err);
}

/* Reads an object, or opens it: then its parts come next. */
static bool take_object(struct skipping *skipping, struct marshal_value *value, struct error *err)
{
    struct marshal *marshal = skipping->marshal;
    unsigned code, type;
    uint32_t number;

    *value = (struct marshal_value){.type = MARSHAL_NONE};
    if (!has(skipping, 1, err))
        return false;
    code = (unsigned char)*marshal->in->at;
    type = code & 0x7f;
    if (!strchr("c()[<>:r.Syx", (int)type) || type == 0)
        return marshal_next(marshal, value, err);
    input_skip(marshal->in, 1);
    if (type == 'r') {
        if (!take_word(skipping, &number, err))
            return false;
        if (number >= marshal->refs.count)
            return fault(skipping, err);
        value->type = (enum marshal_type)refs_get(&marshal->refs, number, &value->kept);
        return true;
    }
    if (code != type)
        refs_add(&marshal->refs, MARSHAL_TUPLE, 0);
    switch (type) {
    case 'c':
        return open_code(skipping, err);
    case ':':
        return open_one(skipping, &(struct open_code){.items = 3}, err);
    case 'y':
        return skip_bytes(skipping, 2 * sizeof(double), err);
    case 'x':
        return skip_texts(skipping, err);
    case '.':
    case 'S':
        return true;
    default:
        return open_container(skipping, type == ')', err);
    }
}

/* The next part of the code object that is innermost. */
static bool take_part(struct skipping *skipping, struct error *err)
{
    enum { FIFTH = 4 };
    size_t at = skipping->open.count - 1;
    const struct code_layout *code = skipping->open.list[at].code;
    uint32_t part = skipping->open.list[at].done++, line;
    struct marshal_value value;

    if (part == code->line) {
        if (!take_word(skipping, &line, err))
            return false;
        if (at == 0)
            skipping->line = (int32_t)line;
        return true;
    }
    if (!take_object(skipping, &value, err))
        return false;
    if (part == FIFTH && value.type == MARSHAL_TEXT)
        skipping->open.list[at].code = &layouts[1]; /* the kinds of its variables */
    if (at == 0 && part == code->file)
        skipping->file = value;
    if (at == 0 && part == code->name)
        skipping->name = value;
    return true;
}

static bool skip_all(struct skipping *skipping, struct error *err)
{
    struct marshal_value value;
    bool ok = open_code(skipping, err);

    while (ok && skipping->open.count) {
        struct open_code *top = &skipping->open.list[skipping->open.count - 1];

        if (top->code ? top->done == top->code->end : top->done == top->items)
            skipping->open.count--;
        else if (top->code)
            ok = take_part(skipping, err);
        else
            ok = top->done++ < top->items && take_object(skipping, &value, err);
    }
    return ok;
}

/* "<code object main, file "app.py", line 1>", as Python says it, but for the address. */
static uint32_t add_text(struct skipping *skipping)
{
    struct texts *texts = skipping->marshal->texts;
    struct span name = texts_get(texts, skipping->name.text);
    struct span file = texts_get(texts, skipping->file.text);
    struct arena arena = {0};
    const char *text = arena_printf(&arena, "<code object %.*s, file \"%.*s\", line %" PRId64 ">",
                                    (int)name.len, name.at, (int)file.len, file.at, skipping->line);
    uint32_t number = texts_add(texts, span_of(text));

    arena_free(&arena);
    return number;
}

bool marshal_code(struct marshal *marshal, uint32_t *text, struct error *err)
{
    struct skipping skipping = {.marshal = marshal};
    bool ok = skip_all(&skipping, err);

    if (ok && (skipping.file.type != MARSHAL_TEXT || skipping.name.type != MARSHAL_TEXT))
        ok = fault(&skipping, err);
    if (ok)
        *text = add_text(&skipping);
    free(skipping.open.list);
    return ok;
}
