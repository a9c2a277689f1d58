/* planes.h — device rows of producers that write no categories: TensorFlow, JAX, Ascend
 *
 * They name the process after the device, "/device:GPU:0", and its rows after what is in them:
 * streams, and beside them what XLA derives from those: steps, modules, its own operators. */
#ifndef PTK_PARSERS_CHROME_PLANES_H
#define PTK_PARSERS_CHROME_PLANES_H

#include "parsers/chrome/classes.h"

bool plane_is(struct span process);

/* Which device it is: 1 for "/device:GPU:1". */
int32_t plane_device(struct span process);

/* ROLE_STREAM for what the device does, ROLE_RANGES for what is derived from it. */
enum role plane_role(struct span process, struct span thread);

#endif
