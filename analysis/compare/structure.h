/* SPDX-License-Identifier: Apache-2.0 */
/* structure.h — two traces whose kernels have other names: which part of the program is which, and what each costs */
#ifndef PTK_ANALYSIS_COMPARE_STRUCTURE_H
#define PTK_ANALYSIS_COMPARE_STRUCTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compare/diff.h"
#include "base/memory/memory.h"
#include "base/text/string_table.h"
#include "graph/model/graph.h"

/* Compared is not what kernels are called but what the program asked for. Each piece of device work has a path,
 * by the call that launched or captured it:
 *
 *     step or stage → modules, the outermost first → operators below the innermost, with their shapes → kernel
 *
 * Python's functions and ranges stand in place of modules where neither side has modules. Two paths are walked
 * down together: what has one name on both sides goes on, an operator that both have ends it. What has no
 * partner below one parent is one difference of that parent, the lowest that both have. No kernel's name is
 * looked at, but where a file has no operators at all: families of kernels stand in their place then. */

/* ---- sites: the places in a program that device work comes from ---- */

enum site_kind {
    SITE_STEP,     /* of serving its stage; "step", "outside steps", "not launched" */
    SITE_MODULE,   /* a call of a module, with the number of its instance */
    SITE_RANGE,    /* a Python function, or a range that somebody named */
    SITE_OPERATOR, /* with the shapes of its inputs; name 0: no operator is around the launch */
    SITE_KERNEL,   /* or a copy, or a fill */
    SITE_FOUND,    /* of the rows of a result: SITE_FOUND + enum site_match */
};

struct site_key {
    uint32_t parent; /* 0 is the root, which is its own parent */
    uint32_t kind;   /* enum site_kind */
    str_id name, shapes;
};

struct site {
    struct site_key key;
    uint32_t outer; /* the innermost site around it, or itself, that is no operator's */
};

/* A parent stands before its children. Ready for use when zeroed. */
struct site_tree {
    VECTOR(struct site);
    struct index index;
};

/* The child of that key, which is added on first use. */
uint32_t site_child(struct site_tree *tree, struct site_key key);

/* 0: there is none. */
uint32_t site_find(struct site_tree *tree, struct site_key key);

void site_tree_free(struct site_tree *tree);

/* ---- what one side's runs have ---- */

/* A step, or what a run did outside of all. */
struct structure_sample {
    str_id name;    /* of its SITE_STEP */
    uint32_t run;   /* which of the side's */
    int64_t tokens; /* of a step of serving; UNKNOWN */
};

/* Device work of one site in one sample. */
struct structure_piece {
    uint32_t site, sample;
    int64_t time; /* ns */
    int64_t count;
};

struct structure_side {
    struct site_tree sites; /* without steps; those of kernels have pieces */
    struct VECTOR_OF(struct structure_piece) pieces;
    struct VECTOR_OF(struct structure_sample) samples;
    uint32_t runs, steps;
    bool has_modules, has_operators;
    bool is_serving; /* steps are those of servers: batches differ from step to step */
};

struct structure {
    struct strings strings;
    struct structure_side side[DIFF_ENDS];
};

/* What structure_add() wants of a file, with launches. */
uint64_t structure_properties(void);

/* Adds a run to a side. Nothing is added of a graph without a timeline and launches. */
void structure_add(struct structure *structure, enum diff_end end, const struct graph *graph);

/* Whether both sides have operators that launched device work, or neither has and families of kernels are compared. */
bool structure_can_compare(const struct structure *structure);

/* Whether the steps of both are those of servers: stages show more of them than functions. */
static inline bool structure_is_of_serving(const struct structure *structure)
{
    return structure->side[DIFF_BEFORE].is_serving && structure->side[DIFF_AFTER].is_serving;
}

void structure_free(struct structure *structure);

/* ---- which is which ---- */

enum site_match {
    MATCH_SHAPES,     /* one operator with the same inputs */
    MATCH_OPERATOR,   /* one operator, whose inputs have other shapes */
    MATCH_CLASS,      /* modules of one class, more of them on one side */
    MATCH_REPLACED,   /* what is left below one parent, on both sides */
    MATCH_GONE,       /* ... on the first alone, */
    MATCH_NEW,        /* and on the second */
    MATCH_UNLAUNCHED, /* no call launched it in the file */
};

/* "operator+shape", "replaced", "only A". */
const char *site_match_name(enum site_match match);

/* What differs at one place; layers that repeat are one. Sums over all steps. */
struct structure_row {
    enum site_match match;
    uint32_t place;              /* in structure_difference.places: its lowest common ancestor */
    str_id step;                 /* the name of the step around that; 0: none */
    str_id name[DIFF_ENDS];      /* of the operators, or of all that is left */
    str_id shapes[DIFF_ENDS];    /* as in the file, without blanks; 0: not known */
    uint32_t places;             /* how many it adds up */
    int64_t time[DIFF_ENDS];     /* ns */
    int64_t kernels[DIFF_ENDS];  /* kernels, copies and fills */
    uint32_t samples[DIFF_ENDS]; /* what `time` is divided by for a step: steps, or runs */
    double each[DIFF_ENDS];      /* ns a step */
    double explains;             /* ns of both directions: what rows are in order of */
    struct confidence noise;     /* of the difference of `each`; known from three steps a side on */
    bool fails;
};

/* The same work by the innermost operator, as it stands in the file: no numbers are left out. */
struct structure_leaf {
    uint32_t modules;    /* in structure_difference.chains */
    str_id name, shapes; /* 0: none */
    int64_t time[DIFF_ENDS], count[DIFF_ENDS];
};

/* The mean tokens of a stage's steps; NaN where a label does not say. */
struct structure_stage {
    str_id name;
    double tokens[DIFF_ENDS];
};

struct structure_difference {
    struct structure_row *rows; /* what explains most first; the arena's, as all that follows */
    uint32_t count, left_out;
    struct structure_leaf *leaves; /* what changed most first */
    uint32_t leaf_count, leaves_left_out;
    struct structure_stage *stages; /* of serving, with steps on both sides */
    uint32_t stage_count;
    struct site_tree places, chains; /* see structure_difference_free() */
    int64_t total[DIFF_ENDS];        /* ns of all device work */
    uint32_t steps[DIFF_ENDS], runs[DIFF_ENDS];
    double up, down;  /* ns of what grew, and of what shrank */
    double matched;   /* share of the operators' time that operators or modules have on both sides */
    bool has_noise;   /* is known of any row */
    bool has_families; /* of kernels, for want of operators */
    bool has_modules; /* paths have them, */
    bool has_steps;   /* and steps or stages */
    uint32_t failed;
    const struct structure_row *worst; /* the failed one that grew most; NULL */
};

/* ns of device work: of a step, or of a run where there are none. */
double structure_total_each(const struct structure_difference *found, enum diff_end end);

/* Below this share of the kernels' time that has a partner by name, parts of the program tell more. */
#define STRUCTURE_PAIRED_LEAST (2.0 / 3)

/* Where names can be compared, too. `paired`: that share. */
static inline bool structure_tells_more(const struct structure *structure, double paired)
{
    return structure_can_compare(structure) &&
           (structure_is_of_serving(structure) || paired < STRUCTURE_PAIRED_LEAST);
}

/* Below it two traces are of different programs. */
#define STRUCTURE_MATCHED_LEAST 0.5

struct structure_options {
    uint32_t limit;          /* 0: all */
    double fail_percent;     /* rows that grew by more fail; below 0: none */
    double fail_min_percent; /* those below that share of the total do not */
};

void structure_compare(struct structure *structure, const struct structure_options *options,
                       struct arena *arena, struct structure_difference *found);

/* The arena's figures stay. */
void structure_difference_free(struct structure_difference *found);

/* ---- the walk, for files of its own ---- */

/* A side's sites below its steps, with the levels that are in use. */
struct structure_tree {
    struct site_tree sites;
    uint32_t *first, *next; /* by site, its first child, and the next of its parent; 0: none */
    int64_t *time, *count;  /* by site, with all below */
    uint32_t *piece_site;   /* by piece of the side */
    uint32_t *row;          /* by site, 1 + the row that it is in; 0: that of its parent */
};

/* Levels that paths leave out, a set. */
enum structure_levels { WITHOUT_OUTER = 1, WITHOUT_STEPS = 2 };

struct structure_walk {
    struct structure *structure;
    int levels; /* a set of enum structure_levels */
    bool has_modules, has_steps;
    bool is_serving;        /* on both sides: the first sizes of shapes are left out */
    struct idmap batchless; /* shapes → those without */
    struct structure_tree tree[DIFF_ENDS];
    struct site_tree places;
    VECTOR(struct structure_row);
    struct idmap row_of_place; /* site of `places` → row */
};

/* The name of the step of what no call launched: the first sample of every run is of that. */
static inline str_id structure_unlaunched(const struct structure_walk *walk)
{
    return walk->structure->side[DIFF_BEFORE].samples.list[0].name;
}

/* Fills a side's tree. */
void structure_expand(struct structure_walk *walk, enum diff_end end);

void structure_walk(struct structure_walk *walk);

/* The time of rows whose operators both sides have, and of those that are in a module of both sides. */
int64_t structure_walk_matched(const struct structure_walk *walk, bool or_modules);

void structure_walk_free(struct structure_walk *walk);

#endif
