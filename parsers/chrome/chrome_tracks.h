/* SPDX-License-Identifier: Apache-2.0 */
/* chrome_tracks.h — the rows of a trace, (pid, tid) and role, which become the tracks of the
 * timeline */
#ifndef PTK_PARSERS_CHROME_CHROME_TRACKS_H
#define PTK_PARSERS_CHROME_CHROME_TRACKS_H

#include "base/memory/idmap.h"
#include "graph/build/builder.h"
#include "parsers/chrome/event_classify.h"
#include "parsers/chrome/scan/scanner.h"

struct producer;

/* An event as its producer's hook gets it. */
struct added_event {
    uint32_t event, row;
    int64_t start, duration; /* ns */
    frame_id
        range; /* the hook's: what it is called where it turns out to be one; 0: it has not looked */
    size_t flows; /* the hook's: points of flows before it in the file */
};

/* Number and text that look alike are one: 12 and "12". */
struct chrome_row {
    str_id pid, tid;
    enum row_role role;
    int64_t last_end;                /* ns; the latest that any of its events ends */
    const struct producer *producer; /* who calls devices so; NULL: several, or it is none */
    struct added_event last_added;   /* the producer's */
};

/* Ready for use when zeroed. A row's index is its track's. */
struct chrome_rows {
    struct chrome_row *list;
    uint32_t count;
    size_t cap;
    struct idmap by_hash;
    struct idmap names; /* (pid, tid) → text; tid 0: of the process, UINT32_MAX: its labels */
    bool has_planes;    /* some process says what it is; see planes.h */
    bool has_numbered;  /* some is one stream of a device */
    bool has_fractions; /* some time was finer than a microsecond */
    int64_t quantum;    /* ns by which times are uncertain all the same */
    int64_t entering;   /* ns: see track.entering */
    const struct producer *producer; /* who calls processes so; NULL: nobody known */
};

uint32_t rows_find(struct chrome_rows *rows, struct builder *builder, struct token pid,
                   struct token tid, enum row_role role);

/* Which thread of its process a row is, as text. */
struct span rows_thread(struct token pid, struct token tid, enum row_role role);

/* Whether names, or an id that is one, may say what the process is: quick, for it is asked of every
 * event. */
bool rows_may_be_plane(const struct chrome_rows *rows, struct token pid);

/* An event's class where its category tells little: by where it ran, if that is a device; a call on
 * the host that has a correlation is the runtime's. */
struct class rows_class(const struct chrome_rows *rows, struct builder *builder,
                        const struct event *event, struct class class);

/* The same row, by the texts; IDMAP_NONE when it has no events. */
uint32_t rows_known(const struct chrome_rows *rows, struct span process, struct span thread,
                    enum row_role role);

/* Reads a metadata event ("M"): names of processes and threads. All others are left alone: they
 * may hold anything. */
void rows_name(struct chrome_rows *rows, struct builder *builder, struct token what,
               struct token pid, struct token tid, struct token args);

/* Takes another reader's rows and names. `texts`: by its ids, those of builder. Returns, by its
 * rows' indices, those here: the caller's to free. */
uint32_t *rows_absorb(struct chrome_rows *rows, struct builder *builder,
                      const struct chrome_rows *part, const str_id *texts);

/* Makes a track of every row, in their order, with the names that the file gives or made ones. */
void rows_finish(struct chrome_rows *rows, struct builder *builder);

void rows_free(struct chrome_rows *rows);

#endif
