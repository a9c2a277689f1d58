/* SPDX-License-Identifier: Apache-2.0 */
#if defined(__AVX2__) && defined(__PCLMUL__)
#include <immintrin.h>

#define SIMD_BYTES 32
#include "parsers/chrome/scan/scan_event.inc"

scan_function *const scan_event_avx2 = scan_event;
#else
#include "parsers/chrome/scan/scanner.h"

scan_function *const scan_event_avx2 = NULL;
#endif
