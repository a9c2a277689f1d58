/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of C++'s functions: the last scope and the name; lambdas with what they are in; what tells twins apart is
 * template arguments, parameters, clones. */
#include "graph/names/name_label.h"

#include <string.h>

#include "base/checked.h"

/* ".constprop.0", ".isra.0", ".part.1", ".cold", ".llvm.123", " [clone …]": where they begin; the end: none. */
static size_t clone_at(struct span name)
{
    static const struct span marks[] = {LITERAL(".constprop"), LITERAL(".isra"), LITERAL(".part"), LITERAL(".cold"),
                                        LITERAL(".llvm."),     LITERAL(".lto_priv"), LITERAL(" [clone ")};
    size_t first = name.len;

    for (size_t i = 0; i < COUNT_OF(marks); i++) {
        size_t at = span_find(name, marks[i]);
        size_t end = at == SIZE_MAX ? 0 : at + marks[i].len;

        if (at == SIZE_MAX || at == 0 || at >= first)
            continue;
        if (marks[i].at[0] == ' ' || end == name.len || name.at[end] == '.' || is_digit(name.at[end]))
            first = at;
    }
    return first;
}

static struct span clone_text(struct span clone)
{
    if (span_starts(clone, SPAN(" [clone ")))
        clone = span_after(clone, strlen(" [clone "));
    if (span_ends(clone, SPAN("]")))
        clone.len--;
    return span_trim(clone);
}

static size_t prefix_len(struct span name, bool *is_thunk)
{
    static const struct span prefixes[] = {LITERAL("virtual thunk to "), LITERAL("non-virtual thunk to "),
                                           LITERAL("static "),           LITERAL("vtable for "),
                                           LITERAL("typeinfo for "),     LITERAL("guard variable for ")};

    for (size_t i = 0; i < COUNT_OF(prefixes); i++)
        if (span_starts(name, prefixes[i])) {
            *is_thunk = i < 2;
            return prefixes[i].len;
        }
    return 0;
}

/* "lambda#2" of "{lambda(T)#2}" and "$_1". */
static struct span part_shown(struct span name, struct arena *arena)
{
    uint64_t number;

    if (span_starts(name, SPAN("{lambda")) && span_ends(name, SPAN("}"))) {
        size_t at = span_rfind(name, '#');

        if (at != SIZE_MAX)
            return JOINED(arena, SPAN("lambda"), span_before(span_after(name, at), name.len - at - 1));
    }
    if (span_starts(name, SPAN("$_")) && span_to_u64(span_after(name, 2), &number) && number < 1000000)
        return span_of(arena_printf(arena, "lambda#%u", (unsigned)number + 1));
    return name;
}

static bool is_nested(struct span shown)
{
    return span_starts(shown, SPAN("lambda#")) || span_starts(shown, SPAN("{"));
}

static bool says_nothing(struct span scope)
{
    static const char *const names[] = {"__gnu_cxx", "__detail", "detail", "internal", "impl", NULL};

    return span_is_any(scope, names);
}

static void add_details(struct label *label, const struct name_part *parts, uint32_t count, uint32_t shown,
                        struct span qualifiers)
{
    const struct name_part *with_parameters = NULL;
    unsigned key = LABEL_TEMPLATE;

    if (label->is_brief)
        return;
    for (uint32_t i = count - shown; i < count; i++) {
        struct span rest = parts[i].arguments, argument, text = SPAN("<");
        bool is_first = true;

        if (!parts[i].has_arguments)
            continue;
        while (next_argument(&rest, &argument) && text.len < 4096) {
            static const char *const policies[] = {"std::allocator<", "std::char_traits<", "std::less<", "std::hash<",
                                                   "std::equal_to<",  "std::default_delete<", NULL};

            if (span_starts_any(argument, policies))
                continue;
            text = JOINED(label->arena, text, is_first ? SPAN("") : SPAN(","), type_short(argument, label->arena));
            is_first = false;
        }
        label_extra(label, (enum word_key)key++, JOINED(label->arena, text, SPAN(">")));
    }
    for (uint32_t i = count; i-- > 0 && !with_parameters;)
        if (parts[i].has_parameters)
            with_parameters = &parts[i];
    if (with_parameters)
        label_parameters(label, with_parameters, true);
    if (span_eq(qualifiers, SPAN("const")))
        label_extra(label, LABEL_LAYOUT, qualifiers);
    if (count > shown && parts[count - shown - 1].name.len)
        label_extra(label, LABEL_SCOPE, JOINED(label->arena, SPAN("in "), parts[count - shown - 1].name));
}

void label_cpp(struct label *label, struct span full)
{
    enum { HANDLERS_MAX = 4, NESTED_MAX = 4 };
    struct span name, prefix, head = NO_SPAN, clone = NO_SPAN;
    struct name_parts parts;
    bool is_thunk = false, is_handler = false;
    uint32_t shown = 2, kept = 0, last;

    name = span_before(full, clone_at(full));
    clone = span_after(full, name.len);
    label_extra(label, LABEL_CLONE, clone_text(clone));
    if (span_find(full, SPAN("__cxx11")) != SIZE_MAX)
        label_extra(label, LABEL_DIALECT, SPAN("__cxx11"));
    prefix = span_before(name, prefix_len(name, &is_thunk));
    name = name_normal(span_after(name, prefix.len), label->arena);
    parts = name_parts(name, label->arena);
    for (int i = 0; i < HANDLERS_MAX && parts.count > 1; i++) {
        const struct name_part *handler = &parts.list[parts.count - 2];
        struct span rest = handler->arguments, signature, functor;

        if (!span_eq(parts.list[parts.count - 1].name, SPAN("_M_invoke")) ||
            !span_eq(handler->name, SPAN("_Function_handler")) || !next_argument(&rest, &signature) ||
            !next_argument(&rest, &functor))
            break;
        is_handler = true;
        parts = name_parts(functor, label->arena);
    }
    label->head = full;
    if (!parts.count)
        return;
    /* a lambda's operator() is the lambda */
    for (uint32_t i = 0; i < parts.count; i++) {
        struct name_part part = parts.list[i];

        part.name = part_shown(part.name, label->arena);
        if (!span_eq(part.name, SPAN("operator()")) || !kept ||
            !span_starts(parts.list[kept - 1].name, SPAN("lambda#")))
            parts.list[kept++] = part;
    }
    parts.count = kept;
    last = parts.count - 1;
    while (shown <= NESTED_MAX && shown - 1 <= last && is_nested(parts.list[last - (shown - 2)].name))
        shown++;
    if (shown > parts.count)
        shown = parts.count;
    if (shown == 2 && says_nothing(parts.list[parts.count - 2].name) && !parts.list[parts.count - 2].has_arguments)
        shown = 1;
    for (uint32_t i = parts.count - shown; i < parts.count; i++)
        head = head.len ? JOINED(label->arena, head, SPAN("::"), parts.list[i].name) : parts.list[i].name;
    if (is_thunk)
        label_extra(label, LABEL_MODE, SPAN("thunk"));
    else if (prefix.len && !span_eq(prefix, SPAN("static ")))
        head = JOINED(label->arena, prefix, head);
    label->head = identifier_fitting(head, label->arena);
    if (is_handler)
        label_fact(label, LABEL_LIBRARY, SPAN("std::function"));
    add_details(label, parts.list, parts.count, shown, parts.qualifiers);
}

/* ---- names that profilers left mangled, mostly because they are very long ---- */

/* "12Rmsnorm2dFwd" at the start of `rest`, which moves past it. */
static bool mangled_part(struct span *rest, struct span *part)
{
    size_t digits = span_digits(*rest);
    uint64_t len;

    if (!digits || digits > 3 || !span_to_u64(span_before(*rest, digits), &len) || len < 2 || len > rest->len - digits)
        return false;
    *part = span_before(span_after(*rest, digits), (size_t)len);
    for (size_t i = 0; i < part->len; i++)
        if (!is_word_char(part->at[i]))
            return false;
    if (is_digit(part->at[0]))
        return false;
    *rest = span_after(*rest, digits + (size_t)len);
    return true;
}

void label_mangled(struct label *label, struct span name)
{
    static const char *const wrappers[] = {"ck", "ck_tile", "kentry", "Kernel", "Kernel2", "device", "tensor_operation",
                                           "element_wise", "_GLOBAL__N_1", "cutlass", "aiter", "activation", "conv",
                                           "kernel", "gemm", "threadblock", "device_kernel", NULL};
    struct span rest = span_after(name, 2), part, parts[4], first = NO_SPAN, numbers = NO_SPAN;
    uint32_t count = 0, values = 0;

    while (rest.len && count < COUNT_OF(parts)) {
        bool is_value = rest.len > 1 && rest.at[0] == 'L' && is_lower_letter(rest.at[1]);

        if (is_value) { /* "Li128E": the number 128 */
            size_t digits = span_digits(span_after(rest, 2));

            if (digits && values++ < 6)
                numbers = JOINED(label->arena, numbers, numbers.len ? SPAN(".") : SPAN(""),
                                 span_before(span_after(rest, 2), digits));
            rest = span_after(rest, 2 + digits);
        } else if (mangled_part(&rest, &part)) {
            first = first.len ? first : part;
            if (!span_is_any(part, wrappers) && !span_starts(part, SPAN("cutlass_")))
                parts[count++] = part;
        } else {
            rest = span_after(rest, 1);
        }
    }
    label->head = count ? identifier_fitting(kernel_identifier(parts[0]), label->arena) : name;
    if (span_starts(first, SPAN("ck")) && count)
        label->head = JOINED(label->arena, SPAN("ck "), label->head);
    if (span_find(name, SPAN("DF16b")) != SIZE_MAX || span_find(name, SPAN("bfloat16")) != SIZE_MAX)
        label_fact(label, LABEL_TYPE, SPAN("bf16"));
    else if (span_find(name, SPAN("DF16_")) != SIZE_MAX || span_find(name, SPAN("half")) != SIZE_MAX)
        label_fact(label, LABEL_TYPE, SPAN("fp16"));
    label_extra(label, LABEL_SIZE, numbers);
    for (uint32_t i = 1; i < count; i++)
        label_extra(label, (enum word_key)(LABEL_TEMPLATE + i), parts[i]);
}
