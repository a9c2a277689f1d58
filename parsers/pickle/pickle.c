/* SPDX-License-Identifier: Apache-2.0 */
/* pickle.c — the stack machine that a pickle is a program for, without what could run code */
#include "parsers/pickle/pickle.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory/memory.h"

enum { TEXT_MAX = 1 << 20, MARKS_MAX = 1 << 20, VALUES_OF_ANY = 1 << 23, VALUES_MAX = 1 << 27 };
enum { MEMO_MAX = (1 << 27) - 1 };

/* What one instruction does; false with an error set. */
typedef bool operation(struct pickle *pickle, unsigned char code, struct error *err);

/* ---- arguments ---- */

static bool cut(const struct pickle *pickle, struct error *err)
{
    return error_set_at(err, input_offset(pickle->in), 0, "the pickle ends early");
}

static bool take_bytes(struct pickle *pickle, uint64_t len, struct span *bytes, struct error *err)
{
    if (len > TEXT_MAX)
        return error_set_at(err, pickle->at, 0, "a text of %llu bytes", (unsigned long long)len);
    if (!input_has(pickle->in, (size_t)len))
        return cut(pickle, err);
    *bytes = (struct span){pickle->in->at, (size_t)len};
    input_skip(pickle->in, (size_t)len);
    return true;
}

/* An unsigned number, the low byte first. */
static bool take_number(struct pickle *pickle, size_t len, uint64_t *number, struct error *err)
{
    const unsigned char *bytes;

    *number = 0;
    if (!input_has(pickle->in, len))
        return cut(pickle, err);
    bytes = (const unsigned char *)pickle->in->at;
    for (size_t i = 0; i < len; i++)
        *number |= (uint64_t)bytes[i] << 8 * i;
    input_skip(pickle->in, len);
    return true;
}

bool pickle_take_line(struct pickle *pickle, struct span *line, struct error *err)
{
    return input_line(pickle->in, line) || cut(pickle, err);
}

/* ---- the stack ---- */

static bool push_id(struct pickle *pickle, value_id id)
{
    vector_add(&pickle->stack, id);
    return true;
}

/* A packed file spells many values in a byte: beyond what any may have it has no more of them than bytes. */
bool pickle_push(struct pickle *pickle, const struct value *value, struct error *err)
{
    size_t count = pickle->values.count;

    if (count >= VALUES_OF_ANY && !pickle->values.free_value &&
        (count >= VALUES_MAX || count >= input_bytes_read(pickle->in)))
        return error_set_at(err, pickle->at, 0, "%zu values, more than such a file may have", count);
    return push_id(pickle, value_add(&pickle->values, value));
}

static size_t floor_of(const struct pickle *pickle)
{
    return pickle->marks.count ? pickle->marks.list[pickle->marks.count - 1] : 0;
}

/* The top value, of the wanted type; what is below the last mark is out of reach. */
value_id pickle_pop(struct pickle *pickle, struct error *err)
{
    if (pickle->stack.count <= floor_of(pickle)) {
        error_set_at(err, pickle->at, 0, "an instruction without the values that it needs");
        return 0;
    }
    return pickle->stack.list[--pickle->stack.count];
}

value_id pickle_top(struct pickle *pickle, enum value_kind type, struct error *err)
{
    value_id id =
        pickle->stack.count > floor_of(pickle) ? pickle->stack.list[pickle->stack.count - 1] : 0;

    if (id && value_at(&pickle->values, id)->kind == type)
        return id;
    error_set_at(err, pickle->at, 0, "an instruction for another type of value");
    return 0;
}

static bool mark(struct pickle *pickle, unsigned char code, struct error *err)
{
    (void)code;
    if (pickle->marks.count >= MARKS_MAX)
        return error_set_at(err, pickle->at, 0, "more than %d values in each other", MARKS_MAX);
    vector_add(&pickle->marks, pickle->stack.count);
    return true;
}

/* Where the values above the last mark begin; the mark goes. */
static bool pop_mark(struct pickle *pickle, size_t *from, struct error *err)
{
    if (!pickle->marks.count)
        return error_set_at(err, pickle->at, 0, "an instruction without its mark");
    *from = pickle->marks.list[--pickle->marks.count];
    return true;
}

/* ---- numbers ---- */

static bool push_int(struct pickle *pickle, int64_t whole, struct error *err)
{
    return pickle_push(pickle, &(struct value){.kind = VALUE_INT, .whole = whole}, err);
}

static bool small_int(struct pickle *pickle, unsigned char code, struct error *err)
{
    size_t len = code == 'K' ? 1 : code == 'M' ? 2 : 4;
    uint64_t number;

    if (!take_number(pickle, len, &number, err))
        return false;
    return push_int(pickle, len == 4 ? (int32_t)(uint32_t)number : (int64_t)number, err);
}

/* LONG1, LONG4: two's complement of any length. */
static bool long_int(struct pickle *pickle, unsigned char code, struct error *err)
{
    uint64_t len;
    struct span bytes = {0};

    return take_number(pickle, code == 0x8A ? 1 : 4, &len, err) &&
           take_bytes(pickle, len, &bytes, err) && push_int(pickle, literal_long(bytes), err);
}

static bool text_int(struct pickle *pickle, unsigned char code, struct error *err)
{
    struct span line;
    int64_t whole;

    (void)code;
    if (!pickle_take_line(pickle, &line, err))
        return false;
    if (!literal_int(line, &whole))
        return error_set_at(err, pickle->at, 0, "a number that is none");
    return push_int(pickle, whole, err);
}

static bool push_real(struct pickle *pickle, double real, struct error *err)
{
    return pickle_push(pickle, &(struct value){.kind = VALUE_REAL, .real = real}, err);
}

static bool binary_real(struct pickle *pickle, unsigned char code, struct error *err)
{
    struct span bytes = {0};
    uint64_t bits = 0;
    double real;

    (void)code;
    if (!take_bytes(pickle, 8, &bytes, err))
        return false;
    for (size_t i = 0; i < 8; i++)
        bits = bits << 8 | (unsigned char)bytes.at[i];
    memcpy(&real, &bits, sizeof(real));
    return push_real(pickle, real, err);
}

static bool text_real(struct pickle *pickle, unsigned char code, struct error *err)
{
    struct span line;
    double real;

    (void)code;
    if (!pickle_take_line(pickle, &line, err))
        return false;
    if (!literal_real(line, &real))
        return error_set_at(err, pickle->at, 0, "a number that is none");
    return push_real(pickle, real, err);
}

static bool constant(struct pickle *pickle, unsigned char code, struct error *err)
{
    if (code == 'N')
        return pickle_push(pickle, &(struct value){.kind = VALUE_NONE}, err);
    return push_int(pickle, code == 0x88, err);
}

/* ---- texts ---- */

static bool push_text(struct pickle *pickle, struct span text, struct error *err)
{
    struct value value = {.kind = VALUE_TEXT, .text = builder_intern(pickle->builder, text)};

    return pickle_push(pickle, &value, err);
}

static bool counted_text(struct pickle *pickle, unsigned char code, struct error *err)
{
    size_t width = code == 0x8C || code == 'U' ? 1 : code == 0x8D ? 8 : 4;
    uint64_t len;
    struct span text;

    return take_number(pickle, width, &len, err) && take_bytes(pickle, len, &text, err) &&
           push_text(pickle, text, err);
}

static bool line_text(struct pickle *pickle, unsigned char code, struct error *err)
{
    struct span line;

    if (!pickle_take_line(pickle, &line, err))
        return false;
    line =
        code == 'S' ? literal_string(line, &pickle->arena) : literal_unicode(line, &pickle->arena);
    return push_text(pickle, line, err);
}

/* ---- containers ---- */

static bool empty(struct pickle *pickle, unsigned char code, struct error *err)
{
    enum value_kind type = code == ')' ? VALUE_TUPLE : code == ']' ? VALUE_LIST : VALUE_DICT;

    return pickle_push(pickle, &(struct value){.kind = type}, err);
}

/* Where the tuple of two items is known by their numbers; NULL where they are none. */
static uint32_t *pair_at(struct pickle *pickle, const value_id *items)
{
    uint64_t numbers[2];

    for (size_t i = 0; i < 2; i++) {
        const struct value *value = value_at(&pickle->values, items[i]);

        if (value->kind != VALUE_INT || value->whole < 0 || value->whole > UINT32_MAX)
            return NULL;
        numbers[i] = (uint64_t)value->whole;
    }
    if (!pickle->pair_known || pickle->pair != (numbers[0] << 32 | numbers[1])) {
        pickle->pair = numbers[0] << 32 | numbers[1];
        pickle->pair_known = idmap_at(&pickle->pairs, pickle->pair);
    }
    return pickle->pair_known;
}

/* Tuples of the same two numbers are one: those of pools, which are in millions of dicts. */
static bool collect(struct pickle *pickle, size_t from, enum value_kind type, struct error *err)
{
    bool is_pair = type == VALUE_TUPLE && pickle->stack.count == from + 2;
    uint32_t *known = is_pair ? pair_at(pickle, pickle->stack.list + from) : NULL;
    value_id made;

    if (known && *known != IDMAP_NONE) {
        made = *known;
        pickle_forget(pickle, from);
        return push_id(pickle, made);
    }
    if (!pickle_push(pickle, &(struct value){.kind = type, .is_fetched = known != NULL}, err))
        return false;
    made = pickle->stack.list[--pickle->stack.count];
    if (known)
        *known = made;
    pickle_fill(pickle, from, made);
    return push_id(pickle, made);
}

/* TUPLE1 … TUPLE3 */
static bool short_tuple(struct pickle *pickle, unsigned char code, struct error *err)
{
    size_t count = (size_t)code - 0x84;

    if (pickle->stack.count < floor_of(pickle) + count)
        return error_set_at(err, pickle->at, 0, "a tuple without its values");
    return collect(pickle, pickle->stack.count - count, VALUE_TUPLE, err);
}

static bool marked(struct pickle *pickle, unsigned char code, struct error *err)
{
    enum value_kind type = code == 't' ? VALUE_TUPLE : code == 'l' ? VALUE_LIST : VALUE_DICT;
    size_t from = 0;

    return pop_mark(pickle, &from, err) && collect(pickle, from, type, err);
}

/* APPEND, SETITEM: one item, or key and value, into what is below. */
static bool append(struct pickle *pickle, unsigned char code, struct error *err)
{
    size_t count = code == 'a' ? 1 : 2, from = pickle->stack.count - count;
    value_id container;

    if (pickle->stack.count < floor_of(pickle) + count + 1)
        return error_set_at(err, pickle->at, 0, "an item without its container");
    pickle->stack.count = from;
    container = pickle_top(pickle, code == 'a' ? VALUE_LIST : VALUE_DICT, err);
    pickle->stack.count += count;
    if (container)
        pickle_fill(pickle, from, container);
    return container != 0;
}

/* APPENDS, SETITEMS: all above the mark. */
static bool append_all(struct pickle *pickle, unsigned char code, struct error *err)
{
    size_t from = 0, depth = pickle->stack.count;
    value_id container;

    if (!pop_mark(pickle, &from, err))
        return false;
    pickle->stack.count = from;
    container = pickle_top(pickle, code == 'e' ? VALUE_LIST : VALUE_DICT, err);
    pickle->stack.count = depth;
    if (container && code == 'u' && (depth - from) % 2)
        return error_set_at(err, pickle->at, 0, "a key without a value");
    if (container && (code == 'u' ? pickle->read : pickle->read_list) &&
        pickle_read_at_once(pickle, from, container))
        return true;
    if (container)
        pickle_fill(pickle, from, container);
    return container != 0;
}

/* ---- the memo ---- */

static bool memorize(struct pickle *pickle, uint64_t key, struct error *err)
{
    value_id top;

    if (pickle->stack.count <= floor_of(pickle))
        return error_set_at(err, pickle->at, 0, "nothing to remember");
    top = pickle->stack.list[pickle->stack.count - 1];
    if (key > pickle->memo.count || key >= MEMO_MAX) {
        *idmap_at(&pickle->odd_memo, key) = top;
        value_at(&pickle->values, top)->is_fetched = true;
        return true;
    }
    if (key == pickle->memo.count)
        vector_add(&pickle->memo, 0);
    if (pickle->memo.list[key])
        value_at(&pickle->values, pickle->memo.list[key])->is_fetched = true;
    pickle->memo.list[key] = top;
    value_at(&pickle->values, top)->is_fetched |= value_at(&pickle->values, top)->memo != 0;
    value_at(&pickle->values, top)->memo = (unsigned)(key + 1) & MEMO_MAX;
    return true;
}

static bool memo_key(struct pickle *pickle, unsigned char code, uint64_t *key, struct error *err)
{
    struct span line;

    if (code != 'p' && code != 'g')
        return take_number(pickle, code == 'q' || code == 'h' ? 1 : 4, key, err);
    if (!pickle_take_line(pickle, &line, err))
        return false;
    return span_to_u64(line, key) || error_set_at(err, pickle->at, 0, "a memo without a number");
}

static bool memoize(struct pickle *pickle, unsigned char code, struct error *err)
{
    uint64_t key = pickle->memorized;

    if (code != 0x94 && !memo_key(pickle, code, &key, err))
        return false;
    pickle->memorized++;
    return memorize(pickle, key, err);
}

/* As many as follow each other and are known by a number: most instructions are these. */
static void push_memos(struct pickle *pickle)
{
    const unsigned char *at = (const unsigned char *)pickle->in->at;
    const unsigned char *end = (const unsigned char *)pickle->in->end;

    while (end - at >= 5 && (*at & ~2) == 'h') {
        uint32_t is_long = *at == 'j'; /* both take turns: a branch would be guessed wrong */
        uint32_t key = at[1] | at[2] << 8 | at[3] << 16 | (uint32_t)at[4] << 24;
        value_id known;

        key &= 0xff | (0 - is_long);
        known = key < pickle->memo.count ? pickle->memo.list[key] : 0;
        if (!known)
            break;
        at += 2 + 3 * is_long;
        if (!value_at(&pickle->values, known)
                 ->is_fetched) /* most are: their cache lines stay clean */
            value_at(&pickle->values, known)->is_fetched = true;
        vector_add(&pickle->stack, known);
    }
    pickle->in->at = (const char *)at;
}

static bool push_memo(struct pickle *pickle, unsigned char code, struct error *err)
{
    uint64_t key;
    uint32_t known;

    if (!memo_key(pickle, code, &key, err))
        return false;
    known = key < pickle->memo.count ? pickle->memo.list[key] : idmap_find(&pickle->odd_memo, key);
    if (known == IDMAP_NONE)
        return error_set_at(err, pickle->at, 0, "a memo that was never made");
    if (known == 0)
        return error_set_at(err, pickle->at, 0, "a memo of something that was read and left");
    if (!value_at(&pickle->values, known)->is_fetched) /* most are: their cache lines stay clean */
        value_at(&pickle->values, known)->is_fetched = true;
    return push_id(pickle, known);
}

/* ---- the program ---- */

/* PROTO and FRAME tell nothing that is needed. */
static bool skip(struct pickle *pickle, unsigned char code, struct error *err)
{
    uint64_t ignored;

    return take_number(pickle, code == 0x80 ? 1 : 8, &ignored, err);
}

static operation *const operations[256] = {
    [0x80] = skip,         [0x95] = skip,         ['('] = mark,         ['K'] = small_int,
    ['M'] = small_int,     ['J'] = small_int,     [0x8A] = long_int,    [0x8B] = long_int,
    ['I'] = text_int,      ['L'] = text_int,      ['G'] = binary_real,  ['F'] = text_real,
    ['N'] = constant,      [0x88] = constant,     [0x89] = constant,    [0x8C] = counted_text,
    ['X'] = counted_text,  [0x8D] = counted_text, ['U'] = counted_text, ['T'] = counted_text,
    ['V'] = line_text,     ['S'] = line_text,     [')'] = empty,        [']'] = empty,
    ['}'] = empty,         [0x85] = short_tuple,  [0x86] = short_tuple, [0x87] = short_tuple,
    ['t'] = marked,        ['l'] = marked,        ['d'] = marked,       ['a'] = append,
    ['s'] = append,        ['e'] = append_all,    ['u'] = append_all,   ['c'] = pickle_global,
    [0x93] = pickle_stack_global, [0x81] = pickle_make_object,  ['R'] = pickle_make_object,  ['b'] = pickle_build,
    [0x94] = memoize,      ['p'] = memoize,       ['q'] = memoize,      ['r'] = memoize,
    ['g'] = push_memo,     ['h'] = push_memo,     ['j'] = push_memo,
};

value_id pickle_read(struct pickle *pickle, struct error *err)
{
    pickle->values.builder = pickle->builder;
    for (;;) {
        unsigned char code;

        push_memos(pickle);
        pickle->at = input_offset(pickle->in);
        if (!input_has(pickle->in, 1)) {
            cut(pickle, err);
            return 0;
        }
        code = (unsigned char)*pickle->in->at;
        input_skip(pickle->in, 1);
        if (code == '.')
            return pickle_pop(pickle, err);
        if (!operations[code]) {
            error_set_at(err, pickle->at, 0, "instruction 0x%02x, which no profile needs", code);
            return 0;
        }
        if (!operations[code](pickle, code, err))
            return 0;
    }
}

void pickle_free(struct pickle *pickle)
{
    values_free(&pickle->values);
    free(pickle->memo.list);
    idmap_free(&pickle->odd_memo);
    idmap_free(&pickle->pairs);
    idmap_free(&pickle->shared);
    arena_free(&pickle->arena);
    free(pickle->stack.list);
    free(pickle->marks.list);
}
