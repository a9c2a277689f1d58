#include "render/writers/writer.h"

extern const struct writer writer_folded;
extern const struct writer writer_pprof;

const struct writer *const writers[] = {&writer_pprof, &writer_folded, NULL};

const char *const writer_names[] = {"pprof", "folded", NULL};
