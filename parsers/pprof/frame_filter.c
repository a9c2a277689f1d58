/* SPDX-License-Identifier: Apache-2.0 */
/* frame_filter.c — drop_frames and keep_frames: what a profile's writer does not want to be seen
 *
 * A location whose function matches drop_frames, and not keep_frames, leaves the stacks with all
 * that it calls; but only below a frame that does not match, so that no stack gets empty. Both
 * patterns are for the whole name without its arguments. As pprof does it:
 * https://github.com/google/pprof/blob/main/profile/prune.go */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory/grow.h"
#include "base/text/pattern.h"
#include "parsers/pprof/pprof_profile.h"

struct prune_patterns {
    struct pattern drop, keep;
    bool has_drop, has_keep;
    uint64_t steps_left, unasked; /* names that came too late to be matched */
};

/* What patterns may cost: a thousand steps a byte of the file, and more than that for a small one. */
enum { STEPS_MIN = 1000000000, STEPS_OF_BYTE = 1000 };

/* Patterns are RE2's, and a few of those are nothing here: they are left out, as pprof does with
 * what it cannot compile. */
static bool compile(struct pprof *pprof, enum profile_field field, struct pattern *pattern)
{
    uint64_t index = (uint64_t)pprof->plain[field];
    struct span text = {0};
    char whole[4096];
    struct error err = {0};

    if (index && index < pprof->strings.count)
        text = builder_text(pprof->builder, pprof->strings.list[index]);
    if (text.len == 0)
        return false;
    if ((size_t)snprintf(whole, sizeof(whole), "^(%.*s)$", (int)text.len, text.at) <
            sizeof(whole) &&
        pattern_compile(pattern, whole, &err))
        return true;
    warning_say(builder_warnings(pprof->builder), WARNING_NOTE,
                "%s is no regular expression that ptk knows: left out",
                field == PROFILE_DROP_FRAMES ? "drop_frames" : "keep_frames");
    return false;
}

/* Where "(anonymous namespace)" and "operator()" are passed over, the first bracket begins the
 * arguments. */
static size_t name_end(struct span name)
{
    static const struct span hidden[] = {{"(anonymous namespace)", 21}, {"operator()", 10}};
    size_t at = 0;

    while (at < name.len && name.at[at] != '(') {
        struct span rest = span_after(name, at);

        at += span_starts(rest, hidden[1]) ? hidden[1].len : 1;
        if (span_starts(span_after(name, at), hidden[0]))
            at += hidden[0].len;
    }
    return at;
}

static bool is_dropped(struct prune_patterns *patterns, struct span name)
{
    uint64_t steps;
    struct span bare = span_starts(name, SPAN(".")) ? span_after(name, 1) : name;
    size_t len = name_end(bare);

    if (len == 0)
        return false;
    steps = len * (patterns->drop.size + (patterns->has_keep ? patterns->keep.size : 0));
    if (steps > patterns->steps_left) {
        patterns->unasked++;
        return false;
    }
    patterns->steps_left -= steps;
    bare.len = len;
    return pattern_matches(&patterns->drop, bare) &&
           !(patterns->has_keep && pattern_matches(&patterns->keep, bare));
}

/* Cuts the inlined functions at and below a match off; marks what stacks are to be cut at. */
static enum prune_mark prune_location(struct pprof *pprof, struct prune_patterns *patterns,
                                      struct expansion *expansion)
{
    uint32_t at = expansion->count;

    while (at > 0 && !is_dropped(patterns, pprof_frame_name(pprof, expansion->first + at - 1)))
        at--;
    if (at == 0)
        return PRUNE_NOTHING;
    if (at == expansion->count)
        return PRUNE_IT;
    expansion->first += at;
    expansion->count -= at;
    return PRUNE_BELOW;
}

void pprof_prune_locations(struct pprof *pprof)
{
    struct prune_patterns patterns = {.steps_left =
                                          STEPS_MIN + STEPS_OF_BYTE * input_bytes_read(pprof->in)};

    patterns.has_drop = compile(pprof, PROFILE_DROP_FRAMES, &patterns.drop);
    if (!patterns.has_drop)
        return;
    patterns.has_keep = compile(pprof, PROFILE_KEEP_FRAMES, &patterns.keep);
    pprof->marks = grow_zeroed(pprof->locations.count + 1, sizeof(*pprof->marks));
    for (size_t i = 0; i < pprof->locations.count; i++)
        pprof->marks[i] = (uint8_t)prune_location(pprof, &patterns, &pprof->expansions[i]);
    warning_count_many(builder_warnings(pprof->builder), WARNING_LOSS,
                       "names kept unlooked at: what drop_frames asks of so many takes too long",
                       patterns.unasked);
    pattern_free(&patterns.drop);
    if (patterns.has_keep)
        pattern_free(&patterns.keep);
}

size_t pprof_prune_stack(const struct pprof *pprof, const struct stack_place *places, size_t count)
{
    bool has_user = false;

    for (size_t i = count; i-- > 0;) {
        enum prune_mark mark = (enum prune_mark)pprof->marks[places[i].location];

        if (mark == PRUNE_NOTHING)
            has_user = true;
        else if (has_user)
            return mark == PRUNE_BELOW ? places[i].first : places[i].end;
    }
    return 0;
}
