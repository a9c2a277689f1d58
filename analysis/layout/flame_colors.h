/* SPDX-License-Identifier: Apache-2.0 */
/* flame_colors.h — which boxes of a flame graph share a colour, and what the colours stand for */
#ifndef PTK_ANALYSIS_LAYOUT_FLAME_COLORS_H
#define PTK_ANALYSIS_LAYOUT_FLAME_COLORS_H

#include "analysis/layout/flame.h"

enum coloring_by {
    COLORING_AUTO,
    COLORING_PACKAGE,
    COLORING_MODULE,
    COLORING_KIND,
    COLORING_HEAT,
    COLORING_CHANGE
};

extern const char *const coloring_names[]; /* without the last of the enum; ends with NULL */

/* Automatic is by package where several are known, and by kind elsewhere. Hue 0 is for what is not
 * told apart, 1 … COLORING_HUES for the rest. Of heat, the hue is a step: 1 where the function has
 * next to no self time, COLORING_HUES where it has the most. Of change, the hues below
 * COLORING_SAME are for what shrank, those above it for what grew. */
enum { COLORING_HUES = 7, COLORING_SAME = 4 };

struct coloring_entry {
    str_id name; /* of the package, module or kind; 0: none, or those without a hue */
    uint8_t hue;
    bool is_drawn; /* has boxes of its own, and not only a part in merged ones */
    int64_t self;  /* of all its functions, whether they have boxes or are in merged ones; in the
                    * order of time, of its boxes */
};

struct coloring {
    enum coloring_by by;
    uint8_t *hue; /* by frame */
    struct coloring_entry
        *entries; /* by self, the most first, hue 0 last; none of heat and change */
    uint32_t count;
    int64_t most_self;   /* of heat: of one function */
    bool is_cum;         /* of change: with callees */
    int64_t most_change; /* of change: of one box, either way */
};

/* The hue of a kind, the same in every picture. */
uint8_t coloring_of_kind(enum frame_kind kind);

/* Names of kinds and packages are added to the graph's strings. */
void coloring_choose(struct graph *graph, const struct flame *flame, enum coloring_by by,
                     struct arena *arena, struct coloring *coloring);

/* For a flame that is compared. */
void coloring_choose_change(const struct flame *flame, bool is_cum, struct coloring *coloring);

uint8_t coloring_hue(const struct coloring *coloring, const struct flame_box *box);

#endif
