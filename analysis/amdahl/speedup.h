/* SPDX-License-Identifier: Apache-2.0 */
/* speedup.h — the laws of speed-up, as plain functions of shares and factors
 *
 * A share is 0 … 1 of the elapsed time; a factor is how many times faster, 1 … INFINITY. */
#ifndef PTK_ANALYSIS_AMDAHL_SPEEDUP_H
#define PTK_ANALYSIS_AMDAHL_SPEEDUP_H

#include <stdint.h>

/* Amdahl 1967: the whole gets 1 / ((1 − f) + f/s) times faster. INFINITY when nothing is left. */
double speedup_overall(double share, double factor);

/* 1 / (1 − f): the part takes no time at all. */
double speedup_limit(double share);

/* The factor that the part must reach for the whole to get `target` times faster; INFINITY when
 * no factor is enough. */
double speedup_needed(double share, double target);

/* Gustafson 1988: (1 − f) + f·n, with the share measured on the parallel run. */
double speedup_scaled(double share, double workers);

/* Karp and Flatt 1990: the serial share that a measured speed-up on so many workers implies,
 * (1/S − 1/p) / (1 − 1/p). `workers` > 1. */
double speedup_serial_share(double measured, double workers);

/* The standard error of a share found by sampling: sqrt(f(1 − f) / n); 0 when n is not known. */
double speedup_share_error(double share, int64_t samples);

#endif
