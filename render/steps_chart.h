/* steps_chart.h — analysis/summary/device_use.h: what each training step is made of, as columns */
#ifndef PTK_RENDER_STEPS_CHART_H
#define PTK_RENDER_STEPS_CHART_H

#include <stdio.h>

#include "analysis/summary/device_use.h"
#include "render/report.h"

/* The report's lines are written, and its inputs named. */
void steps_chart_write(const struct step_times *steps, const struct report *report, FILE *out);

#endif
