/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__SSE2__)
#include <immintrin.h>

#define SIMD_BYTES 16
#include "parsers/chrome/scan/scan_event.inc"

scan_function *const scan_event_sse2 = scan_event;
#else
#include "parsers/chrome/scan/scanner.h"

scan_function *const scan_event_sse2 = NULL;
#endif
