/* SPDX-License-Identifier: Apache-2.0 */
/* files.h — operands that may be directories, as the files in them */
#ifndef PTK_CMD_LOAD_FILES_H
#define PTK_CMD_LOAD_FILES_H

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/memory.h"

struct files {
    VECTOR(const char *); /* operands as given, and paths in directories */
    bool *is_found;       /* in a directory: it may be no profile at all */
    struct arena arena;   /* of the paths found */
};

/* Every operand, and in place of a directory all regular files in it and in the directories below,
 * in the order of their names; hidden ones are passed over. ERROR_INPUT for what cannot be
 * opened. */
MUST_CHECK bool files_expand(struct files *files, char **operands, size_t count, struct error *err);

bool is_folder_among(char **operands, size_t count);

void files_free(struct files *files);

#endif
