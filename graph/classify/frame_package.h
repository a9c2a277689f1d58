/* SPDX-License-Identifier: Apache-2.0 */
/* frame_package.h — which package a function comes from, by the manner of its language */
#ifndef PTK_GRAPH_CLASSIFY_FRAME_PACKAGE_H
#define PTK_GRAPH_CLASSIFY_FRAME_PACKAGE_H

#include "graph/model/graph.h"

/* "asyncio" of asyncio.base_events, "net/http" of net/http.(*Server).Serve, "std" of
 * std::vector<int>::push_back, "express" or "node:fs" of JavaScript's files; else the library or
 * the program that holds the code. Borrowed from the graph's texts; empty: not known, or no
 * function of a program (an operator, a kernel). */
struct span frame_package(const struct graph *graph, frame_id id);

#endif
