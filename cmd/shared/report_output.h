/* SPDX-License-Identifier: Apache-2.0 */
/* report_output.h — a command's last step: its report, in the form and to the place that was asked
 * for */
#ifndef PTK_CMD_SHARED_REPORT_OUTPUT_H
#define PTK_CMD_SHARED_REPORT_OUTPUT_H

#include "base/io/output.h"
#include "cmd/shared/load.h"
#include "cmd/shared/shared_options.h"
#include "render/forms/report.h"

/* What text may look like where `out` goes. */
struct text_style report_output_style(const struct common *common, const struct output *out);

/* Writes the report and commits the output. False with what the report lacks, too. */
MUST_CHECK bool report_output_write(const struct report *report, const struct common *common,
                                    struct error *err);

#endif
