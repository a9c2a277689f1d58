/* replay.h — the recorded run as a graph of dependencies that can be run again with a change
 *
 * Pieces are what threads were innermost in and what streams worked on. A piece begins a fixed lag
 * after one of at most three others, the latest: the one before it on its thread or stream, the
 * call that launched it, the work that its stream was told to wait for. A call that waits ends when
 * the device work that it saw end has; a thread that does nothing goes on when another that goes
 * idle meanwhile has, and a range in which a helper works when that has ended. Lags are as recorded
 * where a piece was held up by that other, 0 else. Durations and lags are fixed but for what is
 * changed; waiting has no duration. So the replay without a change is the recorded run to the
 * nanosecond, and the bracket of bracket.h holds for every change. */
#ifndef PTK_ANALYSIS_EXECUTION_REPLAY_H
#define PTK_ANALYSIS_EXECUTION_REPLAY_H

#include "analysis/amdahl/bracket.h"
#include "analysis/execution/critical_path.h"
#include "graph/model/graph.h"

enum { REPLAY_CHANGES_MAX = 64, REPLAY_CAUSES = 3 };

#define NO_MOMENT UINT32_MAX

/* A span of something on a thread or stream. */
struct replay_piece {
    event_id event;
    uint32_t track;
    uint16_t change; /* 0: none */
    bool is_device;
    bool is_wait;     /* lasts as long as what it waits for: device work, or */
    bool is_helped;   /* a helper's (worker_threads.h) */
    bool is_in_order; /* it began after all before it on its track had ended */
};

/* The start (2·piece) or the end (2·piece + 1) of a piece. */
struct replay_moment {
    int64_t time;                  /* as recorded, ns since the start */
    int64_t lag;                   /* ns after `held_by`; the piece's duration at its end */
    uint32_t cause[REPLAY_CAUSES]; /* other moments, or NO_MOMENT */
    uint8_t held_by;               /* index of the cause that was the latest */
    bool is_fixed;                 /* nothing is known to have caused it: it stays */
};

/* Memory is the arena's. */
struct replay {
    const struct graph *graph;
    struct replay_piece *pieces;
    struct replay_moment *moments;
    uint32_t piece_count;
    uint32_t guesses; /* device work taken to have waited for another stream, for the file has no
                         such waits */
    uint32_t *order;  /* of moments: causes first */
    uint32_t *helped; /* starts of pieces that a helper works for, in order */
    uint32_t helped_count;
    int64_t start; /* of the run, ns since the timeline's origin */
    int64_t span;
};

/* `change_of`: by frame, 1 … REPLAY_CHANGES_MAX for what is changed, or 0. A host event's change
 * is for all that runs on its thread inside it. Needs LEVEL_TIMELINE, launches,
 * PROP_WAIT_STREAM. */
void replay_make(const struct graph *graph, const uint8_t *change_of, struct arena *arena,
                 struct replay *replay);

/* Runs it with each change's work `factors[change]` times faster (infinite: it takes no time);
 * factors[0] must be 1. `times`: by moment. Returns the new span, ns. */
int64_t replay_run(const struct replay *replay, const double *factors, int64_t *times);

/* What a frame has on a path. */
struct replay_path {
    int64_t time[PATH_PART_COUNT]; /* add up to the span */
    int64_t *time_of;              /* by frame */
};

/* The chain of causes that decided the end of a run with these times. */
void replay_path(const struct replay *replay, const double *factors, const int64_t *times,
                 struct arena *arena, struct replay_path *path);

struct replay_bounds {
    int64_t least, most; /* of the new span, ns */
    int64_t exposed[REPLAY_CHANGES_MAX + 1], united[REPLAY_CHANGES_MAX + 1]; /* by change; ns */
    int64_t time[REPLAY_CHANGES_MAX + 1];                                    /* sum of the pieces */
    uint32_t pieces[REPLAY_CHANGES_MAX + 1];
};

/* The bracket that every new span must lie in: bracket.h, with lags as activities that do not
 * change. Factors are all at least 1, or all at most 1. */
void replay_bound(const struct replay *replay, const double *factors, struct replay_bounds *bounds);

#endif
