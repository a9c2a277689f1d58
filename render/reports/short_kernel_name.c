#include "render/reports/short_kernel_name.h"

#include "base/attr.h"

enum { NAME_MAX_BYTES = 48 };

/* Where template arguments or the argument list begin, which is not at the name's start. */
static size_t end_of_name(struct span name)
{
    static const struct span anonymous = {"(anonymous namespace)::", 23};

    for (size_t i = 0; i < name.len; i++) {
        struct span rest = {name.at + i, name.len - i};

        if (span_starts(rest, anonymous))
            i += anonymous.len - 1;
        else if (i && name.at[i - 1] != ' ' && (name.at[i] == '<' || name.at[i] == '('))
            return i;
    }
    return name.len;
}

/* Where the last part of a::b::c begins. */
static size_t start_of_name(struct span name)
{
    for (size_t i = name.len; i > 1; i--)
        if (name.at[i - 1] == ':' && name.at[i - 2] == ':')
            return i;
    return span_starts(name, SPAN("void ")) ? 5 : 0;
}

static struct span cut(struct span name, struct arena *arena)
{
    size_t len = NAME_MAX_BYTES - 3;

    if (name.len <= NAME_MAX_BYTES)
        return name;
    while (len > 0 && ((unsigned char)name.at[len] & 0xC0) == 0x80)
        len--;
    return span_of(arena_printf(arena, "%.*s...", (int)len, name.at));
}

static struct span last_part(struct span name)
{
    size_t start = start_of_name(name);

    return (struct span){name.at + start, name.len - start};
}

/* Wrappers that say nothing themselves: what they run is their first template argument. */
static bool is_wrapper(struct span name)
{
    return span_eq(name, SPAN("Kernel")) || span_eq(name, SPAN("Kernel2")) ||
           span_eq(name, SPAN("kentry")) || span_eq(name, SPAN("device_kernel"));
}

/* PyTorch's loops over elements, which are the same for all that they do. */
static bool is_loop(struct span name)
{
    return span_ends(name, SPAN("elementwise_kernel")) ||
           span_ends(name, SPAN("elementwise_kernel_manual_unroll")) ||
           span_eq(name, SPAN("reduce_kernel"));
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* Numbers, types, namespaces and what only passes on. */
static bool is_telling(struct span word)
{
    static const char *const others[] = {
        "at",
        "native",
        "anonymous",
        "namespace",
        "c10",
        "float",
        "double",
        "int",
        "long",
        "unsigned",
        "bool",
        "char",
        "BFloat16",
        "Half",
        "gpu_kernel_impl",
        "BinaryFunctor",
        "AUnaryFunctor",
        "BUnaryFunctor",
        "ReduceOp",
        "gpu_kernel_impl_nocast",
        "true",
        "func_wrapper_t",
        "false",
        "short",
        "binary_internal",
    };

    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (span_eq(word, span_of(others[i])))
            return false;
    return word.len > 1 && is_letter(word.at[0]);
}

/* The first word of template arguments that says what is done; empty when none does. */
static struct span telling_word(struct span arguments)
{
    while (arguments.len) {
        struct span word = {arguments.at, 0};

        while (word.len < arguments.len && (is_letter(word.at[word.len]) ||
                                            (word.at[word.len] >= '0' && word.at[word.len] <= '9')))
            word.len++;
        if (is_telling(word))
            return word;
        arguments = span_after(arguments, word.len ? word.len : 1);
    }
    return arguments;
}

/* "12Rmsnorm2dFwd" at the start of `rest`, which moves past it; false when there is no such
 * part. */
static bool mangled_part(struct span *rest, struct span *part)
{
    size_t digits = 0;
    int64_t len;

    while (digits < rest->len && rest->at[digits] >= '0' && rest->at[digits] <= '9')
        digits++;
    if (!digits || !span_to_i64((struct span){rest->at, digits}, &len) || len <= 0 ||
        (size_t)len > rest->len - digits)
        return false;
    *part = (struct span){rest->at + digits, (size_t)len};
    *rest = span_after(*rest, digits + (size_t)len);
    return true;
}

/* The function of a mangled name, which profilers leave as it is when it is very long: the last
 * part before the template arguments, or the first type among them. Empty when the name is not
 * mangled. */
static struct span mangled_name(struct span name)
{
    struct span rest = name, last = {0};

    if (!span_starts(name, SPAN("_Z")))
        return last;
    rest = span_after(rest, span_starts(name, SPAN("_ZN")) ? 3 : 2);
    while (mangled_part(&rest, &last))
        continue;
    while (is_wrapper(last) && rest.len) {
        size_t end = rest.at[0] == 'L' ? span_find(rest, SPAN("E")) : SIZE_MAX; /* "Li1E": a 1 */

        if (end != SIZE_MAX)
            rest = span_after(rest, end + 1);
        else if (!mangled_part(&rest, &last))
            rest = span_after(rest, 1);
    }
    return last;
}

struct span kernel_name_short(struct span name, struct arena *arena)
{
    struct span mangled = mangled_name(name);
    struct span head = {name.at, end_of_name(name)};
    struct span last = last_part(head), what;

    if (mangled.len)
        return cut(mangled, arena);
    if (is_loop(last)) {
        what = telling_word(span_after(name, head.len));
        if (what.len)
            return cut(what, arena);
    }
    if (is_wrapper(last) && head.len + 1 < name.len) {
        struct span inner = {name.at + head.len + 1, name.len - head.len - 1};

        for (head = (struct span){inner.at, 0}; head.len < inner.len; head.len++)
            if (strchr("<>(,", inner.at[head.len]))
                break;
        last = last_part(head);
    }
    return cut(last.len ? last : name, arena);
}
