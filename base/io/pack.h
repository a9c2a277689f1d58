/* SPDX-License-Identifier: Apache-2.0 */
/* pack.h — compressed output; what reads it back is in unpack.h */
#ifndef PTK_BASE_IO_PACK_H
#define PTK_BASE_IO_PACK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/attr.h"

/* Copies all of `from`, from its beginning, to `to` as gzip. The same bytes in give the same
 * bytes out: there is no name and no time in it. False with errno when one of them fails. */
MUST_CHECK bool pack_gzip(FILE *from, FILE *to);

#endif
