/* unified_memory.h — "Unified Memory profiling result": what moved between host and device by
 * itself
 *
 * Told by `ptk info` only: its times overlap those of kernels. In CSV nvprof writes the number of
 * page faults as a size, and no times. */
#ifndef PTK_PARSERS_NVPROF_UNIFIED_MEMORY_H
#define PTK_PARSERS_NVPROF_UNIFIED_MEMORY_H

#include "graph/build/builder.h"

/* Ready for use when zeroed. */
struct unified {
    bool is_open;
    int64_t to_device, to_host; /* bytes */
    int64_t gpu_faults, cpu_faults;
};

void unified_heading(struct unified *unified, struct span text);

/* A row of the section, or the line that counts the host's faults; false when it is neither. */
bool unified_take(struct unified *unified, struct span line);

void unified_tell(const struct unified *unified, struct builder *builder);

#endif
