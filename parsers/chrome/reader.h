/* reader.h — finds the events in a trace file, whole, cut off or broken, and hands them on */
#ifndef PTK_PARSERS_CHROME_READER_H
#define PTK_PARSERS_CHROME_READER_H

#include "base/input.h"
#include "parsers/chrome/scanner.h"
#include "parsers/chrome/sink.h"

struct reader {
    struct input *in;
    struct sink *sink;
    struct scanner scanner;
    scan_function *scan;
    struct event event;
    uint64_t documents; /* complete ones */
};

/* Reads all documents of the input; false only when there is no event to be had. */
bool reader_read(struct reader *reader, struct error *err);

#endif
