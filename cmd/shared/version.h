/* version.h — the one place where the version stands */
#ifndef PTK_CMD_SHARED_VERSION_H
#define PTK_CMD_SHARED_VERSION_H

#define PTK_VERSION "0.1.0"
#define PTK_DATE "November 21, 2026" /* of the manual pages */

#endif
