/* SPDX-License-Identifier: Apache-2.0 */
/* select_parts.h — the levels on which select.h works, one file each */
#ifndef PTK_ANALYSIS_SELECTION_SELECT_PARTS_H
#define PTK_ANALYSIS_SELECTION_SELECT_PARTS_H

#include "analysis/selection/select.h"

/* `matches` says of every frame whether the filter's pattern does. */
void select_rows(struct graph *graph, enum filter_kind kind, const bool *matches);
void select_calls(struct graph *graph, enum filter_kind kind, const bool *matches);
void select_tree(struct graph *graph, enum filter_kind kind, const bool *matches);

/* Keeps some functions, by index, and the calls between them. */
void keep_functions(struct graph *graph, const bool *keeps);

/* Copies a call's figures to another place of the table. */
void move_call(struct calls *calls, uint32_t to, uint32_t from);

/* Keeps what flows over functions that match, or what does not. */
void focus_calls(struct graph *graph, const bool *is_match, bool is_focus);

/* Takes functions out of the call graph and gives their cost to their callers. */
void hide_functions(struct graph *graph, const bool *hides);

#endif
