#include "render/writers/writer.h"

extern const struct writer writer_callgrind;
extern const struct writer writer_chrome;
extern const struct writer writer_folded;
extern const struct writer writer_pprof;
extern const struct writer writer_speedscope;

const struct writer *const writers[] = {&writer_pprof,     &writer_folded, &writer_speedscope,
                                        &writer_callgrind, &writer_chrome, NULL};

const char *const writer_names[] = {"pprof", "folded", "speedscope", "callgrind", "chrome", NULL};
