/* SPDX-License-Identifier: Apache-2.0 */
#include "parsers/pstats/pstats_figures.h"

#include <math.h>

enum { NS_PER_SECOND = 1000000000 };

static const double LONGEST_TIME = 9.2e9; /* seconds whose ns fit 64 bits */

static bool to_count(struct marshal *marshal, const struct marshal_value *value, int64_t *count,
                     struct error *err)
{
    switch (value->type) {
    case MARSHAL_INT:
    case MARSHAL_BOOL:
        *count = value->whole;
        return true;
    case MARSHAL_FLOAT:
        warning_count(marshal->warnings, WARNING_NOTE, "counts that are not whole numbers, rounded",
                      marshal->at);
        *count = fabs(value->real) < 9e18 ? (int64_t)llrint(value->real) : 0;
        return true;
    default:
        return error_set_at(err, marshal->at, 0, "a count is not a number");
    }
}

/* Seconds to nanoseconds. What 64 bits cannot hold is shown as 0, and counted. */
static int64_t nanoseconds(struct marshal *marshal, double seconds, uint64_t at)
{
    if (fabs(seconds) < LONGEST_TIME)
        return llrint(seconds * NS_PER_SECOND);
    warning_count(marshal->warnings, WARNING_LOSS,
                  "times that are infinite or past 292 years, read as 0", at);
    return 0;
}

static bool to_time(struct marshal *marshal, const struct marshal_value *value, int64_t *time,
                    struct error *err)
{
    if (value->type != MARSHAL_FLOAT && value->type != MARSHAL_INT && value->type != MARSHAL_BOOL)
        return error_set_at(err, marshal->at, 0, "a time is not a number");
    *time = nanoseconds(marshal, value->type == MARSHAL_FLOAT ? value->real : (double)value->whole,
                        marshal->at);
    return true;
}

static bool read_count(struct marshal *marshal, int64_t *count, struct error *err)
{
    struct marshal_value value;

    return marshal_next(marshal, &value, err) && to_count(marshal, &value, count, err);
}

static bool read_time(struct marshal *marshal, int64_t *time, struct error *err)
{
    struct marshal_value value;

    return marshal_next(marshal, &value, err) && to_time(marshal, &value, time, err);
}

bool figures_read(struct marshal *marshal, struct call_figures *figures, struct error *err)
{
    return read_count(marshal, &figures->calls, err) &&
           read_count(marshal, &figures->primitive_calls, err) &&
           read_time(marshal, &figures->self, err) && read_time(marshal, &figures->cum, err);
}

bool figures_read_usual(struct marshal *marshal, unsigned count, struct call_figures *figures)
{
    struct marshal_quad quad;

    if (!marshal_next_quad(marshal, count, &quad))
        return false;
    figures->calls = quad.whole[0];
    figures->primitive_calls = quad.whole[1];
    figures->self = nanoseconds(marshal, quad.real[0], quad.real_at[0]);
    figures->cum = nanoseconds(marshal, quad.real[1], quad.real_at[1]);
    return true;
}
