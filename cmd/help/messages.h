/* SPDX-License-Identifier: Apache-2.0 */
/* messages.h — everything that ptk says besides its answers, on stderr, one line at a time */
#ifndef PTK_CMD_HELP_MESSAGES_H
#define PTK_CMD_HELP_MESSAGES_H

#include "base/checked.h"
#include "base/error/error.h"

/* "ptk: FILE: at byte N (line L): text", and "hint: ..." below. */
void message_error(const struct error *err);

/* The same as an object in one line, for who asked for JSON. */
void message_error_json(const struct error *err);

/* "ptk: FILE: warning: text (14 times, first at byte N)" */
void message_warning(const char *file, const struct warning *warning);

/* "ptk: text" */
void message_note(const char *fmt, ...) PRINTF_LIKE(1, 2);

#endif
