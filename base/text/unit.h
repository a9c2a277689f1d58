/* SPDX-License-Identifier: Apache-2.0 */
/* unit.h — the base units of figures */
#ifndef PTK_BASE_TEXT_UNIT_H
#define PTK_BASE_TEXT_UNIT_H

/* What a figure counts. Every figure is an integer of one of these base units. */
enum unit { UNIT_COUNT, UNIT_NS, UNIT_BYTES, UNIT_FLOP, UNIT_PPM }; /* of 1: shown as a share */

#endif
