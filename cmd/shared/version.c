/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/version.h"

void version_print(FILE *out, bool verbose)
{
    fputs("ptk " PTK_VERSION "\n", out);
    for (const struct library *library = libraries; library->name; library++) {
        if (!library->version)
            fprintf(out, "without %s: no %s (%s has it)\n", library->name, library->gives,
                    library->package);
        else if (verbose)
            fprintf(out, "with %s %s\n", library->name, library->version);
    }
}
