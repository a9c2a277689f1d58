/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory/hash_key.h"

#ifdef __linux__
#include <string.h>
#include <sys/auxv.h>

uint64_t hash_key(void)
{
    const void *random = (const void *)getauxval(AT_RANDOM); /* 16 bytes that the kernel gives */
    uint64_t key = 0;

    if (random)
        memcpy(&key, random, sizeof(key));
    return key;
}
#else
uint64_t hash_key(void)
{
    static const char here; /* loaded at an address by chance */

    return (uintptr_t)&here * 0x9e3779b97f4a7c15u;
}
#endif
