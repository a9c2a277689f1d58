/* SPDX-License-Identifier: Apache-2.0 */
/* matrix_words.h — for graph/names/ itself: the words in identifiers of matrix products and convolutions */
#ifndef PTK_GRAPH_NAMES_MATRIX_WORDS_H
#define PTK_GRAPH_NAMES_MATRIX_WORDS_H

#include "graph/names/name_label.h"

bool holds_word(struct span text, struct span wanted);

/* The first word that begins so and goes on with a digit, without that begin. */
struct span numbered_word(struct span text, struct span begin);

/* "tn", "NTT": whether the operands are transposed. */
bool is_layout(struct span word, bool is_long);

/* "nhwc" */
bool is_image_layout(struct span word);

/* How a library spells a type. */
struct short_type {
    const char *letters, *shown;
};

/* "bf16" of "bf16f32", and of "bf16"; empty where it is no type. */
struct span type_at_begin(struct span word);
struct span type_of_word(struct span word);

/* What BLAS calls the type of a product: "s" of sgemm. */
struct span type_of_letters(struct span letters, bool is_tensor);

/* What the product is followed by in the same kernel. */
void label_epilogues(struct label *label, struct span words);

/* "splitk4": `shown` and the number of numbered_word(). */
void label_numbered(struct label *label, enum word_key key, struct span words, struct span begin, struct span shown);

#endif
