/* SPDX-License-Identifier: Apache-2.0 */
/* part_format.h — the frames of a file that holds a part: see proto/part.proto */
#ifndef PTK_GRAPH_MODEL_PART_FORMAT_H
#define PTK_GRAPH_MODEL_PART_FORMAT_H

#include <stdint.h>

#define PART_MAGIC "PTKPART\x01"

enum { PART_MAGIC_LEN = 8, PART_HEAD_LEN = 20, PART_MAJOR = 1, PART_MINOR = 1 };

/* In this order in the file; one frame each, leaves one frame a leaf. */
enum part_section {
    PART_NAMES = 1,
    PART_GROUPS,
    PART_LEAF,
    PART_HOT,
    PART_TRAFFIC,
    PART_ABSENCES,
    PART_END = 255
};

/* More than this is no frame. */
enum { PART_FRAME_MOST = 256 << 20 };

#endif
