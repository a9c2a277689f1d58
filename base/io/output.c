/* SPDX-License-Identifier: Apache-2.0 */
#include "base/io/io.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/text/span.h"

/* ---- the file that must not stay behind when the program ends before it is whole ---- */

/* What ends a program from without or by a fault of its own, and leaves it time to clear up. */
static const int endings[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGXCPU, SIGXFSZ,
                              SIGABRT, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL};

/* A signal handler is given nothing, so its file has to be known to the whole program. */
static _Atomic(const char *) unfinished;

void unfinished_remove(void)
{
    const char *name = atomic_exchange(&unfinished, NULL);

    if (name)
        unlink(name);
}

/* SA_RESETHAND has put the default back: raised once more, the signal ends the program, and whoever
 * waits for it sees by which. */
static void end(int signal)
{
    unfinished_remove();
    raise(signal);
}

/* Makes a file as mkstemp(3) does and returns its descriptor, or -1 with errno. Until
 * output_commit() it is unlinked where a signal ends the program, and by unfinished_remove().
 * `name` must last until then. There is one at a time. */
static int unfinished_make(char *name)
{
    struct sigaction action = {.sa_handler = end, .sa_flags = (int)SA_RESETHAND}, old;
    sigset_t all, before;
    int fd;

    for (size_t i = 0; i < COUNT_OF(endings); i++)
        if (sigaction(endings[i], NULL, &old) == 0 &&
            old.sa_handler == SIG_DFL) /* what is ignored, as nohup(1) has it, stays so */
            sigaction(endings[i], &action, NULL);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    fd = mkstemp(name);
    if (fd >= 0)
        atomic_store(&unfinished, name);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return fd;
}

/* ---- a stream whose bytes stay in memory; without memory for them the run ends ---- */

FILE *memory_stream_open(char **text, size_t *size)
{
    FILE *stream = open_memstream(text, size);

    if (!stream)
        oom();
    errno = 0;
    return stream;
}

/* glibc drops what it finds no room for, and says so in errno alone; and it closes a stream well,
 * too, whose text it had no memory to hand out. */
void memory_stream_close(FILE *stream, char *const *text)
{
    if (errno == ENOMEM || fclose(stream) != 0 || !*text)
        oom();
}

/* ---- compressed output ---- */

enum { CHUNK = 1 << 16, MEMORY_LEVEL = 8 };

/* Everything that the compressor has to say on what it was given. */
static bool drain(z_stream *stream, int flush, FILE *to)
{
    unsigned char packed[CHUNK];

    do {
        stream->next_out = packed;
        stream->avail_out = CHUNK;
        deflate(stream, flush);
        if (fwrite(packed, 1, CHUNK - stream->avail_out, to) != CHUNK - stream->avail_out)
            return false;
    } while (stream->avail_out == 0);
    return true;
}

/* Copies all of `from`, from its beginning, to `to` as gzip. The same bytes in give the same
 * bytes out: there is no name and no time in it. False with errno when one of them fails. */
static bool pack_gzip(FILE *from, FILE *to)
{
    unsigned char plain[CHUNK];
    z_stream stream = {0};
    bool ok, is_last;

    if (fseek(from, 0, SEEK_SET) != 0)
        return false;
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, MEMORY_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
        oom();
    do {
        stream.avail_in = (unsigned)fread(plain, 1, CHUNK, from);
        stream.next_in = plain;
        is_last = stream.avail_in < CHUNK;
        ok = drain(&stream, is_last ? Z_FINISH : Z_NO_FLUSH, to) && !ferror(from);
    } while (ok && !is_last);
    deflateEnd(&stream);
    return ok;
}

/* ---- where a result goes: standard output, or a file that is whole or not touched ---- */

static bool failed(const char *path, struct error *err)
{
    error_set(err, ERROR_OUTPUT, "cannot be written: %s", strerror(errno));
    return error_file(err, path);
}

/* The file that a path leads to, whether or not there is one yet; NULL with errno. */
static char *follow_links(const char *path)
{
    enum { LINKS_MOST = 40 };
    char link[PATH_MAX], *target = grow_to(NULL, strlen(path) + 1, 1);

    memcpy(target, path, strlen(path) + 1);
    for (int i = 0; i < LINKS_MOST; i++) {
        ssize_t len = readlink(target, link, sizeof(link));
        char *slash = strrchr(target, '/');
        size_t folder = slash ? (size_t)(slash + 1 - target) : 0;

        if (len < 0)
            return target;
        if (len > 0 && link[0] == '/')
            folder = 0;
        target = grow_to(target, folder + (size_t)len + 1, 1);
        memcpy(target + folder, link, (size_t)len);
        target[folder + (size_t)len] = '\0';
    }
    free(target);
    errno = ELOOP;
    return NULL;
}

static void forget_names(struct output *out)
{
    free(out->temporary);
    free(out->target);
    out->temporary = out->target = NULL;
}

/* Opens what takes the place of the target once it is whole: beside it, since rename(2) stays within
 * a file system, and by a name of its own, since the target's may be as long as names can be. */
static bool open_beside(struct output *out, struct error *err)
{
    static const char name[] = ".ptk-XXXXXX";
    const char *slash;
    size_t folder;
    int fd;

    out->target = follow_links(out->path);
    if (!out->target)
        return failed(out->path, err);
    slash = strrchr(out->target, '/');
    folder = slash ? (size_t)(slash + 1 - out->target) : 0;
    out->temporary = grow_to(NULL, folder + sizeof(name), 1);
    memcpy(out->temporary, out->target, folder);
    memcpy(out->temporary + folder, name, sizeof(name));
    fd = unfinished_make(out->temporary);
    out->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (out->file) {
        struct stat old;
        mode_t mask = umask(0);

        umask(mask);
        /* as open(2) would have made it: by the umask, or as the file was that it replaces */
        (void)!fchmod(fd, stat(out->target, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask);
        return true;
    }
    failed(out->path, err);
    if (fd >= 0)
        close(fd);
    unfinished_remove();
    forget_names(out);
    return false;
}

bool output_open(struct output *out, const char *path, struct error *err)
{
    struct stat info;

    *out = (struct output){.path = path};
    if (!path || strcmp(path, "-") == 0) {
        *out = (struct output){.file = stdout};
        return true;
    }
    if (stat(path, &info) == 0 &&
        !S_ISREG(info.st_mode)) { /* a device or a pipe stays where it is */
        out->file = fopen(path, "wb");
        if (!out->file)
            return failed(path, err);
    } else if (!open_beside(out, err)) {
        return false;
    }
    if (!span_ends(span_of(path), SPAN(".gz")))
        return true;
    out->packed = out->file;
    out->file = tmpfile(); /* where what is written waits until it is whole */
    if (out->file)
        return true;
    failed(path, err);
    output_abandon(out);
    return false;
}

bool output_commit(struct output *out, struct error *err)
{
    if (!out->path)
        return (fflush(stdout) == 0 && !ferror(stdout)) || errno == EPIPE ||
               failed("standard output", err);

    bool is_whole = fflush(out->file) == 0 && !ferror(out->file);

    if (out->packed) {
        is_whole = is_whole && pack_gzip(out->file, out->packed) && fflush(out->packed) == 0;
        fclose(out->file);
        out->file = out->packed;
        out->packed = NULL;
        is_whole &= !ferror(out->file);
    }
    is_whole &= fclose(out->file) == 0;
    out->file = NULL;
    if (is_whole && out->temporary)
        is_whole = rename(out->temporary, out->target) == 0;
    if (is_whole)
        atomic_store(&unfinished, NULL);
    else
        failed(out->path, err);
    unfinished_remove();
    forget_names(out);
    return is_whole;
}

void output_abandon(struct output *out)
{
    if (out->path && out->file)
        fclose(out->file);
    if (out->packed)
        fclose(out->packed);
    unfinished_remove();
    forget_names(out);
    *out = (struct output){0};
}
