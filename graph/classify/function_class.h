/* SPDX-License-Identifier: Apache-2.0 */
/* function_class.h — what a function's name says: whose code, what kind of cost, short forms, and which is the same */
#ifndef PTK_GRAPH_CLASSIFY_FUNCTION_CLASS_H
#define PTK_GRAPH_CLASSIFY_FUNCTION_CLASS_H

#include <stddef.h>
#include <stdint.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/text/string_table.h"
#include "graph/classify/event_class.h"
#include "graph/model/graph.h"

/* ---- sizes of batches in the names of ranges, as servers of models write them ---- */

/* Of a range around the capture of a CUDA or HIP graph the batch that the graph holds:
 * "capture_256_FULL". 0: it says none. */
int64_t capture_label_size(struct span name);

/* Of a range around a step the tokens that it puts through the model, where vLLM, SGLang or ATOM
 * wrote it, or the images of xDiT:
 *
 *     execute_context_9(8155)_generation_37(37)      8192
 *     step[DECODE bs=48 g_sq=48 g_sk=912]              48
 *
 * 0: it says none. */
int64_t step_label_size(struct span name);

/* ---- functions as people call them: without types, arguments and namespaces ---- */

/* "relax" of "void relax<float, int=16>(float const *, float*)", its namespace kept. */
struct span kernel_name_bare(struct span name);

/* As Paddle's tables show it, without the argument list: what its "(.+?)(<.*>)(\(.*\))" leaves. */
struct span kernel_name_without_arguments(struct span name);

/* A function of C++ without its arguments, template arguments and "const"; in `arena`. */
struct span cpp_name_short(struct span name, struct arena *arena);

/* The same without its result: "linalg::dot" of "double linalg::dot<double>(int)". */
struct span cpp_name_bare(struct span name, struct arena *arena);

/* Takes the outermost namespace or class off; false where there is none. */
bool cpp_name_drop_scope(struct span *name);

/* Whether brackets are around it, as around what is built into an interpreter: "<lambda>". */
bool name_is_bracketed(struct span name);

/* ---- functions' labels with as much of their paths as tells them apart ---- */

enum label_paths { PATHS_AUTO, PATHS_FULL, PATHS_SHORT, PATHS_NAME };

/* How many bytes of folders two labels have in common: "/srv/app/" of "/srv/app/a.py:1(f)" and
 * "/srv/app/lib/b.py:2(g)". Labels below Python's own folders, and those without a path, count not:
 * `common` as it was. SIZE_MAX to begin with. */
size_t label_common(struct span label, struct span first, size_t common);

/* Whether a label has folders of its program's own. */
bool label_has_folder(struct span label);

/* A function's label with its file and line, where labels of its language lack them: "main.handle (main.go:12)". */
struct span frame_place(const struct graph *graph, frame_id id, struct arena *arena);

/* Short: below Python's own folders ("json/decoder.py:332(decode)"), below `common`, or Go's
 * package without its path ("http.(*Server).Serve"). Name: without file and line, but for a module's
 * own code. A part of the label. */
struct span label_short(struct span label, enum label_paths paths, size_t common);

/* A plain label of at most so many terminal cells, `mark` for what is left out: folders first, then
 * what names of one kind have in common ("{built-in method "), then words at the end, but before sizes of tensors.
 * `is_path`: it may have folders. May live in `arena`. */
struct span label_fit(struct span label, size_t room, struct span mark, bool is_path,
                      struct arena *arena);

/* A C++ name with what tells it apart: "std::string" spelled out becomes that again, and template
 * arguments and parameters of more than a few words become "...": "std::_Rb_tree<...>::find(...)".
 * Other labels stay. May live in `arena`. */
struct span label_compact(struct span label, struct arena *arena);

/* ---- which of a table's words a name holds, found in one pass over the name ---- */

/* Kernels' names are long and the tables of words that tell them apart are, too: looking for each
 * word by itself took longer than reading the trace. */

/* A word in lower case, which stands anywhere in a name in any case, and what that means: bits of
 * the table's own. */
struct name_word {
    const char *text;
    uint64_t means;
};

enum { NAME_WORDS_MAX = 255 };

/* Words by their first letter. */
struct name_words {
    const struct name_word *table;
    uint8_t first[256];           /* 1 + the first word with that letter; 0: none */
    uint8_t next[NAME_WORDS_MAX]; /* likewise the next */
    uint8_t length[NAME_WORDS_MAX];
};

/* `count` is at most NAME_WORDS_MAX, words shorter than 256 bytes; the table is borrowed. */
void name_words_init(struct name_words *words, const struct name_word *table, size_t count);

/* The meanings of all words in the name. */
uint64_t name_words_in(const struct name_words *words, struct span name);

/* ---- when a function of one build, or of one run, is that of another ---- */

/* Names carry what changes without the function changing: addresses of objects, the numbers that
 * compilers give to clones and lambdas, template arguments; and functions move to other lines and
 * files. So functions are compared by keys that leave out more and more. */

enum identity_level {
    IDENTITY_FILE,     /* name and file: the line may have moved */
    IDENTITY_DIALECT,  /* in whatever way a demangler writes the name, in a file of that base name */
    IDENTITY_CLONE,    /* without clone suffixes and lambda numbers, in a file of that base name */
    IDENTITY_TEMPLATE, /* and without arguments and template arguments */
    IDENTITY_NAME,     /* the bare name, in whatever file */
    IDENTITY_LEVELS
};

/* The name with every hexadecimal address as "0x…": what all runs of one build share. Code that no
 * symbol is known for is one function a library: "[libm.so]". */
str_id identity_name(const struct graph *graph, frame_id id, struct strings *strings);

/* The key of a frame whose texts are in `strings`; equal keys are one function at that level. */
str_id identity_key(struct strings *strings, const struct frame *frame, enum identity_level level);

/* ---- whose code a function is: the program's own, or that of what it is built on ---- */

/* By the manner of the language alone. */
bool is_own_code(const struct graph *graph, frame_id id);

/* By frame, in the arena: that, and what belongs to where the program was entered. A program may be a
 * library's: python -m NAME, a package's bin in Node, a command of Go's own, a JDK's tool. Where hardly any
 * time is in files that are else its own, the package of what ran is the program's. So are Go's packages that
 * a test is in. Code that was made of a text ("<string>", "<autogenerated>") is whose it was made for. */
bool *own_code_find(const struct graph *graph, struct arena *arena);

/* Whether a name says nothing of the people who wrote the program: of libraries, of a device's runtime, of kernels
 * and operators that are known. Where that is in doubt it does. */
bool frame_name_is_public(const struct graph *graph, frame_id id);

/* A file of a library, without the folders that it is installed in. */
struct span path_in_packages(struct span path);

/* Whether it is one of the functions inside of Node's own modules, which no program calls by name. */
bool frame_is_internal(const struct graph *graph, frame_id id);

/* By node of the call tree, in the arena: whether it is importing, or runs for an import. Node runs a program
 * inside of the calls that load it: code of its own there is none. `is_own`: what own_code_find() says. */
bool *imported_nodes_find(const struct graph *graph, const bool *is_own, struct arena *arena);

/* "github.com/user/project/pkg.(*T).Method": what is before the first dot of the last part. */
struct span go_package(struct span name);

/* "java.util.HashMap.merge", "jdk.internal.misc.Unsafe.park": what comes with Java. */
bool java_is_of_the_jdk(struct span name);

/* Not the program's own are, by the manner of the language:
 *
 *     Python    built-ins, frozen modules, what lies in a pythonX.Y or in a *-packages folder
 *     Go        the standard library, by its import paths; modules of others, by their folder
 *               (pkg/mod, vendor, name@version)
 *     Node      node: modules, node_modules, and what V8 names "(garbage collector)"
 *     Java      the JDK's packages, and those of the languages Kotlin, Scala, Groovy and Clojure
 *     C++, Rust namespaces and crates of the standard libraries; sources below /usr or where
 *               distributions and cargo build; shared libraries, the kernel, code of no known file
 *
 * and whatever is no function of a program: operators, kernels, calls of a device's runtime. What a
 * person named (a range, a label of samples) is the program's own. */

/* ---- which package a function comes from, by the manner of its language ---- */

/* "asyncio" of asyncio.base_events, "net/http" of net/http.(*Server).Serve, "std" of
 * std::vector<int>::push_back, "express" or "node:fs" of JavaScript's files; else the library or
 * the program that holds the code. Borrowed from the graph's texts; empty: not known, or no
 * function of a program (an operator, a kernel). */
struct span frame_package(const struct graph *graph, frame_id id);

/* Whether it lies where package managers put what they fetch, and not in a language's own library. */
bool package_is_fetched(const struct graph *graph, frame_id id);

/* ---- whether a function only waits, and for what ---- */

/* What the name tells (event_class.h), or, of samples of Python that name no built-in functions, the
 * file of the standard library: the line of threading.py that runs is the one that takes the lock. */
enum blocking frame_blocking(const struct graph *graph, frame_id id);

/* ---- what a function of a CPU profile is there for, where it is not the program's work ---- */

/* Memory, locks, the system, imports: what languages and libraries do for a program, by the names
 * and files that their functions have in Go, C and C++, Python and Node. */

enum cost_class {
    COST_NONE, /* the program's own work, as far as is known */
    COST_GC,
    COST_ALLOCATION,
    COST_LOCK,   /* taking and releasing, and waiting for others */
    COST_SYSTEM, /* calls of the kernel */
    COST_IMPORT, /* loading code */
    COST_LINKING, /* of shared libraries, by the dynamic linker */
    COST_SERIALISATION,
    COST_REGEX, /* compiling regular expressions */
    COST_LOGGING,
    COST_EXCEPTION, /* raising and unwinding */
    COST_COPY,
    COST_HASH, /* hash tables and digests */
    COST_SCHEDULER, /* of goroutines: looking for work, waking and parking threads */
    COST_STOP, /* all threads are stopped for one: Go's stop-the-world */
    COST_CLASS_COUNT
};

/* "garbage collection" */
const char *cost_class_name(enum cost_class class);

enum cost_class cost_class(const struct graph *graph, frame_id id);

#endif
