/* SPDX-License-Identifier: Apache-2.0 */
#include "render/reports/reports.h"

#include <string.h>

#include "analysis/functions/hotspots.h"
#include "analysis/selection/select.h"
#include "cmd/shared/command.h"
#include "cmd/shared/load.h"
#include "cmd/shared/profile_command.h"
#include "cmd/shared/shared_options.h"
#include "graph/derive/derive.h"

struct disasm_arguments {
    struct common common;
    struct selection selection;
    uint32_t limit;
    int syntax;
    struct name_pattern function;
    struct symbols *symbols; /* whose texts the report shows */
};

static const char *const syntax_names[] = {"att", "intel", NULL}; /* enum assembly_syntax */

static const struct option options[] = {
    OPT_INCLUDE(struct disasm_arguments, common, struct common, report_options),
    OPT_COUNT('n', "limit", struct disasm_arguments, limit, "N",
              "at most so many functions; 0 is all [20]"),
    OPT_CHOICE(0, "syntax", struct disasm_arguments, syntax, "NAME",
               "how instructions of x86 are written [att]", syntax_names),
    OPT_INCLUDE(struct disasm_arguments, selection, struct selection, filter_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, input_options),
    OPT_INCLUDE(struct disasm_arguments, common, struct common, output_options),
    OPT_END,
};

static bool raise_lack(const struct disassembly *disassembly, struct error *err)
{
    const struct symbol_binary *binary = disassembly->lost;

    if (!binary)
        return error_set(err, ERROR_LACK, "%s", disassembly->why);
    error_set(err, ERROR_LACK, "the code is in %.*s: %s",
              (int)(binary->path.len < 300 ? binary->path.len : 300), binary->path.at,
              disassembly->why);
    return binary->found || strstr(disassembly->why, "--binary-path")
               ? false
               : error_hint(err, "--binary-path DIR says where the binaries are now");
}

static bool fill_report(struct profile *profile, const void *asked, struct arena *arena,
                        struct report *report, struct error *err)
{
    const struct disasm_arguments *fields = asked;
    struct disassembly disassembly;
    const bool *is_wanted;

    if (profile->graph.frames.detail != DETAIL_ADDRESS) {
        error_set(err, ERROR_LACK, "%s do not tell addresses of code",
                  profile->graph.source.format_title);
        return error_hint(err, "'ptk list' shows what lines of source cost");
    }
    if (!fields->symbols)
        return error_set(err, ERROR_USAGE, "--no-symbols: code cannot be shown without binaries");
    if (!profile_select(profile, &fields->selection, err) ||
        !graph_need(&profile->graph, LEVEL_CALLTREE, "there are no instructions to show", err) ||
        !graph_need(&profile->graph, LEVEL_FLAT, "there are no instructions to show", err))
        return false;
    is_wanted = name_pattern_function(&profile->graph, &fields->function, arena);
    if (!is_wanted) {
        name_pattern_lack(&fields->function, err);
        for (frame_id f = 1; f < profile->graph.frames.count; f++)
            if (profile->graph.frames.list[f].is_nameless)
                return error_hint(err, "some code has no name: --binary-path DIR says where the "
                                       "binaries are, 'ptk info' what became of them");
        return false;
    }
    disassembly_compute(&profile->graph, is_wanted, fields->symbols,
                        (enum assembly_syntax)fields->syntax, fields->limit, arena, &disassembly);
    if (disassembly.count == 0)
        return raise_lack(&disassembly, err);
    disasm_report(&disassembly, arena, report);
    return true;
}

static bool run(char **argv, struct error *err)
{
    struct disasm_arguments fields = {.selection.by.index = BY_ADDRESS, .limit = 20};
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err) ||
        !function_take("disasm", argv, &operands, fields.selection.is_literal, &fields.function,
                       err))
        return false;

    const struct builder_options wanted = selection_wanted(&fields.selection, LEVEL_CALLTREE);
    const struct profile_command request = {"disasm", &wanted, &fields.common, fill_report,
                                            &fields};

    fields.symbols = profile_symbols(&fields.common);
    ok = profile_command_run(&request, argv, operands, err);
    symbols_free(fields.symbols);
    name_pattern_free(&fields.function);
    return ok;
}

const struct command command_disasm = {
    .name = "disasm",
    .summary = "a function's instructions, with what each costs",
    .operands = "FUNC [FILE]",
    .reads = "samples by address: pprof, gperftools",
    .examples = "ptk disasm chain --binary-path bin collatz.prof\n"
                "ptk disasm '^longest$' --syntax intel --binary-path bin -f csv collatz.prof\n",
    .options = options,
    .run = run,
};
