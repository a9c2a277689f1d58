#include "base/io/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io/pack.h"
#include "base/memory/grow.h"
#include "base/text/span.h"

static bool failed(const char *path, struct error *err)
{
    error_set(err, ERROR_OUTPUT, "cannot be written: %s", strerror(errno));
    return error_file(err, path);
}

static bool is_in_place(const char *path)
{
    struct stat info;

    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* As open(2) would have made it: by the umask, or as the file was that it replaces. */
static void set_mode(int fd, const char *path)
{
    struct stat old;
    mode_t mask = umask(0);

    umask(mask);
    (void)!fchmod(fd, stat(path, &old) == 0 ? old.st_mode & 07777 : 0666 & ~mask);
}

static bool open_beside(struct output *out, struct error *err)
{
    size_t room = strlen(out->path) + sizeof(".XXXXXX");

    out->temporary = grow_to(NULL, room, 1);
    snprintf(out->temporary, room, "%s.XXXXXX", out->path);

    int fd = mkstemp(out->temporary);

    out->file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (out->file) {
        set_mode(fd, out->path);
        return true;
    }
    failed(out->path, err);
    free(out->temporary);
    return false;
}

static bool open_file(struct output *out, struct error *err)
{
    if (!is_in_place(out->path))
        return open_beside(out, err);
    out->file = fopen(out->path, "wb");
    return out->file || failed(out->path, err);
}

/* What is written waits in a nameless file until it is whole. */
static bool open_packed(struct output *out, struct error *err)
{
    out->packed = out->file;
    out->file = tmpfile();
    if (out->file)
        return true;
    failed(out->path, err);
    output_abandon(out);
    return false;
}

bool output_open(struct output *out, const char *path, struct error *err)
{
    *out = (struct output){.path = path};
    if (!path || strcmp(path, "-") == 0) {
        *out = (struct output){.file = stdout};
        return true;
    }
    if (!open_file(out, err))
        return false;
    return !span_ends(span_of(path), SPAN(".gz")) || open_packed(out, err);
}

static bool flush_stdout(struct error *err)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    if (errno == EPIPE)
        return true;
    return failed("standard output", err);
}

/* Puts the packed file in the place of the plain one. */
static bool pack(struct output *out, bool is_whole)
{
    is_whole = is_whole && pack_gzip(out->file, out->packed) && fflush(out->packed) == 0;
    fclose(out->file);
    out->file = out->packed;
    out->packed = NULL;
    return is_whole && !ferror(out->file);
}

bool output_commit(struct output *out, struct error *err)
{
    if (!out->path)
        return flush_stdout(err);

    bool is_whole = fflush(out->file) == 0 && !ferror(out->file);

    if (out->packed)
        is_whole = pack(out, is_whole);
    is_whole &= fclose(out->file) == 0;
    out->file = NULL;
    if (is_whole && out->temporary)
        is_whole = rename(out->temporary, out->path) == 0;
    if (!is_whole)
        failed(out->path, err);
    if (!is_whole && out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    out->temporary = NULL;
    return is_whole;
}

void output_abandon(struct output *out)
{
    if (out->path && out->file)
        fclose(out->file);
    if (out->packed)
        fclose(out->packed);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    *out = (struct output){0};
}
