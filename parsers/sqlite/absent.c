/* absent.c — in place of all others here where libsqlite3 was not found at build time */
#include "parsers/parser.h"

static const char magic[] = "SQLite format 3"; /* and its NUL */

static enum sniff sniff(struct span head, bool is_all)
{
    if (head.len >= sizeof(magic))
        return memcmp(head.at, magic, sizeof(magic)) == 0 ? SNIFF_YES : SNIFF_NO;
    return is_all || memcmp(head.at, magic, head.len) != 0 ? SNIFF_NO : SNIFF_MORE;
}

static bool parse(struct input *in, struct builder *builder, struct error *err)
{
    (void)in;
    (void)builder;
    error_set(err, ERROR_INPUT, "a SQLite database, and this ptk was built without libsqlite3");
    return error_hint(err, "build it where libsqlite3-dev is installed, or export the profile as "
                           "CSV: nsys stats -r cuda_gpu_trace -f csv");
}

const struct parser parser_sqlite = {
    .name = "sqlite",
    .title = "databases of nvprof and Nsight Systems",
    .summary = "SQLite files of nvprof -o and nsys export -t sqlite",
    .level = LEVEL_TIMELINE,
    .sniff = sniff,
    .parse = parse,
};
