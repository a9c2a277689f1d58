/* SPDX-License-Identifier: Apache-2.0 */
/* json_sniff.c — which format a JSON document has, by its first key and by words anywhere in it */
#include "parsers/json/json_sniff.h"

#include "parsers/json/json.h"

enum sniff sniff_json(struct span head, bool is_all, const char *const *keys,
                      const char *const *marks)
{
    if (!span_is_any(walk_first_key(head), keys))
        return SNIFF_NO;
    if (span_holds_any(head, marks))
        return SNIFF_YES;
    return is_all ? SNIFF_NO : SNIFF_MORE;
}
