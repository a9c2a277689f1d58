/* unsupported_formats.h — files that are no profile ptk reads, but that people have next to one */
#ifndef PTK_PARSERS_UNSUPPORTED_FORMATS_H
#define PTK_PARSERS_UNSUPPORTED_FORMATS_H

#include "base/cli/error.h"
#include "base/text/span.h"

/* By how it begins: false, with ERROR_INPUT that says what the file is and how to get a profile,
 * where that is known; true otherwise. */
bool unsupported_format_refuse(struct span head, struct error *err);

#endif
