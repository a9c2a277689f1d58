/* SPDX-License-Identifier: Apache-2.0 */
/* page_findings.c — the findings of `ptk advise` as cards: gain, cause, fix, and the place to show */
#include "cmd/report/chapters.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "analysis/advice/advice.h"
#include "base/checked.h"
#include "base/text/format.h"
#include "graph/classify/function_class.h"
#include "graph/names/names.h"
#include "render/forms/block.h"
#include "render/reports/report_columns.h"
#include "render/reports/reports.h"

enum { CARDS = 5 };

/* What a repair gives: replayed where that can be, else the most that it can be; 0: it is not known. */
static int64_t gain_of(const struct finding *finding)
{
    int64_t most = finding->high != UNKNOWN ? finding->high : 0;

    return finding->gain != UNKNOWN ? finding->gain : most;
}

static int64_t largest_gain(const struct advice *advice)
{
    int64_t most = 0;

    for (uint32_t i = 0; i < advice->reported; i++)
        most = gain_of(&advice->findings[i]) > most ? gain_of(&advice->findings[i]) : most;
    return most;
}

static const char *gain_text(const struct report_context *context, const struct finding *finding,
                             struct arena *arena)
{
    const struct advice *advice = context->advice;
    enum unit unit = advice->is_of_functions ? graph_unit(&context->profile->graph) : UNIT_NS;
    int64_t steps = advice->steps ? advice->steps : 1, gain = gain_of(finding);
    const struct page_rank rank = page_rank_own(context);
    char time[FORMAT_LEN], share[FORMAT_LEN];

    format_value(time, gain / steps, unit);
    format_share(share, share_of(gain, advice->whole));
    return arena_printf(arena, "%s%s%s%s · %s", finding->gain == UNKNOWN ? "up to " : "", time,
                        advice->steps ? " of each step" : "",
                        rank.is_known ? arena_printf(arena, " of rank %" PRId64, rank.number) : "",
                        share);
}

static const char *place_text(const struct report_context *context, const struct finding *finding,
                              struct arena *arena)
{
    const struct graph *graph = &context->profile->graph;
    frame_id frame = finding_place(graph, finding);
    const char *text;
    char at[FORMAT_LEN];

    if (!frame)
        return NULL;
    text = arena_printf(arena, "%s%s", arena_copy(arena, graph_short_name(graph, frame)),
                        place_share_text(finding, arena));
    if (finding->event != NO_EVENT)
        text = arena_printf(
            arena, "%s at %s", text,
            format_value(at,
                         checked_sub(graph->timeline.start[finding->event], context->advice->start),
                         UNIT_NS));
    if (finding->step != UNKNOWN)
        text = arena_printf(arena, "%s, step %" PRId64, text, finding->step);
    return text;
}

static void fill_card(const struct report_context *context, const struct finding *finding,
                      struct arena *arena, struct page_card *card)
{
    const struct graph *graph = &context->profile->graph;
    frame_id frame = finding_place(graph, finding);
    struct thresholds thresholds;

    thresholds_default(&thresholds);
    *card = (struct page_card){
        .rule = finding->rule->name,
        .cause = finding->rule->title,
        .remedy = rule_page_remedy(finding->rule),
        .is_largest_loss = finding->leads && gain_of(finding) < largest_gain(context->advice),
        .place = place_text(context, finding, arena),
        .event = context->data ? page_event(context->data, finding->event) : NO_EVENT,
        .function = frame && finding->event == NO_EVENT
                        ? arena_copy(arena, graph_short_name(graph, frame))
                        : NULL,
        .evidence = arena_printf(arena, "%s: %s; reported when %s", finding->check.what,
                                 check_figures(&finding->check, arena),
                                 check_threshold(&finding->check, &thresholds, arena)),
    };
    if (graph->segments.count && !card->function && finding->event == NO_EVENT)
        card->chapter = "memory";
    if (gain_of(finding) > 0)
        card->gain = gain_text(context, finding, arena);
}

/* ---- of a job ---- */

static bool has_saving(const struct job_finding *finding)
{
    return isfinite(finding->with) && !finding->is_hidden && finding->with > finding->without;
}

static const char *job_gain_text(const struct job_finding *finding, struct arena *arena)
{
    double saved = finding->with - finding->without;
    char gain[FORMAT_LEN], share[FORMAT_LEN];

    return arena_printf(arena, "%s%s of each step · %s",
                        finding->without_least < finding->without_most ? "about " : "",
                        format_value(gain, (int64_t)saved, UNIT_NS),
                        format_share(share, saved / finding->with));
}

static const char *add_sentence(const char *text, const char *clause, struct arena *arena)
{
    return *clause ? arena_printf(arena, "%s %c%s.", text, toupper((unsigned char)*clause), clause + 1)
                   : text;
}

static void fill_job_card(const struct job *job, const struct job_finding *finding,
                          struct arena *arena, struct page_card *card)
{
    const struct text_block block = job_finding_block(job, finding, arena);
    const char *where = block.lines[0].text, *fix = block.lines[1].text;
    const char *gain = block.lines[2].text, *why = block.lines[3].text;
    const char *sentence = job_finding_sentence(job, finding, arena);

    *card = (struct page_card){
        .rule = job_cause_name(finding->cause),
        .cause = block.title,
        .remedy = page_words(fix, arena),
        .place = *where ? where : NULL,
        .event = NO_EVENT,
        .chapter = "job",
        .evidence = add_sentence(add_sentence(sentence, why, arena), gain, arena),
    };
    if (has_saving(finding))
        card->gain = job_gain_text(finding, arena);
}

/* A clock that is off is corrected. */
static void add_job_cards(const struct job *job, bool slows, struct arena *arena,
                          struct page_cards *cards)
{
    for (uint32_t i = 0; job && i < job->findings.count; i++) {
        const struct job_finding *finding = &job->findings.list[i];

        if (finding->cause != CAUSE_CLOCK && job_finding_slows(finding) == slows)
            fill_job_card(job, finding, arena, &cards->list[cards->count++]);
    }
}

/* ---- all ---- */

/* Whether what the file's functions take is beside the point, because something slows the job that they are of. */
static bool is_beside_job(const struct report_context *context)
{
    return context->job_result && context->job_result->findings.count && context->advice->is_of_functions;
}

/* What slows or stops the job comes before what one file shows. Then all is in the order of advise, but those without a
 * gain come last: they are listed below the cards, if there are any. */
void page_findings_fill(const struct report_context *context, struct arena *arena,
                        struct page_cards *cards)
{
    const struct advice *advice = context->advice;
    const struct job *job = context->job_result;

    *cards = (struct page_cards){.count = 0};
    if (!advice)
        return;
    cards->list = arena_array(arena, advice->reported + (job ? job->findings.count : 0) + 1,
                              sizeof(*cards->list));
    for (int has_gain = 1; has_gain >= 0; has_gain--) {
        add_job_cards(job, has_gain, arena, cards);
        if (is_beside_job(context) && has_gain)
            cards->leading = cards->count;
        for (uint32_t i = 0; i < advice->reported; i++)
            if ((gain_of(&advice->findings[i]) > 0) == has_gain)
                fill_card(context, &advice->findings[i], arena, &cards->list[cards->count++]);
        if (!cards->leading)
            cards->leading = cards->count;
    }
    cards->leading = cards->leading < CARDS ? cards->leading : CARDS;
}

/* ---- what the cards point to ---- */

uint32_t page_places(const struct report_context *context, struct arena *arena,
                     struct window_bounds **places)
{
    const struct graph *graph = &context->profile->graph;
    const struct timeline *timeline = &graph->timeline;
    const struct advice *advice = context->advice;
    uint32_t count = 0;

    *places = NULL;
    if (!advice)
        return 0;
    *places = arena_array(arena, 2 * (size_t)advice->reported, sizeof(**places));
    for (uint32_t i = 0; i < advice->reported; i++) {
        event_id event = advice->findings[i].event;

        for (int launch = 0; launch < 2 && event != NO_EVENT; launch++) {
            (*places)[count++] =
                (struct window_bounds){timeline->start[event], event_end(timeline, event)};
            event = timeline->launch ? timeline->launch[event] : NO_EVENT;
        }
    }
    return count;
}
