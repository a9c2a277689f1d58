/* SPDX-License-Identifier: Apache-2.0 */
/* ptk disasm and ptk weblist: what the instructions of functions cost, as a table or a page with
 * sources. */
#include "render/reports/reports.h"

#include <string.h>

#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "base/io/io.h"
#include "base/io/source_text.h"
#include "cmd/answer/profile_command.h"
#include "cmd/answer/report_output.h"
#include "cmd/help/command.h"
#include "cmd/load/profile_load.h"
#include "cmd/load/source_files.h"
#include "cmd/options/common_options.h"
#include "graph/derive/derive.h"
#include "render/page/page.h"
#include "render/svg/svg.h"

struct disasm_arguments {
    struct common common;
    struct source_choice sources; /* of weblist */
    uint32_t limit;
    int syntax;
    struct symbols *symbols; /* whose texts the report shows */
};

static const char *const syntax_names[] = {"att", "intel", NULL}; /* enum assembly_syntax */

static const struct option disasm_options[] = {
    OPT_INCLUDE(struct disasm_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct disasm_arguments, limit, "N",
              "at most so many functions; 0 is all [20]"),
    OPT_CHOICE(0, "syntax", struct disasm_arguments, syntax, "NAME",
               "how instructions of x86 are written [att]", syntax_names),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, output_options),
    OPT_END,
};

static const struct option weblist_options[] = {
    OPT_COUNT('n', "limit", struct disasm_arguments, limit, "N",
              "at most so many functions; 0 is all [20]"),
    OPT_CHOICE(0, "syntax", struct disasm_arguments, syntax, "NAME",
               "how instructions of x86 are written [att]", syntax_names),
    OPT_INCLUDE(struct disasm_arguments, sources, struct source_choice, source_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, filter_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, part_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, output_options),
    OPT_END,
};

static bool raise_lack(const struct disassembly *disassembly, struct error *err)
{
    const struct symbol_binary *binary = disassembly->lost;

    if (!binary) {
        error_set(err, ERROR_LACK, "%s", disassembly->why);
        return error_hint(err, "perf.data says it, and perf script --show-mmap-events");
    }
    error_set(err, ERROR_LACK, "the code is in %.*s: %s",
              (int)(binary->path.len < 300 ? binary->path.len : 300), binary->path.at,
              disassembly->why);
    return binary->found || strstr(disassembly->why, "--binary-path")
               ? false
               : error_hint(err, "--binary-path DIR says where the binaries are now");
}

static bool find_code(struct profile *profile, const struct disasm_arguments *fields,
                      struct arena *arena, struct disassembly *disassembly, struct error *err)
{
    const bool *is_wanted;

    if (profile->graph.frames.detail != DETAIL_ADDRESS) {
        error_set(err, ERROR_LACK, "%s do not have addresses of code",
                  profile->graph.source.format_title);
        return error_hint(err, "'ptk list' shows what lines of source cost");
    }
    if (!fields->symbols)
        return error_set(err, ERROR_USAGE, "--no-symbols: code cannot be shown without binaries");
    if (!graph_need(&profile->graph, LEVEL_CALLTREE, "there are no instructions to show", err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "there are no instructions to show", err))
        return false;
    is_wanted = name_pattern_function(&profile->graph, &fields->common.function, arena);
    if (!is_wanted) {
        name_pattern_lack(&fields->common.function, err);
        for (frame_id f = 1; f < profile->graph.frames.count; f++)
            if (profile->graph.frames.list[f].is_nameless)
                return error_hint(err, "some code has no name: --binary-path DIR says where the "
                                       "binaries are, 'ptk info' what became of them");
        return false;
    }
    disassembly_compute(&profile->graph, is_wanted, fields->symbols,
                        (enum assembly_syntax)fields->syntax, fields->limit, arena, disassembly);
    if (disassembly->count && disassembly->functions[0].trouble)
        return error_set(err, ERROR_LACK, "there are no instructions: %s",
                         disassembly->functions[0].trouble);
    return disassembly->count > 0 || raise_lack(disassembly, err);
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    struct disassembly disassembly;

    if (!find_code(profile, asked, arena, &disassembly, err))
        return false;
    disasm_report(&disassembly, arena, report);
    return true;
}

static bool write_page(struct profile *profile, const void *asked, struct arena *arena,
                       struct error *err)
{
    const struct disasm_arguments *fields = asked;
    struct report_input input = {profile->path, &profile->graph};
    struct report report = {
        .command = "weblist", .inputs = &input, .input_count = 1, .arena = arena};
    struct disassembly disassembly;
    struct code_text *sources;
    struct code_lines lines;
    struct output out;
    struct page page;
    struct span *paths;

    if (!profile_select(profile, &fields->common.selection, err) ||
        !find_code(profile, fields, arena, &disassembly, err) || !xml_stream_check(err) ||
        !output_open(&out, fields->common.output, err))
        return false;
    disassembly_by_line(&profile->graph, &disassembly, arena, &lines);
    paths = arena_array(arena, disassembly.count, sizeof(*paths));
    for (uint32_t i = 0; i < disassembly.count; i++)
        if (disassembly.functions[i].count)
            paths[i] = disassembly.functions[i].list[0].own.file;
    sources = sources_read(paths, disassembly.count, &fields->sources, arena);
    weblist_report(&disassembly, &lines, sources, arena, &report);
    sources_write_missing(sources, disassembly.count, fields->common.is_quiet, arena, &report);
    page_open(&page, out.file, &(struct page_head){.title = profile->path});
    page_section(&page, "code", "Lines and their instructions");
    page_report(&page, &report, 0);
    page_close(&page);
    return output_commit(&out, err);
}

static const struct disasm_arguments defaults = {.limit = 20};

static bool prepare(struct profile_request *request, struct error *err)
{
    struct disasm_arguments *fields = request->asked;

    (void)err;
    fields->symbols = profile_symbols(&fields->common);
    return true;
}

static void release(void *asked)
{
    struct disasm_arguments *fields = asked;

    symbols_free(fields->symbols);
}

static const struct profile_command profile_command = {
    .size = sizeof(struct disasm_arguments),
    .defaults = &defaults,
    .wanted = {.need = LEVEL_CALLTREE, .detail = DETAIL_ADDRESS},
    .takes_function = true,
    .prepare = prepare,
    .fill = fill_report,
    .release = release,
};

static bool prepare_page(struct profile_request *request, struct error *err)
{
    const struct common *common = request->asked;

    return terminal_check("an HTML page", common->output, err) && prepare(request, err);
}

static const struct profile_command weblist_record = {
    .size = sizeof(struct disasm_arguments),
    .defaults = &defaults,
    .wanted = {.need = LEVEL_CALLTREE, .detail = DETAIL_ADDRESS},
    .takes_function = true,
    .prepare = prepare_page,
    .write = write_page,
    .release = release,
};

#define READS_ADDRESSES "samples by address: pprof, gperftools, perf"

const struct command command_disasm = {
    .name = "disasm",
    .summary = "a function's instructions, with what each costs",
    .operands = "FUNC [FILE]",
    .reads = READS_ADDRESSES,
    .examples = "ptk disasm chain --binary-path bin collatz.prof\n"
                "ptk disasm '^longest$' --syntax intel --binary-path bin -f csv collatz.prof\n",
    .options = disasm_options,
    .profile = &profile_command,
};

const struct command command_weblist = {
    .name = "weblist",
    .summary = "a page of a function's source, whose lines open to their instructions",
    .operands = "FUNC [FILE]",
    .reads = READS_ADDRESSES,
    .examples = "ptk weblist chain --binary-path bin -o chain.html collatz.prof\n"
                "ptk weblist --source-path . --binary-path bin -o all.html . collatz.prof\n",
    .options = weblist_options,
    .profile = &weblist_record,
};
