/* function_operand.h — the operand FUNC: the functions that a command is about */
#ifndef PTK_CMD_SHARED_FUNCTION_OPERAND_H
#define PTK_CMD_SHARED_FUNCTION_OPERAND_H

#include "base/text/pattern.h"

/* The first operand, compiled; pattern_free() when true. */
MUST_CHECK bool function_take(const char *command, char **operands, size_t count,
                              struct pattern *pattern, struct error *err);

/* ERROR_NO, and false. `function` as typed. */
bool function_lack(const char *function, struct error *err);

#endif
