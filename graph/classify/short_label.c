/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/short_label.h"

/* Where the last part of a path begins that ends before `end`. */
static size_t last_part(struct span text, size_t end)
{
    while (end > 0 && text.at[end - 1] != '/')
        end--;
    return end;
}

/* Where ":12(name)" begins; SIZE_MAX where the label has no place. */
static size_t place_at(struct span label)
{
    for (size_t at = 0; at + 2 < label.len; at++) {
        size_t digits = at + 1;

        if (label.at[at] != ':')
            continue;
        while (digits < label.len && label.at[digits] >= '0' && label.at[digits] <= '9')
            digits++;
        if (digits > at + 1 && digits < label.len && label.at[digits] == '(')
            return at;
    }
    return SIZE_MAX;
}

/* Behind "…/site-packages/", "…/dist-packages/" or "…/lib/python3.11/"; 0 where it is in none. */
static size_t library_root(struct span label)
{
    static const struct span folders[] = {{"/site-packages/", 15}, {"/dist-packages/", 15}};
    size_t at;

    for (size_t i = 0; i < 2; i++)
        if ((at = span_find(label, folders[i])) != SIZE_MAX)
            return at + folders[i].len;
    at = span_find(label, SPAN("/lib/python"));
    if (at == SIZE_MAX)
        return 0;
    at += sizeof("/lib/python") - 1;
    while (at < label.len && label.at[at] != '/')
        at++;
    return at < label.len ? at + 1 : 0;
}

bool label_has_folder(struct span label)
{
    size_t place = place_at(label);

    return place != SIZE_MAX && last_part(label, place) > 0 && !library_root(label);
}

size_t label_common(struct span label, struct span first, size_t common)
{
    size_t same = 0, most = last_part(label, place_at(label));

    if (common != SIZE_MAX && most > common)
        most = common;
    while (same < most && same < first.len && label.at[same] == first.at[same])
        same++;
    return last_part(label, same);
}

struct span label_short(struct span label, enum label_paths paths, size_t common)
{
    size_t place = place_at(label), root = library_root(label), open = 0;

    if (paths == PATHS_FULL)
        return label;
    if (place != SIZE_MAX && paths == PATHS_NAME) {
        open = place + 1 + (size_t)(strchr(label.at + place, '(') - (label.at + place));
        return (struct span){label.at + open, label.len - open - span_ends(label, SPAN(")"))};
    }
    if (place != SIZE_MAX)
        return span_after(label, root                                            ? root
                                 : common != SIZE_MAX && label_has_folder(label) ? common
                                                                                 : 0);
    while (open < label.len && !strchr("([{< ", label.at[open]))
        open++;
    return span_after(label, last_part(label, open));
}
