/* SPDX-License-Identifier: Apache-2.0 */
/* rocm_agent.h — a device as AMD's driver describes it, in JSON */
#ifndef PTK_PARSERS_JSON_ROCM_AGENT_H
#define PTK_PARSERS_JSON_ROCM_AGENT_H

#include "graph/model/graph.h"
#include "parsers/json/json.h"

/* All but its number and its name; 0 where the record, which may be none, does not say. */
struct device rocm_agent(struct token agent);

#endif
