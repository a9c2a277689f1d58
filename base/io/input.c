/* SPDX-License-Identifier: Apache-2.0 */
/* The input of a parser: buffered bytes of a file, a pipe or memory, unpacked, with a limit for
 * bombs. */
#define _XOPEN_SOURCE 700 /* realpath() */

#include "base/io/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory/memory.h"
#include "base/text/pattern.h"

bool path_is_below(const char *path, const char *directory)
{
    char *file = realpath(path, NULL), *root = file ? realpath(directory, NULL) : NULL;
    size_t len = root && root[1] ? strlen(root) : 0; /* the slash begins what follows it */
    bool is_below =
        root && strncmp(file, root, len) == 0 && file[len] == '/' && !strstr(file + len, "/.");

    free(file);
    free(root);
    return is_below;
}

bool path_is_local(const char *path)
{
    char root[2];

    /* of a longer path getcwd() says that it has no room */
    return !(getcwd(root, sizeof(root)) && strcmp(root, "/") == 0) && path_is_below(path, ".");
}

enum { BUFFER_SIZE = 256 * 1024, SMALL_FILE_END = 4096, NESTING_MAX = 4 };
enum { LINE_MAX_BYTES = 64 << 20, BLANK_MAX = 1 << 20 };

static const struct unpacker *const unpackers[] = {&unpack_gzip, &unpack_zstd, &unpack_utf16};

/* ---- the two outermost sources ---- */

struct file {
    int fd;
    bool is_ours, is_plain;
    uint64_t total;
    uint64_t offset;       /* where a plain file is read next: several readers may share it */
    atomic_ullong read;    /* bytes so far, by all readers; the outermost file's counts */
    atomic_ullong *shared; /* that one */
    struct input_options options;
};

static size_t file_read(void *state, char *to, size_t room, struct error *err)
{
    struct file *file = state;
    ssize_t count;

    do
        count = file->is_plain ? pread(file->fd, to, room, (off_t)file->offset)
                               : read(file->fd, to, room);
    while (count < 0 && errno == EINTR);
    if (count < 0) {
        error_set(err, ERROR_INPUT, "cannot be read: %s", strerror(errno));
        return 0;
    }
    file->offset += (uint64_t)count;
    atomic_fetch_add(file->shared, (unsigned long long)count);
    if (file->options.progress)
        file->options.progress(file->options.context, atomic_load(file->shared), file->total);
    return (size_t)count;
}

static void file_close(void *state)
{
    struct file *file = state;

    if (file->is_ours)
        close(file->fd);
    free(file);
}

static const struct source file_source = {.name = "file", .read = file_read, .close = file_close};

static size_t memory_read(void *state, char *to, size_t room, struct error *err)
{
    struct span *rest = state;
    size_t count = rest->len < room ? rest->len : room;

    (void)err;
    memcpy(to, rest->at, count);
    *rest = span_after(*rest, count);
    return count;
}

static const struct source memory_source = {.name = "memory", .read = memory_read, .close = free};

/* ---- bombs ---- */

enum { HARMLESS_SIZE = 64 << 20, LIKELY_RATIO = 150 };

bool unpack_is_likely(const struct input *owner, uint64_t packed, uint64_t unpacked,
                      struct error *err)
{
    if (owner->max_size != INPUT_MAX_SIZE || unpacked < HARMLESS_SIZE ||
        unpacked / LIKELY_RATIO < packed)
        return true;
    error_set(err, ERROR_INPUT, "inflates to more than %d times its size, as no profile does",
              LIKELY_RATIO);
    return error_hint(err, "if that is expected, name a limit with --max-size");
}

/* ---- the buffer ---- */

size_t source_read(const struct source *source, void *state, char *to, size_t room,
                   struct error *err)
{
    if (room >= SOURCE_ROOM_MIN)
        return source->read(state, to, room, err);
    error_set(err, ERROR_INPUT, "cannot be read: no room for its next bytes");
    return 0;
}

/* How far the buffer grows. Only what a small file holds, and its end: 10,000 small files do not map and unmap
 * as many large buffers. */
static size_t step_of(const struct input *in)
{
    uint64_t size = input_plain_size(in);

    return size && size < BUFFER_SIZE / 2 ? (size_t)size + SMALL_FILE_END : BUFFER_SIZE;
}

/* Moves what is held to the buffer's front, with room behind it. How much is wanted in the end does
 * not matter: the buffer doubles as the bytes come. */
static void make_room(struct input *in)
{
    size_t held = (size_t)(in->end - in->at);
    size_t skipped = in->is_lent || !held ? 0 : (size_t)(in->at - in->buffer);

    if (in->cap < held + step_of(in) / 2) {
        in->cap = grow_cap(in->cap, held + step_of(in));
        in->buffer = grow_to(in->buffer, in->cap + INPUT_PAD, 1);
    }
    if (held && (in->is_lent || skipped))
        memmove(in->buffer, in->is_lent ? in->at : in->buffer + skipped, held);
    in->is_lent = false;
    in->at = in->buffer;
    in->end = in->buffer + held;
}

/* Notes that the source gave so many bytes. False when that was all, or is too much. */
static bool receive(struct input *in, size_t count)
{
    if (in->packed && in->end_offset + count > in->max_size) {
        error_set(&in->trouble, ERROR_INPUT, "inflates to more than %llu bytes",
                  (unsigned long long)in->max_size);
        error_hint(&in->trouble, "if that is expected, raise the limit with --max-size");
        count = 0;
    }
    in->is_drained = count == 0;
    in->end += count;
    in->end_offset += count;
    return count > 0;
}

/* Looks at the source's own bytes, where it lends them. */
static void borrow(struct input *in)
{
    struct span held = {in->at, (size_t)(in->end - in->at)}, lent;

    if (!in->source->lend || held.len > INPUT_HELD_MAX)
        return;
    lent = in->source->lend(in->state, held, &in->trouble);
    in->is_lent = true;
    in->at = lent.at;
    in->end = lent.at + held.len;
    receive(in, lent.len - held.len);
}

struct span input_peek(struct input *in, size_t need)
{
    if ((size_t)(in->end - in->at) < need && !in->is_drained)
        borrow(in);
    if ((size_t)(in->end - in->at) < need && !in->is_drained) {
        do
            make_room(in);
        while (receive(in, source_read(in->source, in->state, in->buffer + (in->end - in->buffer),
                                       in->cap - (size_t)(in->end - in->buffer), &in->trouble)) &&
               (size_t)(in->end - in->at) < need);
        memset(in->buffer + (in->end - in->buffer), 0, INPUT_PAD);
    }
    return (struct span){in->at, (size_t)(in->end - in->at)};
}

size_t input_read(struct input *in, char *to, size_t room)
{
    size_t copied = 0;

    while (copied < room) {
        struct span held = input_peek(in, 1);
        size_t count = held.len < room - copied ? held.len : room - copied;

        if (count == 0)
            break;
        memcpy(to + copied, held.at, count);
        input_skip(in, count);
        copied += count;
    }
    return copied;
}

bool input_line(struct input *in, struct span *line)
{
    struct span held = input_peek(in, 1);
    const char *hit = NULL;

    for (size_t seen = 0; held.len > seen; held = input_peek(in, held.len + 1)) {
        hit = memchr(held.at + seen, '\n', held.len - seen);
        if (hit)
            break;
        seen = held.len;
        if (seen > LINE_MAX_BYTES) {
            in->is_drained = true;
            return error_set_at(&in->trouble, input_offset(in), 0, "a line of more than %d MiB",
                                LINE_MAX_BYTES >> 20);
        }
    }
    if (held.len == 0)
        return false;

    size_t len = hit ? (size_t)(hit - held.at) : held.len;

    in->unended.is_set = !hit;
    in->unended.offset = input_offset(in);
    input_skip(in, len + (hit != NULL));
    *line = (struct span){held.at, len};
    if (len && held.at[len - 1] == '\r')
        line->len--;
    return true;
}

/* ---- opening ---- */

/* Puts decoders on top of `in` while what comes out is packed once more. */
static void unpack(struct input *in)
{
    for (int depth = 0; depth < NESTING_MAX; depth++) {
        const struct unpacker *unpacker = NULL;
        struct span head = input_peek(in, 4);
        struct input *packed;

        for (size_t i = 0; !unpacker && i < COUNT_OF(unpackers); i++)
            if (unpackers[i]->knows(head))
                unpacker = unpackers[i];
        if (!unpacker)
            return;
        packed = grow_to(NULL, 1, sizeof(*packed));
        *packed = *in;
        *in = (struct input){.source = &unpacker->source,
                             .packed = packed,
                             .packing = unpacker->source.name,
                             .max_size = packed->max_size};
        in->state = unpacker->open(packed, in);
    }
}

/* How many bytes stand before the first that says something. More than anybody leaves blank are not counted: such an
 * input may have no end. */
static size_t blanks_before(struct input *in)
{
    size_t at = 0;

    while (at < BLANK_MAX) {
        struct span head = input_peek(in, at + 1);

        if (head.len <= at)
            break;
        while (at < head.len && memchr(" \t\r\n", head.at[at], sizeof(" \t\r\n")))
            at++;
        if (at < head.len)
            break;
    }
    return at;
}

static bool begin_reading(struct input *in, const struct input_options *options, struct error *err)
{
    struct span head;
    size_t blanks;

    in->max_size = options->max_size ? options->max_size : INPUT_MAX_SIZE;
    unpack(in);
    head = input_peek(in, 4);
    if (head.len > 3 && span_starts(head, SPAN("\xef\xbb\xbf")))
        input_skip(in, 3); /* Windows marks UTF-8 so, which says nothing */
    blanks = blanks_before(in);
    if (blanks >= BLANK_MAX)
        error_set_at(&in->trouble, 0, 0, "nothing but blanks and NULs in the first MiB");
    else if (input_peek(in, blanks + 1).len > blanks)
        return true;
    if (in->trouble.kind) {
        *err = in->trouble;
    } else {
        if (blanks)
            error_set_at(err, 0, 0, "nothing but blanks and NULs");
        else
            error_set(err, ERROR_INPUT, "is empty");
        error_hint(err, "many profilers write when their program ends: was it killed?");
    }
    input_close(in);
    return false;
}

/* A file that is not there may be one beside it, mistyped. */
static bool suggest_file(const char *path, struct error *err)
{
    enum { FILES_ASKED = 10000 };
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
    struct suggestion nearest = {.typed = path + folder};
    struct arena arena = {0};
    DIR *dir = opendir(folder ? arena_copy(&arena, (struct span){path, folder}) : ".");
    const struct dirent *file;

    if (strstr(path, "://"))
        error_hint(err, "ptk opens no network: curl -o FILE '%.150s'", path);
    for (int asked = 0; dir && asked < FILES_ASKED && (file = readdir(dir)); asked++) {
        suggestion_consider(&nearest, file->d_name);
        if (nearest.word == file->d_name) /* the best so far; its text does not last */
            error_hint(err, "did you mean '%.*s%s'?", (int)folder, path, file->d_name);
    }
    if (dir)
        closedir(dir);
    arena_free(&arena);
    return false;
}

bool input_open(struct input *in, const char *path, const struct input_options *options,
                struct error *err)
{
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;

    if (fd < 0 || fstat(fd, &info) < 0) {
        int why = errno;

        error_set(err, ERROR_INPUT, "%s", why == ENOENT ? "no such file" : strerror(why));
        return path[0] ? suggest_file(path, err) : error_hint(err, "the file name is empty");
    }
    if (S_ISDIR(info.st_mode)) {
        if (!is_stdin)
            close(fd);
        error_set(err, ERROR_INPUT, "is a directory");
        return error_hint(err, "name a profile inside it");
    }
    struct file *file = grow_zeroed(1, sizeof(*file));

    *file = (struct file){.fd = fd, .is_ours = !is_stdin, .options = *options};
    file->shared = &file->read;
    file->total = S_ISREG(info.st_mode) ? (uint64_t)info.st_size : 0;
    file->is_plain = !is_stdin && S_ISREG(info.st_mode);
    *in = (struct input){.source = &file_source, .state = file};
    if (!begin_reading(in, options, err))
        return false;
    in->name = is_stdin ? NULL : path;
    return true;
}

bool input_open_beside(struct input *in, const char *path)
{
    struct error ignored = {0};
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           input_open(in, path, &(struct input_options){0}, &ignored);
}

bool input_open_memory(struct input *in, struct span bytes, const struct input_options *options,
                       struct error *err)
{
    struct span *rest = grow_zeroed(1, sizeof(*rest));

    *rest = bytes;
    *in = (struct input){.source = &memory_source, .state = rest};
    return begin_reading(in, options, err);
}

uint64_t input_plain_size(const struct input *in)
{
    const struct file *file = in->state;

    return in->source == &file_source && file->is_plain ? file->total : 0;
}

uint64_t input_bytes_read(const struct input *in)
{
    const struct file *file;

    while (in->packed)
        in = in->packed;
    file = in->state;
    return in->source == &file_source ? atomic_load(file->shared) : in->end_offset;
}

void input_part(const struct input *in, uint64_t offset, struct input *part)
{
    const struct file *whole = in->state;
    struct file *file = grow_zeroed(1, sizeof(*file));

    file->fd = whole->fd;
    file->is_plain = true;
    file->total = whole->total;
    file->shared = whole->shared;
    file->offset = offset;
    *part = (struct input){.source = &file_source, .state = file, .end_offset = offset};
}

void input_seek(struct input *in, uint64_t offset)
{
    struct file *file = in->state;

    file->offset = in->end_offset = offset;
    in->at = in->end = in->buffer;
    in->is_lent = in->is_drained = false;
}

void input_read_ahead(struct input *in)
{
    void *ahead = in->packed ? readahead_start(in->source, in->state) : NULL;

    if (!ahead)
        return;
    in->source = &readahead_source;
    in->state = ahead;
}

void input_packing(const struct input *in, char *out, size_t room)
{
    out[0] = '\0';
    for (; in->packed; in = in->packed) {
        size_t len = strlen(out);

        snprintf(out + len, room - len, "%s%s", len ? ", " : "", in->packing);
    }
}

void input_close(struct input *in)
{
    if (in->source)
        in->source->close(in->state);
    free(in->buffer);
    if (in->packed) {
        input_close(in->packed); /* at most NESTING_MAX deep */
        free(in->packed);
    }
    *in = (struct input){0};
}
