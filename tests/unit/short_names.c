/* SPDX-License-Identifier: Apache-2.0 */
/* Short names: of each family and language, told apart, fitted to a width, typed back. */
#include "graph/names/names.h"

#include <criterion/criterion.h>

#include "base/symbols/symbols.h"
#include "base/text/escape.h"
#include "base/text/string_table.h"

static frame_id add_frame(struct graph *graph, const char *name, const char *file, int64_t line, enum frame_kind kind)
{
    struct frame frame = {.name = strings_intern(&graph->strings, span_of(name)),
                          .file = strings_intern(&graph->strings, span_of(file)),
                          .line = line,
                          .kind = kind};

    return frame_intern(&graph->frames, &frame);
}

static void expect_text(struct span got, const char *wanted)
{
    cr_expect(span_eq(got, span_of(wanted)), "%.*s, not %s", (int)got.len, got.at, wanted);
}

/* Each language in the spellings that profilers have. */
Test(short_names, of_each_language)
{
    static const struct {
        const char *name, *file;
        int64_t line;
        enum frame_kind kind;
        const char *label;
    } cases[] = {
        {"find_spec", "<frozen importlib._bootstrap>", 12, KIND_PYTHON, "_bootstrap:12(find_spec)"},
        {"torch/nn/linear.py(116): forward", "torch/nn/linear.py", 116, KIND_PYTHON, "linear.py:116(forward)"},
        {"<built-in method builtins.len>", "", 0, KIND_PYTHON, "{len}"},
        {"<method 'append' of 'list' objects> __builtin__:0", "__builtin__", 0, KIND_HOST, "{list.append}"},
        {"void run<double>(void)", "", 0, KIND_HOST, "run"},
        {"PjitFunction(update)", "", 0, KIND_HOST, "PjitFunction(update)"},
        {"Parse(float)", "", 0, KIND_HOST, "Parse"},
        {"Parse(Input)", "", 0, KIND_HOST, "Parse"},
        {"(anonymous namespace)::GraphBackward", "", 0, KIND_OPERATOR, "GraphBackward"},
        {"nvjet_sm100_tst_128x128x64_4x1_v_bz_TNT_34", "", 0, KIND_KERNEL, "gemm bf16 128x128x64"},
        {"cutlass::device_kernel<fmha_sm100::fmha_fwd_tma>_hdim64_bf16", "", 0, KIND_KERNEL, "fmha_fwd_tma"},
        {"ck_tile::fmha_fwd_hdim64", "", 0, KIND_KERNEL, "fmha_fwd_hdim64"},
        {"aten::mm", "", 0, KIND_KERNEL, "aten::mm"},
        {"<method 'append' of 'list' objects>", "", 0, KIND_PYTHON, "{list.append}"},
        {"shop.py:12", "/srv/shop.py", 12, KIND_PYTHON, "shop.py:12"},
        {"github.com/owner/store/v3.(*DB).Get", "", 0, KIND_HOST, "store.(*DB).Get"},
        {"slices.Sort[go.shape.[]int,go.shape.int]", "", 0, KIND_HOST, "slices.Sort"},
        {"java/util/concurrent/ThreadPoolExecutor$Worker.run", "", 0, KIND_HOST, "ThreadPoolExecutor$Worker.run"},
        {"void java.util.HashMap.put(Object, Object)", "", 0, KIND_HOST, "HashMap.put"},
        {"com.shop.Cart$$Lambda$91+0x00007f0012.apply", "", 0, KIND_HOST, "Cart$$Lambda.apply"},
        {"(anonymous)", "/srv/app/main.js", 9, KIND_HOST, "(anonymous) main.js:9"},
        {"void std::vector<shop::Item, std::allocator<shop::Item> >::push_back(shop::Item const&)", "", 0, KIND_HOST,
         "vector::push_back"},
        {"shop::run()::{lambda(int)#2}::operator()(int) const", "", 0, KIND_HOST, "shop::run::lambda#2"},
        {"<alloc::vec::Vec<T,A> as core::ops::drop::Drop>::drop", "", 0, KIND_HOST, "Vec::drop"},
        {"_RNvMs_Cs4_4shopNtB4_4Cart5total", "", 0, KIND_HOST, "Cart::total"},
        {"autograd::engine::evaluate_function: MmBackward0", "", 0, KIND_OPERATOR, "autograd: MmBackward0"},
        {"nvjet_tst_128x64_64x8_2x1_v_bz_splitK_TNT", "", 0, KIND_KERNEL, "gemm bf16 128x64x64 tnt splitk"},
        {"triton_red_fused__to_copy_add_mean_mul_pow_rsqrt_1", "", 0, KIND_KERNEL,
         "triton_red_1 mean pow rsqrt add mul"},
        {"loop_add_fusion.kd", "", 0, KIND_KERNEL, "loop_add_fusion"},
        {"", "", 0, KIND_HOST, "?"},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct graph graph = {0};

        frames_init(&graph.frames);
        expect_text(graph_short_name(&graph, add_frame(&graph, cases[i].name, cases[i].file, cases[i].line,
                                                       cases[i].kind)),
                    cases[i].label);
        graph_free(&graph);
    }
}

/* What differs is shown, in order of what tells most; at last a number. */
Test(short_names, twins_are_told_apart)
{
    struct graph graph = {0};
    frame_id ids[8];

    frames_init(&graph.frames);
    ids[0] = add_frame(&graph, "run", "/srv/a/main.py", 1, KIND_PYTHON);
    ids[1] = add_frame(&graph, "run", "/srv/b/main.py", 1, KIND_PYTHON);
    ids[2] = add_frame(&graph, "void std::vector<int>::push_back(int const&)", "", 0, KIND_HOST);
    ids[3] = add_frame(&graph, "void std::vector<long>::push_back(long const&)", "", 0, KIND_HOST);
    ids[4] = add_frame(&graph, "parse", "/srv/a.c", 3, KIND_HOST);
    ids[5] = add_frame(&graph, "parse", "/srv/b.c", 3, KIND_HOST);
    ids[6] = add_frame(&graph, "pack(int)", "", 0, KIND_HOST);
    ids[7] = add_frame(&graph, "pack(int) [clone .cold]", "", 0, KIND_HOST);
    expect_text(graph_short_name(&graph, ids[0]), "a/main.py:1(run)");
    expect_text(graph_short_name(&graph, ids[1]), "b/main.py:1(run)");
    expect_text(graph_short_name(&graph, ids[2]), "vector::push_back <int>");
    expect_text(graph_short_name(&graph, ids[3]), "vector::push_back <long>");
    expect_text(graph_short_name(&graph, ids[4]), "parse a.c:3");
    expect_text(graph_short_name(&graph, ids[5]), "parse b.c:3");
    expect_text(graph_short_name(&graph, ids[6]), "pack");
    expect_text(graph_short_name(&graph, ids[7]), "pack .cold");
    graph_free(&graph);
}

/* A twin is found in whatever spelling, though only names that may be equal are labelled. */
Test(short_names, twins_in_other_spellings)
{
    static const struct {
        const char *name, *file;
        int64_t line;
        enum frame_kind kind;
    } pairs[][2] = {
        {{"run", "/srv/a/main.py", 7, KIND_PYTHON}, {"main.py(7): run", "", 0, KIND_PYTHON}},
        {{"run", "/srv/a/main.py", 7, KIND_PYTHON}, {"main.py:7(run)", "", 0, KIND_OTHER}},
        {{"run", "main.py", 7, KIND_PYTHON}, {"run (main.py:7)", "other.py", 8, KIND_PYTHON}},
        {{"<built-in method builtins.len>", "", 0, KIND_HOST}, {"$builtins len", "", 0, KIND_PYTHON}},
        {{"<method 'append' of 'list' objects>", "", 0, KIND_HOST}, {"{list.append}", "", 0, KIND_OTHER}},
        {{"<built-in method posix.stat>", "", 0, KIND_PYTHON}, {"{built-in method posix.stat}", "", 0, KIND_HOST}},
        {{"example.org/one/store/v2.(*DB).Get", "", 0, KIND_HOST}, {"example.org/two/store.(*DB).Get", "a.go", 3, KIND_HOST}},
        {{"slices.Sort", "a.go", 3, KIND_HOST}, {"slices.Sort[go.shape.int]", "a.go", 3, KIND_HOST}},
        {{"java.util.Map.put", "", 0, KIND_HOST}, {"java/util/Map.put", "", 0, KIND_HOST}},
        {{"copy_to", "", 0, KIND_HOST}, {"copy_to.isra.0", "", 0, KIND_HOST}},
        {{"copy_to", "", 0, KIND_HOST}, {"libcopy.so.copy_to", "", 0, KIND_HOST}},
        {{"copy_to", "", 0, KIND_HOST}, {"copy_to(int)", "", 0, KIND_HOST}},
        {{"anonymous", "a.js", 3, KIND_HOST}, {"(anonymous)", "b/a.js", 3, KIND_HOST}},
        {{"gemm_reference", "", 0, KIND_HOST}, {"gemm_reference(float*)", "", 0, KIND_KERNEL}},
    };

    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        for (size_t asked = 0; asked < 2; asked++) {
            struct graph graph = {0};
            frame_id ids[2];
            struct span texts[2];

            frames_init(&graph.frames);
            for (size_t k = 0; k < 2; k++)
                ids[k] = add_frame(&graph, pairs[i][k].name, pairs[i][k].file, pairs[i][k].line, pairs[i][k].kind);
            texts[asked] = graph_short_name(&graph, ids[asked]);
            texts[!asked] = graph_short_name(&graph, ids[!asked]);
            cr_expect(!span_eq(texts[0], texts[1]), "%.*s twice", (int)texts[0].len, texts[0].at);
            graph_free(&graph);
        }
}

/* Every form of every width is another's in no row, is no wider, and selects its function. */
Test(short_names, each_form_selects_its_row)
{
    static const char *const names[] = {
        "ampere_bf16_s16816gemm_bf16_128x64_ldg8_relu_f2f_stages_64x4_nn",
        "ampere_bf16_s16816gemm_bf16_128x64_ldg8_f2f_stages_64x4_nn",
        "ampere_bf16_s16816gemm_bf16_128x128_ldg8_f2f_stages_64x4_nt",
        "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_stages_64x4_nn",
        "flash_bwd_preprocess_of_what_comes_before",
        "flash_bwd_preprocess_of_what_comes_behind",
    };
    struct graph graph = {0};
    struct arena arena = {0};
    frame_id ids[COUNT_OF(names)];
    bool *matches;

    frames_init(&graph.frames);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        ids[i] = add_frame(&graph, names[i], "", 0, KIND_KERNEL);
    matches = arena_array(&arena, graph.frames.count, sizeof(*matches));
    for (size_t width = 18; width < 44; width++) {
        struct span *texts = short_names_fit(&graph, ids, COUNT_OF(names), width, SPAN("…"), &arena);

        for (size_t i = 0; i < COUNT_OF(names); i++) {
            cr_expect(escape_cells(texts[i]) <= width);
            for (size_t k = 0; k < i; k++)
                cr_expect(!span_eq(texts[i], texts[k]), "%.*s twice", (int)texts[i].len, texts[i].at);
            memset(matches, 0, graph.frames.count);
            if (memchr(texts[i].at, '#', texts[i].len))
                continue;
            cr_expect(short_name_select(&graph, texts[i], matches) || short_name_select_facts(&graph, texts[i], matches),
                      "%.*s", (int)texts[i].len, texts[i].at);
            cr_expect(matches[ids[i]], "%.*s", (int)texts[i].len, texts[i].at);
        }
    }
    arena_free(&arena);
    graph_free(&graph);
}

/* Thousands of rows whose names differ where they are cut: each costs about as much as one of few does. */
Test(short_names, thousands_of_alike_rows)
{
    enum { ROWS = 6000, WIDTH = 26 };
    struct graph graph = {0};
    struct arena arena = {0};
    struct strings seen = {0};
    frame_id *ids = arena_array(&arena, ROWS, sizeof(*ids));
    struct span *texts;

    frames_init(&graph.frames);
    for (unsigned i = 0; i < ROWS; i++)
        ids[i] = add_frame(&graph, arena_printf(&arena, "void lib::fill_of_a_long_name_that_is_cut_%u<4, lib::Fill<float> >(int)", i),
                           "", 0, KIND_KERNEL);
    texts = short_names_fit(&graph, ids, ROWS, WIDTH, SPAN("…"), &arena);
    for (unsigned i = 0; i < ROWS; i++) {
        cr_expect(escape_cells(texts[i]) <= WIDTH);
        cr_expect_eq(strings_intern(&seen, texts[i]), i + 1, "%.*s twice", (int)texts[i].len, texts[i].at);
    }
    strings_free(&seen);
    arena_free(&arena);
    graph_free(&graph);
}

/* Spaces side by side are no words; what exceeds the words of a label is one word. */
Test(short_names, twins_of_many_words)
{
    static const char *const names[][2] = {
        {"{method 'read' of '_io.BufferedReader' objects}", "{method 'read' of ' --_io.BufferedReader' objects}"},
        {"run  it", "run"},
        {"run", "run a b c d e f g h i j k l m n o p q r s t u v w x y z a b c d e f g h i j k l m n o p q r s t u v"},
    };

    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t width = 20; width < 160; width += 4)
            for (enum frame_kind kind = 0; kind < KIND_COUNT; kind++) {
                struct graph graph = {0};
                struct arena arena = {0};
                frame_id ids[4];
                struct span *texts;

                frames_init(&graph.frames);
                for (size_t k = 0; k < 4; k++)
                    ids[k] = add_frame(&graph, names[i][k % 2], k < 2 ? "a  b.c" : "c  d.c", 3, kind);
                texts = short_names_fit(&graph, ids, 4, width, SPAN("…"), &arena);
                for (size_t k = 1; k < 4; k++)
                    cr_expect(!span_eq(texts[0], texts[k]), "%.*s twice", (int)texts[0].len, texts[0].at);
                arena_free(&arena);
                graph_free(&graph);
            }
}

/* A head and facts in any order select all that have them. */
Test(short_names, facts_select_several)
{
    struct graph graph = {0};
    bool matches[4] = {false};
    frame_id a, b, c;

    frames_init(&graph.frames);
    a = add_frame(&graph, "volta_sgemm_128x64_nn", "", 0, KIND_KERNEL);
    b = add_frame(&graph, "volta_sgemm_64x64_nn", "", 0, KIND_KERNEL);
    c = add_frame(&graph, "volta_sgemm_64x64_nt", "", 0, KIND_KERNEL);
    cr_assert(short_name_select_facts(&graph, SPAN("gemm nn fp32"), matches));
    cr_expect(matches[a] && matches[b] && !matches[c]);
    cr_expect(!short_name_select_facts(&graph, SPAN("gemm bf16"), matches));
    graph_free(&graph);
}

/* Rust's v0 mangling: paths, generics, closures, references back; what is damaged stays. */
Test(demangle_rust, v0)
{
    static const char *const names[][2] = {
        {"_RNvCs4fqI2P2rA04_7mycrate3foo", "mycrate::foo"},
        {"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of<f64>"},
        {"_RNCNvC1a4main0", "a::main::{closure#0}"},
        {"_RNvXs_C1aNtB4_1SNtB4_1T1f", "<a::S as a::T>::f"},
        {"_RINvC1a3fooRShAm3_TlyEE", "_RINvC1a3fooRShAm3_TlyEE"},
        {"_RINvC1a3fooRShAmKj3_E", "_RINvC1a3fooRShAmKj3_E"},
        {"_RINvC1a3fooRShAmj3_TlyEE", "a::foo<&[u8], [u32; 3], (i32, u64)>"},
        {"_RNvC1a3foo.llvm.123", "a::foo"},
        {"_RNvB_3foo", "_RNvB_3foo"},
        {"_R", "_R"},
        {"_RNvC999999999999a", "_RNvC999999999999a"},
    };
    struct arena arena = {0};

    for (size_t i = 0; i < COUNT_OF(names); i++)
        expect_text(demangle_rust(&arena, span_of(names[i][0])), names[i][1]);
    arena_free(&arena);
}

/* Words that tell functions of two groups apart may be one word: a number then tells them apart. */
Test(short_names, of_groups_that_get_the_same_word_differ)
{
    static const char *const names[] = {
        "void std::_Destroy<std::unique_ptr<work::Shape, std::default_delete<work::Shape> > >("
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*)",
        "void std::_Destroy<std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*>("
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*, "
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*)",
        "void std::_Destroy<std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*, "
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> > >("
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*, "
        "std::unique_ptr<work::Shape, std::default_delete<work::Shape> >*, "
        "std::allocator<std::unique_ptr<work::Shape, std::default_delete<work::Shape> > >&)"};
    struct graph graph = {0};
    struct span labels[COUNT_OF(names)];

    frames_init(&graph.frames);
    for (size_t i = 0; i < COUNT_OF(names); i++)
        labels[i] = graph_short_name(&graph, add_frame(&graph, names[i], "", 0, KIND_HOST));
    for (size_t i = 0; i < COUNT_OF(names); i++)
        for (size_t k = 0; k < i; k++)
            cr_expect(!span_eq(labels[i], labels[k]), "%.*s twice", (int)labels[i].len, labels[i].at);
    graph_free(&graph);
}
