/* SPDX-License-Identifier: Apache-2.0 */
/* parser_registry.c — the list of formats, and which of them a file is */
#include <string.h>

#include "base/checked.h"
#include "base/error/error.h"
#include "base/memory/span.h"
#include "base/text/pattern.h"
#include "parsers/foreign.h"
#include "parsers/parser.h"

/* ---- the list of formats ---- */

extern const struct parser parser_ascend;
extern const struct parser parser_callgrind;
extern const struct parser parser_chrome;
extern const struct parser parser_cpuprofile;
extern const struct parser parser_dhat;
extern const struct parser parser_firefox;
extern const struct parser parser_flight_recorder;
extern const struct parser parser_folded;
extern const struct parser parser_ftrace;
extern const struct parser parser_tachyon;
extern const struct parser parser_tachyon_jsonl;
extern const struct parser parser_goroutines;
extern const struct parser parser_ghc_json;
extern const struct parser parser_gnu_time;
extern const struct parser parser_gperftools;
extern const struct parser parser_gprof;
extern const struct parser parser_heapprofile;
extern const struct parser parser_importtime;
extern const struct parser parser_jfr;
extern const struct parser parser_kernel_annotations;
extern const struct parser parser_lprof;
extern const struct parser parser_massif;
extern const struct parser parser_ncu;
extern const struct parser parser_rbspy;
extern const struct parser parser_rocprof;
extern const struct parser parser_rocprof_json;
extern const struct parser parser_nccl_inspector;
extern const struct parser parser_nvprof;
extern const struct parser parser_otlp;
extern const struct parser parser_paddle_stat;
extern const struct parser parser_pprof;
extern const struct parser parser_safari;
extern const struct parser parser_scalene;
extern const struct parser parser_shard;
extern const struct parser parser_pc_samples;
extern const struct parser parser_perf;
extern const struct parser parser_perf_data;
extern const struct parser parser_perf_report;
extern const struct parser parser_perf_stat;
extern const struct parser parser_perfetto;
extern const struct parser parser_proton;
extern const struct parser parser_pstats;
extern const struct parser parser_pstats_text;
extern const struct parser parser_pyinstrument;
extern const struct parser parser_speedscope;
extern const struct parser parser_stackprof;
extern const struct parser parser_text_stacks;
extern const struct parser parser_torch_memory;
extern const struct parser parser_tracemalloc;
extern const struct parser parser_v8_log;
extern const struct parser parser_xctrace;
extern const struct parser parser_xplane;
extern const struct parser parser_sqlite;

/* one a line, so that additions do not move others */
/* clang-format off */
const struct parser *const parsers[] = {
    &parser_sqlite,
    &parser_perf_data,
    &parser_jfr,
    &parser_tachyon,
    &parser_tachyon_jsonl,
    &parser_shard,
    &parser_gperftools,
    &parser_xplane,
    &parser_perfetto,
    &parser_otlp,
    &parser_pprof,
    &parser_pstats,
    &parser_flight_recorder,
    &parser_nccl_inspector,
    &parser_tracemalloc,
    &parser_torch_memory,
    &parser_lprof,
    &parser_cpuprofile,
    &parser_heapprofile,
    &parser_dhat,
    &parser_speedscope,
    &parser_stackprof,
    &parser_rbspy,
    &parser_pyinstrument,
    &parser_scalene,
    &parser_safari,
    &parser_ghc_json,
    &parser_firefox,
    &parser_proton,
    &parser_rocprof_json,
    &parser_chrome,
    &parser_kernel_annotations,
    &parser_rocprof,
    &parser_ascend,
    &parser_pc_samples,
    &parser_ncu,
    &parser_nvprof,
    &parser_callgrind,
    &parser_ftrace,
    &parser_perf_report,
    &parser_perf,
    &parser_perf_stat,
    &parser_massif,
    &parser_gprof,
    &parser_importtime,
    &parser_v8_log,
    &parser_pstats_text,
    &parser_goroutines,
    &parser_gnu_time,
    &parser_paddle_stat,
    &parser_xctrace,
    &parser_text_stacks,
    &parser_folded,
    NULL,
};
/* clang-format on */

enum { HEAD_FIRST = 4096, HEAD_MAX = 1 << 20 };

const struct parser *parser_named(const char *name, struct error *err)
{
    struct suggestion nearest = {.typed = name};

    for (size_t i = 0; parsers[i]; i++) {
        if (strcmp(parsers[i]->name, name) == 0)
            return parsers[i];
        suggestion_consider(&nearest, parsers[i]->name);
    }
    error_set(err, ERROR_USAGE, "--from: unknown format '%.60s'", name);
    if (nearest.word)
        error_hint(err, "did you mean '%s'?", nearest.word);
    else
        error_hint(err, "'ptk formats' lists them");
    return NULL;
}

/* What the parsers say of one head. */
struct verdict {
    const struct parser *yes, *maybe, *ask;
    size_t maybes, mores;
};

static struct verdict sniff_all(struct span head, bool is_all)
{
    struct verdict verdict = {0};

    for (size_t i = 0; parsers[i] && !verdict.yes; i++) {
        switch (parsers[i]->sniff(head, is_all)) {
        case SNIFF_YES:
            verdict.yes = parsers[i];
            break;
        case SNIFF_MAYBE:
            verdict.maybe = parsers[i];
            verdict.maybes++;
            break;
        case SNIFF_ASK:
            verdict.ask = parsers[i];
            break;
        case SNIFF_MORE:
            verdict.mores++;
            break;
        case SNIFF_NO:
            break;
        }
    }
    return verdict;
}

const struct parser *parser_sniff(struct input *in, struct error *err)
{
    struct span head, name = in->name ? span_of(in->name) : (struct span){0};
    struct verdict verdict;
    size_t want = HEAD_FIRST;

    do {
        head = input_peek(in, want);
        verdict = sniff_all(head, head.len < want);
        want *= 4;
    } while (!verdict.yes && verdict.mores && head.len >= want / 4 && want <= HEAD_MAX);

    if (verdict.yes)
        return verdict.yes;
    if (!foreign_refuse(head, name, err))
        return NULL;
    if (verdict.maybes == 1)
        return verdict.maybe;
    if (verdict.ask) {
        error_set_at(err, 0, 0, "a text like many others, which may be %s", verdict.ask->title);
        error_hint(err, "if that is what it is: --from %s", verdict.ask->name);
        return NULL;
    }
    if (!foreign_refuse_name(head, name, err))
        return NULL;
    error_set_at(err, 0, 0,
                 verdict.maybes ? "more than one format that ptk knows has this form"
                                : "unknown file format");
    error_hint(err, "'ptk formats' lists them; --from FORMAT names one");
    return NULL;
}

bool parser_is_guess(const struct parser *parser, struct input *in)
{
    return parser->sniff(input_peek(in, 1), in->is_drained) != SNIFF_YES;
}
