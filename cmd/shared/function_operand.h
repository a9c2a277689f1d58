/* SPDX-License-Identifier: Apache-2.0 */
/* function_operand.h — the operand FUNC: the functions that a command is about */
#ifndef PTK_CMD_SHARED_FUNCTION_OPERAND_H
#define PTK_CMD_SHARED_FUNCTION_OPERAND_H

#include "analysis/selection/name_pattern.h"

/* Takes FUNC off the operands and leaves the file. Where one of two is a file and the other is
 * none, their order does not matter. name_pattern_free() when true. */
MUST_CHECK bool function_take(const char *command, char **operands, size_t *count, bool is_literal,
                              struct name_pattern *pattern, struct error *err);

#endif
