/* SPDX-License-Identifier: Apache-2.0 */
/* oom.h — the one place where the library may end the process */
#ifndef PTK_BASE_MEMORY_OOM_H
#define PTK_BASE_MEMORY_OOM_H

/* Says so on stderr and exits with status 5. */
_Noreturn void oom(void);

#endif
