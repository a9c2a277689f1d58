/* SPDX-License-Identifier: Apache-2.0 */
#include "render/writers/writer.h"

extern const struct writer writer_callgrind;
extern const struct writer writer_chrome;
extern const struct writer writer_csv;
extern const struct writer writer_folded;
extern const struct writer writer_json;
extern const struct writer writer_pprof;
extern const struct writer writer_pstats;
extern const struct writer writer_speedscope;

const struct writer *const writers[] = {&writer_pprof,     &writer_folded, &writer_speedscope,
                                        &writer_callgrind, &writer_chrome, &writer_pstats,
                                        &writer_json,      &writer_csv,    NULL};

const char *const writer_names[] = {"pprof",  "folded", "speedscope", "callgrind", "chrome",
                                    "pstats", "json",   "csv",        NULL};

const struct writer *writer_for(enum level level)
{
    static const struct writer *const best[LEVEL_COUNT] = {
        [LEVEL_FLAT] = &writer_csv,
        [LEVEL_CALLGRAPH] = &writer_pstats,
        [LEVEL_CALLTREE] = &writer_pprof,
        [LEVEL_TIMELINE] = &writer_chrome,
    };

    return best[level];
}
