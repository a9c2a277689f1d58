/* SPDX-License-Identifier: Apache-2.0 */
/* fill.h — the chapters, one function each: see struct chapter */
#ifndef PTK_CMD_CHAPTERS_FILL_H
#define PTK_CMD_CHAPTERS_FILL_H

#include "cmd/report/chapters.h"

chapter_fill fill_advice, fill_bound, fill_diff, fill_ranks, fill_job;
chapter_fill fill_hotspots, fill_flame, fill_lines, fill_labels;
chapter_fill fill_timeline, fill_overlap, fill_critical_path, fill_summary;
chapter_fill fill_amdahl, fill_roofline;
chapter_fill fill_info;

#endif
