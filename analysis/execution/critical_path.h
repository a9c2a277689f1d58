/* critical_path.h — the chain of work and waiting that decided when the run ended
 *
 * Walks back from the last end. Device work began when the work before it on its stream ended, when
 * the stream that it was told to wait for was done, or when the host had launched it, whichever
 * came last; a host that waits goes on when device work ends; a thread that has nothing to do goes
 * on when another has. The pieces follow each other without holes, so they add up to the time
 * from where the path begins to the end of the run. */
#ifndef PTK_ANALYSIS_EXECUTION_CRITICAL_PATH_H
#define PTK_ANALYSIS_EXECUTION_CRITICAL_PATH_H

#include "graph/model/graph.h"

enum path_part {
    PATH_HOST,          /* a thread ran something */
    PATH_COMPUTE,       /* a device: kernels and fills */
    PATH_COMMUNICATION, /* a device */
    PATH_COPY,          /* a device */
    PATH_LAUNCH,        /* from the end of a launch call to the start of its work */
    PATH_QUEUE,         /* from the end of one piece of device work to the start of the next */
    PATH_SYNC,          /* from the end of device work to the return of the call that waited */
    PATH_WAIT,          /* a waiting call in which no device work ended */
    PATH_IDLE,          /* no thread ran anything that the file has */
    PATH_PART_COUNT
};

/* "host", "launch delay" */
const char *path_part_name(enum path_part part);

struct path_row {
    frame_id frame;
    int64_t time;
    uint32_t pieces;
};

struct critical_path {
    int64_t start, end; /* ns: what the path covers */
    int64_t missing;    /* from the first start in the file to where the path begins */
    int64_t time[PATH_PART_COUNT];
    uint32_t pieces[PATH_PART_COUNT];
    struct path_row *rows; /* what ran on it, the longest first; the arena's */
    uint32_t row_count;
    bool has_devices;    /* that did anything */
    uint32_t unlaunched; /* device work on the path whose launch the file lacks */
    uint32_t guesses;    /* on it: waits for another stream, inferred */
};

/* Needs LEVEL_TIMELINE, launches and PROP_WAIT_STREAM. */
void critical_path_compute(const struct graph *graph, struct arena *arena,
                           struct critical_path *path);

#endif
