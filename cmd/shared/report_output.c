/* SPDX-License-Identifier: Apache-2.0 */
#include "cmd/shared/profile_command.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "render/pictures/svg.h"

enum { COLUMNS_LEAST = 60 };

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

/* --color, then NO_COLOR, then CLICOLOR_FORCE, then a dumb terminal, then whether there is a
 * terminal. */
static bool wants_color(int choice, bool is_terminal)
{
    const char *term = getenv("TERM"), *forced = getenv("CLICOLOR_FORCE");

    if (choice != COLOR_AUTO)
        return choice == COLOR_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (forced && *forced && strcmp(forced, "0") != 0)
        return true;
    if (!term || strcmp(term, "dumb") == 0)
        return false;
    return is_terminal;
}

static uint32_t terminal_columns(int fd)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    long asked = columns ? strtol(columns, NULL, 10) : 0;

    if (asked >= COLUMNS_LEAST && asked < 10000)
        return (uint32_t)asked;
    if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS_LEAST)
        return size.ws_col;
    return 0;
}

struct text_style report_output_style(const struct common *common, const struct output *out)
{
    int fd = fileno(out->file);
    bool is_terminal = isatty(fd);

    return (struct text_style){
        .has_color = wants_color(common->color, is_terminal),
        .is_unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
        .is_terminal = is_terminal,
        .is_csv_safe = common->is_csv_safe,
        .paths = common->paths != PATHS_AUTO ? (enum label_paths)common->paths
                 : is_terminal               ? PATHS_SHORT
                                             : PATHS_FULL,
        .columns = is_terminal ? terminal_columns(fd) : 0,
    };
}

bool report_output_write(const struct report *report, const struct common *common,
                         struct error *err)
{
    struct output out;
    struct text_style style;

    if ((common->format == REPORT_SVG && !xml_stream_check(err)) ||
        !output_open(&out, common->output, err))
        return false;
    style = report_output_style(common, &out);
    report_write(report, (enum report_format)common->format, &style, out.file);
    if (!output_commit(&out, err))
        return false;
    *err = report->lack;
    return err->kind == ERROR_NONE;
}
