/* reader.h — finds the events in a trace file, whole, cut off or broken, and hands them on */
#ifndef PTK_PARSERS_CHROME_READER_H
#define PTK_PARSERS_CHROME_READER_H

#include "base/input.h"
#include "parsers/chrome/scan/scanner.h"
#include "parsers/chrome/sink.h"

struct reader {
    struct input *in;
    struct sink *sink;
    struct scanner scanner;
    scan_function *scan;
    uint64_t documents;     /* complete ones */
    size_t threads;         /* that may read at once; 0 and 1: the caller's alone */
    uint64_t part_min;      /* bytes for which another thread is worth its start */
    const uint64_t *starts; /* where they began, in ascending order ... */
    size_t start_count;     /* ... those that have not been passed yet */
};

/* How an array of events ended. */
enum events_end {
    EVENTS_CLOSED, /* with its bracket, which has been consumed */
    EVENTS_CUT,    /* the input ends inside */
    EVENTS_MET,    /* at starts[0], between two events */
};

/* What is in an array of events, after its bracket or any comma. */
enum events_end reader_events(struct reader *reader);

/* Reads all documents of the input; false only when there is no event to be had. */
bool reader_read(struct reader *reader, struct error *err);

#endif
