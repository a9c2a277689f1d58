#include "render/bound_report.h"

#include "cmd/answer.h"
#include "cmd/command.h"
#include "graph/need.h"

static const char *const stretch_names[] = {"auto", "steps", "run", "device", NULL};

struct fields {
    struct common common;
    struct option_values thresholds;
    int format, stretch;
};

static const struct option options[] = {
    OPT_CHOICE('f', "format", struct fields, format, "FORM", "write as [text]",
               report_format_names),
    OPT_CHOICE(0, "over", struct fields, stretch, "WHAT",
               "the time that counts [auto: the training steps, else the run]", stretch_names),
    OPT_EACH(0, "threshold", struct fields, thresholds, "NAME=VALUE",
             "where a figure begins to be a verdict; again for more", 0),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

static bool answer(struct profile *profile, const struct fields *fields,
                   const struct thresholds *thresholds, struct error *err)
{
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {.command = "bound", .inputs = &input, .input_count = 1};
    struct arena arena = {0};
    struct bottlenecks found;
    bool ok;

    if (!graph_need(&profile->graph, LEVEL_TIMELINE, "nothing tells what holds the run up", err))
        return false;
    bottleneck_find(&profile->graph, (enum stretch)fields->stretch, thresholds, &arena, &found);
    if (found.count == 0) {
        arena_free(&arena);
        error_set(err, ERROR_LACK, "no device did anything, so nothing tells what it waited for");
        return error_file(err, profile->path);
    }
    bound_report(&found, thresholds, &arena, &report);
    ok = answer_write(&report, (enum report_format)fields->format, &fields->common, err);
    arena_free(&arena);
    return ok;
}

static bool set_thresholds(const struct fields *fields, struct thresholds *thresholds,
                           struct error *err)
{
    thresholds_default(thresholds);
    for (uint32_t i = 0; i < fields->thresholds.count; i++)
        if (!thresholds_set(thresholds, fields->thresholds.list[i].text, err))
            return false;
    return true;
}

static bool run(char **argv, struct error *err)
{
    const struct builder_options wanted = {.need = LEVEL_TIMELINE,
                                           .launches = true,
                                           .categories = true,
                                           .properties = bottleneck_properties()};
    struct fields fields = {.format = REPORT_TEXT};
    struct thresholds thresholds;
    struct profile profile;
    const char *path;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) ||
        !set_thresholds(&fields, &thresholds, err))
        return false;
    path = profile_path(argv, operands, fields.common.is_quiet, err);
    if (!path || !profile_load_events(&profile, path, &wanted, &fields.common, err))
        return false;
    ok = answer(&profile, &fields, &thresholds, err);
    profile_free(&profile);
    return ok;
}

const struct command command_bound = {
    .name = "bound",
    .summary = "what holds the run up: input, launches, copies, communication, compute",
    .operands = "[FILE]",
    .examples = "ptk bound testdata/chrome/overlap.json\n"
                "ptk bound --over device testdata/chrome/roofline.json\n"
                "ptk bound --threshold idle=30% -f json testdata/chrome/overlap.json\n",
    .options = options,
    .run = run,
};
