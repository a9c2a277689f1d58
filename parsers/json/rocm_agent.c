/* SPDX-License-Identifier: Apache-2.0 */
/* rocm_agent.c — a device as AMD's driver describes it, in JSON */
#include "parsers/json/rocm_agent.h"

static int64_t number_in(struct token object, const char *key)
{
    struct token found = object.at ? walk_find(object, span_of(key)) : (struct token){0};
    int64_t value;

    return found.at && token_integer(found, &value) && value > 0 ? value : 0;
}

/* Memory's clock is that of the driver: a half, and of HBM3 a quarter, of the transfers a second. */
struct device rocm_agent(struct token agent)
{
    enum { HBM3 = 90400, MEGA = 1000000 };
    struct device device = {0};
    struct token banks = agent.at ? walk_find(agent, SPAN("mem_banks")) : (struct token){0}, bank;
    int64_t target = number_in(agent, "gfx_target_version");
    int64_t clock = number_in(agent, "max_engine_clk_fcompute");
    struct json_walk walk;

    device.sms = number_in(agent, "cu_count");
    device.clock = clock < 100000 ? clock * MEGA : 0;
    device.warp_size = number_in(agent, "wave_front_size");
    device.major = (int32_t)(target / 10000 % 1000);
    device.minor = (int32_t)(target / 100 % 100);
    if (!banks.at)
        return device;
    walk = walk_into(banks);
    if (walk_item(&walk, &bank)) {
        int64_t memory = number_in(bank, "mem_clk_max");

        device.memory = number_in(bank, "size_in_bytes");
        device.memory_bus_width = number_in(bank, "width");
        device.memory_clock = memory < 100000 ? memory * MEGA * (target >= HBM3 ? 4 : 2) : 0;
    }
    return device;
}
