#include "cmd/shared/function_operand.h"

bool function_take(const char *command, char **operands, size_t count, struct pattern *pattern,
                   struct error *err)
{
    if (count == 0) {
        error_set(err, ERROR_USAGE, "%s needs a function's name", command);
        return error_hint(err, "ptk %s FUNC [FILE]", command);
    }
    return pattern_compile(pattern, operands[0], err);
}

bool function_lack(const char *function, struct error *err)
{
    error_set(err, ERROR_NO, "no function matches '%.100s'", function);
    return error_hint(err, "a part of its name is enough; 'ptk hotspots -n 0' lists the names");
}
