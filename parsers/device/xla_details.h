/* SPDX-License-Identifier: Apache-2.0 */
/* xla_details.h — what XLA writes of device work, as one text
 *
 * kernel_details "regs:32 static_shared:0 dynamic_shared:512 grid:864,1,1 block:256,1,1 occ_pct:87.5"
 * memcpy_details "kind_src:pageable kind_dst:device size:4096 dest:0 async:1" */
#ifndef PTK_PARSERS_DEVICE_XLA_DETAILS_H
#define PTK_PARSERS_DEVICE_XLA_DETAILS_H

#include "graph/build/builder.h"

/* Gives the event, by its number, what the details tell and somebody wants. */
void xla_details_add(struct builder *builder, uint32_t event, struct span details);

#endif
