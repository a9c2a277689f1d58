/* SPDX-License-Identifier: Apache-2.0 */
/* What other tools' commands and options are called in ptk. */
#include <string.h>

#include "base/cli/cli.h"
#include "base/error/error.h"
#include "base/memory/span.h"

#define THIS_IS "in ptk this is "

static const struct {
    const char *typed, *hint;
} habits[] = {
    /* pprof */
    {"top", THIS_IS "'ptk hotspots', and -n N limits its rows"},
    {"text", THIS_IS "'ptk hotspots'"},
    {"http", THIS_IS "'ptk web FILE', without a server, or 'ptk browse'"},
    {"gv", THIS_IS "'ptk dot FILE | dot -Tpng -o graph.png'"},
    {"evince", THIS_IS "'ptk dot FILE | dot -Tpdf -o graph.pdf'"},
    {"eog", THIS_IS "'ptk dot FILE | dot -Tpng -o graph.png'"},
    {"png", THIS_IS "'ptk dot FILE | dot -Tpng -o graph.png'"},
    {"pdf", THIS_IS "'ptk dot FILE | dot -Tpdf -o graph.pdf'"},
    {"ps", THIS_IS "'ptk dot FILE | dot -Tps -o graph.ps'"},
    {"gif", THIS_IS "'ptk dot FILE | dot -Tgif -o graph.gif'"},
    {"svg", THIS_IS "'ptk dot FILE | dot -Tsvg -o graph.svg', or 'ptk flame -o flame.svg FILE'"},
    {"proto", THIS_IS "'ptk convert --to pprof'"},
    {"topproto", THIS_IS "'ptk convert --to pprof'"},
    {"raw", THIS_IS "'ptk convert --to json'"},
    {"kcachegrind", THIS_IS "'ptk convert --to callgrind'"},
    {"tags", THIS_IS "'ptk labels'"},
    {"list", THIS_IS "'ptk list FUNC'"},
    {"weblist", THIS_IS "'ptk weblist FUNC'"},
    {"disasm", THIS_IS "'ptk disasm FUNC'"},
    {"peek", THIS_IS "'ptk peek FUNC'"},
    {"tree", THIS_IS "'ptk tree'"},
    {"traces", THIS_IS "'ptk traces'"},
    {"dot", THIS_IS "'ptk dot'"},
    {"callgrind", THIS_IS "'ptk convert --to callgrind'"},
    {"comments", THIS_IS "'ptk info'"},
    {"granularity", THIS_IS "--by WHAT"},
    {"nodefraction", THIS_IS "--min-percent P"},
    {"edgefraction", THIS_IS "--edge-percent P of 'ptk dot'"},
    {"tagroot", THIS_IS "--by tagroot:KEY"},
    {"tagleaf", THIS_IS "--by tagleaf:KEY"},
    {"symbolize", THIS_IS "--binary-path DIR, or --no-symbols"},
    /* perf */
    {"record", "ptk reads profiles, and 'ptk guide recording' says how to record them"},
    {"stat", THIS_IS "'ptk bound', or 'ptk info' for the counts"},
    {"annotate", THIS_IS "'ptk disasm FUNC', or 'ptk list FUNC' for its source"},
    {"script", THIS_IS "'ptk convert --to folded', or 'ptk traces'"},
    {"percent-limit", THIS_IS "--min-percent P"},
    {"stdio", "ptk prints text unless -f names a form"},
    {"input", THIS_IS "the file's name alone"},
    {"call-graph", THIS_IS "'ptk tree'"},
    /* nsys, ncu and viewers of traces */
    {"stats", THIS_IS "'ptk hotspots', or 'ptk summary' for a trace"},
    {"analyze", THIS_IS "'ptk advise'"},
    {"export", THIS_IS "'ptk convert'"},
    {"query", THIS_IS "any command with -f json or -f csv: ptk has no query language"},
    {"gui", THIS_IS "'ptk browse', or 'ptk web FILE'"},
    {"open", THIS_IS "'ptk browse', or 'ptk web FILE'"},
    {"view", THIS_IS "'ptk browse', or 'ptk web FILE'"},
    /* Python's profilers and viewers */
    {"print-stats", THIS_IS "'ptk hotspots'"},
    {"print-callers", THIS_IS "'ptk callers FUNC'"},
    {"print-callees", THIS_IS "'ptk callees FUNC'"},
    {"dump", THIS_IS "'ptk traces'"},
    {"table", THIS_IS "'ptk hotspots'"},
    {"leaks", THIS_IS "'ptk advise'"},
    /* in general */
    {"flamegraph", THIS_IS "'ptk flame -o flame.svg FILE'"},
    {"flame-graph", THIS_IS "'ptk flame -o flame.svg FILE'"},
    {"icicle", THIS_IS "'ptk flame --icicle -o icicle.svg FILE'"},
    {"callgraph", THIS_IS "'ptk dot FILE | dot -Tpng -o graph.png'"},
    {"graph", THIS_IS "'ptk dot FILE | dot -Tpng -o graph.png'"},
    {"compare", THIS_IS "'ptk diff BEFORE AFTER'"},
    {"source", THIS_IS "'ptk list FUNC'"},
    {"memory", THIS_IS "'ptk hotspots --value NAME', or 'ptk summary --table memory' of a trace"},
    {"kernels", THIS_IS "'ptk hotspots --value device'"},
    {"analyse", THIS_IS "'ptk advise'"},
    {"html", THIS_IS "'ptk report -o report.html FILE'"},
};

/* Options of others that mean the same as one of ptk: whose value they are, or take. */
static const struct habit synonyms[] = {
    {"cum", "sort", "cum"},
    {"children", "sort", "cum"},
    {"inclusive", "sort", "cum"},
    {"flat", "sort", "self"},
    {"no-children", "sort", "self"},
    {"sample-index", "value", NULL},
    {"alloc-space", "value", "alloc_space"},
    {"alloc-objects", "value", "alloc_objects"},
    {"inuse-space", "value", "inuse_space"},
    {"inuse-objects", "value", "inuse_objects"},
    {"contentions", "value", "contentions"},
    {"total-delay", "value", "delay"},
    {"functions", "by", "function"},
    {"files", "by", "file"},
    {"lines", "by", "line"},
    {"addresses", "by", "address"},
    {"nodecount", "limit", NULL},
    {"tagfocus", "focus-label", NULL},
    {"tagignore", "ignore-label", NULL},
    {"diff-base", "before", NULL},
    {"json", "format", "json"},
    {"csv", "format", "csv"},
    {"markdown", "format", "md"},
};

const struct habit *habit_named(struct span name)
{
    for (size_t i = 0; i < COUNT_OF(synonyms); i++)
        if (span_eq(span_of(synonyms[i].typed), name))
            return &synonyms[i];
    return NULL;
}

void option_plain_name(const char *typed, char name[OPTION_NAME_MAX])
{
    size_t len = 0;

    typed += strspn(typed, "-");
    for (; typed[len] && typed[len] != '=' && len + 1 < OPTION_NAME_MAX; len++)
        name[len] = typed[len];
    name[len] = '\0';
    for (char *c = name; (c = strchr(c, '_'));)
        *c = '-';
}

bool habit_hint(const char *typed, struct error *err)
{
    char name[OPTION_NAME_MAX];

    option_plain_name(typed, name);
    for (size_t i = 0; i < COUNT_OF(habits); i++)
        if (strcmp(habits[i].typed, name) == 0) {
            error_hint(err, "%s", habits[i].hint);
            return true;
        }
    return false;
}
