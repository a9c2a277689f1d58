/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/answer/open_page.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cmd/help/messages.h"

extern char **environ;

bool open_page_new(char path[OPEN_PAGE_PATH_MAX], struct error *err)
{
    static const char folder[] = "/ptk-XXXXXX", page[] = "/report.html";
    const char *where = getenv("TMPDIR");
    size_t len;

    if (!where || !*where)
        where = "/tmp";
    len = strlen(where);
    if (len + sizeof(folder) + sizeof(page) > OPEN_PAGE_PATH_MAX)
        return error_set(err, ERROR_OUTPUT, "the name of $TMPDIR is too long");
    memcpy(path, where, len);
    memcpy(path + len, folder, sizeof(folder));
    if (!mkdtemp(path))
        return error_set(err, ERROR_OUTPUT, "no folder can be made in %.200s: %s", where,
                         strerror(errno));
    memcpy(path + len + sizeof(folder) - 1, page, sizeof(page));
    return true;
}

static bool runs(const char *program, const char *path)
{
    char *argv[] = {(char *)program, (char *)path, NULL};
    pid_t process;
    int status;

    if (posix_spawnp(&process, program, NULL, NULL, argv, environ) != 0)
        return false;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool open_page(const char *path, struct error *err)
{
    static const char usual[] = "xdg-open:sensible-browser:x-www-browser:open:wslview";
    const char *wanted = getenv("BROWSER"), *at = wanted && *wanted ? wanted : usual;
    char program[256];

    message_note("the page is %s", path);
    for (size_t len; *at; at += len + (at[len] == ':')) {
        len = strcspn(at, ":");
        if (len && len < sizeof(program)) {
            memcpy(program, at, len);
            program[len] = '\0';
            if (runs(program, path))
                return true;
        }
    }
    error_set(err, ERROR_OUTPUT, "no browser opens %.1000s", path);
    return error_hint(err, "BROWSER=NAME names one");
}
