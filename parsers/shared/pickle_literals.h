/* SPDX-License-Identifier: Apache-2.0 */
/* pickle_literals.h — numbers and texts as a pickle spells them */
#ifndef PTK_PARSERS_SHARED_PICKLE_LITERALS_H
#define PTK_PARSERS_SHARED_PICKLE_LITERALS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory/arena.h"
#include "base/text/span.h"

/* "12", "-3", "01" for True, and "12L"; what 64 bits cannot hold becomes the nearest end. */
bool literal_int(struct span text, int64_t *whole);

/* Two's complement, the low byte first, of any length; likewise. */
int64_t literal_long(struct span bytes);

/* "0.5", as repr() writes it. */
bool literal_real(struct span text, double *real);

/* A quoted string of Python 2, with the escapes that its repr() writes undone. */
struct span literal_string(struct span text, struct arena *arena);

/* Latin-1 with \uXXXX and \UXXXXXXXX among it, as UTF-8. */
struct span literal_unicode(struct span text, struct arena *arena);

#endif
