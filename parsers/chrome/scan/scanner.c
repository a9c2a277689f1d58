/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/chrome/scan/scanner.h"

#include <stddef.h>

static bool has_avx2(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("pclmul");
#else
    return false;
#endif
}

scan_function *scanner_select(void)
{
    if (scan_event_avx2 && has_avx2())
        return scan_event_avx2;
    return scan_event_sse2 ? scan_event_sse2 : scan_event_portable;
}
