/* answer.h — a command's last step: its report, in the form and to the place that was asked for */
#ifndef PTK_CMD_ANSWER_H
#define PTK_CMD_ANSWER_H

#include "base/output.h"
#include "cmd/load.h"
#include "cmd/options.h"
#include "render/report.h"

/* What text may look like where `out` goes. */
struct text_style answer_style(const struct common *common, const struct output *out);

/* Writes the report and commits the output. */
MUST_CHECK bool answer_write(const struct report *report, const struct common *common,
                             struct error *err);

#endif
