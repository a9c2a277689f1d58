/* SPDX-License-Identifier: Apache-2.0 */
/* chapters.h — the chapters of ptk report */
#ifndef PTK_CMD_REPORT_CHAPTERS_H
#define PTK_CMD_REPORT_CHAPTERS_H

#include <stdio.h>

#include "analysis/advice/advice.h"
#include "analysis/advice/bottleneck.h"
#include "analysis/compare/diff.h"
#include "analysis/execution/replay.h"
#include "analysis/execution/task_graph.h"
#include "analysis/functions/hotspots.h"
#include "analysis/ranks/job.h"
#include "analysis/ranks/job_shard.h"
#include "cmd/load/profile_load.h"
#include "render/forms/report.h"
#include "render/page/page.h"
#include "render/page/page_data.h"

/* ---- what a report page can tell of a profile, in the order in which it is read ---- */

struct structure;

/* What the page is made from. */
struct report_context {
    struct profile *profile;
    const char *before; /* the file that it is compared with; or NULL */
    const char *folder; /* whose files are the ranks; NULL: they were named one by one, or it is one */
    const struct execution *execution; /* the profile's, all of whose chapters share it; NULL: it is
                                          no timeline */
    struct bottlenecks devices;       /* what holds them up; of a timeline, while the first chapters
                                          are written */
    struct page_owners *owners;       /* see page_owners_find() */
    const struct advice *advice;      /* what is to be fixed; NULL: nothing was looked at */
    const struct critical_path *path; /* the execution's; NULL without one */
    const struct page_data *data; /* of a timeline: what the page's script shows, filled beside the
                                         chapters; or NULL */
    const struct diff *diff;      /* from another to this one; NULL unless two are compared */
    struct structure *structure;  /* of the same two, by parts of the program; or NULL */
    struct profile *times; /* the same, of samples, by time; NULL: not known, or it is by time */
    struct profile *lines; /* the same as `profile`, by lines of source; NULL: has none */
    const struct overlap_ranks *ranks; /* of the job, this profile's among them; or NULL */
    struct job_shard *job;             /* of all its ranks; or NULL */
    const struct job *job_result;      /* of that, or of a trace that has several ranks; NULL: it is none, or */
    const char *job_refused;           /* ... this is why it is not known */
    const struct source_choice *sources;
    const struct ceiling_choice *ceilings;
    uint32_t limit; /* rows of a table that may be long; 0: all */
    bool is_quiet;  /* notes are not wanted on standard error */
};

enum { CHAPTER_PICTURES_MAX = 2 };

/* A chapter, filled: one with neither lines, tables nor a picture is left out. */
struct chapter_content {
    struct report_input *input; /* the report's: what its figures are of */
    struct report report;
    struct page_picture pictures[CHAPTER_PICTURES_MAX];
    uint32_t picture_count;
    const struct hotspots *functions; /* whose callers and callees the page shows; or NULL */
    bool has_segments; /* whose blocks the page's script draws */
};

/* Fills a chapter; what it points to lives in the arena, or is its own. Several are filled at once: what
 * they share is only read. */
typedef bool chapter_fill(const struct report_context *context, struct arena *arena,
                          struct chapter_content *content, struct error *err);

/* What slows the job, what to fix, … each by the name of its chapter. */
chapter_fill chapter_advice, chapter_bound, chapter_diff, chapter_ranks, chapter_job;
chapter_fill chapter_hotspots, chapter_flame, chapter_lines, chapter_labels;
chapter_fill chapter_serve, chapter_timeline, chapter_overlap, chapter_critical_path,
    chapter_summary;
chapter_fill chapter_amdahl, chapter_roofline, chapter_memory;

enum chapter_time {
    CHAPTER_BESIDE_OTHERS,
    CHAPTER_OF_GRAPH, /* it needs neither the execution nor what follows from that */
    CHAPTER_OF_TREE,  /* it needs the call tree, which may not be there later */
    CHAPTER_AFTER_ADVICE
};

struct chapter {
    const char *id, *heading;
    enum level level; /* left out unless the profile has it */
    chapter_fill *fill;
    enum chapter_time when;
};

extern const struct chapter chapters[]; /* ends with an id of NULL */

/* What the chapters want of the file. */
struct builder_options chapters_wanted(void);

/* ---- all that a page is written from ---- */

/* The operators that a timeline's kernels work for. */
struct page_owners {
    struct latch *found; /* while chapters are filled */
    struct kernel_owners of_kernels;
};

/* The first chapter that asks finds them, for all others too. */
const struct kernel_owners *page_owners_find(const struct report_context *context);

struct filled_chapter {
    struct report_input input;
    struct chapter_content content;
    struct arena arena;
    struct error err;
    bool is_left_out, ok;
};

/* What chapters and cards share, and the chapters. */
struct page_results {
    struct execution execution;
    struct page_owners owners;
    struct ceilings ceilings;
    struct critical_path path;
    struct path_pieces path_pieces; /* of that, those that the page has room for */
    struct advice advice;
    struct page_data data;
    struct job_shard shard;          /* of one trace that has several ranks */
    uint64_t size;                   /* bytes that the page has, about */
    struct filled_chapter *chapters; /* as in chapters[]; the arena's */
    uint32_t count;
    struct arena arena;
};

/* Finds what can refuse a page, before the output is opened. `results` is zeroed but for the size. */
MUST_CHECK bool page_results_begin(struct report_context *context, struct page_results *results,
                                   struct error *err);

/* Finds the rest with all threads, and sets the context's pointers to it. The execution of a timeline is freed. */
MUST_CHECK bool page_results_find(struct report_context *context, struct page_results *results,
                                  struct error *err);

void filled_chapter_free(struct filled_chapter *filled);
void page_results_free(struct report_context *context, struct page_results *results);

/* ---- what stands above the chapters ---- */

/* The file's name as a title; what ran, in a line; where the time went; what to fix. In the arena. */
const char *page_short_name(const char *path, struct arena *arena);
const char *page_facts(const struct report_context *context, struct arena *arena);
bool page_bar_fill(const struct report_context *context, struct arena *arena, struct page_bar *bar);
void page_findings_fill(const struct report_context *context, struct arena *arena,
                        struct page_cards *cards);

/* Where the findings' events and their launches are. */
uint32_t page_places(const struct report_context *context, struct arena *arena,
                     struct window_bounds **places);

/* ---- timelines of other ranks ---- */

/* What is kept of them. */
struct page_rank_keeping {
    size_t own;    /* the file that the page is about */
    uint64_t size; /* bytes, about, of each of the others */
};

/* A struct page_block in the arena, of context `struct page_rank_keeping`; see cmd/load/rank_files.h. */
void *page_rank_keep(const struct graph *graph, const void *context, size_t at, struct arena *arena,
                     struct error *err);

/* Which other ranks are on the page's timeline, and on which clock; NULL: none. In the arena. */
const char *page_ranks_note(const struct report_context *context, struct arena *arena);

/* Which rank of a job the profile is of, whose other ranks are known, too. */
struct page_rank page_rank_own(const struct report_context *context);

/* The page's own timeline, and those of other ranks of its job. */
void page_ranks_embed(const struct report_context *context, struct page *page);

/* ---- pictures of a chapter, drawn into memory ---- */

enum { PICTURE_WIDTH = 1200 };

/* Adds a picture to the chapter; what is written to the stream is it, once that is closed. One at a
 * time. */
FILE *chapter_picture_open(struct chapter_content *content);
void chapter_picture_close(struct chapter_content *content, FILE *out);

/* Adds the report's chart, if it has one, without the lines: those stand below the picture on the
 * page. */
void chapter_draw_chart(struct chapter_content *content);

#endif
