/* SPDX-License-Identifier: Apache-2.0 */
/* json_sniff.h — which format a JSON document has, by its first key and by words anywhere in it */
#ifndef PTK_PARSERS_JSON_JSON_SNIFF_H
#define PTK_PARSERS_JSON_JSON_SNIFF_H

#include "parsers/parser.h"

/* Writers put the keys of an object in any order: the format has one of the keys, up to NULL, first, and one of
 * the marks, up to NULL, within what is looked at. For `sniff` of struct parser. */
enum sniff sniff_json(struct span head, bool is_all, const char *const *keys,
                      const char *const *marks);

#endif
