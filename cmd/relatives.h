/* relatives.h — callers and callees: one command but for the direction */
#ifndef PTK_CMD_RELATIVES_H
#define PTK_CMD_RELATIVES_H

#include "analysis/relatives.h"
#include "base/option.h"

extern const struct option relatives_options[];

MUST_CHECK bool relatives_run(enum direction direction, char **argv, struct error *err);

#endif
