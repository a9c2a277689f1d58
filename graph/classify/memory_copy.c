/* SPDX-License-Identifier: Apache-2.0 */
#include "graph/classify/memory_copy.h"

#include "base/attr.h"

enum copy_direction copy_direction_of(struct span abbreviation)
{
    static const struct {
        const char *text;
        enum copy_direction direction;
    } known[] = {
        {"HtoD", COPY_HOST_TO_DEVICE},   {"DtoH", COPY_DEVICE_TO_HOST},
        {"DtoD", COPY_DEVICE_TO_DEVICE}, {"HtoH", COPY_HOST_TO_HOST},
        {"PtoP", COPY_PEER_TO_PEER},     {"HtoA", COPY_WITH_ARRAY},
        {"AtoH", COPY_WITH_ARRAY},       {"DtoA", COPY_WITH_ARRAY},
        {"AtoD", COPY_WITH_ARRAY},       {"AtoA", COPY_WITH_ARRAY},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (span_eq(abbreviation, span_of(known[i].text)))
            return known[i].direction;
    return COPY_UNKNOWN;
}

/* Abbreviations stand inside longer words, too, so a name must be one of a copy. */
enum copy_direction copy_direction_of_name(struct span name)
{
    static const struct {
        const char *part; /* in lower case */
        enum copy_direction direction;
    } parts[] = {
        {"htod", COPY_HOST_TO_DEVICE},
        {"dtoh", COPY_DEVICE_TO_HOST},
        {"dtod", COPY_DEVICE_TO_DEVICE},
        {"htoh", COPY_HOST_TO_HOST},
        {"ptop", COPY_PEER_TO_PEER},
        {"h2d", COPY_HOST_TO_DEVICE},
        {"d2h", COPY_DEVICE_TO_HOST},
        {"d2d", COPY_DEVICE_TO_DEVICE},
        {"p2p", COPY_PEER_TO_PEER},
        {"peer", COPY_PEER_TO_PEER},
        {"host-to-device", COPY_HOST_TO_DEVICE},
        {"device-to-host", COPY_DEVICE_TO_HOST},
        {"device-to-device", COPY_DEVICE_TO_DEVICE},
        {"host-to-host", COPY_HOST_TO_HOST},
        {"host_to_device", COPY_HOST_TO_DEVICE},
        {"device_to_host", COPY_DEVICE_TO_HOST},
        {"device_to_device", COPY_DEVICE_TO_DEVICE},
        {"host_to_host", COPY_HOST_TO_HOST},
        {"hosttodevice", COPY_HOST_TO_DEVICE},
        {"devicetohost", COPY_DEVICE_TO_HOST},
        {"devicetodevice", COPY_DEVICE_TO_DEVICE},
        {"hosttohost", COPY_HOST_TO_HOST},
        {"htoa", COPY_WITH_ARRAY},
        {"atoh", COPY_WITH_ARRAY},
        {"dtoa", COPY_WITH_ARRAY},
        {"atod", COPY_WITH_ARRAY},
        {"atoa", COPY_WITH_ARRAY},
    };

    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (span_find_word(name, span_of(parts[i].part)) != SIZE_MAX)
            return parts[i].direction;
    return COPY_UNKNOWN;
}

enum memory_kind memory_kind_of(struct span text)
{
    static const struct {
        const char *word; /* in lower case */
        enum memory_kind kind;
    } known[] = {
        {"pageable", MEMORY_PAGEABLE}, {"pinned", MEMORY_PINNED},   {"device", MEMORY_DEVICE},
        {"array", MEMORY_ARRAY},       {"managed", MEMORY_MANAGED}, {"unified", MEMORY_MANAGED},
        {"host", MEMORY_HOST},
    };

    for (size_t i = 0; i < COUNT_OF(known); i++)
        if (text.len == strlen(known[i].word) && span_find_word(text, span_of(known[i].word)) == 0)
            return known[i].kind;
    return MEMORY_UNKNOWN;
}
