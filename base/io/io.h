/* SPDX-License-Identifier: Apache-2.0 */
/* io.h — where the bytes of a profile come from, and where a result goes */
#ifndef PTK_BASE_IO_IO_H
#define PTK_BASE_IO_IO_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/span.h"

/* ---- the bytes of a profile, whatever they came from and however they were packed ---- */

/* A file, standard input or a block of memory, with gzip and zstd undone at any nesting. Bytes
 * are looked at in a buffer of our own and consumed from its front; the buffer grows only when a
 * parser asks to see more at once, and never because a number in the file says so. */

/* Where an input's bytes come from; one record for files, one for memory, one a packed form. */
struct source {
    const char *name; /* "gzip" */

    /* Fills `to` with at least 1 byte and returns the count; 0 at the end, or after a fault that
     * it has put into `err`. `room` is at least SOURCE_ROOM_MIN: call it by source_read(). */
    size_t (*read)(void *state, char *to, size_t room, struct error *err);

    /* The same without a copy: bytes of the source's own, INPUT_PAD NULs behind them and `held`, of
     * at most INPUT_HELD_MAX bytes, copied in front. Valid until the source is asked again. NULL
     * when the source lends nothing. */
    struct span (*lend)(void *state, struct span held, struct error *err);

    void (*close)(void *state);
};

/* A whole character of UTF-8: a source that unpacks text writes no part of one. */
enum { SOURCE_ROOM_MIN = 4 };

/* Reads from a source. Without room there is nothing to read into, and no end of the source either:
 * that is a fault. */
size_t source_read(const struct source *source, void *state, char *to, size_t room,
                   struct error *err);

struct input_options {
    uint64_t max_size; /* inflated bytes to accept; 0 for INPUT_MAX_SIZE */

    /* Called now and then with the file's bytes read so far, and all it has (0: not known). */
    void (*progress)(void *context, uint64_t done, uint64_t total);
    void *context;
};

/* So many NULs follow the buffered bytes, for scanners that look ahead without asking. */
enum { INPUT_PAD = 128, INPUT_HELD_MAX = 16 * 1024 };

#define INPUT_MAX_SIZE ((uint64_t)64 << 30)

struct input {
    const char *at, *end; /* what the buffer holds and nobody has consumed */
    char *buffer;         /* owned */
    size_t cap;
    bool is_lent;        /* they are the source's, not in `buffer` */
    uint64_t end_offset; /* of `end` in the decompressed input */
    bool is_drained;     /* the source has no more */

    const struct source *source;
    void *state;
    struct input *packed; /* what a decoder unpacks, owned; NULL for the outermost */
    const char *packing;  /* the decoder's name: "gzip" */
    struct error trouble; /* why the bytes ended before their time, if they did */
    const char *remark;   /* a literal: what was odd but harmless, or NULL */
    const char *name;     /* the file's as it was given, borrowed; NULL: it has none */
    struct {
        bool is_set;
        uint64_t offset; /* where that line begins */
    } unended;           /* the last line that input_line() gave has no line end */
    uint64_t max_size;
};

/* Opens a file ("-": standard input) and undoes its packing. False with ERROR_INPUT when it
 * cannot be read, is a directory, or is empty. Close it in any case where true was returned. */
MUST_CHECK bool input_open(struct input *in, const char *path, const struct input_options *options,
                           struct error *err);

/* The same for a file that the user did not name, such as a table beside the profile. False: there is no regular
 * file; a pipe of that name would block. */
MUST_CHECK bool input_open_beside(struct input *in, const char *path);

/* The same for bytes in memory, which stay the caller's. */
MUST_CHECK bool input_open_memory(struct input *in, struct span bytes,
                                  const struct input_options *options, struct error *err);

/* All that is buffered, which is at least `need` bytes unless the input ends before. */
struct span input_peek(struct input *in, size_t need);

/* Consumes bytes that have been peeked. */
static inline void input_skip(struct input *in, size_t count)
{
    in->at += count;
}

/* Of the first byte not yet consumed, in the decompressed input. */
static inline uint64_t input_offset(const struct input *in)
{
    return in->end_offset - (uint64_t)(in->end - in->at);
}

/* Makes sure that `need` bytes can be read at in->at; false when the input ends before. */
static inline bool input_has(struct input *in, size_t need)
{
    return (size_t)(in->end - in->at) >= need || input_peek(in, need).len >= need;
}

/* A plain file's size when it can be read at any place (it is not packed); 0 otherwise. */
uint64_t input_plain_size(const struct input *in);

/* What has been read of the file as it lies there, packed or not: what its maker had to store. */
uint64_t input_bytes_read(const struct input *in);

/* Another reader of the same plain file, from `offset` on. Close it before `in`. */
void input_part(const struct input *in, uint64_t offset, struct input *part);

/* Goes on at another place of a plain file. */
void input_seek(struct input *in, uint64_t offset);

/* Copies up to `room` bytes and consumes them; fewer only at the end. For readers that keep a
 * buffer of their own. */
size_t input_read(struct input *in, char *to, size_t room);

/* The next line without its line end (\n or \r\n), valid until the next call; consumes it.
 * False at the end, and at a line of more than 64 MiB, which is trouble. A last line without a line
 * end sets in->unended, and is counted as a loss: a reader whose format ends so clears it. */
bool input_line(struct input *in, struct span *line);

/* From now on another thread unpacks what will be wanted next, if the input is packed and threads
 * are to be had. */
void input_read_ahead(struct input *in);

/* How the input is packed: "gzip", "zstd", "gzip, zstd", or "" when it is not. */
void input_packing(const struct input *in, char *out, size_t room);

void input_close(struct input *in);

/* A source that another thread reads ahead of its user, so that unpacking and reading
 * what was unpacked go on at once. */

extern const struct source readahead_source;

/* The state for readahead_source: it owns `state`, which from now on only the other thread uses.
 * NULL when there is no thread to be had. */
void *readahead_start(const struct source *source, void *state);

/* ---- packed and foreign forms of bytes that an input undoes by itself; one file each ---- */

/* One gzip member: by ISA-L where the build found it, about three times as fast as zlib, which
 * does it otherwise. */

/* What is to be read and where to; each step moves these on. */
struct inflate_io {
    const char *in;
    size_t in_len;
    char *out;
    size_t out_room;
};

enum inflate_result { INFLATE_MORE, INFLATE_END, INFLATE_DAMAGED };

struct inflate;

struct inflate *inflate_new(void);

/* As far as input and room go. On INFLATE_DAMAGED `*why` is a literal. */
enum inflate_result inflate_step(struct inflate *inflate, struct inflate_io *io, const char **why);

/* For the next member. */
void inflate_again(struct inflate *inflate);

void inflate_free(struct inflate *inflate);

/* Writes the rest of `from` to `to` as one gzip member. False when reading or writing fails; errno says why. */
MUST_CHECK bool deflate_file(FILE *from, FILE *to);

/* ---- packed and foreign forms of bytes that an input undoes by itself; one file each ---- */

struct unpacker {
    struct source source;
    bool (*knows)(struct span head); /* by its magic number */

    /* Never fails; `packed` is borrowed and outlives the state. The remark goes to `owner`. */
    void *(*open)(struct input *packed, struct input *owner);
};

/* What guards against bombs that no limit was named for. Real profiles pack to a tenth or so, at
 * best to a fiftieth; what is small does no harm. False, with an error, for what is neither. */
MUST_CHECK bool unpack_is_likely(const struct input *owner, uint64_t packed, uint64_t unpacked,
                                 struct error *err);

extern const struct unpacker unpack_gzip, unpack_utf16, unpack_zstd;

/* ---- whether a file that a profile names lies where the user let it be read ---- */

/* Whether there is such a file and it lies in the directory or one below, by the paths that are
 * left when symbolic links and ".." are followed. What is hidden below the directory (".ssh",
 * ".env") is not: name that folder itself. */
bool path_is_below(const char *path, const char *directory);

/* The same of the working directory. Where that is "/", nothing is: it would be everything. */
bool path_is_local(const char *path);

/* ---- a stream whose bytes stay in memory; without memory for them the run ends ---- */

/* What is written becomes `*text`, ended by a NUL that `*size` does not count, on
 * memory_stream_close(), in the same thread; the caller frees it. */
FILE *memory_stream_open(char **text, size_t *size);
void memory_stream_close(FILE *stream, char *const *text);

/* ---- where a result goes: standard output, or a file that is whole or not touched ---- */

struct output {
    FILE *file;
    const char *path; /* borrowed; NULL for standard output */
    char *target;     /* what `path` leads to through symbolic links; NULL when written in place */
    char *temporary;  /* beside `target` until output_commit(); or NULL, too */
    int fd;           /* of the file, or of standard output */
    FILE *unpacked;   /* where it waits for output_commit() to compress it; NULL: nowhere */
    struct output_stream *stream; /* behind `file` */
};

/* NULL and "-" are standard output. A regular file is written under another name beside it, which
 * goes when a signal or a lack of memory ends the program; a device or a pipe is written to
 * directly. A name that ends in .gz or .zst makes a gzip or a zstd file. */
MUST_CHECK bool output_open(struct output *out, const char *path, struct error *err);

/* Makes the result visible. False with ERROR_OUTPUT when not all could be written; then the old
 * file is untouched. A reader of standard output that went away is no error. */
MUST_CHECK bool output_commit(struct output *out, struct error *err);

/* The same of what was written to stdout itself. Takes no memory: results are whole by then. */
MUST_CHECK bool output_end(struct error *err);

/* Throws away what was written to a file. */
void output_abandon(struct output *out);

/* ---- a library that is loaded when it is first needed, so that what a command does not use costs
 * it nothing ---- */

/* A module lists the functions that it calls once, with their headers' own types:
 *
 *     #define LIBZOO_CALLS(CALL) CALL(zoo_open) CALL(zoo_close)
 *     struct libzoo { LIBZOO_CALLS(LIBRARY_FIELD) };
 *     static LIBRARY(libzoo, LIBZOO)
 *
 * and calls libzoo()->zoo_open(). The Makefile says of each library whether it is loaded, and from
 * which file: PTK_LIBZOO is its name and PTK_LIBZOO_SYMBOL is LIBRARY_LOADED; or NULL and
 * LIBRARY_LINKED, and the same functions are linked as usual. */

struct library_symbol {
    const char *name;
    void (*linked)(void);
};

#define LIBRARY_FIELD(function) __typeof__(function) *function;
#define LIBRARY_LOADED(function) {#function, NULL},
#define LIBRARY_LINKED(function) {#function, (void (*)(void))(function)},

struct shared_library {
    const char *file; /* NULL: its functions are linked */
    const struct library_symbol *symbols;
    size_t count;
    void *table; /* so many pointers to functions */
    atomic_int state;
};

/* The table, filled at the first call; NULL where the file, or one of the functions, is not there.
 * For any thread. A library stays loaded. */
void *library_table(struct shared_library *library);

/* Defines name(), which returns the library's struct name, as library_table() does. */
#define LIBRARY(name, NAME)                                                                        \
    const struct name *name(void)                                                                  \
    {                                                                                              \
        static const struct library_symbol symbols[] = {NAME##_CALLS(PTK_##NAME##_SYMBOL)};        \
        static struct name table;                                                                  \
        static struct shared_library library = {PTK_##NAME, symbols, COUNT_OF(symbols), &table,    \
                                                0};                                                \
                                                                                                   \
        return library_table(&library);                                                            \
    }

#endif
