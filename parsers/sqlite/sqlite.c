/* SPDX-License-Identifier: Apache-2.0 */
/* sqlite.c — databases of nvprof (-o, .nvvp), Nsight Systems (nsys export -t sqlite) and rocprofv3 */
#include "parsers/sqlite/sqlite.h"

static const char magic[] = SQLITE_MAGIC;

static enum sniff sniff(struct span head, bool is_all)
{
    if (head.len >= sizeof(magic))
        return memcmp(head.at, magic, sizeof(magic)) == 0 ? SNIFF_YES : SNIFF_NO;
    return is_all || memcmp(head.at, magic, head.len) != 0 ? SNIFF_NO : SNIFF_MORE;
}

const struct parser parser_sqlite = {
    .name = "sqlite",
    .title = "databases of nvprof, Nsight Systems and rocprofv3",
    .summary = "SQLite files of nvprof -o, nsys export -t sqlite and rocprofv3 (rocpd)",
    .tried = "nvprof's schemas 11 to 23 (CUDA 9 to 12), nsys 2023.2 to 2026.3, rocpd 3, rocmProfileData",
    .omitted = "samples of processors; metrics sampled in time",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = sqlite_parse,
};
