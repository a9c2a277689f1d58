/* SPDX-License-Identifier: Apache-2.0 */
/* language_names.c — what names of functions and files tell: Python's modules and lines, CPython's own functions */
#include "parsers/stacks/language_names.h"

#include <ctype.h>
#include <stddef.h>

#include "base/checked.h"
#include "base/memory/memory.h"

/* ---- what Python's file and function names tell: modules and built-ins ---- */

static bool is_separator(char c)
{
    return c == '/' || c == '\\';
}

static size_t last_separator(struct span path)
{
    for (size_t i = path.len; i-- > 0;)
        if (is_separator(path.at[i]))
            return i;
    return SIZE_MAX;
}

/* "python3.11", "python3": the directory of a standard library. */
static bool is_python_directory(struct span name)
{
    size_t at = strlen("python");

    if (name.len <= at || memcmp(name.at, "python", at) != 0)
        return false;
    while (at < name.len && (isdigit((unsigned char)name.at[at]) || name.at[at] == '.'))
        at++;
    return at == name.len;
}

static bool is_package_root(struct span name)
{
    switch (name.len) {
    case 13:
        return memcmp(name.at + 4, "-packages", 9) == 0; /* site-packages, dist-packages */
    case 8:
        return memcmp(name.at, "lib_pypy", 8) == 0 || is_python_directory(name);
    default:
        return name.len < 12 && is_python_directory(name);
    }
}

/* What follows the innermost directory in which packages lie; the whole path when there is none. */
static bool after_package_root(struct span file, struct span *inside)
{
    size_t begin = 0;
    bool is_found = false;

    *inside = file;
    for (size_t i = 0; i < file.len; i++) {
        if (!is_separator(file.at[i]))
            continue;
        if (is_package_root((struct span){file.at + begin, i - begin})) {
            *inside = span_after(file, i + 1);
            is_found = inside->len > 0;
        }
        begin = i + 1;
    }
    return is_found;
}

struct span python_module(struct span file, char room[PYTHON_MODULE_MAX])
{
    static const struct span suffixes[] = {LITERAL(".pyc"), LITERAL(".pyx"), LITERAL(".py")};
    static const char *const package_files[] = {"__init__", "__main__", NULL}; /* stand for it */
    struct span inside;
    size_t slash;

    if (span_starts(file, SPAN("<frozen ")) && span_ends(file, SPAN(">"))) {
        inside = span_after(file, strlen("<frozen "));
        return (struct span){inside.at, inside.len - 1};
    }
    if (file.len == 0 || file.at[0] == '<')
        return SPAN("");
    bool is_package = after_package_root(file, &inside);

    for (size_t i = 0; i < COUNT_OF(suffixes); i++)
        if (span_ends(inside, suffixes[i])) {
            inside.len -= suffixes[i].len;
            break;
        }
    slash = last_separator(inside);
    if (slash != SIZE_MAX && slash && span_is_any(span_after(inside, slash + 1), package_files))
        inside.len = slash;
    slash = last_separator(inside);
    if (!is_package && slash != SIZE_MAX)
        inside = span_after(inside, slash + 1);
    if (inside.len > PYTHON_MODULE_MAX)
        inside = span_after(inside, inside.len - PYTHON_MODULE_MAX);
    for (size_t i = 0; i < inside.len; i++)
        room[i] = is_separator(inside.at[i]) ? '.' : inside.at[i];
    return (struct span){room, inside.len};
}

struct span place_file(struct span place, int64_t *line)
{
    size_t colon = span_rfind(place, ':');

    *line = 0;
    if (colon == SIZE_MAX || !span_to_i64(span_after(place, colon + 1), line) || *line < 0) {
        *line = 0;
        return place;
    }
    return (struct span){place.at, colon};
}

bool python_is_file(struct span path)
{
    return span_ends(path, SPAN(".py")) || span_ends(path, SPAN(".pyx")) ||
           (span_starts(path, SPAN("<")) && span_ends(path, SPAN(">")));
}

/* "re.Pattern" → "re"; a type without a module is one of the builtins. */
static struct span module_of_type(struct span type)
{
    size_t dot = span_rfind(type, '.');

    return dot == SIZE_MAX ? SPAN("builtins") : (struct span){type.at, dot};
}

struct span python_builtin_module(struct span name)
{
    size_t of;

    if (!span_ends(name, SPAN(">")))
        return SPAN("");
    name.len--;
    if (span_starts(name, SPAN("<built-in ")))
        return module_of_type(span_after(name, span_rfind(name, ' ') + 1));

    of = span_find(name, SPAN("' of '"));
    if (of == SIZE_MAX)
        return SPAN("");
    name = span_after(name, of + strlen("' of '"));
    return module_of_type(span_split(&name, '\''));
}

/* ---- whether a sampler's frames say where functions begin, or which lines ran ---- */

/* What the frames of a file tell about their lines. */
struct evidence {
    bool has_module;     /* the code of a module that lies in a file */
    bool has_later_line; /* and such a one that is not at its beginning */
    bool has_several;    /* one function's name with several lines of a file */
    uint64_t lines;      /* frames that have one */
};

static bool is_module(struct span name)
{
    return span_eq(name, SPAN("<module>"));
}

/* "<lambda>", "<listcomp>": a file has many of one name. */
static bool is_nameless(struct span name)
{
    return span_starts(name, SPAN("<")) && !is_module(name);
}

static struct evidence look_at(const struct builder *builder, const struct frame *frames,
                               size_t count)
{
    struct evidence evidence = {0};
    struct idmap first = {0}; /* (name, file) → the first frame of it */

    for (size_t i = 0; i < count; i++) {
        const struct frame *frame = &frames[i];
        struct span name = builder_text(builder, frame->name);
        uint32_t *known;

        if (frame->kind != KIND_PYTHON || frame->line <= 0 || !frame->file ||
            span_starts(builder_text(builder, frame->file), SPAN("<")))
            continue; /* "<string>" is what `python -c` runs: all of it may be one line */
        evidence.lines++;
        if (is_module(name)) {
            evidence.has_module = true;
            evidence.has_later_line |= frame->line > 1;
        } else if (!is_nameless(name)) {
            known = idmap_at(&first, idmap_pair(frame->name, frame->file));
            if (*known == IDMAP_NONE)
                *known = (uint32_t)i;
            evidence.has_several |= frames[*known].line != frame->line;
        }
    }
    idmap_free(&first);
    return evidence;
}

void python_forget_line(const struct builder *builder, struct frame *frame)
{
    struct span name = builder_text(builder, frame->name);

    if (frame->kind != KIND_PYTHON || is_nameless(name))
        return;
    frame->line = is_module(name);
    frame->lacks_line = !is_module(name);
}

void python_frames_give(struct builder *builder, struct frame *frames, size_t count,
                        enum python_lines lines, frame_id *ids)
{
    struct evidence evidence = look_at(builder, frames, count);
    bool ran = lines == PYTHON_LINES_THAT_RAN ||
               (evidence.has_module ? evidence.has_later_line : evidence.has_several);
    bool is_kept = ran && builder_detail(builder, DETAIL_LINE) == DETAIL_LINE;

    for (size_t i = 0; i < count; i++) {
        struct frame *frame = &frames[i];
        struct span name = builder_text(builder, frame->name);

        if (ran && !is_kept)
            python_forget_line(builder, frame);
        ids[i] = builder_frame_in(builder, frame, is_kept && is_nameless(name) ? frame->line : 0);
    }
    if (ran)
        warning_count_many(builder_warnings(builder), WARNING_NOTE,
                           "frames with the line that ran, taken as one a function's name and file "
                           "('ptk lines' distinguishes them)",
                           evidence.lines);
}

/* ---- which native code is CPython itself: what runs Python rather than being run ---- */

/* "python", "python3", "python3.11", "python3.11d", but not "python-config". */
bool python_is_interpreter(struct span module)
{
    if (span_starts(module, SPAN("libpython")))
        return true;
    if (!span_starts(module, SPAN("python")))
        return false;
    for (size_t i = sizeof("python") - 1; i < module.len; i++)
        if (module.at[i] != '.' && !is_digit(module.at[i]) &&
            !(i + 1 == module.len && (module.at[i] == 'd' || module.at[i] == 't')))
            return false;
    return true;
}

bool python_is_plumbing(struct span function)
{
    static const char *const starts[] = {
        "_PyEval_",
        "PyEval_",
        "_PyFunction_Vectorcall",
        "PyObject_Call",
        "_PyObject_Call",
        "_PyObject_MakeTpCall",
        "PyObject_Vectorcall",
        "_PyObject_FastCall",
        "_PyVectorcall_",
        "PyVectorcall_",
        "object_vacall",
        "method_vectorcall",
        "cfunction_",
        "slot_tp_",
        "type_call",
        "vectorcall_",
        "builtin_exec",
        "builtin___build_class__",
        "run_mod",
        "run_eval_code_obj",
        "pyrun_",
        "_PyRun_",
        "PyRun_",
        "pymain_",
        "Py_RunMain",
        "Py_BytesMain",
        "Py_Main",
        "Py_DECREF",
        "Py_INCREF",
        "Py_XDECREF",
        "do_call_core",
        "call_function",
        "_PyObject_Vectorcall",
        NULL,
    };

    return span_starts_any(function, starts);
}
