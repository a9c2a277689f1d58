/* SPDX-License-Identifier: Apache-2.0 */
/* ruby_profile.h — a profile of stackprof in memory: functions, and stacks of them or who called whom */
#ifndef PTK_PARSERS_RUBY_RUBY_PROFILE_H
#define PTK_PARSERS_RUBY_RUBY_PROFILE_H

#include "base/memory/memory.h"
#include "graph/build/builder.h"
#include "parsers/stacks/stack_list.h"

/* By an id of the file. Several ids may be one function: two blocks of one line have the same name. */
struct ruby_function {
    struct frame frame;
    int64_t self, total; /* samples */
};

/* Between functions by their numbers here. */
struct ruby_edge {
    uint32_t caller, callee;
    int64_t samples;
};

/* Ready for use when zeroed, with a builder. */
struct ruby_profile {
    struct builder *builder;
    struct VECTOR_OF(struct ruby_function) functions;
    struct VECTOR_OF(struct ruby_edge) edges;
    struct stack_list stacks;
    struct stack_list lines; /* the same with lines that ran in the place of functions */
    struct value_name value; /* what `weight` is of */
    int64_t weight;          /* of a sample; 0: it has no other value than itself */
    int64_t samples;         /* as the file states them */
    bool has_stacks;
};

/* Hands all over to the builder, as a call tree where there are stacks. False with an error of builder_begin(). */
MUST_CHECK bool ruby_profile_give(struct ruby_profile *profile, struct error *err);

void ruby_profile_free(struct ruby_profile *profile);

#endif
