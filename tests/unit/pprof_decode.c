/* SPDX-License-Identifier: Apache-2.0 */
/* pprof_decode.c — our reader of pprof profiles beside protobuf-c's, which proto/profile.proto
 * makes */
#define _XOPEN_SOURCE 700 /* nftw() */
#include <criterion/criterion.h>
#include <ftw.h>
#include <stdlib.h>

#include "base/checked.h"
#include "base/io/io.h"
#include "base/memory/memory.h"
#include "graph/build/builder.h"
#include "parsers/parser.h"
#include "proto/profile.pb-c.h"

extern const struct parser parser_pprof;

/* What a profile says, in one number a value: every stack's hash times its value, added up. Samples
 * of one stack can be added before or after. */
enum { VALUES_MAX = 16 };

struct content {
    size_t values;
    uint64_t sum[VALUES_MAX];
};

static uint64_t hash_on(uint64_t hash, struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        hash = (hash ^ (unsigned char)name.at[i]) * 0x100000001b3;
    return (hash ^ 0x100) * 0x9e3779b97f4a7c15;
}

static const struct input_options plain;

#define NAMELESS SPAN("\001")

/* ---- as protobuf-c decodes it ---- */

static struct span text_at(const Pprof__Profile *profile, int64_t place)
{
    if (place < 0 || (uint64_t)place >= profile->n_string_table)
        return SPAN("");
    return (struct span){(const char *)profile->string_table[place].data,
                         profile->string_table[place].len};
}

static struct span name_of(const Pprof__Profile *profile, uint64_t id)
{
    for (size_t i = 0; i < profile->n_function; i++) {
        const Pprof__Function *function = profile->function[i];

        if (function->id == id)
            return text_at(profile, function->name ? function->name : function->system_name);
    }
    return id ? SPAN("") : NAMELESS;
}

static uint64_t hash_location(const Pprof__Profile *profile, uint64_t hash, uint64_t id)
{
    for (size_t i = 0; i < profile->n_location; i++) {
        const Pprof__Location *location = profile->location[i];

        if (location->id != id)
            continue;
        if (location->n_line == 0)
            return hash_on(hash, NAMELESS);
        for (size_t line = location->n_line; line-- > 0;)
            hash = hash_on(hash, name_of(profile, location->line[line]->function_id));
        return hash;
    }
    return hash;
}

static uint64_t scale_of(struct span unit)
{
    static const struct {
        const char *name;
        uint64_t scale;
    } units[] = {
        {"microseconds", 1000},  {"us", 1000},      {"milliseconds", 1000000}, {"ms", 1000000},
        {"seconds", 1000000000}, {"s", 1000000000}, {"kilobytes", 1 << 10},    {"kb", 1 << 10},
        {"megabytes", 1 << 20},  {"mb", 1 << 20},
    };

    for (size_t i = 0; i < COUNT_OF(units); i++)
        if (span_eq(unit, span_of(units[i].name)))
            return units[i].scale;
    return 1;
}

static bool decode(struct span bytes, struct content *content)
{
    Pprof__Profile *profile = pprof__profile__unpack(NULL, bytes.len, (const uint8_t *)bytes.at);

    if (!profile)
        return false;
    *content = (struct content){.values = profile->n_sample_type};
    for (size_t i = 0; i < profile->n_sample; i++) {
        const Pprof__Sample *sample = profile->sample[i];
        uint64_t hash = 1;

        for (size_t at = sample->n_location_id; at-- > 0;)
            hash = hash_location(profile, hash, sample->location_id[at]);
        for (size_t v = 0; v < sample->n_value && v < VALUES_MAX && sample->n_location_id; v++)
            content->sum[v] += hash * (uint64_t)sample->value[v] *
                               (v < profile->n_sample_type
                                    ? scale_of(text_at(profile, profile->sample_type[v]->unit))
                                    : 1);
    }
    pprof__profile__free_unpacked(profile, NULL);
    return true;
}

/* ---- as ptk reads it ---- */

static void add_tree(const struct graph *graph, struct content *content)
{
    const struct calltree *tree = &graph->tree;
    uint64_t *hash = grow_zeroed(tree->count, sizeof(*hash));

    *content = (struct content){.values = graph->values.count};
    hash[0] = 1;
    for (node_id node = 1; node < tree->count; node++) {
        const struct frame *frame = graph_frame(graph, tree->frame[node]);

        cr_assert_lt(calltree_parent(tree, node), node);
        hash[node] = hash_on(hash[calltree_parent(tree, node)],
                             frame->is_nameless ? NAMELESS : graph_text(graph, frame->name));
        for (uint32_t v = 0; v < graph->values.count && v < VALUES_MAX; v++)
            content->sum[v] += hash[node] * (uint64_t)calltree_self(tree, v, node);
    }
    free(hash);
}

static bool read_profile(struct span bytes, struct content *content, struct error *err)
{
    struct builder_options wanted = {
        .need = LEVEL_CALLTREE, .all_values = true, .spreads_python = true};
    struct builder *builder = builder_new(&wanted);
    struct input in;
    struct graph graph;
    bool ok = input_open_memory(&in, bytes, &plain, err);

    ok = ok && parser_pprof.parse(&in, builder, err);
    if (ok) {
        builder_finish(builder, &graph);
        add_tree(&graph, content);
        graph_free(&graph);
    } else {
        builder_abandon(builder);
    }
    input_close(&in);
    return ok;
}

/* ---- files ---- */

static unsigned compared;

/* The unpacked bytes of a file, to be freed. */
static struct span bytes_of(const char *path)
{
    struct error err = {0};
    struct input in;
    char *bytes = NULL;
    size_t len = 0, cap = 0, got;

    if (!input_open(&in, path, &plain, &err))
        return (struct span){NULL, 0};
    do {
        cap = len + 65536;
        bytes = grow_to(bytes, cap, 1);
        got = input_read(&in, bytes + len, cap - len);
        len += got;
    } while (got);
    input_close(&in);
    return (struct span){bytes, len};
}

static int compare_file(const char *path, const struct stat *info, int type, struct FTW *place)
{
    struct content ours = {0}, theirs = {0};
    struct error err = {0};
    struct span bytes;
    bool is_ours, is_theirs;

    (void)place;
    if (type != FTW_F || info->st_size > 400000)
        return 0;
    bytes = bytes_of(path);
    if (bytes.len > 4000000)
        bytes.len = 0;
    if (bytes.len) {
        is_ours = read_profile(bytes, &ours, &err);
        is_theirs = decode(bytes, &theirs);
        cr_expect(is_theirs || !is_ours, "%s: protobuf-c cannot decode what we read", path);
        if (is_ours && is_theirs) {
            compared++;
            cr_expect_eq(ours.values, theirs.values ? theirs.values : 1, "%s: value types", path);
            /* sums past 64 bits are held at the limit: these are beyond */
            for (size_t v = 0; v < ours.values && v < VALUES_MAX && !strstr(path, "extremes"); v++)
                cr_expect_eq(ours.sum[v], theirs.sum[v], "%s: value %zu", path, v);
        }
    }
    free((char *)bytes.at);
    return 0;
}

static void compare_files(const char *folder, unsigned least)
{
    compared = 0;
    cr_assert_eq(nftw(folder, compare_file, 16, FTW_PHYS), 0);
    cr_expect_geq(compared, least, "%s: only %u files compared", folder, compared);
}

Test(pprof_decode, bundled_profiles_say_the_same_to_protobuf_c)
{
    compare_files("testdata/pprof", 8);
}

Test(pprof_decode, those_of_the_corpus_do_too)
{
    struct stat info;

    if (stat("../shared/corpus/pprof", &info) != 0)
        cr_skip_test("no ../shared/corpus/pprof");
    compare_files("../shared/corpus/pprof", 40);
}
