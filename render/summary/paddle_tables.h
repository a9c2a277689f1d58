/* SPDX-License-Identifier: Apache-2.0 */
/* paddle_tables.h — the summary's tables as Paddle prints them; the texts live in the arena */
#ifndef PTK_RENDER_SUMMARY_PADDLE_TABLES_H
#define PTK_RENDER_SUMMARY_PADDLE_TABLES_H

#include "analysis/summary/summary.h"
#include "render/summary/paddle_page.h"

const char *paddle_devices(const struct summary_devices *devices, struct arena *arena);
const char *paddle_overview(const struct summary_overview *overview, struct arena *arena,
                            enum time_unit unit);
const char *paddle_model(const struct summary_model *model, struct arena *arena,
                         enum time_unit unit);
const char *paddle_distribution(const struct summary_distribution *distribution,
                                struct arena *arena, enum time_unit unit);
const char *paddle_operators(const struct summary_operators *operators, struct arena *arena,
                             enum time_unit unit);
const char *paddle_kernels(const struct summary_list *kernels, struct arena *arena,
                           enum time_unit unit);
const char *paddle_manipulations(const struct summary_list *list, struct arena *arena,
                                 enum time_unit unit);
const char *paddle_user_defined(const struct summary_list *list, struct arena *arena,
                                enum time_unit unit);
const char *paddle_memory(const struct summary_memory *memory, struct arena *arena);
const char *paddle_benchmark(const struct summary_benchmark *benchmark, struct arena *arena);

#endif
