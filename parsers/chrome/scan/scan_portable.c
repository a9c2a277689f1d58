/* SPDX-License-Identifier: Apache-2.0 */
#define SIMD_BYTES 0
#include "parsers/chrome/scan/scan_event.inc"

scan_function *const scan_event_portable = scan_event;
