/* SPDX-License-Identifier: Apache-2.0 */
/* ptk guide: how to go about a profile. Its text is the sections of its own manual, man/guide.txt. */
#include <ctype.h>
#include <string.h>

#include "cmd/answer/profile_command.h"
#include "cmd/help/command.h"
#include "cmd/help/docs.h"

extern const struct command command_guide;

static const struct option options[] = {OPT_END};

/* Whether the title begins with this word: "cpu" of "CPU TIME OF A PROGRAM". NULL: any. */
static bool is_topic(struct span title, const char *topic)
{
    size_t len = topic ? strlen(topic) : 0;

    for (size_t i = 0; i < len; i++)
        if (i >= title.len || tolower((unsigned char)title.at[i]) != tolower((unsigned char)topic[i]))
            return false;
    return !topic || (len && (len == title.len || title.at[len] == ' '));
}

static bool print_guide(struct profile_request *request, struct error *err)
{
    const char *topic = request->count ? request->operands[0] : NULL;
    struct span rest = doc_prose(&command_guide);
    bool is_asked = false, is_found = false;
    struct doc_block block;

    if (request->count > 1)
        return error_set(err, ERROR_USAGE, "guide takes one topic: '%.100s' is one more", request->operands[1]);
    while (doc_next_block(&rest, &block)) {
        if (block.kind == DOC_TITLE)
            is_asked = is_topic(block.text, topic);
        is_found |= is_asked;
        if (is_asked)
            docs_write_block(&block, stdout);
    }
    if (is_found)
        return true;
    error_set(err, ERROR_USAGE, "the guide has no topic '%.60s'", topic);
    return error_hint(err, "'ptk help guide' lists them");
}

static const struct profile_command profile_command = {
    .size = sizeof(struct common),
    .answer = print_guide,
};

const struct command command_guide = {
    .name = "guide",
    .summary = "how to go about it: what to record, which command first, how to read it",
    .operands = "[TOPIC]",
    .examples = "ptk guide\nptk guide training\n",
    .options = options,
    .profile = &profile_command,
};
