/* SPDX-License-Identifier: Apache-2.0 */
/* profiler_messages.c — lines of nvprof and Nsight Compute that are messages: errors, warnings, hints */
#include "parsers/device/profiler_messages.h"

/* By gravity: what is nearest to the cause comes first. */
static const struct cause {
    const char *part; /* of the message */
    const char *hint;
    bool is_loss; /* it also makes the figures of a file that has some incomplete */
} causes[] = {
    {"compute capability 7.5 and higher",
     "count with Nsight Compute instead (ncu --csv), take times with Nsight Systems (nsys); ptk "
     "reads both",
     true},
    {"compute capability 8.0 and higher",
     "take times with Nsight Systems instead (nsys profile, nsys export -t sqlite); ptk reads it",
     true},
    {"does not have permission to profile",
     "run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0", true},
    {"ERR_NVGPUCTRPERM",
     "run as root, or load the driver with NVreg_RestrictProfilingToAdminUsers=0", true},
    {"application not found", "check the program's path on nvprof's command line", true},
    {"Invalid option", "check nvprof's command line; nvprof --help lists its options", true},
    {"invalid option", "check nvprof's command line; nvprof --help lists its options", true},
    {"Internal profiling error", "run again, with fewer metrics at a time", true},
    {"CUDA device error", "see whether the program runs without nvprof, and nvidia-smi", true},
    {"No CUDA application was profiled",
     "profile the process that uses CUDA: nvprof --profile-child-processes", true},
    {"returned an error code", "see why the program failed under ncu; it counts nothing before",
     true},
    {"received signal 134", "the program aborted, at an assertion perhaps: see what it printed",
     true},
    {"received signal 139", "the program crashed: see whether it runs without nvprof", true},
    {"received signal 11", "the program crashed: see whether it runs without nvprof", true},
    {"received signal",
     "the program was killed: make it end by itself, or stop the profiler before "
     "(cudaProfilerStop, --timeout)",
     true},
    {"non-zero code", "see why the program failed; what it did before counts all the same", true},
    {"Unable to import",
     "import with the version of nvprof that wrote the file; the program may "
     "have been killed while it was written",
     true},
    {"not recorded", "call cudaDeviceReset() or cudaProfilerStop() before the program ends", true},
    {"invalid records", "run again on less work, or with free device memory", true},
    {"invalid timestamps", "run again with a larger --device-buffer-size", true},
    {"SKIPPED: ", "trace what is missing: nsys profile -t cuda,nvtx,osrt", false},
    {"No events/metrics were profiled",
     "nvprof counted nothing: see whether the GPU is one it can count on", false},
    {"No kernels were profiled",
     "see whether the program launches kernels, and before the profiler is stopped", false},
    {"No API activities were profiled", "nvprof recorded no call of CUDA", false},
};

static const struct cause *cause_of(const char *text)
{
    for (size_t i = 0; i < COUNT_OF(causes); i++)
        if (strstr(text, causes[i].part))
            return &causes[i];
    return NULL;
}

void messages_take(struct messages *messages, struct span line, uint64_t offset)
{
    static const char *const notable[] = {"Error: ", "Warning: ", "No ", "SKIPPED: ", NULL};

    line = span_trim(line);
    if (!span_starts_any(line, notable))
        return;
    for (size_t i = 0; i < messages->count; i++)
        if (span_eq(line, span_of(messages->list[i].text))) {
            messages->list[i].times++;
            return;
        }
    if (messages->count == MESSAGES_MAX)
        return;
    messages->list[messages->count++] =
        (struct message){arena_copy(&messages->arena, line), offset, 1};
}

/* Without "Warning: " in front: that is said already. */
static const char *fact_of(const char *text)
{
    static const char warning[] = "Warning: ", error[] = "Error: ";

    if (strncmp(text, warning, sizeof(warning) - 1) == 0)
        return text + sizeof(warning) - 1;
    return strncmp(text, error, sizeof(error) - 1) == 0 ? text + sizeof(error) - 1 : text;
}

static const char *speaker(const struct messages *messages)
{
    return messages->speaker ? messages->speaker : "nvprof";
}

void messages_warn(const struct messages *messages, struct warnings *warnings)
{
    for (size_t i = 0; i < messages->count; i++) {
        const struct message *message = &messages->list[i];
        const struct cause *cause = cause_of(message->text);
        bool is_loss = cause && cause->is_loss;

        warning_say(warnings, is_loss ? WARNING_LOSS : WARNING_NOTE, "%s says: %s%s",
                    speaker(messages), fact_of(message->text),
                    is_loss ? "; figures are the least there was" : "");
    }
}

bool messages_explain(const struct messages *messages, struct error *err)
{
    const struct message *gravest = NULL;
    const struct cause *cause = NULL;

    for (size_t i = 0; i < messages->count; i++) {
        const struct cause *other = cause_of(messages->list[i].text);

        if (gravest && (!other || (cause && other >= cause)))
            continue;
        gravest = &messages->list[i];
        cause = other;
    }
    if (!gravest) {
        error_set(err, ERROR_LACK, "%s has written no table into this file", speaker(messages));
        return error_hint(err, "see whether the program ran, and under which options of nvprof");
    }
    error_set(err, ERROR_LACK, "no data, because %s says: %.200s", speaker(messages),
              fact_of(gravest->text));
    return error_hint(err, "%s", cause ? cause->hint : "see nvprof's message");
}

void messages_free(struct messages *messages)
{
    arena_free(&messages->arena);
}
