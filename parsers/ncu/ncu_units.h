/* ncu_units.h — figures of Nsight Compute: "134,221,568" of "byte", "3.99" of "Mbyte", "n/a" */
#ifndef PTK_PARSERS_NCU_NCU_UNITS_H
#define PTK_PARSERS_NCU_NCU_UNITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text/span.h"

/* In nanoseconds, bytes, hertz, or as it is; prefixes are decimal. False when it is no number. */
bool ncu_figure(struct span text, struct span unit, int64_t *value);

/* "99,5", in locales with a comma for a point: three digits after a comma are thousands. */
bool ncu_has_decimal_comma(struct span text);

/* "21.68" of "%" is 216800 ppm. False when it is no number, or negative. */
bool ncu_percent(struct span text, int64_t *ppm);

/* "(384, 1, 1)", packed as PROP_GRID is. */
bool ncu_triple(struct span text, int64_t *packed);

#endif
