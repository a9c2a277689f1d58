/* SPDX-License-Identifier: Apache-2.0 */
/* Rust's v0 names from mangled ones: https://doc.rust-lang.org/rustc/symbol-mangling/v0.html. The length of what is
 * made, the steps taken and the depth are bounded: references back repeat what came before. */
#include "base/symbols/symbols.h"

#include <string.h>

#include "base/checked.h"

enum { TEXT_MAX = 4096, STEPS_MAX = 4096, DEPTH_MAX = 64, NAME_MAX_LEN = 16384 };

struct demangling {
    struct span name; /* behind "_R": references count from there */
    size_t at;
    char *text;
    size_t len;
    unsigned steps, depth;
    bool is_silent; /* what is read is not written */
    bool failed;
};

static void read_path(struct demangling *from);
static void read_type(struct demangling *from);

/* ---- bytes ---- */

static void put_text(struct demangling *from, struct span text)
{
    if (from->is_silent || from->failed)
        return;
    if (text.len > TEXT_MAX - from->len) {
        from->failed = true;
        return;
    }
    memcpy(from->text + from->len, text.at, text.len);
    from->len += text.len;
}

static char peek_byte(const struct demangling *from)
{
    return from->at < from->name.len ? from->name.at[from->at] : '\0';
}

static char take_byte(struct demangling *from)
{
    if (from->at >= from->name.len || ++from->steps > STEPS_MAX) {
        from->failed = true;
        return '\0';
    }
    return from->name.at[from->at++];
}

static bool take_if(struct demangling *from, char wanted)
{
    if (from->failed || peek_byte(from) != wanted)
        return false;
    take_byte(from);
    return true;
}

/* "_" is 0, "0_" 1, "1_" 2 and so on, in digits of base 62. */
static uint64_t take_base62(struct demangling *from)
{
    uint64_t value = 0;

    if (take_if(from, '_'))
        return 0;
    while (!from->failed && !take_if(from, '_')) {
        char c = take_byte(from);
        uint64_t digit = c >= '0' && c <= '9'   ? (uint64_t)(c - '0')
                         : c >= 'a' && c <= 'z' ? (uint64_t)(c - 'a' + 10)
                         : c >= 'A' && c <= 'Z' ? (uint64_t)(c - 'A' + 36)
                                                : 62;

        if (digit == 62 || value > UINT64_MAX / 62 - 1)
            from->failed = true;
        else
            value = value * 62 + digit;
    }
    return value + 1;
}

static uint64_t take_disambiguator(struct demangling *from)
{
    return take_if(from, 's') ? take_base62(from) + 1 : 0;
}

static void put_number(struct demangling *from, uint64_t number)
{
    char digits[20];
    size_t len = 0;

    do
        digits[sizeof(digits) - ++len] = (char)('0' + number % 10);
    while (number /= 10);
    put_text(from, (struct span){digits + sizeof(digits) - len, len});
}

/* ---- identifiers ---- */

static struct span take_identifier(struct demangling *from, bool *is_punycode)
{
    uint64_t len = 0;
    size_t digits;
    struct span text;

    *is_punycode = take_if(from, 'u');
    digits = span_digits(span_after(from->name, from->at));
    if (!digits || digits > 9 ||
        !span_to_u64((struct span){from->name.at + from->at, digits}, &len)) {
        from->failed = true;
        return (struct span){NULL, 0};
    }
    from->at += digits;
    take_if(from, '_');
    if (len > from->name.len - from->at) {
        from->failed = true;
        return (struct span){NULL, 0};
    }
    text = (struct span){from->name.at + from->at, (size_t)len};
    from->at += (size_t)len;
    return text;
}

static void put_identifier(struct demangling *from, struct span text, bool is_punycode)
{
    put_text(from, is_punycode ? SPAN("punycode{") : SPAN(""));
    put_text(from, text);
    put_text(from, is_punycode ? SPAN("}") : SPAN(""));
}

/* ---- references back ---- */

/* Reads at another place, then goes on where it was. */
static void read_back(struct demangling *from, bool is_type)
{
    size_t begin = from->at - 1;
    uint64_t to = take_base62(from);
    size_t kept = from->at;

    if (from->failed || to >= begin) {
        from->failed = true;
        return;
    }
    if (from->is_silent)
        return; /* it was read there */
    from->at = (size_t)to;
    if (is_type)
        read_type(from);
    else
        read_path(from);
    from->at = kept;
}

static bool goes_deeper(struct demangling *from)
{
    if (++from->depth > DEPTH_MAX)
        from->failed = true;
    return !from->failed;
}

/* ---- constants ---- */

static void read_constant(struct demangling *from)
{
    char type = take_byte(from);
    struct span digits;
    uint64_t value = 0;

    if (type == 'p') {
        put_text(from, SPAN("_"));
        return;
    }
    if (type == 'B') {
        size_t begin = from->at - 1, kept;
        uint64_t to = take_base62(from);

        kept = from->at;
        if (from->failed || to >= begin || !goes_deeper(from)) {
            from->failed = true;
            return;
        }
        from->at = (size_t)to;
        read_constant(from);
        from->at = kept;
        from->depth--;
        return;
    }
    if (!strchr("abchijlmnostxy", type) || !type) {
        from->failed = true; /* strings, tuples and structures: not in stable Rust */
        return;
    }
    put_text(from, take_if(from, 'n') ? SPAN("-") : SPAN(""));
    digits = (struct span){from->name.at + from->at, span_hex_digits(span_after(from->name, from->at))};
    from->at += digits.len;
    if (!take_if(from, '_')) {
        from->failed = true;
    } else if (type == 'b') {
        put_text(from, span_eq(digits, SPAN("1")) ? SPAN("true") : SPAN("false"));
    } else if (digits.len && digits.len <= 16 && span_hex_to_u64(digits, &value)) {
        put_number(from, value);
    } else {
        put_text(from, SPAN("0x"));
        put_text(from, digits);
    }
}

/* ---- types ---- */

static void skip_binder(struct demangling *from)
{
    if (take_if(from, 'G'))
        take_base62(from);
}

static void read_function_type(struct demangling *from)
{
    bool is_punycode, is_first = true;

    skip_binder(from);
    put_text(from, take_if(from, 'U') ? SPAN("unsafe ") : SPAN(""));
    if (take_if(from, 'K')) {
        put_text(from, SPAN("extern \""));
        if (take_if(from, 'C'))
            put_text(from, SPAN("C"));
        else
            put_text(from, take_identifier(from, &is_punycode));
        put_text(from, SPAN("\" "));
    }
    put_text(from, SPAN("fn("));
    while (!from->failed && !take_if(from, 'E')) {
        put_text(from, is_first ? SPAN("") : SPAN(", "));
        read_type(from);
        is_first = false;
    }
    put_text(from, SPAN(")"));
    if (!take_if(from, 'u')) { /* the result; "u" is the empty one */
        put_text(from, SPAN(" -> "));
        read_type(from);
    }
}

static void read_trait_object(struct demangling *from)
{
    bool is_first = true, is_punycode;

    put_text(from, SPAN("dyn "));
    skip_binder(from);
    while (!from->failed && !take_if(from, 'E')) {
        put_text(from, is_first ? SPAN("") : SPAN(" + "));
        read_path(from);
        while (take_if(from, 'p')) { /* "Item = T" */
            put_text(from, SPAN("<"));
            put_text(from, take_identifier(from, &is_punycode));
            put_text(from, SPAN(" = "));
            read_type(from);
            put_text(from, SPAN(">"));
        }
        is_first = false;
    }
    if (take_if(from, 'L'))
        take_base62(from);
    else
        from->failed = true;
}

static const char *basic_type(char letter)
{
    static const struct {
        char letter;
        const char *name;
    } types[] = {{'a', "i8"}, {'b', "bool"}, {'c', "char"}, {'d', "f64"}, {'e', "str"}, {'f', "f32"}, {'h', "u8"},
                 {'i', "isize"}, {'j', "usize"}, {'l', "i32"}, {'m', "u32"}, {'n', "i128"}, {'o', "u128"},
                 {'p', "_"}, {'s', "i16"}, {'t', "u16"}, {'u', "()"}, {'v', "..."}, {'x', "i64"}, {'y', "u64"}, {'z', "!"}};

    for (size_t i = 0; i < COUNT_OF(types); i++)
        if (types[i].letter == letter)
            return types[i].name;
    return NULL;
}

static void read_tuple(struct demangling *from)
{
    unsigned count = 0;

    put_text(from, SPAN("("));
    while (!from->failed && !take_if(from, 'E')) {
        put_text(from, count++ ? SPAN(", ") : SPAN(""));
        read_type(from);
    }
    put_text(from, count == 1 ? SPAN(",)") : SPAN(")"));
}

static void read_type(struct demangling *from)
{
    char letter = take_byte(from);
    const char *basic = basic_type(letter);

    if (from->failed || !goes_deeper(from))
        return;
    if (basic) {
        put_text(from, span_of(basic));
    } else if (letter == 'R' || letter == 'Q') {
        put_text(from, SPAN("&"));
        if (take_if(from, 'L'))
            take_base62(from);
        put_text(from, letter == 'Q' ? SPAN("mut ") : SPAN(""));
        read_type(from);
    } else if (letter == 'P' || letter == 'O') {
        put_text(from, letter == 'P' ? SPAN("*const ") : SPAN("*mut "));
        read_type(from);
    } else if (letter == 'A' || letter == 'S') {
        put_text(from, SPAN("["));
        read_type(from);
        if (letter == 'A') {
            put_text(from, SPAN("; "));
            read_constant(from);
        }
        put_text(from, SPAN("]"));
    } else if (letter == 'T') {
        read_tuple(from);
    } else if (letter == 'F') {
        read_function_type(from);
    } else if (letter == 'D') {
        read_trait_object(from);
    } else if (letter == 'B') {
        read_back(from, true);
    } else {
        from->at--;
        read_path(from);
    }
    from->depth--;
}

/* ---- paths ---- */

/* The path of an impl block says where it is written, not what it is of. */
static void skip_impl_path(struct demangling *from)
{
    bool was_silent = from->is_silent;

    take_disambiguator(from);
    from->is_silent = true;
    read_path(from);
    from->is_silent = was_silent;
}

static void read_nested(struct demangling *from)
{
    char space = take_byte(from);
    uint64_t number;
    bool is_punycode;
    struct span name;

    read_path(from);
    number = take_disambiguator(from);
    name = take_identifier(from, &is_punycode);
    if (space >= 'A' && space <= 'Z') { /* {closure#0}, {shim:vtable#0} */
        put_text(from, SPAN("::{"));
        put_text(from, space == 'C' ? SPAN("closure") : space == 'S' ? SPAN("shim") : (struct span){&space, 1});
        put_text(from, name.len ? SPAN(":") : SPAN(""));
        put_identifier(from, name, is_punycode);
        put_text(from, SPAN("#"));
        put_number(from, number);
        put_text(from, SPAN("}"));
    } else if (name.len) {
        put_text(from, SPAN("::"));
        put_identifier(from, name, is_punycode);
    }
}

static void read_generic(struct demangling *from)
{
    bool is_first = true;

    read_path(from);
    put_text(from, SPAN("<"));
    while (!from->failed && !take_if(from, 'E')) {
        put_text(from, is_first ? SPAN("") : SPAN(", "));
        if (take_if(from, 'L')) {
            take_base62(from);
            put_text(from, SPAN("'_"));
        } else if (take_if(from, 'K')) {
            read_constant(from);
        } else {
            read_type(from);
        }
        is_first = false;
    }
    put_text(from, SPAN(">"));
}

static void read_path(struct demangling *from)
{
    char letter = take_byte(from);
    bool is_punycode;
    struct span crate;

    if (from->failed || !goes_deeper(from))
        return;
    switch (letter) {
    case 'C':
        take_disambiguator(from);
        crate = take_identifier(from, &is_punycode);
        put_identifier(from, crate, is_punycode);
        break;
    case 'M':
    case 'X':
    case 'Y':
        if (letter != 'Y')
            skip_impl_path(from);
        put_text(from, SPAN("<"));
        read_type(from);
        if (letter != 'M') {
            put_text(from, SPAN(" as "));
            read_path(from);
        }
        put_text(from, SPAN(">"));
        break;
    case 'N':
        read_nested(from);
        break;
    case 'I':
        read_generic(from);
        break;
    case 'B':
        read_back(from, false);
        break;
    default:
        from->failed = true;
    }
    from->depth--;
}

struct span demangle_rust(struct arena *arena, struct span name)
{
    struct demangling from = {0};
    size_t end;

    if (!span_starts(name, SPAN("_R")) || name.len > NAME_MAX_LEN)
        return name;
    from.name = span_after(name, 2);
    end = span_find(from.name, SPAN(".")); /* ".llvm.123" */
    from.name.len = end < from.name.len ? end : from.name.len;
    from.text = arena_array(arena, TEXT_MAX, 1);
    read_path(&from);
    if (!from.failed && from.at < from.name.len) { /* the crate that it was made for */
        from.is_silent = true;
        read_path(&from);
    }
    return from.failed || from.at < from.name.len || !from.len ? name : (struct span){from.text, from.len};
}
