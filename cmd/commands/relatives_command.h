/* SPDX-License-Identifier: Apache-2.0 */
/* relatives_command.h — callers, callees and peek: one command but for what is asked */
#ifndef PTK_CMD_COMMANDS_RELATIVES_COMMAND_H
#define PTK_CMD_COMMANDS_RELATIVES_COMMAND_H

#include "base/cli/option.h"

enum relatives_question { ASK_CALLERS, ASK_CALLEES, ASK_BOTH };

extern const struct option relatives_options[];

MUST_CHECK bool relatives_run(enum relatives_question question, char **argv, struct error *err);

#endif
