#include "base/text/pattern.h"

#include <errno.h>

#include "base/memory/oom.h"

bool pattern_compile(struct pattern *pattern, const char *text, struct error *err)
{
    int fault = regcomp(&pattern->regex, text, REG_EXTENDED | REG_NOSUB);
    char why[100];

    if (fault == 0)
        return true;
    if (fault == REG_ESPACE)
        oom();
    regerror(fault, &pattern->regex, why, sizeof(why));
    error_set(err, ERROR_USAGE, "'%.100s' is not a regular expression: %s", text, why);
    return error_hint(err, "put a backslash before a character that is meant literally");
}

bool pattern_matches(const struct pattern *pattern, struct span text)
{
    int fault;

    errno = 0;
    fault = regexec(&pattern->regex, text.at, 0, NULL, 0);
    /* glibc says REG_NOMATCH, too, where it had no memory to search with */
    if (fault && (fault != REG_NOMATCH || errno == ENOMEM))
        oom();
    return fault == 0;
}

void pattern_free(struct pattern *pattern)
{
    regfree(&pattern->regex);
}
