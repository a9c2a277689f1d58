/* pstats.c — the dumps of Python's cProfile, profile and hotshot, and of tools that imitate them
 *
 * One marshalled dict: (file, line, name) → (cc, nc, tt, ct, callers), where callers is a dict of
 * the same keys to (nc, cc, tt, ct) or to a plain count. cc are primitive calls, nc all calls, in
 * the opposite order in the two places. Times are seconds. */
#include <stdlib.h>

#include "base/checked.h"
#include "base/grow.h"
#include "parsers/parser.h"
#include "parsers/pstats/figures.h"
#include "parsers/python_names.h"

enum {
    ENTRY_SIZE = 35, /* bytes that most callers take: a reference, two counts, two times */
    FORESEEN = 8,    /* callers */
};

/* What a tuple that may be referred to was: the low bit of what marshal_keep() is told. */
enum { KEPT_KEY = 0, KEPT_FIGURES = 1 };

/* A caller of the function that is being read. */
struct caller {
    uint32_t function;
    struct call_figures figures;
};

/* The last mention of a function as a caller. */
struct mention {
    uint32_t row;   /* whose callers name it, + 1 */
    uint32_t place; /* in dump.callers */
};

struct dump {
    struct builder *builder;
    struct marshal marshal;
    bool *is_listed; /* by function */
    size_t listed;
    struct caller *callers;
    size_t caller_count, caller_cap;
    struct mention *mentions; /* by function */
    size_t function_cap;
    struct call_figures *kept; /* caller tuples that may be referred to */
    size_t kept_count, kept_cap;
    str_id *modules; /* by file name, module name + 1; 0: not asked yet */
    size_t module_cap;
    uint64_t reversed, unknown_counts, plain_callers, merged_callers;
    str_id builtin_file, bootstrap; /* "~" and "_bootstrap" */
    uint32_t thread_main; /* the function, + 1, with which every other thread begins */
    bool is_sampled, is_pypy, has_other_threads;
};

/* ---- keys ---- */

static str_id module_of(struct dump *dump, str_id file)
{
    char room[PYTHON_MODULE_MAX];

    if (file >= dump->module_cap) {
        size_t old = dump->module_cap;

        dump->module_cap = grow_cap(old, (size_t)file + 1);
        dump->modules = grow_to(dump->modules, dump->module_cap, sizeof(*dump->modules));
        memset(dump->modules + old, 0, (dump->module_cap - old) * sizeof(*dump->modules));
    }
    if (!dump->modules[file]) {
        struct span module = python_module(builder_text(dump->builder, file), room);

        dump->modules[file] = builder_intern(dump->builder, module) + 1;
    }
    return dump->modules[file] - 1;
}

static bool key_fault(struct dump *dump, struct error *err)
{
    return error_set_at(err, dump->marshal.at, 0,
                        "a function's key is not a file, a line and a name");
}

/* The built-ins' file is "~", or nothing in the dumps of the profile module. */
static frame_id key_frame(struct dump *dump, str_id file, int64_t line, str_id name)
{
    struct frame frame = {.name = name, .file = file, .line = line, .kind = KIND_PYTHON};

    if (file == dump->builtin_file && line == 0) {
        struct span name_text = builder_text(dump->builder, name);

        dump->is_pypy |= span_starts(name_text, SPAN("<built-in function "));
        frame.kind = KIND_HOST;
        frame.file = 0;
        frame.module = builder_intern(dump->builder, python_builtin_module(name_text));
    } else if (builder_wants_modules(dump->builder)) {
        frame.module = module_of(dump, file);
    }
    return builder_frame(dump->builder, &frame);
}

/* threading.Thread._bootstrap: a profiler that sees one thread never sees it called. */
static bool is_thread_main(const struct dump *dump, str_id file, str_id name)
{
    return name == dump->bootstrap &&
           span_ends(builder_text(dump->builder, file), SPAN("threading.py"));
}

/* The rest of a key whose head has been read: its function. */
static bool read_key_items(struct dump *dump, const struct marshal_value *key, uint32_t *function,
                           struct error *err)
{
    struct marshal_value file, line, name;

    if (!marshal_next(&dump->marshal, &file, err))
        return false;
    if (file.type != MARSHAL_TEXT)
        return key_fault(dump, err);
    if (!marshal_next(&dump->marshal, &line, err))
        return false;
    if (line.type != MARSHAL_INT)
        return key_fault(dump, err);
    if (!marshal_next(&dump->marshal, &name, err))
        return false;
    if (name.type != MARSHAL_TEXT)
        return key_fault(dump, err);
    *function = builder_function(dump->builder, key_frame(dump, file.text, line.whole, name.text));
    if (is_thread_main(dump, file.text, name.text))
        dump->thread_main = *function + 1;
    marshal_keep(&dump->marshal, key, (uint64_t)*function << 1 | KEPT_KEY);
    return true;
}

static bool read_key(struct dump *dump, const struct marshal_value *key, uint32_t *function,
                     struct error *err)
{
    if (key->type == MARSHAL_KEPT && (key->kept & 1) == KEPT_KEY) {
        *function = (uint32_t)(key->kept >> 1);
        return true;
    }
    if (key->type != MARSHAL_TUPLE || key->count != 3)
        return key_fault(dump, err);
    return read_key_items(dump, key, function, err);
}

/* ---- figures ---- */

static void add_figures(struct call_figures *sum, const struct call_figures *more)
{
    sum->calls = checked_add(sum->calls, more->calls);
    sum->primitive_calls = checked_add(sum->primitive_calls, more->primitive_calls);
    sum->self = checked_add(sum->self, more->self);
    sum->cum = checked_add(sum->cum, more->cum);
}

/* A tuple (nc, cc, tt, ct), or several of them in a row, as Python 2.5 merged dumps. */
static bool read_caller_tuple(struct dump *dump, const struct marshal_value *tuple,
                              struct call_figures *sum, struct error *err)
{
    *sum = (struct call_figures){0};
    if (tuple->count == 0 || tuple->count % 4 != 0)
        return error_set_at(err, dump->marshal.at, 0, "a caller with %u figures, not 4",
                            tuple->count);
    for (uint32_t i = 0; i < tuple->count; i += 4) {
        struct figures one;

        if (!figures_read(&dump->marshal, &one, err))
            return false;
        add_figures(sum, &(struct call_figures){one.first, one.second, one.self, one.cum});
    }
    dump->merged_callers += tuple->count > 4;
    if (tuple->ref != MARSHAL_NO_REF) {
        dump->kept = grow_one(dump->kept, dump->kept_count, &dump->kept_cap, sizeof(*dump->kept));
        marshal_keep(&dump->marshal, tuple, (uint64_t)dump->kept_count << 1 | KEPT_FIGURES);
        dump->kept[dump->kept_count++] = *sum;
    }
    return true;
}

/* A NULL where a value belongs ends the dict for Python, and drops the key. */
static bool read_caller_figures(struct dump *dump, struct call_figures *figures, bool *is_end,
                                struct error *err)
{
    struct marshal_value value;
    struct figures usual;

    if (figures_read_usual(&dump->marshal, 4, &usual)) {
        *figures = (struct call_figures){usual.first, usual.second, usual.self, usual.cum};
        return true;
    }
    if (!marshal_next(&dump->marshal, &value, err))
        return false;
    *is_end = value.type == MARSHAL_NULL;
    if (*is_end)
        return true;
    if (value.type == MARSHAL_KEPT && (value.kept & 1) == KEPT_FIGURES) {
        *figures = dump->kept[value.kept >> 1];
        return true;
    }
    if (value.type == MARSHAL_TUPLE)
        return read_caller_tuple(dump, &value, figures, err);
    if (value.type != MARSHAL_INT && value.type != MARSHAL_BOOL)
        return error_set_at(err, dump->marshal.at, 0, "a caller without figures");
    *figures = (struct call_figures){value.whole, UNKNOWN, UNKNOWN, UNKNOWN};
    dump->plain_callers++;
    return true;
}

/* ---- callers ---- */

static void grow_by_function(struct dump *dump, uint32_t function)
{
    size_t old = dump->function_cap;

    if (function < old)
        return;
    dump->function_cap = grow_cap(old, (size_t)function + 1);
    dump->mentions = grow_to(dump->mentions, dump->function_cap, sizeof(*dump->mentions));
    dump->is_listed = grow_to(dump->is_listed, dump->function_cap, sizeof(*dump->is_listed));
    memset(dump->mentions + old, 0, (dump->function_cap - old) * sizeof(*dump->mentions));
    memset(dump->is_listed + old, 0, (dump->function_cap - old) * sizeof(*dump->is_listed));
}

/* The place for a caller; one that comes twice is overwritten, as in a dict. */
static struct caller *caller_slot(struct dump *dump, uint32_t function, uint32_t stamp)
{
    struct mention *mention = &dump->mentions[function];

    if (mention->row == stamp) {
        warning_count(builder_warnings(dump->builder), WARNING_NOTE,
                      "callers listed twice, the last one taken", dump->marshal.at);
        return &dump->callers[mention->place];
    }
    dump->callers =
        grow_one(dump->callers, dump->caller_count, &dump->caller_cap, sizeof(*dump->callers));
    *mention = (struct mention){stamp, (uint32_t)dump->caller_count};
    return &dump->callers[dump->caller_count++];
}

/* Starts to fetch the rows of the next callers, which lie anywhere in memory. */
static void foresee_callers(const struct dump *dump)
{
    uint64_t kept[FORESEEN];
    size_t count = marshal_foresee(&dump->marshal, ENTRY_SIZE, FORESEEN, kept);

    for (size_t i = 0; i < count; i++) {
        uint32_t function = (uint32_t)(kept[i] >> 1);

        if (function < dump->function_cap)
            __builtin_prefetch(&dump->mentions[function], 1);
        builder_foresee_call(dump->builder, function);
    }
}

/* The entries of the callers' dict, up to its end. `stamp` differs from function to function. */
static bool read_callers(struct dump *dump, uint32_t stamp, struct error *err)
{
    struct marshal_value head;
    struct call_figures figures;
    uint32_t function;
    bool is_end = false;

    dump->caller_count = 0;
    if (!marshal_next(&dump->marshal, &head, err))
        return false;
    if (head.type != MARSHAL_DICT)
        return error_set_at(err, dump->marshal.at, 0, "a function's callers are not a dict");
    for (;;) {
        if (dump->caller_count % FORESEEN == 0)
            foresee_callers(dump);
        if (!marshal_next(&dump->marshal, &head, err))
            return false;
        if (head.type == MARSHAL_NULL)
            return true;
        if (!read_key(dump, &head, &function, err))
            return false;
        grow_by_function(dump, function);
        if (!read_caller_figures(dump, &figures, &is_end, err))
            return false;
        if (is_end)
            return true;
        *caller_slot(dump, function, stamp) = (struct caller){function, figures};
    }
}

/* ---- functions ---- */

/* A count of -1 is pyinstrument's way to say that it has none. */
static void mend_counts(struct dump *dump, struct call_figures *figures)
{
    if (figures->calls >= 0 && figures->primitive_calls >= 0)
        return;
    if (figures->calls != UNKNOWN && figures->calls < 0)
        dump->unknown_counts++;
    figures->calls = figures->calls < 0 ? UNKNOWN : figures->calls;
    figures->primitive_calls = figures->primitive_calls < 0 ? UNKNOWN : figures->primitive_calls;
}

static void store_function(struct dump *dump, uint32_t function, struct call_figures *figures)
{
    grow_by_function(dump, function);
    if (dump->is_listed[function]) {
        warning_count(builder_warnings(dump->builder), WARNING_NOTE,
                      "functions listed twice, the last one taken", dump->marshal.at);
        builder_forget_callers(dump->builder, function);
    }
    dump->listed += !dump->is_listed[function];
    dump->is_listed[function] = true;
    dump->reversed += figures->primitive_calls > figures->calls;
    mend_counts(dump, figures);
    builder_list(dump->builder, function, figures);
    dump->has_other_threads |= function + 1 == dump->thread_main && dump->caller_count;
    for (size_t i = 0; i < dump->caller_count; i++) {
        mend_counts(dump, &dump->callers[i].figures);
        builder_call(dump->builder, dump->callers[i].function, function, &dump->callers[i].figures);
    }
}

/* The head of a function's figures, up to its callers. */
static bool read_own_figures(struct dump *dump, struct call_figures *figures, bool *is_end,
                             struct error *err)
{
    struct marshal_value value;
    struct figures own;

    if (!figures_read_usual(&dump->marshal, 5, &own)) {
        if (!marshal_next(&dump->marshal, &value, err))
            return false;
        *is_end = value.type == MARSHAL_NULL;
        if (*is_end)
            return true;
        if (value.type != MARSHAL_TUPLE || value.count != 5)
            return error_set_at(err, dump->marshal.at, 0,
                                "a function's figures are not a tuple of five");
        if (!figures_read(&dump->marshal, &own, err))
            return false;
    }
    *figures = (struct call_figures){own.second, own.first, own.self, own.cum};
    return true;
}

static bool read_function(struct dump *dump, uint32_t function, uint32_t stamp, bool *is_end,
                          struct error *err)
{
    struct call_figures figures;

    if (!read_own_figures(dump, &figures, is_end, err))
        return false;
    if (*is_end)
        return true;
    if (!read_callers(dump, stamp, err))
        return false;
    store_function(dump, function, &figures);
    return true;
}

/* ("__sampled__",): True, which Python 3.15's sampling profiler adds. */
static bool read_marker(struct dump *dump, struct error *err)
{
    struct marshal_value name, value;

    if (!marshal_next(&dump->marshal, &name, err))
        return false;
    if (name.type != MARSHAL_TEXT ||
        !span_eq(builder_text(dump->builder, name.text), SPAN("__sampled__")))
        return key_fault(dump, err);
    if (!marshal_next(&dump->marshal, &value, err))
        return false;
    if (value.type != MARSHAL_BOOL)
        return error_set_at(err, dump->marshal.at, 0, "the mark of a sampled profile is no bool");
    dump->is_sampled = true;
    return true;
}

static bool read_functions(struct dump *dump, struct error *err)
{
    struct marshal_value key;
    uint32_t function;
    bool is_end = false;

    for (uint32_t stamp = 1; !is_end; stamp++) {
        if (!marshal_next(&dump->marshal, &key, err))
            return false;
        if (key.type == MARSHAL_NULL)
            return true;
        if (key.type == MARSHAL_TUPLE && key.count == 1) {
            if (!read_marker(dump, err))
                return false;
        } else if (!read_key(dump, &key, &function, err) ||
                   !read_function(dump, function, stamp, &is_end, err)) {
            return false;
        }
    }
    return true;
}

/* ---- the whole ---- */

static const char *python_of(const struct dump *dump)
{
    if (dump->is_pypy)
        return "PyPy";
    if (dump->marshal.is_python2)
        return "Python 2";
    return dump->marshal.has_flags ? "Python 3.4 or later" : "Python of unknown version";
}

static const char *tool_of(const struct dump *dump)
{
    if (dump->is_sampled)
        return "profiling.sampling";
    if (dump->reversed)
        return "yappi";
    if (dump->unknown_counts)
        return "pyinstrument";
    return dump->plain_callers ? "profile or hotshot" : "cProfile";
}

static void report(struct dump *dump)
{
    struct warnings *warnings = builder_warnings(dump->builder);

    builder_producer(dump->builder, "%s, %s", tool_of(dump), python_of(dump));
    /* the counts of its callers are right */
    if (dump->reversed)
        builder_swap_call_counts(dump->builder);
    if (dump->reversed)
        warning_say(warnings, WARNING_NOTE,
                    "%llu functions have more primitive calls than calls, as yappi writes them; "
                    "the two are swapped in the whole file",
                    (unsigned long long)dump->reversed);
    if (dump->has_other_threads)
        warning_say(warnings, WARNING_LOSS,
                    "calls of several threads are mixed on one stack, as Python 3.12 and later "
                    "record them: who called whom, and recursion, may be wrong");
    warning_count_many(warnings, WARNING_NOTE, "negative call counts, shown as unknown",
                       dump->unknown_counts);
    warning_count_many(warnings, WARNING_NOTE,
                       "callers with a count but no times (their share of time is estimated)",
                       dump->plain_callers);
    warning_count_many(warnings, WARNING_NOTE, "callers with several groups of figures, added up",
                       dump->merged_callers);
}

/* A dump that was cut short is sound up to the last whole function. */
static bool salvage(struct dump *dump, struct error *err)
{
    if (!dump->marshal.is_cut || dump->listed == 0)
        return false;
    warning_say(builder_warnings(dump->builder), WARNING_LOSS,
                "the file ends early, at byte %llu: the %zu functions before that are shown, "
                "those after it are lost",
                (unsigned long long)err->offset, dump->listed);
    *err = (struct error){0};
    return true;
}

static void note_rest(struct dump *dump, struct input *in)
{
    if (input_peek(in, 1).len)
        warning_count(builder_warnings(dump->builder), WARNING_NOTE,
                      "bytes after the end of the profile, ignored", input_offset(in));
}

static bool read_dump(struct dump *dump, struct error *err)
{
    struct marshal_value root;

    if (!marshal_next(&dump->marshal, &root, err))
        return false;
    if (root.type != MARSHAL_DICT)
        return error_set_at(err, 0, 0, "a marshalled object, but not a profile's dict");
    if (!read_functions(dump, err))
        return salvage(dump, err);
    note_rest(dump, dump->marshal.in);
    return true;
}

static void dump_free(struct dump *dump)
{
    marshal_free(&dump->marshal);
    free(dump->is_listed);
    free(dump->callers);
    free(dump->mentions);
    free(dump->kept);
    free(dump->modules);
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    static const struct value_name values[] = {{{"time", 4}, UNIT_NS}};
    struct dump dump = {.builder = builder, .marshal = {.in = in, .builder = builder}};

    if (!builder_begin(builder, LEVEL_CALLGRAPH, values, 1, 0, err))
        return false;
    dump.builtin_file = builder_intern(builder, SPAN("~"));
    dump.bootstrap = builder_intern(builder, SPAN("_bootstrap"));
    bool ok = read_dump(&dump, err);

    if (ok)
        report(&dump);
    dump_free(&dump);
    return ok;
}

/* Version 3 and later flag the dict, which nothing else begins with. Before, '{' could be JSON,
 * which goes on with a quote, a brace or white space. */
static enum sniff sniff(struct span head, bool is_all)
{
    unsigned char first, second;

    if (head.len < 2)
        return is_all ? SNIFF_NO : SNIFF_MORE;
    first = (unsigned char)head.at[0];
    second = (unsigned char)head.at[1] & 0x7f;
    if (first != 0xFB && first != '{')
        return SNIFF_NO;
    return second == '(' || second == ')' || second == '0' ? SNIFF_YES : SNIFF_NO;
}

const struct parser parser_pstats = {
    .name = "pstats",
    .title = "pstats dumps",
    .summary = "Python: cProfile, profile, hotshot, yappi, pyinstrument -r pstats, Tachyon",
    .level = LEVEL_CALLGRAPH,
    .sniff = sniff,
    .parse = parse,
};
