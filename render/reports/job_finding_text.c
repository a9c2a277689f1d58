/* SPDX-License-Identifier: Apache-2.0 */
/* What was found to slow a job, or to be wrong with its traces, as sentences. */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/ranks/job_shard.h"
#include "base/text/format.h"
#include "render/reports/report_columns.h"

/* Clocks that change by less, ns, need no words. */
enum { CHANGE_NOTED = 10000 };

static const char *text_of(const struct job *job, str_id id)
{
    return id ? shard_text(job->model.shard, id).at : "";
}

/* "without that steps take 23.5 s instead of 46.3 s" */
static const char *gain(const struct job_finding *finding, struct arena *arena)
{
    char with[FORMAT_LEN], without[FORMAT_LEN];

    if (finding->is_hidden)
        return "that gains only together with what follows, which is as slow";
    format_value(with, (int64_t)finding->with, UNIT_NS);
    format_value(without, (int64_t)finding->without, UNIT_NS);
    if (finding->without_least < finding->without_most) {
        char least[FORMAT_LEN], most[FORMAT_LEN];

        format_value(least, (int64_t)finding->without_least, UNIT_NS);
        format_value(most, (int64_t)finding->without_most, UNIT_NS);
        return arena_printf(
            arena,
            "without that steps take about %s instead of %s (%s … %s: who is not there decides)",
            without, with, least, most);
    }
    return arena_printf(arena, "without that steps take %s instead of %s", without, with);
}

const char *job_links_text(const struct job_links *links, enum link_class which,
                           struct arena *arena)
{
    return arena_printf(arena, "links %s hosts reach %.3g of %.4g GB/s (%.3g %%), the peak %s%s",
                        which == LINKS_ACROSS ? "between" : "within", links->bus / 1e9,
                        links->peak / 1e9, links->bus / links->peak * 100,
                        links->gpu ? "of " : "given", links->gpu ? links->gpu : "");
}

/* " 97% slower in backward-compute" */
static const char *symptom(const struct job *job, const struct job_finding *finding,
                           struct arena *arena)
{
    if (!finding->label)
        return " slower";
    if (!(finding->excess > 0))
        return arena_printf(arena, " slow in %s", text_of(job, finding->label));
    if (finding->excess >= 2)
        return arena_printf(arena, " %.3g times slower in %s", finding->excess + 1,
                            text_of(job, finding->label));
    return arena_printf(arena, " %.0f %% slower in %s", finding->excess * 100,
                        text_of(job, finding->label));
}

/* Those from the `from`th on, after "rank". */
static const char *ranks_text(const struct job_finding *finding, uint32_t from, uint64_t all,
                              struct arena *arena)
{
    uint32_t count = finding->rank_count - from;

    return job_ranks_text(finding->ranks + from, count, all > count ? all : count, arena);
}

/* "all_reduce 6 of default_pg" */
static const char *place_of(const struct job *job, const struct job_finding *finding,
                            struct arena *arena)
{
    const struct rank_summary *summary =
        finding->rank_count ? rank_summary_of(job->model.shard, finding->ranks[0]) : NULL;

    if (summary && summary->flags & RANK_ORDINALS)
        return arena_printf(arena, "%s %" PRId64 " in step %" PRId64 " of %s",
                            text_of(job, finding->operation), finding->sequence & 0xfffff,
                            finding->sequence >> 32, text_of(job, finding->group));
    return arena_printf(arena, "%s %" PRId64 " of %s", text_of(job, finding->operation),
                        finding->sequence, text_of(job, finding->group));
}

static const char *message_size(int64_t size, struct arena *arena)
{
    return size == NOT_KNOWN ? "an unknown number of" : arena_printf(arena, "%" PRId64, size);
}

static const char *about_mismatch(const struct job *job, const struct job_finding *finding,
                                  struct arena *arena)
{
    const char *ranks = ranks_text(finding, 0, 0, arena), *place = place_of(job, finding, arena);

    if (finding->is_transfer)
        return arena_printf(arena,
                            "rank %" PRIu32 " expects %s bytes in %s, rank %" PRIu32 " sends %s",
                            finding->ranks[0], message_size(finding->size, arena), place,
                            finding->ranks[1], message_size(finding->usual_size, arena));
    if (finding->before != finding->operation)
        return arena_printf(arena, "rank%s entered %s as %s: the others wait for another", ranks,
                            place, text_of(job, finding->before));
    return arena_printf(
        arena, "rank%s entered %s with %s bytes, the others with %s: another size or type", ranks,
        place, message_size(finding->size, arena), message_size(finding->usual_size, arena));
}

static const char *about_collective(const struct job *job, const struct job_finding *finding,
                                    struct arena *arena)
{
    const char *ranks = ranks_text(finding, 0, 0, arena), *place = place_of(job, finding, arena);
    bool is_one = finding->rank_count == 1;

    switch (finding->cause) {
    case CAUSE_MISMATCH:
        return about_mismatch(job, finding, arena);
    case CAUSE_STUCK:
        return arena_printf(arena,
                            "rank%s called %s, but the device has not begun it, as those of the "
                            "others have: it is busy or stuck before it",
                            ranks, place);
    case CAUSE_ORDER:
        return arena_printf(arena,
                            "rank%s entered %s before %s, the others after it: they wait for each "
                            "other",
                            ranks, text_of(job, finding->other_group), place);
    case CAUSE_UNDECIDED:
        return arena_printf(arena,
                            "rank%s %s no file: who keeps the others waiting in %s is undecided",
                            ranks, is_one ? "has" : "have", place);
    default:
        if (finding->is_log)
            return arena_printf(
                arena,
                "rank%s %s no record of %s, nor of any after it, as others have: its "
                "log or the rank ends there",
                ranks, is_one ? "has" : "have", place);
        return arena_printf(arena, "rank%s never entered %s, in which the others wait%s%s", ranks,
                            place, finding->before ? "; its last collective was " : "",
                            text_of(job, finding->before));
    }
}

static const char *about_clock(const struct job *job, const struct job_finding *finding,
                               struct arena *arena)
{
    char offset[FORMAT_LEN], last[FORMAT_LEN];
    int64_t change = finding->last_delay - finding->delay;
    const char *later = "";

    format_value(offset, finding->delay < 0 ? -finding->delay : finding->delay, UNIT_NS);
    format_value(last, change < 0 ? -change : change, UNIT_NS);
    if (llabs(finding->delay) < CHANGE_NOTED)
        return arena_printf(arena,
                            "the clock of %s%s comes to be %s %s by the last step (rank%s), "
                            "corrected here",
                            finding->host ? "host " : "a rank", text_of(job, finding->host), last,
                            change < 0 ? "behind" : "ahead",
                            ranks_text(finding, 0, finding->all_ranks, arena));
    if (change > CHANGE_NOTED || change < -CHANGE_NOTED)
        later =
            arena_printf(arena, ", and by the last step %s %s", last, change < 0 ? "less" : "more");
    return arena_printf(arena, "the clock of %s%s is %s %s%s (rank%s): corrected here",
                        finding->host ? "host " : "a rank", text_of(job, finding->host), offset,
                        finding->delay < 0 ? "behind" : "ahead", later,
                        ranks_text(finding, 0, finding->all_ranks, arena));
}

const char *job_finding_symptom(const struct job *job, const struct job_finding *finding, struct arena *arena)
{
    char delay[FORMAT_LEN];

    format_value(delay, finding->delay, UNIT_NS);
    switch (finding->cause) {
    case CAUSE_MISSED:
    case CAUSE_MISMATCH:
    case CAUSE_STUCK:
    case CAUSE_ORDER:
    case CAUSE_UNDECIDED:
        return about_collective(job, finding, arena);
    case CAUSE_LONG:
        return arena_printf(arena,
                            "rank %" PRIu32 " is %s longer in its collectives than whoever is "
                            "shortest: its link is slow, or the others come late",
                            finding->ranks[0], delay);
    case CAUSE_LATE:
        return arena_printf(arena,
                            "rank %" PRIu32 " came last in %" PRId64 " of %" PRId64
                            " collectives: the others waited %s for it",
                            finding->ranks[0], finding->times, finding->participations, delay);
    case CAUSE_LOADER:
        if ((double)finding->delay < (finding->with - finding->without) / 2)
            return arena_printf(arena, "the host of rank %" PRIu32 " launches its work late", finding->ranks[0]);
        return arena_printf(arena,
                            "rank %" PRIu32 " begins its steps %s late: its host had not launched "
                            "them (loading data?)",
                            finding->ranks[0], delay);
    case CAUSE_HOST:
        return "hosts launch work late on many ranks";
    case CAUSE_LINK:
        return arena_printf(arena, "the link of rank %" PRIu32 "%s%s is%s", finding->ranks[0],
                            finding->rank_count > 1 ? " with rank" : "",
                            finding->rank_count > 1 ? ranks_text(finding, 1, 0, arena) : "",
                            symptom(job, finding, arena));
    case CAUSE_LINKS:
        return job_links_text(&job->links[finding->links], finding->links, arena);
    case CAUSE_RANK:
        return arena_printf(arena, "rank%s %s%s",
                            ranks_text(finding, 0, finding->all_ranks, arena),
                            finding->all_ranks > 1 ? "are" : "is", symptom(job, finding, arena));
    case CAUSE_DP:
        return arena_printf(arena, "data-parallel rank %" PRId32 " is%s", finding->dp,
                            symptom(job, finding, arena));
    case CAUSE_STAGE:
        return arena_printf(arena, "stage %" PRId32 " is%s", finding->stage,
                            symptom(job, finding, arena));
    case CAUSE_MISSING_RANK:
        return arena_printf(arena, "rank%s %s no trace: results of ranks that communicate with them are estimates",
                            ranks_text(finding, 0, (uint64_t)finding->delay, arena),
                            finding->delay > 1 ? "have" : "has");
    case CAUSE_FOREIGN:
        return arena_printf(arena,
                            "collectives of rank%s do not end when those of the others do, "
                            "whatever the clocks: of another run?",
                            ranks_text(finding, 0, finding->all_ranks, arena));
    case CAUSE_CLOCK:
        return about_clock(job, finding, arena);
    case JOB_CAUSE_COUNT:
        break;
    }
    return "";
}

const char *job_finding_text(const struct job *job, const struct job_finding *finding,
                             struct arena *arena)
{
    const char *symptom_text = job_finding_symptom(job, finding, arena);

    return isfinite(finding->with) ? arena_printf(arena, "%s; %s", symptom_text, gain(finding, arena)) : symptom_text;
}

static const char *capitalised(const char *text, struct arena *arena)
{
    char *copy = arena_copy(arena, span_of(text));

    copy[0] = (char)toupper((unsigned char)copy[0]);
    return copy;
}

const char *job_finding_sentence(const struct job *job, const struct job_finding *finding, struct arena *arena)
{
    const char *symptom_text = job_finding_symptom(job, finding, arena);
    char with[FORMAT_LEN], without[FORMAT_LEN];

    if (!isfinite(finding->with))
        return arena_printf(arena, "%s.", capitalised(symptom_text, arena));
    if (finding->is_hidden)
        return arena_printf(arena, "%s; %s.", capitalised(symptom_text, arena), gain(finding, arena));
    return arena_printf(arena, "Steps take %s instead of %s%s because %s.",
                        format_value(with, (int64_t)finding->with, UNIT_NS),
                        finding->without_least < finding->without_most ? "about " : "",
                        format_value(without, (int64_t)finding->without, UNIT_NS), symptom_text);
}
