/* SPDX-License-Identifier: Apache-2.0 */
/* rocprof_json.h — a process of rocprofv3's JSON while it is read */
#ifndef PTK_PARSERS_ROCM_ROCPROF_JSON_H
#define PTK_PARSERS_ROCM_ROCPROF_JSON_H

#include "parsers/device/amd_counters.h"
#include "parsers/device/kernel_counters.h"
#include "parsers/json/json.h"

struct sdk_kernel {
    str_id name;
    int64_t registers;
};

struct sdk_json {
    struct builder *builder;
    struct timeline_builder *timeline;
    struct json_stream json;
    struct arena arena;
    int64_t process, origin;
    uint32_t number; /* of the process in the file */
    uint64_t events, odd;

    struct idmap tracks;
    struct idmap device_of, name_of, counter_of, kernel_of, mark_of; /* by the file's numbers */
    struct VECTOR_OF(struct sdk_kernel) kernels;
    struct idmap counts_of; /* by dispatch */
    struct VECTOR_OF(struct amd_counts) counts;
};

/* ---- members of a record ---- */

/* Zeroed where there is none, and of what is zeroed. */
struct token sdk_member(struct token object, const char *key);

int64_t sdk_number(struct token object, const char *key, int64_t otherwise);

/* {"handle": 7}; -1 where there is none. */
int64_t sdk_handle(struct token object, const char *key);

static inline uint64_t sdk_operation_key(int64_t kind, int64_t operation)
{
    return (uint64_t)kind << 32 | (uint64_t)operation;
}

/* ---- records as events ---- */

void sdk_take_call(struct sdk_json *sdk, struct token record);
void sdk_take_range(struct sdk_json *sdk, struct token record);
void sdk_take_dispatch(struct sdk_json *sdk, struct token record);
void sdk_take_copy(struct sdk_json *sdk, struct token record);

#endif
