/* SPDX-License-Identifier: Apache-2.0 */
/* demangle_none.c — where the build found no C++ runtime: names stay as they are */
#include <stddef.h>

char *__cxa_demangle(const char *mangled, char *room, size_t *size, int *status);

char *__cxa_demangle(const char *mangled, char *room, size_t *size, int *status)
{
    (void)mangled, (void)room, (void)size, (void)status;
    return NULL;
}
