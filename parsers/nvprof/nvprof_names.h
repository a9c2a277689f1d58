/* SPDX-License-Identifier: Apache-2.0 */
/* nvprof_names.h — what nvprof writes behind a name: the call that launched it, a device's number */
#ifndef PTK_PARSERS_NVPROF_NVPROF_NAMES_H
#define PTK_PARSERS_NVPROF_NVPROF_NAMES_H

#include <stdint.h>

#include "base/text/span.h"

/* Takes " [105]" off the end of a name: the call that launched it; of a call " (kernel [105])". -1
 * when there is none. */
int64_t name_take_correlation(struct span *name);

/* The last "(N)" of "TITAN X (Pascal) (0)", which is taken off; -1 where a text is cut before
 * it. */
int32_t name_take_ordinal(struct span *device);

#endif
