/* times.h — which times an event can have: with a week added, the difference of any two is one, too */
#ifndef PTK_PARSERS_CHROME_TIMES_H
#define PTK_PARSERS_CHROME_TIMES_H

#include <stdbool.h>
#include <stdint.h>

/* In ns: until the year 2116, where they are since 1970. */
static inline bool time_is_possible(int64_t ns)
{
    const int64_t latest = ((int64_t)1 << 62) - ((int64_t)1 << 52);

    return ns <= latest && ns >= -latest;
}

#endif
