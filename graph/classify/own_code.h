/* SPDX-License-Identifier: Apache-2.0 */
/* own_code.h — whose code a function is: the program's own, or that of what it is built on
 *
 * Not the program's own are, by the manner of the language:
 *
 *     Python    built-ins, frozen modules, what lies in a pythonX.Y or in a *-packages folder
 *     Go        the standard library, by its import paths; modules of others, by their folder
 *               (pkg/mod, vendor, name@version)
 *     Node      node: modules, node_modules, and what V8 names "(garbage collector)"
 *     C++, Rust namespaces and crates of the standard libraries; sources below /usr or where
 *               distributions and cargo build; shared libraries, the kernel, code of no known file
 *
 * and whatever is no function of a program: operators, kernels, calls of a device's runtime. What a
 * person named (a range, a label of samples) is the program's own. */
#ifndef PTK_GRAPH_CLASSIFY_OWN_CODE_H
#define PTK_GRAPH_CLASSIFY_OWN_CODE_H

#include "graph/model/graph.h"

/* ---- which package a function comes from, by the manner of its language ---- */

/* "asyncio" of asyncio.base_events, "net/http" of net/http.(*Server).Serve, "std" of
 * std::vector<int>::push_back, "express" or "node:fs" of JavaScript's files; else the library or
 * the program that holds the code. Borrowed from the graph's texts; empty: not known, or no
 * function of a program (an operator, a kernel). */
struct span frame_package(const struct graph *graph, frame_id id);

/* ---- whose code a function is: the program's own, or that of what it is built on ---- */

bool is_own_code(const struct graph *graph, frame_id id);

#endif
