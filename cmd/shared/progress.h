/* progress.h — a line on stderr while a large file is read */
#ifndef PTK_CMD_SHARED_PROGRESS_H
#define PTK_CMD_SHARED_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

struct progress {
    const char *name;
    struct timespec begun, shown;
    bool is_visible;
};

/* False when nobody would see it: stderr is no terminal. */
bool progress_begin(struct progress *progress, const char *name);

/* For struct input_options. Silent for the first half second; then at most ten times a second. */
void progress_report(void *progress, uint64_t done, uint64_t total);

/* Takes the line away. */
void progress_end(struct progress *progress);

#endif
