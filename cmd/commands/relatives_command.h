/* SPDX-License-Identifier: Apache-2.0 */
/* relatives_command.h — callers and callees: one command but for the direction */
#ifndef PTK_CMD_COMMANDS_RELATIVES_COMMAND_H
#define PTK_CMD_COMMANDS_RELATIVES_COMMAND_H

#include "analysis/functions/relatives.h"
#include "base/cli/option.h"

extern const struct option relatives_options[];

MUST_CHECK bool relatives_run(enum direction direction, char **argv, struct error *err);

#endif
