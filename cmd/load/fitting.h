/* SPDX-License-Identifier: Apache-2.0 */
/* fitting.h — where the user names no command, or no file: what fits */
#ifndef PTK_CMD_LOAD_FITTING_H
#define PTK_CMD_LOAD_FITTING_H

#include "base/error/error.h"
#include "cmd/help/command.h"

/* What `ptk FILE` runs: what people ask first of such a file. NULL where it is no profile. */
const struct command *command_for_file(const char *path, struct error *err);

/* Hints at the profiles in the working directory, the newest first. Returns false, as error_hint() does. */
bool hint_profiles_here(struct error *err);

#endif
