/* SPDX-License-Identifier: Apache-2.0 */
/* name_label.h — for graph/names/ itself: a name taken apart, and the label that is made of it */
#ifndef PTK_GRAPH_NAMES_NAME_LABEL_H
#define PTK_GRAPH_NAMES_NAME_LABEL_H

#include "graph/names/names.h"

/* ---- a label ---- */

/* What a fact says: facts of one key are compared. Extras are shown only to tell twins apart, in the order in
 * which a label has them, these three first. */
enum word_key {
    LABEL_CLONE,
    LABEL_CUT,
    LABEL_DIALECT,
    LABEL_TYPE, /* of elements: "bf16", "fp32->bf16" */
    LABEL_TILE,
    LABEL_LAYOUT,
    LABEL_MODE,
    LABEL_SIZE,
    LABEL_ARCH,
    LABEL_CAUSAL,
    LABEL_LOCAL,
    LABEL_DROPOUT,
    LABEL_ALIBI,
    LABEL_EPILOGUE,
    LABEL_OPERATION, /* ... and the next: up to 32 of a fused kernel */
    LABEL_REST = LABEL_OPERATION + 32,
    LABEL_LAMBDA,
    LABEL_FUNCTOR,
    LABEL_TEMPLATE,   /* the first template argument ... */
    LABEL_PARAMETERS = LABEL_TEMPLATE + 64,
    LABEL_PARAMETER_COUNT,
    LABEL_SCOPE,
    LABEL_TRAIT,
    LABEL_FILE,
    LABEL_FOLDER,
    LABEL_LIBRARY,
    LABEL_PATH,
    LABEL_KIND,
    LABEL_WORD,    /* the first word that its twins have not */
    LABEL_ORDINAL, /* #1, #2 */
    LABEL_COUNT
};

struct label_word {
    enum word_key key;
    struct span text;
};

enum { LABEL_FACTS_MAX = 40, LABEL_EXTRAS_MAX = 96, LABEL_WIDTH = 40 };

/* More facts and extras than fit are dropped: then "#1" tells twins apart. */
struct label {
    struct span head;
    struct label_word facts[LABEL_FACTS_MAX], extras[LABEL_EXTRAS_MAX];
    uint32_t fact_count, extra_count;
    uint32_t apart; /* how many of the facts, at the end, tell twins apart */
    struct span path, place, function; /* of Python: head is path, ":12" and the function's name */
    size_t folders;                    /* how many bytes of `path` are not in the head */
    bool is_brief;                     /* head and facts are wanted, no extras */
    struct arena *arena;
};

/* Empty, with the arena that it has: labels are large. */
void label_clear(struct label *label);

/* An empty text is no fact. */
void label_fact(struct label *label, enum word_key key, struct span text);
void label_extra(struct label *label, enum word_key key, struct span text);

/* "head fact fact" */
struct span label_text(const struct label *label, struct arena *arena);

/* The label of a frame: in the label's arena. */
void label_of_frame(struct label *label, const struct graph *graph, frame_id id);

/* ---- texts ---- */

#define NO_SPAN ((struct span){NULL, 0})

struct span text_lower(struct arena *arena, struct span text);
bool is_upper_letter(char c);
bool is_lower_letter(char c);

static inline bool is_word_char(char c)
{
    return (unsigned)((unsigned char)c | 0x20) - 'a' < 26 || is_digit(c) || c == '_' || (unsigned char)c >= 0x80;
}

static inline bool opens_bracket(char c)
{
    return c == '<' || c == '(' || c == '[' || c == '{';
}

static inline bool closes_bracket(char c)
{
    return c == '>' || c == ')' || c == ']' || c == '}';
}

/* Whether it is "12x3", "12x3x4": so many numbers. 0: it is none. */
size_t numbers_by_x(struct span word);

/* Takes the next word off that stands before a '_' or at the end; false at the end. */
bool next_name_word(struct span *rest, struct span *word);

/* ---- a name of C++ taken apart ---- */

/* "reduce" of "at::native::reduce<float>(int)" */
struct name_part {
    struct span name, arguments, parameters; /* without their brackets */
    bool has_arguments, has_parameters;
};

struct name_parts {
    struct name_part *list;
    uint32_t count;
    struct span qualifiers; /* "const", "[clone …]" behind it; empty: none */
};

/* One dialect out of four: libiberty's, NVIDIA's, nvprof's and LLVM's. Names longer than 16 kB are cut. */
struct span name_normal(struct span name, struct arena *arena);

/* Of a normal name, which may be cut: an open bracket closes at its end. */
struct name_parts name_parts(struct span normal, struct arena *arena);

/* Takes the next argument off a list; false at the end. */
bool next_argument(struct span *rest, struct span *argument);

/* Where the bracket closes that opens at `open`; the end where none does. */
size_t bracket_end(struct span text, size_t open);

/* ---- types ---- */

/* "bf16" of "c10::BFloat16 const*"; empty where it is no type of an element. */
struct span element_type(struct span type);
bool is_floating(struct span element);
struct span first_element_type(struct span text, bool is_floating_only);

/* A type without its namespaces, allocators and comparers. */
struct span type_short(struct span type, struct arena *arena);

/* Whether a template argument is a number or a truth. */
bool is_constant(struct span argument);

/* Without the marks of rustc's first mangling: "$LT$" is "<". */
struct span rust_legacy_text(struct span name, struct arena *arena);

/* ---- families: each makes a label where the name is its own, else returns false ---- */

bool label_matrix_kernel(struct label *label, struct span name);
bool label_library_kernel(struct label *label, struct span name);
bool label_loop_kernel(struct label *label, const struct name_part *kernel, struct span normal);
void label_kernel(struct label *label, struct span name);
void label_mangled(struct label *label, struct span name);

/* ... and of kernels by what name_parts() made of them; `scope` and `outermost` are the parts before. */
bool label_wrapper(struct label *label, const struct name_part *part, struct span outermost, struct span scope);
bool label_rocprim(struct label *label, const struct name_part *part, struct span normal, struct span scope);
bool label_flash(struct label *label, const struct name_part *part, struct span scope);
bool label_eigen(struct label *label, const struct name_part *part, struct span scope);
bool label_embedding(struct label *label, const struct name_part *part, struct span scope);
bool label_softmax(struct label *label, const struct name_part *part, struct span normal, struct span scope);
bool label_concatenation(struct label *label, const struct name_part *part, struct span scope);
bool label_random(struct label *label, const struct name_part *part, struct span normal, struct span scope);

/* The head with as much of the path as `folders` leaves: "attn.py:88(forward)". */
void label_python_head(struct label *label);
bool label_python(struct label *label, struct span name, struct span file, int64_t line);
void label_rust(struct label *label, struct span name);
void label_cpp(struct label *label, struct span name);
void label_host(struct label *label, struct span name, struct span file, int64_t line, struct span module);

/* ---- what a functor does ---- */

struct functor_meaning {
    struct span name, in, out; /* "mul", types of elements or empty */
    bool casts;
};

/* Of a template argument; false where it says nothing. */
bool functor_operation(struct span argument, struct functor_meaning *operation, struct arena *arena);

/* "mul" of "MulFunctor" */
struct span operation_name(struct span identifier, struct arena *arena);

/* ---- facts that families share ---- */

/* Its template arguments T1, T2, ..., and its parameters, as extras. */
void label_arguments(struct label *label, const struct name_part *part);
void label_parameters(struct label *label, const struct name_part *part, bool keeps_const);
void label_types(struct label *label, struct span in, struct span out);

/* The arguments, the parameters and the scope, as extras. */
void label_details(struct label *label, const struct name_part *part, struct span scope);

/* The number, from 0, of those among template arguments that are numbers; false where there are fewer. */
bool nth_number(struct span arguments, unsigned wanted, struct span *number);

/* The first of them that is a type of elements; of a type the name of its last part, and its arguments. */
struct span first_type_among(struct span arguments, bool is_floating_only);
struct span last_part_name(struct span type, struct span *arguments, struct arena *arena);

/* What stands behind a mark, up to a byte that is no part of a word. */
struct span word_after(struct span text, struct span mark);

/* "128x256x64" of GemmShape<128, 256, 64> anywhere in a text. */
struct span gemm_shape(struct span text, struct arena *arena);

/* What a kernel of Thrust does. */
struct span thrust_word(struct span text);

/* An identifier without what only says that it is a kernel; of long ones words are abbreviated. */
struct span kernel_identifier(struct span name);
struct span identifier_fitting(struct span name, struct arena *arena);

#endif
