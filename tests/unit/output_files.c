/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "tests/unit/own_folder.h"

/* Where results go: files that are whole or not there. */

static char folder[OWN_FOLDER_MAX];

static void enter_folder(void)
{
    own_folder(folder);
    cr_assert_eq(chdir(folder), 0);
}

static uint32_t count_files(void)
{
    DIR *dir = opendir(".");
    uint32_t count = 0;

    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(dir);
    return count;
}

static void leave_folder(void)
{
    cr_assert_eq(chdir("/"), 0);
    rmdir(folder);
}

static bool write_to(const char *path, const char *text)
{
    struct output out;
    struct error err = {0};

    if (!output_open(&out, path, &err))
        return false;
    fputs(text, out.file);
    return output_commit(&out, &err);
}

static bool holds(const char *path, const char *text)
{
    char read[64] = "";
    FILE *file = fopen(path, "rb");

    if (!file)
        return false;
    read[fread(read, 1, sizeof(read) - 1, file)] = '\0';
    fclose(file);
    return strcmp(read, text) == 0;
}

/* How a child ends that is half through its output when this happens to it; 0: out of memory. */
static int end_half_through(int signal, bool is_ignored)
{
    struct output out;
    struct error err = {0};
    int status;
    pid_t child = fork();

    if (child == 0) {
        close(STDERR_FILENO);
        if (signal) /* whoever runs the tests may have ignored it */
            sigaction(signal, &(struct sigaction){.sa_handler = is_ignored ? SIG_IGN : SIG_DFL},
                      NULL);
        if (!output_open(&out, "out", &err))
            _exit(99);
        fputs("half", out.file);
        fflush(out.file);
        if (!signal)
            oom();
        raise(signal);
        _exit(output_commit(&out, &err) ? 0 : 98);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    return status;
}

Test(output_files, signals, .init = enter_folder, .fini = leave_folder)
{
    static const int signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXFSZ,
                                  SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

    cr_assert(write_to("out", "old"));
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        int status = end_half_through(signals[i], false);

        cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == signals[i], "%d", signals[i]);
        cr_expect_eq(count_files(), 1, "%d left a file", signals[i]);
        cr_expect(holds("out", "old"));
    }
    cr_expect_eq(WEXITSTATUS(end_half_through(0, false)), 5);
    cr_expect_eq(count_files(), 1, "out of memory left a file");
    cr_expect(holds("out", "old"));
    cr_expect_eq(end_half_through(SIGHUP, true), 0, "nohup");
    cr_expect(holds("out", "half"));
    unlink("out");
}

Test(output_files, links, .init = enter_folder, .fini = leave_folder)
{
    struct stat info;

    cr_assert_eq(mkdir("sub", 0777), 0);
    cr_assert(write_to("sub/target", "old"));
    cr_assert_eq(symlink("sub/second", "first"), 0);
    cr_assert_eq(symlink("target", "sub/second"), 0);
    cr_expect(write_to("first", "new"));
    cr_expect(lstat("first", &info) == 0 && S_ISLNK(info.st_mode), "the link was replaced");
    cr_expect(lstat("sub/second", &info) == 0 && S_ISLNK(info.st_mode));
    cr_expect(holds("sub/target", "new"));

    unlink("sub/target");
    cr_expect(write_to("first", "made"), "a link to what is not there yet");
    cr_expect(holds("sub/target", "made"));

    cr_assert_eq(symlink("loop", "loop"), 0);
    cr_expect_not(write_to("loop", "never"));
    unlink("loop");
    unlink("first");
    unlink("sub/second");
    unlink("sub/target");
    cr_expect_eq(rmdir("sub"), 0);
}

Test(output_files, long_names, .init = enter_folder, .fini = leave_folder)
{
    char name[256], path[300];

    memset(name, 'n', 255);
    name[255] = '\0';
    cr_expect(write_to(name, "text"));
    cr_expect(holds(name, "text"));
    snprintf(path, sizeof(path), "./%s", name);
    cr_expect(write_to(path, "other"));
    cr_expect(holds(name, "other"));
    unlink(name);
    cr_expect_eq(count_files(), 0);
}
