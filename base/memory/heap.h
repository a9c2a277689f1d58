/* SPDX-License-Identifier: Apache-2.0 */
/* heap.h — how the C library keeps what was freed; nothing where it cannot be asked */
#ifndef PTK_BASE_MEMORY_HEAP_H
#define PTK_BASE_MEMORY_HEAP_H

/* All threads allocate from one heap, so one thread can reuse what another freed. To be called before any thread starts. */
void heap_share(void);

/* From now on memory that is freed stays with the process, for what is allocated next. For a command whose many
 * passes fill arrays for a while: the report of a 300 MB trace took half as long again with fresh pages. What lasts
 * is to be allocated before, because it keeps holes apart. */
void heap_keep(void);

#endif
