/* SPDX-License-Identifier: Apache-2.0 */
#include <unistd.h>

#include "cmd/shared/command.h"
#include "cmd/shared/load.h"
#include "cmd/shared/profile_command.h"
#include "graph/derive/derive.h"
#include "render/browser/browser.h"

struct browse_arguments {
    struct common common;
    struct selection selection;
    bool is_bottom_up;
};

static const char *const color_names[] = {"auto", "always", "never", NULL};

static const struct option options[] = {
    OPT_FLAG('b', "bottom-up", struct browse_arguments, is_bottom_up,
             "the tree is from the functions that spend the time up to their callers"),
    OPT_CHOICE(0, "color", struct browse_arguments, common.color, "WHEN", "colour the rows [auto]",
               color_names),
    OPT_INCLUDE(struct browse_arguments, selection, struct selection, selection_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, window_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, base_options),
    OPT_END,
};

static bool browse(struct profile *profile, const struct browse_arguments *fields,
                   struct error *err)
{
    struct output out = {.file = stdout};
    struct text_style style = report_output_style(&fields->common, &out);
    const struct browser_screen_options screen = {.title = profile->path,
                                                  .has_color = style.has_color,
                                                  .is_unicode = style.is_unicode};
    struct graph *graph = &profile->graph;
    struct error none = {0};
    struct browser browser;
    bool ok;

    if (!profile_select(profile, &fields->selection, err) ||
        !graph_need(graph, LEVEL_FLAT, "there is nothing to browse", err))
        return false;
    /* a flat profile is browsed as such */
    (void)(graph_need(graph, LEVEL_CALLGRAPH, "", &none) && graph_need_paths(graph, "", &none));
    browser_begin(&browser, graph, fields->is_bottom_up);
    ok = browser_screen_run(&browser, &screen, err);
    browser_end(&browser);
    return ok;
}

static bool run(char **argv, struct error *err)
{
    struct browse_arguments fields = {0};
    struct builder_options wanted;
    struct profile profile;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    if (!isatty(STDOUT_FILENO)) {
        error_set(err, ERROR_USAGE, "browse needs a terminal");
        return error_hint(err, "ptk hotspots, peek and tree write what it shows");
    }
    wanted = selection_wanted(&fields.selection, LEVEL_CALLGRAPH);
    if (!profile_load_operand(&profile, argv, operands, &wanted, &fields.common, err))
        return false;
    ok = browse(&profile, &fields, err);
    profile_free(&profile);
    return ok;
}

const struct command command_browse = {
    .name = "browse",
    .summary = "walk about in a profile: functions, callers and callees, the tree of time",
    .operands = "[FILE]",
    .examples = "ptk browse profile.out\n"
                "ptk browse --mine --no-imports profile.out\n",
    .options = options,
    .run = run,
};
