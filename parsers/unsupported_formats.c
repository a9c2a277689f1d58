#include "parsers/unsupported_formats.h"

#include "base/attr.h"

/* How a file begins; then what stands within its first bytes, if that is not enough. */
static const struct unsupported_format {
    const char *start, *part;
    const char *fact, *hint;
} unsupported_formats[] = {
    {"<?xml", "<session",
     "is a session of the Visual Profiler, which names the profile and holds none",
     "read the profile itself, which nvprof -o FILE.nvprof writes"},
    {"device,HBMBw", NULL, "holds ceilings that rocprof-compute measured, and no profile",
     "ptk roofline takes them by --peak-gbs and --peak-tflops, next to the trace of a run"},
    {"workload_name,", ",gpu_model,",
     "holds what rocprof-compute says of a machine, and no profile",
     "the times are next to it, in timestamps.csv"},
    {"PERFILE2", NULL, "is a recording of perf",
     "let perf read it: perf script >FILE, then ptk FILE"},
    {"\x7f"
     "ELF",
     NULL, "is a program, and no profile", "profile a run of it, and read what that writes"},
    {"gmon", NULL, "is a dump of gprof",
     "ptk does not read it; perf record and perf script make one it does"},
    {"<!DOCTYPE html", NULL, "is a web page, and no profile", "download the file itself"},
    {"<!doctype html", NULL, "is a web page, and no profile", "download the file itself"},
    {"<html", NULL, "is a web page, and no profile", "download the file itself"},
    {"version https://git-lfs", NULL, "is what Git keeps in the place of a large file",
     "fetch the file itself: git lfs pull"},
};

bool unsupported_format_refuse(struct span head, struct error *err)
{
    for (size_t i = 0; i < COUNT_OF(unsupported_formats); i++) {
        const struct unsupported_format *unsupported_format = &unsupported_formats[i];

        if (!span_starts(head, span_of(unsupported_format->start)) ||
            (unsupported_format->part &&
             span_find(head, span_of(unsupported_format->part)) == SIZE_MAX))
            continue;
        error_set(err, ERROR_INPUT, "%s", unsupported_format->fact);
        return error_hint(err, "%s", unsupported_format->hint);
    }
    return true;
}
