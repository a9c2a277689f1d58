/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a trace, (pid, tid) and role, with their names: they become the tracks of the timeline. */
#include "parsers/chrome/chrome_events.h"

#define XXH_INLINE_ALL
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

#include "base/memory/memory.h"
#include "base/memory/span.h"
#include "parsers/chrome/producers/producers.h"
#include "parsers/json/json.h"

/* ---- names that several processes or threads have, and so do not tell them apart ---- */

/* Ready for use when zeroed. */
struct name_owners {
    struct idmap owners; /* (where, name) → whose it is; 0: of several */
};

enum { SHOWN_MAX = 100 }; /* bytes of each part */
#define OF_SEVERAL 0

/* `owner`, not 0, has the name there: a process of the file (where: 0), or a thread of a
 * process. */
static void name_owners_add(struct name_owners *name_owners, str_id where, str_id name,
                            str_id owner)
{
    uint32_t *known = idmap_at(&name_owners->owners, idmap_pair(where, name));

    if (*known == IDMAP_NONE)
        *known = owner;
    else if (*known != owner)
        *known = OF_SEVERAL;
}

static int shown(struct span text)
{
    return text.len < SHOWN_MAX ? (int)text.len : SHOWN_MAX;
}

/* The name, with the owner's number and label (0: none) after it where others have the same:
 * "Renderer 4711 (Inbox)". */
static str_id name_owners_disambiguate(const struct name_owners *name_owners,
                                       struct builder *builder, str_id where, str_id name,
                                       str_id owner, str_id label)
{
    struct span text = builder_text(builder, name), number = builder_text(builder, owner);
    struct span title = builder_text(builder, label);
    char longer[3 * SHOWN_MAX + 8];
    int len;

    if (idmap_find(&name_owners->owners, idmap_pair(where, name)) != OF_SEVERAL)
        return name;
    len = snprintf(longer, sizeof(longer), "%.*s %.*s%s%.*s%s", shown(text), text.at, shown(number),
                   number.at, label ? " (" : "", shown(title), title.at, label ? ")" : "");
    return builder_intern(builder, (struct span){longer, (size_t)len});
}

/* ---- the rows of a trace, (pid, tid) and role, which become the tracks of the timeline ---- */

enum { OF_PROCESS = 0, DEVICES_MAX = 1024, MICROSECOND = 1000 };
#define LABELS UINT32_MAX

static bool is_on_device(enum row_role role)
{
    return role == ROW_STREAM || role == ROW_RANGES || role == ROW_SYNC;
}

static uint64_t hash_of(struct span process, struct span thread, enum row_role role)
{
    uint64_t hash = XXH3_64bits_withSeed(process.at, process.len, (uint64_t)role);

    return XXH3_64bits_withSeed(thread.at, thread.len, hash);
}

static void learn_producer(struct chrome_rows *rows, struct span process)
{
    rows->producer = producer_of_two(rows->producer, plane_producer(process));
}

static uint32_t find_row(struct chrome_rows *rows, struct builder *builder, struct span process,
                         struct span thread, enum row_role role)
{
    uint32_t *row = idmap_at(&rows->by_hash, hash_of(process, thread, role));

    if (*row != IDMAP_NONE)
        return *row;
    *row = rows->count;
    vector_add(
        rows, (struct chrome_row){.pid = builder_intern(builder, process),
                                  .tid = builder_intern(builder, thread),
                                  .role = role,
                                  .last_end = INT64_MIN,
                                  .producer = role == ROW_STREAM ? plane_producer(process) : NULL});
    if (role == ROW_STREAM)
        learn_producer(rows, process);
    return rows->count - 1;
}

/* A thread without a number is its process's first; 0 is a number (Rust's tracing-chrome counts
 * threads from there, in process 1). clang numbers a thread for each of its sums, which is none.
 * Paddle writes a thread's two languages as two rows: "12(C++)" and "12(Python)". */
struct span rows_thread(struct token pid, struct token tid, enum row_role role)
{
    static const struct span cpp = LITERAL("(C++)"), python = LITERAL("(Python)");
    struct span thread = token_raw_text(tid.at || is_on_device(role) ? tid : pid);

    if (role == ROW_TOTALS)
        return SPAN("");
    if (span_ends(thread, cpp))
        thread.len -= cpp.len;
    else if (span_ends(thread, python))
        thread.len -= python.len;
    return thread;
}

uint32_t rows_find(struct chrome_rows *rows, struct builder *builder, struct token pid,
                   struct token tid, enum row_role role)
{
    return find_row(rows, builder, token_raw_text(pid), rows_thread(pid, tid, role), role);
}

uint32_t rows_known(const struct chrome_rows *rows, struct span process, struct span thread,
                    enum row_role role)
{
    return idmap_find(&rows->by_hash, hash_of(process, thread, role));
}

/* ---- names ---- */

static void name_it(struct chrome_rows *rows, struct builder *builder, str_id pid, str_id tid,
                    struct token value)
{
    struct arena unescaped = {0};
    struct span text = value.at ? token_text(value, &unescaped) : SPAN("");

    if (text.len)
        *idmap_at(&rows->names, idmap_pair(pid, tid)) = builder_intern(builder, text);
    if (tid == OF_PROCESS) {
        rows->has_planes |= plane_is(text);
        rows->has_numbered |= plane_is_numbered(text);
        learn_producer(rows, text);
    }
    arena_free(&unescaped);
}

void rows_name(struct chrome_rows *rows, struct builder *builder, struct token what,
               struct token pid, struct token tid, struct token args)
{
    str_id process = builder_intern(builder, token_raw_text(pid));
    struct span thread = rows_thread(pid, tid, ROW_THREAD);

    if (token_is(what, SPAN("process_name")))
        name_it(rows, builder, process, OF_PROCESS, walk_find(args, SPAN("name")));
    else if (token_is(what, SPAN("process_labels")))
        name_it(rows, builder, process, LABELS, walk_find(args, SPAN("labels")));
    else if (token_is(what, SPAN("thread_name")))
        name_it(rows, builder, process, builder_intern(builder, thread),
                walk_find(args, SPAN("name")));
}

static str_id here(const str_id *texts, uint32_t id)
{
    return id == OF_PROCESS || id == LABELS ? id : texts[id];
}

uint32_t *rows_absorb(struct chrome_rows *rows, struct builder *builder,
                      const struct chrome_rows *part, const str_id *texts)
{
    uint32_t *row_of = grow_to(NULL, (size_t)part->count + 1, sizeof(*row_of));

    for (uint32_t i = 0; i < part->count; i++) {
        const struct chrome_row *row = &part->list[i];
        struct chrome_row *mine;

        row_of[i] = find_row(rows, builder, builder_text(builder, texts[row->pid]),
                             builder_text(builder, texts[row->tid]), row->role);
        mine = &rows->list[row_of[i]];
        if (row->last_end > mine->last_end)
            mine->last_end = row->last_end;
    }
    for (size_t i = 0; i < part->names.cap; i++) {
        uint64_t key = part->names.keys[i];

        if (part->names.ids[i] != IDMAP_NONE)
            *idmap_at(&rows->names,
                      idmap_pair(here(texts, (uint32_t)(key >> 32)), here(texts, (uint32_t)key))) =
                here(texts, part->names.ids[i]);
    }
    rows->has_fractions |= part->has_fractions;
    rows->has_planes |= part->has_planes;
    rows->has_numbered |= part->has_numbered;
    rows->producer = producer_of_two(rows->producer, part->producer);
    return row_of;
}

static str_id name_of(const struct chrome_rows *rows, str_id pid, str_id tid)
{
    str_id name = idmap_find(&rows->names, idmap_pair(pid, tid));

    return name == IDMAP_NONE ? 0 : name;
}

static str_id process_of(const struct chrome_rows *rows, str_id pid)
{
    str_id name = name_of(rows, pid, OF_PROCESS);

    return name ? name : pid;
}

bool rows_may_be_plane(const struct chrome_rows *rows, struct token pid)
{
    return rows->has_planes || (pid.at && pid.len > 2 && pid.at[0] == '"' && !is_digit(pid.at[1]));
}

struct class rows_class(const struct chrome_rows *rows, struct builder *builder,
                        const struct event *event, struct class class)
{
    struct token pid = event->field[FIELD_PID], args = event->field[FIELD_ARGS];
    str_id process = builder_intern(builder, token_raw_text(pid));
    str_id thread = builder_intern(builder, rows_thread(pid, event->field[FIELD_TID], ROW_STREAM));
    struct plane plane =
        plane_of(builder_text(builder, process_of(rows, process)),
                 builder_text(builder, name_of(rows, process, thread)), rows->has_numbered);

    class.role = plane.role;
    if (plane.kind != KIND_HOST)
        class.kind = plane.kind;
    else if (class.kind == KIND_HOST && /* events of a learned shape have only the wanted args */
             (event->field[ARG_CORRELATION].at ||
              (args.at && walk_find(args, SPAN("correlation_id")).at)))
        class.kind = KIND_RUNTIME;
    return class;
}

static int64_t number_of(const struct builder *builder, str_id text)
{
    struct span span = builder_text(builder, text);
    size_t blank = span_rfind(span, ' ');
    int64_t number;

    if (blank != SIZE_MAX)
        span = span_after(span, blank + 1);
    return span_to_i64(span, &number) ? number : 0;
}

static str_id made(struct builder *builder, const char *what, str_id id)
{
    struct span text = builder_text(builder, id);
    char name[96];
    int len;

    if (text.len >= strlen(what) && strncasecmp(text.at, what, strlen(what)) == 0)
        return id;
    len = snprintf(name, sizeof(name), "%s %.*s", what, (int)(text.len < 64 ? text.len : 64),
                   text.at);
    return builder_intern(builder, (struct span){name, (size_t)len});
}

static const char *what_is(const struct chrome_rows *rows, const struct builder *builder,
                           const struct chrome_row *row)
{
    if (!is_on_device(row->role))
        return "thread";
    return plane_is_autograd(builder_text(builder, process_of(rows, row->pid))) ? "device"
                                                                                : "stream";
}

/* Where no thread 0 is, its name is meant for the process's first. */
static str_id first_name(const struct chrome_rows *rows, struct builder *builder,
                         const struct chrome_row *row)
{
    if (rows_known(rows, builder_text(builder, row->pid), SPAN("0"), row->role) != IDMAP_NONE)
        return 0;
    return name_of(rows, row->pid, builder_intern(builder, SPAN("0")));
}

static str_id row_name(const struct chrome_rows *rows, struct builder *builder,
                       const struct chrome_row *row, const struct name_owners *name_owners)
{
    static const char *const made_of[ROW_ROLE_COUNT] = {
        [ROW_THREAD] = "thread",      [ROW_STREAM] = "stream",      [ROW_RANGES] = "ranges on",
        [ROW_SYNC] = "waits of",      [ROW_POINTS] = "instants of", [ROW_ASYNC] = "operations of",
        [ROW_SAMPLES] = "samples of",
    };
    bool is_plain = row->role == ROW_THREAD || row->role == ROW_STREAM;
    str_id name = name_of(rows, row->pid, row->tid);

    if (row->role == ROW_TOTALS)
        return builder_intern(builder, SPAN("totals"));
    if (!name && row->tid == row->pid && !is_on_device(row->role))
        name = first_name(rows, builder, row);
    if (!name)
        name = row->tid ? made(builder, what_is(rows, builder, row), row->tid) : row->pid;
    else if (!is_on_device(row->role))
        name = name_owners_disambiguate(name_owners, builder, row->pid, name, row->tid, 0);
    if (!name)
        name = builder_intern(builder, SPAN("(no name)"));
    return is_plain ? name : made(builder, made_of[row->role], name);
}

static enum track_kind kind_of(enum row_role role)
{
    switch (role) {
    case ROW_STREAM:
    case ROW_SYNC:
        return TRACK_STREAM;
    case ROW_RANGES:
        return TRACK_RANGES;
    case ROW_POINTS:
        return TRACK_POINTS;
    case ROW_TOTALS:
        return TRACK_TOTALS;
    case ROW_SAMPLES:
        return TRACK_SAMPLES;
    case ROW_ASYNC:
        return TRACK_ASYNC;
    default:
        return TRACK_THREAD;
    }
}

static int32_t device_number(int64_t number)
{
    return number >= 0 && number < DEVICES_MAX ? (int32_t)number : -1;
}

static str_id process_name(const struct chrome_rows *rows, struct builder *builder, str_id pid,
                           const struct name_owners *name_owners)
{
    str_id name = name_of(rows, pid, OF_PROCESS);

    if (!name)
        return made(builder, "process", pid);
    return name_owners_disambiguate(name_owners, builder, OF_PROCESS, name, pid,
                                    name_of(rows, pid, LABELS));
}

/* MTIA's rows have numbers of their own, and say in their names which stream they are. */
static int64_t stream_number(const struct chrome_rows *rows, const struct builder *builder,
                             const struct chrome_row *row)
{
    static const struct span start = LITERAL("Stream ");
    struct span name = builder_text(builder, name_of(rows, row->pid, row->tid));
    int64_t number;

    return span_starts(name, start) && span_to_i64(span_after(name, start.len), &number) ? number
                                                                                         : 0;
}

static struct track track_of(const struct chrome_rows *rows, struct builder *builder,
                             const struct chrome_row *row, const struct name_owners *name_owners)
{
    struct track track = {.kind = kind_of(row->role),
                          .device = -1,
                          .pid = number_of(builder, row->pid),
                          .tid = number_of(builder, row->tid)};
    struct span process = builder_text(builder, process_of(rows, row->pid));

    if (is_on_device(row->role))
        track.device = device_number(track.pid);
    track.name = row_name(rows, builder, row, name_owners);
    if (is_on_device(row->role) && plane_is(process)) {
        track.device =
            plane_is_autograd(process) ? device_number(track.tid) : plane_device(process);
        track.process = process_of(rows, row->pid);
    } else if (track.device >= 0)
        track.process = made(builder, "GPU", row->pid);
    else
        track.process = process_name(rows, builder, row->pid, name_owners);
    if (track.kind == TRACK_STREAM)
        track.stream = stream_number(rows, builder, row);
    track.tolerance = rows->has_fractions ? rows->quantum : MICROSECOND;
    track.entering = rows->entering;
    return track;
}

/* The host's rows: a device's are numbered in their names. */
static void find_name_owners(const struct chrome_rows *rows, struct name_owners *name_owners)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct chrome_row *row = &rows->list[i];

        if (is_on_device(row->role))
            continue;
        name_owners_add(name_owners, OF_PROCESS, name_of(rows, row->pid, OF_PROCESS), row->pid);
        if (row->tid)
            name_owners_add(name_owners, row->pid, name_of(rows, row->pid, row->tid), row->tid);
    }
}

void rows_finish(struct chrome_rows *rows, struct builder *builder)
{
    struct name_owners name_owners = {0};

    find_name_owners(rows, &name_owners);
    for (uint32_t i = 0; i < rows->count; i++) {
        struct track track = track_of(rows, builder, &rows->list[i], &name_owners);

        builder_track(builder_timeline(builder), &track);
    }
    idmap_free(&name_owners.owners);
}

void rows_free(struct chrome_rows *rows)
{
    free(rows->list);
    idmap_free(&rows->by_hash);
    idmap_free(&rows->names);
    *rows = (struct chrome_rows){0};
}
