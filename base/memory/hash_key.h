/* SPDX-License-Identifier: Apache-2.0 */
/* hash_key.h — what hashes are keyed with, so that nobody can write a file whose things collide
 *
 * Tables keep things in the order of their coming and never show the order of hashes: a key changes
 * no result. */
#ifndef PTK_BASE_MEMORY_HASH_KEY_H
#define PTK_BASE_MEMORY_HASH_KEY_H

#include <stdint.h>

/* Different in every process, the same in all of it. */
uint64_t hash_key(void);

#endif
