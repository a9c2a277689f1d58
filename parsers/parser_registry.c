#include <string.h>

#include "base/text/suggest.h"
#include "parsers/parser.h"
#include "parsers/unsupported_formats.h"

extern const struct parser parser_callgrind;
extern const struct parser parser_chrome;
extern const struct parser parser_cpuprofile;
extern const struct parser parser_folded;
extern const struct parser parser_gnu_time;
extern const struct parser parser_gperftools;
extern const struct parser parser_heapprofile;
extern const struct parser parser_lprof;
extern const struct parser parser_ncu;
extern const struct parser parser_compute_profile;
extern const struct parser parser_rocprof;
extern const struct parser parser_nvprof;
extern const struct parser parser_paddle_stat;
extern const struct parser parser_pprof;
extern const struct parser parser_perf;
extern const struct parser parser_pstats;
extern const struct parser parser_speedscope;
extern const struct parser parser_sqlite;

/* one a line, so that additions do not move others */
/* clang-format off */
const struct parser *const parsers[] = {
    &parser_sqlite,
    &parser_gperftools,
    &parser_pprof,
    &parser_pstats,
    &parser_lprof,
    &parser_cpuprofile,
    &parser_heapprofile,
    &parser_speedscope,
    &parser_chrome,
    &parser_compute_profile,
    &parser_rocprof,
    &parser_ncu,
    &parser_nvprof,
    &parser_callgrind,
    &parser_perf,
    &parser_gnu_time,
    &parser_paddle_stat,
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
    const struct parser *yes, *maybe;
    size_t maybes, mores;
};

static struct verdict ask(struct span head, bool is_all)
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
    struct verdict verdict;
    struct span head;
    size_t want = HEAD_FIRST;

    do {
        head = input_peek(in, want);
        verdict = ask(head, head.len < want);
        want *= 4;
    } while (!verdict.yes && verdict.mores && head.len >= want / 4 && want <= HEAD_MAX);

    if (verdict.yes)
        return verdict.yes;
    if (verdict.maybes == 1)
        return verdict.maybe;
    if (!unsupported_format_refuse(head, err))
        return NULL;
    error_set_at(err, 0, 0,
                 verdict.maybes ? "more than one format that ptk knows begins so"
                                : "no format that ptk knows begins so");
    error_hint(err, "'ptk formats' lists them; --from FORMAT names one");
    return NULL;
}
