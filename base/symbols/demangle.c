/* SPDX-License-Identifier: Apache-2.0 */
/* C++ names from mangled ones, by the C++ runtime, short or as they are declared. */
#include "base/symbols/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "base/memory/memory.h"

/* The C++ runtime's: https://itanium-cxx-abi.github.io/cxx-abi/abi.html#demangler. NULL where the
 * build found none (demangle_none.c). */
char *__cxa_demangle(const char *mangled, char *room, size_t *size, int *status);

#define LIBSTDCXX_CALLS(CALL) CALL(__cxa_demangle)

struct cxx_runtime {
    LIBSTDCXX_CALLS(LIBRARY_FIELD)
};

/* NULL: there is no C++ runtime. */
static LIBRARY(cxx_runtime, LIBSTDCXX)

/* Copies what stands outside of <> and of the arguments; operators are made of both. */
static size_t simplify(const char *from, char *to)
{
    size_t len = 0;
    int depth = 0;

    for (const char *at = from; *at; at++) {
        if (strncmp(at, "operator", 8) == 0 && depth == 0 && strchr("<>(-", at[8]) && at[8]) {
            size_t run = 8 + strspn(at + 8, "<>=-");

            run += at[run] == '(' && run == 8 ? 2 : 0;
            memcpy(to + len, at, run);
            len += run;
            at += run - 1;
        } else if (strncmp(at, "(anonymous namespace)", 21) == 0) {
            if (depth == 0) {
                memcpy(to + len, at, 21);
                len += 21;
            }
            at += 20;
        } else if (*at == '<') {
            depth++;
        } else if (*at == '>' && depth) {
            depth--;
        } else if (*at == '(' && depth == 0) {
            break;
        } else if (*at == ' ' && depth == 0 && at[1] == '<') {
            continue;
        } else if (*at == ' ' && depth == 0 && strncmp(at + 1, "operator", 8) != 0 &&
                   !(len >= 8 && memcmp(to + len - 8, "operator", 8) == 0)) {
            len = 0; /* what came before is the type of the result */
        } else if (depth == 0) {
            to[len++] = *at;
        }
    }
    return len;
}

static struct span copied(struct arena *arena, const char *name)
{
    return (struct span){arena_copy(arena, span_of(name)), strlen(name)};
}

enum { LENGTH_MAX = 4096, REFERENCES_MAX = 24 };

/* References back, "S1_" and "T_", repeat what came before, in which others may be repeated: r of
 * them grow a name at most 3^(r/3)-fold. */
static bool is_bounded(const char *name)
{
    size_t len = strlen(name), references = 0;

    for (const char *at = name; *at; at++) {
        size_t digits =
            *at == 'S' || *at == 'T' ? strspn(at + 1, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") : 0;

        references += (*at == 'S' || *at == 'T') && at[1 + digits] == '_';
    }
    return len <= LENGTH_MAX && references <= REFERENCES_MAX;
}

enum { NO_MEMORY = -1 };

/* To be freed; NULL when it is not mangled. */
static char *unmangled(const char *name)
{
    const struct cxx_runtime *runtime;
    int status = 0;
    char *full = NULL;

    if (strncmp(name, "_Z", 2) != 0 || !is_bounded(name))
        return NULL;
    runtime = cxx_runtime();
    if (runtime)
        full = runtime->__cxa_demangle(name, NULL, NULL, &status);
    if (!full && status == NO_MEMORY)
        oom();
    return full;
}

struct span demangle_whole(struct arena *arena, const char *name)
{
    char *full = unmangled(name);
    struct span whole = copied(arena, full ? full : name);

    free(full);
    return whole;
}

struct span demangle(struct arena *arena, const char *name)
{
    char *full = unmangled(name);
    const char *known = full ? full : name;
    struct span plain = {0};

    if (strncmp(name, "_R", 2) == 0)
        return demangle_rust(arena, copied(arena, name));

    if (full || (name[0] != '<' && strchr(name, '<'))) {
        char *text = arena_array(arena, strlen(known) + 1, 1);

        plain = (struct span){text, simplify(known, text)};
    }
    free(full);
    return plain.len ? plain : copied(arena, name);
}
