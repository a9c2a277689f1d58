/* SPDX-License-Identifier: Apache-2.0 */
/* ptk browse: functions, callers and the tree of time on a terminal, read again where paths are
 * asked for. */
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/browser/browser.h"

struct browse_arguments {
    struct common common;
    bool is_bottom_up;
};

static const char *const color_names[] = {"auto", "always", "never", NULL};

static const struct option options[] = {
    OPT_FLAG('b', "bottom-up", struct browse_arguments, is_bottom_up,
             "the tree is from the functions that spend the time up to their callers"),
    OPT_CHOICE(0, "color", struct browse_arguments, common.color, "WHEN", "colour the rows [auto]",
               color_names),
    OPT_INCLUDE(struct browse_arguments, common, struct common, selection_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct browse_arguments, common, struct common, base_options),
    OPT_END,
};

/* The list of functions is there as soon as `ptk hotspots` has it. Callers and the tree are read when they are
 * first asked for: that takes ten times as long where stacks are deep. */
static bool can_read_again(const char *path, const struct browse_arguments *fields)
{
    struct stat info;

    return stat(path, &info) == 0 && S_ISREG(info.st_mode) &&
           selection_is_all(&fields->common.selection) &&
           run_part_is_all(&fields->common.part) && !fields->common.base &&
           !fields->common.diff_base;
}

/* Paths of the graph were summed up while they were read. */
static bool lacks_paths(const struct graph *graph)
{
    return graph->native >= LEVEL_CALLGRAPH && !graph->has[graph->native] &&
           !graph->has[LEVEL_CALLTREE] && !graph->has[LEVEL_CALLGRAPH];
}

/* `place` is where to begin, and at the end where more of the file was awaited. */
static bool browse(struct profile *profile, const struct browse_arguments *fields,
                   struct browser_place *place, struct arena *arena, struct error *err)
{
    struct output out = {.file = stdout};
    struct text_style style = report_output_style(&fields->common, &out);
    const struct browser_screen_options screen = {
        .title = profile->path, .has_color = style.has_color, .is_unicode = style.is_unicode};
    struct graph *graph = &profile->graph;
    struct error none = {0};
    struct browser browser;
    bool ok;

    if (!profile_select(profile, &fields->common.selection, err) ||
        !graph_need(graph, LEVEL_FLAT, "there is nothing to browse", err))
        return false;
    /* a flat profile is browsed as such */
    (void)(!lacks_paths(graph) && graph_need(graph, LEVEL_CALLGRAPH, "", &none) &&
           graph_need_paths(graph, "", &none));
    browser_begin(&browser, graph, fields->is_bottom_up);
    browser.lacks_paths = lacks_paths(graph);
    if (place->action != BROWSER_NOTHING)
        browser_resume(&browser, place);
    ok = browser_screen_run(&browser, &screen, err);
    *place = browser_place_of(&browser, arena);
    browser_end(&browser);
    return ok;
}

static bool read_and_browse(struct profile_request *request, struct error *err)
{
    const struct browse_arguments *fields = request->asked;
    struct browser_place place = {.action = BROWSER_NOTHING};
    char *path = NULL;
    bool ok;

    if (!isatty(STDOUT_FILENO)) {
        error_set(err, ERROR_USAGE, "browse needs a terminal");
        return error_hint(err, "ptk hotspots, peek and tree write what it shows");
    }
    path = (char *)profile_path(request->operands, request->count, fields->common.is_quiet, err);
    if (!path)
        return false;

    enum level need = can_read_again(path, fields) ? LEVEL_FLAT : LEVEL_CALLGRAPH;

    do { /* once more where an action awaits paths */
        struct builder_options wanted = selection_wanted(&fields->common.selection, need);
        struct profile profile;

        ok = profile_load_operand(&profile, &path, 1, &wanted, &fields->common, err);
        if (!ok)
            break;
        ok = browse(&profile, fields, &place, &request->arena, err);
        profile_free(&profile);
        need = LEVEL_CALLGRAPH;
    } while (ok && place.action != BROWSER_NOTHING);
    return ok;
}

static const struct profile_command profile_command = {
    .size = sizeof(struct browse_arguments),
    .answer = read_and_browse,
};

const struct command command_browse = {
    .name = "browse",
    .summary = "look through a profile: functions, callers and callees, the tree of time",
    .operands = "[FILE]",
    .examples = "ptk browse profile.out\n"
                "ptk browse --mine --no-imports profile.out\n",
    .options = options,
    .profile = &profile_command,
};
