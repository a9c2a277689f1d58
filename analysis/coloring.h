/* coloring.h — which boxes of a flame graph share a colour, and what the colours stand for */
#ifndef PTK_ANALYSIS_COLORING_H
#define PTK_ANALYSIS_COLORING_H

#include "analysis/flame.h"

enum coloring_by { COLORING_MODULE, COLORING_KIND, COLORING_HEAT };

extern const char *const coloring_names[]; /* in the order of the enum; ends with NULL */

/* Hue 0 is for what is not told apart, 1 … COLORING_HUES for the rest. Of heat, the hue is a step:
 * 1 where the function has next to no self time, COLORING_HUES where it has the most. */
enum { COLORING_HUES = 7 };

struct coloring_entry {
    str_id name; /* of the module, or of the kind; 0: no module, or those without a hue */
    uint8_t hue;
    int64_t self; /* of the boxes in this colour */
};

struct coloring {
    enum coloring_by by;
    uint8_t *hue;                   /* by frame */
    struct coloring_entry *entries; /* by self, the most first, hue 0 last; none of heat */
    uint32_t count;
    int64_t most_self; /* of heat: of one function */
};

/* The hue of a kind, the same in every picture. */
uint8_t coloring_of_kind(enum frame_kind kind);

/* Names of kinds are added to the graph's strings. */
void coloring_choose(struct graph *graph, const struct flame *flame, enum coloring_by by,
                     struct arena *arena, struct coloring *coloring);

#endif
