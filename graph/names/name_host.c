/* SPDX-License-Identifier: Apache-2.0 */
/* Which language a function of the host is in, by its name and its file, and the labels of Go, Java, JavaScript and
 * Ruby. */
#include "graph/names/name_label.h"

#include <inttypes.h>
#include <string.h>

#include "base/checked.h"

/* ---- files ---- */

static struct span own_file(struct span path)
{
    size_t len = path.len;

    while (len && path.at[len - 1] != '/' && path.at[len - 1] != '\\')
        len--;
    return span_after(path, len);
}

static bool is_script(struct span file)
{
    static const char *const endings[] = {".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx", NULL};

    return span_ends_any(file, endings);
}

static struct span file_and_line(struct label *label, struct span file, int64_t line)
{
    struct span own = own_file(file);

    if (!own.len || span_eq(own, SPAN("~")))
        return NO_SPAN;
    return line > 0 ? JOINED(label->arena, own, span_of(arena_printf(label->arena, ":%" PRId64, line))) : own;
}

/* "dir/file" */
static struct span file_in_folder(struct span file)
{
    struct span folder = span_before(file, file.len - own_file(file).len);

    folder.len -= folder.len > 0;
    return span_after(file, folder.len - own_file(folder).len);
}

/* Where it is: what tells twins apart at last. */
static void add_where(struct label *label, struct span file, int64_t line, struct span module)
{
    label_extra(label, LABEL_FILE, file_and_line(label, file, line));
    if (memchr(file.at ? file.at : "", '/', file.len))
        label_extra(label, LABEL_FOLDER, file_in_folder(file));
    if (module.len)
        label_extra(label, LABEL_LIBRARY, JOINED(label->arena, SPAN("["), own_file(module), SPAN("]")));
    label_extra(label, LABEL_PATH, file);
}

/* ---- Go: google.golang.org/grpc.(*Server).serveStreams.func1 ---- */

static bool is_go(struct span name, struct span file)
{
    static const char *const endings[] = {".go", ".s", NULL};
    size_t slash = span_rfind(span_before(name, span_find(name, SPAN("["))), '/'), dot;
    struct span domain = span_before(name, span_find(name, SPAN("/")));

    if (span_ends_any(file, endings) || span_find(name, SPAN(".(*")) != SIZE_MAX ||
        span_find(name, SPAN("[go.shape.")) != SIZE_MAX || span_ends(name, SPAN("[...]")))
        return true;
    /* "github.com/owner/module.Function" */
    dot = slash == SIZE_MAX ? SIZE_MAX : span_find(span_after(name, slash + 1), SPAN("."));
    return slash != SIZE_MAX && dot != SIZE_MAX && span_find(domain, SPAN(".")) != SIZE_MAX && domain.at[0] != '.' &&
           domain.len < slash + 1 && !span_holds_any(name, (const char *const[]){" ", "::", "(", ";", NULL});
}

static struct span without_escapes(struct span name, struct arena *arena)
{
    size_t at;

    while ((at = span_find(name, SPAN("%2e"))) != SIZE_MAX)
        name = JOINED(arena, span_before(name, at), SPAN("."), span_after(name, at + 3));
    return name;
}

static void label_go(struct label *label, struct span name)
{
    struct span path, last, version, generic = NO_SPAN;
    size_t open, slash;

    if (name.len < 4096)
        name = without_escapes(name, label->arena);
    open = span_find(name, SPAN("["));
    if (open != SIZE_MAX && (span_starts(span_after(name, open), SPAN("[go.shape.")) ||
                             span_starts(span_after(name, open), SPAN("[...]")))) {
        size_t end = bracket_end(name, open);

        generic = (struct span){name.at + open, (end < name.len ? end + 1 : end) - open};
        name = JOINED(label->arena, span_before(name, open), span_after(name, open + generic.len));
        while ((open = span_find(generic, SPAN("go.shape."))) != SIZE_MAX)
            generic = JOINED(label->arena, span_before(generic, open), span_after(generic, open + 9));
    }
    slash = span_rfind(name, '/');
    path = slash == SIZE_MAX ? NO_SPAN : span_before(name, slash);
    last = slash == SIZE_MAX ? name : span_after(name, slash + 1);
    version = last.len > 2 && last.at[0] == 'v' ? span_before(span_after(last, 1), span_digits(span_after(last, 1))) : NO_SPAN;
    if (version.len && path.len && version.len + 1 < last.len && last.at[version.len + 1] == '.') {
        slash = span_rfind(path, '/'); /* "badger/v3.Open" → "badger.Open" */
        last = JOINED(label->arena, slash == SIZE_MAX ? path : span_after(path, slash + 1), span_after(last, version.len + 1));
        path = slash == SIZE_MAX ? NO_SPAN : span_before(path, slash);
    }
    label->head = last;
    label_extra(label, LABEL_TEMPLATE, generic);
    if (path.len) {
        label_extra(label, LABEL_SCOPE, JOINED(label->arena, SPAN("in "), own_file(path)));
        label_extra(label, LABEL_TRAIT, JOINED(label->arena, SPAN("in "), path));
    }
}

/* ---- Java, Scala, Kotlin: java.util.HashMap.put, java/util/HashMap.put, Ljava/util/HashMap;.put ---- */

static bool is_word(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (!is_word_char(text.at[i]) && text.at[i] != '$')
            return false;
    return text.len > 0;
}

/* The name with points alone, without result, parameters and marks of compilation levels. */
static struct span java_path(struct label *label, struct span name)
{
    size_t open = span_find(name, SPAN("(")), blank;
    struct span path = span_before(name, open), tail;
    char *copy;

    blank = open == SIZE_MAX ? SIZE_MAX : span_rfind(path, ' ');
    if (blank != SIZE_MAX)
        path = span_after(path, blank + 1);
    tail = span_after(path, path.len > 4 ? path.len - 4 : 0);
    if (tail.len == 4 && span_starts(tail, SPAN("_[")) && span_ends(tail, SPAN("]")))
        path.len -= 4;
    copy = arena_copy(label->arena, path);
    if (path.len > 1 && copy[0] == 'L' && memchr(copy, ';', path.len)) {
        copy++;
        path.len--;
    }
    path.at = copy;
    for (size_t i = 0, kept = 0, whole = path.len; i < whole; i++) {
        if (copy[i] == ';')
            path.len--;
        else
            copy[kept++] = (char)(copy[i] == '/' ? '.' : copy[i]);
    }
    return path;
}

/* How long the package is: words in small letters, each with its point. */
static size_t package_len(struct span path)
{
    size_t len = 0;

    for (;;) {
        struct span word = span_before(span_after(path, len), span_find(span_after(path, len), SPAN(".")));

        if (word.len + len >= path.len || !is_word(word) || !(is_lower_letter(word.at[0]) || word.at[0] == '_'))
            return len;
        len += word.len + 1;
    }
}

/* "$$Lambda$91+0x0000ab.12" and "$$Lambda.0x0000ab": behind its name. */
static size_t lambda_end(struct span text, size_t at)
{
    size_t end = at + strlen("$$Lambda");

    while (end < text.len) {
        struct span rest = span_after(text, end + 1);
        size_t digits = span_starts(rest, SPAN("0x")) ? 2 + span_hex_digits(span_after(rest, 2)) : span_digits(rest);

        if (!strchr("$+./", text.at[end]) || !digits)
            break;
        end += 1 + digits;
    }
    return end;
}

static struct span removed(struct span text, struct span part, struct arena *arena)
{
    size_t at = span_find(text, part);

    return at == SIZE_MAX ? text : JOINED(arena, span_before(text, at), span_after(text, at + part.len));
}

static bool label_java(struct label *label, struct span name, struct span file)
{
    static const char *const endings[] = {".java", ".kt", ".scala", ".groovy", ".clj", NULL};
    struct span path, package, rest, method;
    size_t len, dot, lambda;
    bool is_class;

    if (span_find(name, SPAN("::")) != SIZE_MAX || name.len > 4096)
        return false;
    path = java_path(label, name);
    len = package_len(path);
    package = span_before(path, len ? len - 1 : 0);
    rest = span_after(path, len);
    dot = span_rfind(rest, '.');
    is_class = dot != SIZE_MAX && rest.len && is_upper_letter(rest.at[0]);
    if (!is_class && span_ends_any(file, endings) && len) { /* Kotlin's and Clojure's functions without a class */
        size_t before = span_rfind(package, '.');

        if (before == SIZE_MAX)
            return false;
        label->head = span_after(path, before + 1);
        label_extra(label, LABEL_SCOPE, JOINED(label->arena, SPAN("in "), span_before(package, before)));
        return true;
    }
    if (!is_class || (!len && span_find(rest, SPAN("$$Lambda")) == SIZE_MAX && !span_ends_any(file, endings)))
        return false;
    method = span_after(rest, dot + 1);
    if (!method.len || span_holds_any(rest, (const char *const[]){" ", "(", "[", "@", NULL}))
        return false;
    lambda = span_find(rest, SPAN("$$Lambda"));
    if (lambda != SIZE_MAX) {
        size_t end = lambda_end(rest, lambda), name_end = lambda + strlen("$$Lambda");

        label_extra(label, LABEL_LAMBDA, (struct span){rest.at + name_end, end - name_end});
        rest = JOINED(label->arena, span_before(rest, name_end), span_after(rest, end));
    }
    rest = removed(rest, SPAN("$$anonfun$"), label->arena);
    label->head = removed(rest, SPAN("$anonfun$"), label->arena);
    if (span_find(name, SPAN("(")) != SIZE_MAX) {
        struct name_part part = {.has_parameters = true};
        size_t open = span_find(name, SPAN("("));

        part.parameters = (struct span){name.at + open + 1, name.len - open - 1 - span_ends(name, SPAN(")"))};
        label_parameters(label, &part, false);
    }
    if (package.len) {
        size_t before = span_rfind(package, '.');

        label_extra(label, LABEL_SCOPE,
                    JOINED(label->arena, SPAN("in "), before == SIZE_MAX ? package : span_after(package, before + 1)));
        label_extra(label, LABEL_TRAIT, JOINED(label->arena, SPAN("in "), package));
    }
    label_extra(label, LABEL_REST, name);
    return true;
}

/* ---- JavaScript and Ruby ---- */

/* "./lib/app.js:handle:39" and "node:internal/timers:listOnTimeout:526" of Pyroscope. */
static bool split_script_place(struct span name, struct span *file, struct span *function, struct span *line)
{
    size_t last = span_rfind(name, ':'), before;

    if (last == SIZE_MAX || !span_is_digits(span_after(name, last + 1)))
        return false;
    before = span_rfind(span_before(name, last), ':');
    if (before == SIZE_MAX || before == 0)
        return false;
    *file = span_before(name, before);
    *function = (struct span){name.at + before + 1, last - before - 1};
    *line = span_after(name, last + 1);
    return function->len && (span_starts(*file, SPAN("node:")) || is_script(*file));
}

static bool label_script(struct label *label, struct span name, struct span file, int64_t line)
{
    struct span of_file, function, number;

    if (span_eq(name, SPAN("(anonymous)")) || span_eq(name, SPAN("<anonymous>")) || span_eq(name, SPAN("anonymous"))) {
        label->head = SPAN("(anonymous)");
        label_fact(label, LABEL_FILE, file_and_line(label, file, line));
        return true;
    }
    if (split_script_place(name, &of_file, &function, &number)) {
        struct span place = JOINED(label->arena, own_file(of_file), SPAN(":"), number);

        if (span_find(function, SPAN("anonymous")) != SIZE_MAX) {
            label->head = SPAN("(anonymous)");
            label_fact(label, LABEL_FILE, place);
        } else {
            label->head = function;
            label_extra(label, LABEL_SCOPE, place);
        }
        label_extra(label, LABEL_TRAIT, of_file);
        return true;
    }
    return is_script(file) || span_starts(file, SPAN("node:")) || span_starts(file, SPAN("http"));
}

/* "app/models/cart.rb:-1 - total" of Pyroscope. */
static bool label_ruby(struct label *label, struct span name, struct span file)
{
    size_t at = span_find(name, SPAN(".rb:")), dash = span_find(name, SPAN(" - "));

    if (at != SIZE_MAX && dash != SIZE_MAX && dash > at) {
        struct span of_file = span_before(name, at + 3);

        label->head = span_after(name, dash + 3);
        label_fact(label, LABEL_SCOPE, own_file(of_file));
        label_extra(label, LABEL_TRAIT, file_in_folder(of_file));
        return true;
    }
    return span_ends(file, SPAN(".rb"));
}

/* ---- which language ---- */

static bool is_rust(struct span name, struct span file)
{
    static const char *const crates[] = {"core::", "alloc::", "std::sys", "std::rt::", "std::panicking::", "std::thread::",
                                         "std::io::", "tokio::", "hashbrown::", NULL};
    size_t hash = span_rfind(name, 'h');

    if (span_ends(file, SPAN(".rs")) || span_starts(name, SPAN("$LT$")) || span_starts(name, SPAN("_$")))
        return true;
    if (span_starts(name, SPAN("_R")) && name.len > 3 && strchr("NIXYM", name.at[2]))
        return true;
    if (hash != SIZE_MAX && hash > 2 && name.len == hash + 17 && name.at[hash - 1] == ':' &&
        span_hex_digits(span_after(name, hash + 1)) == 16)
        return true;
    if (span_starts(name, SPAN("<")) && span_find(name, SPAN(" as ")) != SIZE_MAX && span_find(name, SPAN(">::")) != SIZE_MAX)
        return true;
    return span_starts_any(name, crates) && !memchr(name.at, '(', name.len);
}

/* "libjvm.so.GangWorker::run", "libc.so.6`read": behind the library. */
static size_t library_len(struct span name)
{
    static const struct span endings[] = {LITERAL(".so"), LITERAL(".dylib"), LITERAL(".exe"), LITERAL(".dll")};

    for (size_t i = 0; i < COUNT_OF(endings); i++) {
        size_t at = span_find(name, endings[i]), end = at + endings[i].len;

        if (at == SIZE_MAX || at == 0 || span_holds_any(span_before(name, at), (const char *const[]){" ", "/", "(", ":", NULL}))
            continue;
        while (end + 1 < name.len && name.at[end] == '.' && is_digit(name.at[end + 1])) /* ".so.6" */
            end += 1 + span_digits(span_after(name, end + 1));
        if (end + 1 < name.len && strchr("`!.", name.at[end]) && (is_word_char(name.at[end + 1]) && !is_digit(name.at[end + 1])))
            return end + 1;
    }
    return 0;
}

static bool is_cpp(struct span name)
{
    static const char *const marks[] = {"::", ".constprop", ".isra", ".part.", ".cold", "[clone", NULL};

    const char *open = name.len > 2 ? memchr(name.at + 1, '(', name.len - 1) : NULL;

    if (span_holds_any(name, marks))
        return true;
    return span_ends(name, SPAN(")")) && open && (is_word_char(open[-1]) || open[-1] == '>');
}

/* "PjitFunction(update)": what is in brackets is a function that is run, and not a type. */
static bool is_run_of(struct span name)
{
    size_t open = span_find(name, SPAN("("));
    struct span inside = open == SIZE_MAX ? NO_SPAN : span_after(name, open + 1);

    inside.len -= span_ends(inside, SPAN(")"));
    return is_word(span_before(name, open)) && is_upper_letter(name.at[0]) && is_word(inside) &&
           !is_upper_letter(inside.at[0]) && !is_digit(inside.at[0]) && !element_type(inside).len &&
           !span_eq(inside, SPAN("void")) && !span_ends(inside, SPAN("_t"));
}

void label_host(struct label *label, struct span name, struct span file, int64_t line, struct span module)
{
    static const char *const python[] = {"<built-in ", "{built-in ", "<method ", "{method ", NULL};
    static const char *const python_files[] = {".py", ".pyx", ".pyi", NULL};
    size_t library = library_len(name);
    bool has_brackets = memchr(name.at ? name.at : "", '(', name.len) || memchr(name.at ? name.at : "", '<', name.len);

    label->head = name.len ? name : SPAN("?");
    if (!name.len || span_starts(name, SPAN("0x")) || (name.at[0] == '[' && span_ends(name, SPAN("]")))) {
        add_where(label, file, line, module);
        return;
    }
    if ((span_ends_any(file, python_files) || span_starts_any(name, python) || span_eq(file, SPAN("~")) ||
         span_find(name, SPAN(".py(")) != SIZE_MAX || span_find(name, SPAN(".py:")) != SIZE_MAX) &&
        label_python(label, name, file, line)) {
        add_where(label, label->path.len ? NO_SPAN : file, line, module);
        return;
    }
    if (library) {
        label_extra(label, LABEL_LIBRARY, JOINED(label->arena, SPAN("["), span_before(name, library - 1), SPAN("]")));
        name = span_after(name, library);
        label->head = name;
    }
    if (span_starts(name, SPAN("Total "))) { /* clang's -ftime-trace: sums */
        size_t open = span_find(name, SPAN("<"));

        label_cpp(label, span_after(name, strlen("Total ")));
        label->head = JOINED(label->arena, SPAN("Total "), label->head);
        if (open != SIZE_MAX)
            label_fact(label, LABEL_TEMPLATE, type_short(span_after(name, open), label->arena));
    } else if (is_rust(name, file)) {
        label_rust(label, name);
    } else if (label_script(label, name, file, line) || label_ruby(label, name, file)) {
        /* it is done */
    } else if (memchr(name.at, ' ', name.len) && !has_brackets) {
        /* a range, or words */
    } else if (is_go(name, file)) {
        label_go(label, name);
    } else if (label_java(label, name, file)) {
        /* it is done */
    } else if (name.at[0] != '(' || span_find(name, SPAN("::")) != SIZE_MAX) {
        if (is_cpp(name) && (file.len || module.len || !is_run_of(name)))
            label_cpp(label, name);
    }
    add_where(label, file, line, module);
}
