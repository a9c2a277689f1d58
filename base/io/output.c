/* SPDX-License-Identifier: Apache-2.0 */
/* Where answers go: standard output, or a file that is whole or not touched; packing, and why a
 * write failed. */
#define _GNU_SOURCE /* fopencookie() */

#include "base/io/io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/checked.h"
#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "base/unfinished.h"

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

enum { CHUNK = 1 << 16 };

/* Copies all of `from`, from its beginning, to `to` as gzip. False with errno when one of them fails. */
static bool pack_gzip(FILE *from, FILE *to)
{
    return fseek(from, 0, SEEK_SET) == 0 && deflate_file(from, to);
}

/* The same as zstd. */
static bool pack_zstd(FILE *from, FILE *to)
{
    char plain[CHUNK], packed[CHUNK];
    ZSTD_CStream *stream = ZSTD_createCStream();
    ZSTD_inBuffer in = {plain, 0, 0};
    bool ok = fseek(from, 0, SEEK_SET) == 0, is_last = false;
    size_t left = 1;

    if (!stream)
        oom();
    while (ok && (!is_last || left)) {
        ZSTD_outBuffer out = {packed, CHUNK, 0};

        if (in.pos == in.size && !is_last) {
            in = (ZSTD_inBuffer){plain, fread(plain, 1, CHUNK, from), 0};
            is_last = in.size < CHUNK;
        }
        left = ZSTD_compressStream2(stream, &out, &in, is_last ? ZSTD_e_end : ZSTD_e_continue);
        ok = !ZSTD_isError(left) && !ferror(from) && fwrite(packed, 1, out.pos, to) == out.pos;
    }
    ZSTD_freeCStream(stream);
    return ok;
}

typedef bool packer(FILE *from, FILE *to);

/* What the name of a file asks for; NULL: nothing. */
static packer *packer_for(const char *path)
{
    struct span name = span_of(path ? path : "");

    return span_ends(name, SPAN(".gz")) ? pack_gzip : span_ends(name, SPAN(".zst")) ? pack_zstd : NULL;
}

/* ---- a stream that keeps why it failed first ---- */

/* stdio says of a stream that it failed, and forgets why: by the time that anybody asks, errno is
 * what some later call left there. */
struct output_stream {
    int fd, why;
};

static ssize_t stream_write(void *state, const char *bytes, size_t count)
{
    struct output_stream *stream = state;
    size_t written = 0;

    while (written < count) {
        ssize_t more = write(stream->fd, bytes + written, count - written);

        if (more < 0 && errno == EINTR)
            continue;
        if (more < 0) {
            stream->why = stream->why ? stream->why : errno;
            return 0;
        }
        written += (size_t)more;
    }
    return (ssize_t)count;
}

static FILE *stream_over(struct output *out, int fd)
{
    FILE *stream;

    out->stream = grow_zeroed(1, sizeof(*out->stream));
    out->stream->fd = fd;
    stream = fopencookie(out->stream, "wb", (cookie_io_functions_t){.write = stream_write});
    if (!stream || setvbuf(stream, NULL, _IOFBF, CHUNK) != 0)
        oom();
    return stream;
}

/* Ends the stream, whose descriptor stays open; 0, or why not all of it was written. */
static int stream_end(struct output *out)
{
    int why = fclose(out->file) != 0 ? EIO : 0;

    if (out->stream->why)
        why = out->stream->why;
    free(out->stream);
    out->stream = NULL;
    out->file = NULL;
    return why;
}

/* ---- where a result goes: standard output, or a file that is whole or not touched ---- */

static bool failed(const char *path, int why, struct error *err)
{
    error_set(err, ERROR_OUTPUT, "cannot be written: %s", strerror(why));
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

    out->target = follow_links(out->path);
    if (!out->target)
        return failed(out->path, errno, err);
    slash = strrchr(out->target, '/');
    folder = slash ? (size_t)(slash + 1 - out->target) : 0;
    out->temporary = grow_to(NULL, folder + sizeof(name), 1);
    memcpy(out->temporary, out->target, folder);
    memcpy(out->temporary + folder, name, sizeof(name));
    out->fd = unfinished_make(out->temporary);
    if (out->fd >= 0) {
        struct stat old;
        mode_t mask = umask(0);

        umask(mask);
        /* as open(2) would have made it: by the umask, or as the file was that it replaces */
        (void)!fchmod(out->fd, stat(out->target, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask);
        return true;
    }
    failed(out->path, errno, err);
    unfinished_remove();
    forget_names(out);
    return false;
}

bool output_open(struct output *out, const char *path, struct error *err)
{
    struct stat info;

    *out = (struct output){.path = path && strcmp(path, "-") == 0 ? NULL : path};
    if (!out->path) {
        fflush(stdout); /* what stands there comes first */
        out->fd = STDOUT_FILENO;
    } else if (stat(path, &info) == 0 &&
               !S_ISREG(info.st_mode)) { /* a device or a pipe stays where it is */
        out->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out->fd < 0)
            return failed(path, errno, err);
    } else if (!open_beside(out, err)) {
        return false;
    }
    if (packer_for(out->path)) {
        out->unpacked = tmpfile(); /* where what is written waits until it is whole */
        if (!out->unpacked) {
            failed(path, errno, err);
            output_abandon(out);
            return false;
        }
    }
    out->file = stream_over(out, out->unpacked ? fileno(out->unpacked) : out->fd);
    return true;
}

/* What the stream held goes from its waiting place to the file. */
static int pack(struct output *out)
{
    FILE *from = out->unpacked;
    int why = stream_end(out);

    out->unpacked = NULL;
    out->file = stream_over(out, out->fd);
    if (!why && !packer_for(out->path)(from, out->file) && !out->stream->why)
        why = EIO;
    fclose(from);
    return why;
}

bool output_end(struct error *err)
{
    int why = fflush(stdout) != 0 || ferror(stdout) ? errno : 0;

    return !why || why == EPIPE || failed("standard output", why, err);
}

bool output_commit(struct output *out, struct error *err)
{
    int why = out->unpacked ? pack(out) : 0, last = stream_end(out);

    why = why ? why : last;
    if (!out->path)
        return why ? why == EPIPE || failed("standard output", why, err) : output_end(err);
    if (close(out->fd) != 0 && !why)
        why = errno;
    if (!why && out->temporary && rename(out->temporary, out->target) != 0)
        why = errno;
    if (why)
        failed(out->path, why, err);
    else
        unfinished_keep();
    unfinished_remove();
    forget_names(out);
    return !why;
}

void output_abandon(struct output *out)
{
    if (out->file)
        (void)stream_end(out);
    if (out->unpacked)
        fclose(out->unpacked);
    if (out->path)
        close(out->fd);
    unfinished_remove();
    forget_names(out);
    *out = (struct output){0};
}
