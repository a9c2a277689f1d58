#include "cmd/answer.h"
#include "cmd/command.h"
#include "cmd/joined.h"
#include "graph/need.h"
#include "render/roofline_report.h"

struct fields {
    struct common common;
    double peak_tflops, peak_gbs, link_gbs;
    const char *gpu;
    uint32_t limit;
    int format, precision, by;
};

static const char *const precision_choices[] = {"auto", "fp64", "fp32", "tf32",
                                                "fp16", "bf16", "fp8",  NULL};

static const char *const by_choices[] = {"kernel", "operator", NULL};

static const struct option options[] = {
    OPT_CHOICE('f', "format", struct fields, format, "FORM", "write as [text]",
               report_format_names),
    OPT_GROUP("Ceilings"),
    OPT_NUMBER(0, "peak-tflops", struct fields, peak_tflops, "T",
               "the compute peak, for every precision"),
    OPT_NUMBER(0, "peak-gbs", struct fields, peak_gbs, "G", "the memory bandwidth, in GB/s"),
    OPT_NUMBER(0, "link-gbs", struct fields, link_gbs, "G",
               "the bandwidth between host and device, one way, in GB/s"),
    OPT_TEXT(0, "gpu", struct fields, gpu, "NAME",
             "take the peaks of this GPU instead of the one that the profile names"),
    OPT_CHOICE(0, "precision", struct fields, precision, "P",
               "whose peak counts [auto: by the types of the inputs]", precision_choices),
    OPT_GROUP("Rows"),
    OPT_CHOICE(0, "by", struct fields, by, "WHAT",
               "a row a kernel, or an operator where shapes tell its work [kernel]", by_choices),
    OPT_COUNT('n', "limit", struct fields, limit, "N", "at most N rows, 0 for all [20]"),
    OPT_INCLUDE(struct fields, common, struct common, input_options),
    OPT_INCLUDE(struct fields, common, struct common, output_options),
    OPT_END,
};

/* ---- ceilings: the user's, else those of the table ---- */

static const struct gpu *find_gpu(const struct joined *joined, const char *asked, struct error *err)
{
    const struct gpu *gpu = NULL;

    if (asked) {
        gpu = gpu_named(span_of(asked));
        if (!gpu)
            error_set(err, ERROR_USAGE, "no peaks are known of a GPU named '%.60s'", asked);
        return gpu;
    }
    for (uint32_t file = 0; file < joined->count; file++) {
        const struct graph *graph = &joined->list[file].graph;

        for (uint32_t i = 0; !gpu && i < graph->device_count; i++)
            gpu = gpu_named(graph_text(graph, graph->devices[i].name));
    }
    return gpu;
}

/* An unknown precision is compared with single precision; --precision replaces what was found. */
static void take_gpu(const struct gpu *gpu, int precision, struct ceilings *ceilings)
{
    for (uint32_t i = 0; i < PRECISION_COUNT; i++)
        ceilings->flops[i] = gpu->flops[precision ? (uint32_t)precision - 1 : i];
    ceilings->flops[PRECISION_UNKNOWN] =
        gpu->flops[precision ? (uint32_t)precision - 1 : PRECISION_FP32];
    ceilings->memory = gpu->memory;
    ceilings->link = gpu->link;
}

static void take_given(const struct fields *fields, struct ceilings *ceilings)
{
    for (uint32_t i = 0; fields->peak_tflops > 0 && i <= PRECISION_COUNT; i++)
        ceilings->flops[i] = fields->peak_tflops * 1e12;
    if (fields->peak_gbs > 0)
        ceilings->memory = fields->peak_gbs * 1e9;
    if (fields->link_gbs > 0)
        ceilings->link = fields->link_gbs * 1e9;
}

static const char *peak_text(double peak, struct arena *arena)
{
    return peak > 0 ? arena_printf(arena, "%.4g", peak) : "unknown";
}

static const char *provenance(const struct fields *fields, const struct gpu *gpu,
                              const struct ceilings *c, struct arena *arena)
{
    if (!gpu && !(fields->peak_tflops > 0 || fields->peak_gbs > 0 || fields->link_gbs > 0))
        return "no ceilings: the profile names no GPU that is known; give --gpu, or --peak-tflops "
               "and --peak-gbs";
    return arena_printf(
        arena, "ceilings: fp32 %s, fp16 %s TFLOP/s%s; memory %s, link %s GB/s%s%s%s",
        peak_text(c->flops[PRECISION_FP32] / 1e12, arena),
        peak_text(c->flops[PRECISION_FP16] / 1e12, arena),
        fields->peak_tflops > 0 ? " (given)" : "", peak_text(c->memory / 1e9, arena),
        peak_text(c->link / 1e9, arena), gpu ? "; where not given, those of " : "",
        gpu ? gpu->pattern : "", gpu ? ", dense" : "");
}

/* ---- several files ---- */

static const char *join_text(const struct joined *joined, struct arena *arena)
{
    const struct counters_join *join = &joined->join;
    const char *counted = joined->count == 1 ? "" : " of the other run";

    if (joined->list[0].graph.native != LEVEL_TIMELINE)
        return arena_printf(arena, "%u of %u counted kernels are in the table of times",
                            join->kernels - join->absent, join->kernels);
    return arena_printf(
        arena, "%u of %u launches have counters%s%s%s", join->matched, join->launches, counted,
        join->uneven ? "; kernels that were launched another number of times: " : "",
        join->uneven ? arena_printf(arena, "%u", join->uneven) : "");
}

/* ---- the command ---- */

static void compute(const struct graph *graph, const struct roofline_options *wanted,
                    struct arena *arena, struct report *report, struct roofline *roofline)
{
    if (graph->native == LEVEL_TIMELINE) {
        roofline_compute(graph, wanted, arena, roofline);
        return;
    }
    roofline_compute_counted(graph, wanted, arena, roofline);
    if (graph->has_derived_times)
        report_before(report, "no times were measured: they follow from the bytes and throughputs "
                              "of memory that counters saw");
}

static bool fill_report(struct joined *joined, const struct fields *fields, struct arena *arena,
                        struct report *report, struct roofline *roofline, struct error *err)
{
    struct roofline_options wanted = {.by_operator = fields->by == 1, .limit = fields->limit};
    const struct gpu *gpu = find_gpu(joined, fields->gpu, err);

    if (fields->gpu && !gpu)
        return false;
    if (gpu)
        take_gpu(gpu, fields->precision, &wanted.ceilings);
    take_given(fields, &wanted.ceilings);
    compute(&joined->list[0].graph, &wanted, arena, report, roofline);
    report_before(report, provenance(fields, gpu, &wanted.ceilings, arena));
    if (joined->is_joined)
        report_before(report, join_text(joined, arena));
    roofline_report(roofline, &wanted, arena, report);
    return true;
}

static bool lack_work(const struct profile *profile, const struct roofline *roofline,
                      struct error *err)
{
    if (roofline->kernel_time == 0 && profile->graph.counted_count) {
        error_set(err, ERROR_LACK, "it has counters, and no times");
        error_file(err, profile->path);
        return error_hint(err, "add a file of another run that has times: ptk roofline trace.csv "
                               "metrics.csv");
    }
    error_set(err, ERROR_LACK, "nothing says how many FLOPs the kernels did");
    error_file(err, profile->path);
    return error_hint(err, "looked for: counters, flops, kernel_flop, and the shapes of "
                           "inputs, which PyTorch writes with record_shapes=True");
}

/* What can be said is said; that nothing is known of FLOPs is the exit status. */
static bool answer(struct joined *joined, const struct fields *fields, struct error *err)
{
    struct profile *profile = &joined->list[0];
    struct report_input inputs[JOINED_MAX];
    struct report report = {.command = "roofline", .inputs = inputs, .input_count = joined->count};
    struct arena arena = {0};
    struct roofline roofline;
    bool ok;

    for (uint32_t i = 0; i < joined->count; i++)
        inputs[i] = (struct report_input){joined->list[i].path, &joined->list[i].graph};
    if (!profile->graph.counted_count &&
        !graph_need(&profile->graph, LEVEL_TIMELINE, "no kernel has a duration of its own", err))
        return false;
    ok = fill_report(joined, fields, &arena, &report, &roofline, err) &&
         answer_write(&report, (enum report_format)fields->format, &fields->common, err);
    arena_free(&arena);
    return ok && (roofline.explained > 0 || lack_work(profile, &roofline, err));
}

static bool run(char **argv, struct error *err)
{
    struct fields fields = {.limit = 20};
    struct builder_options wanted;
    struct joined joined;
    size_t operands;
    bool ok;

    if (!option_parse(options, &fields, argv, &operands, err))
        return false;
    wanted = (struct builder_options){
        .need = LEVEL_TIMELINE, .properties = roofline_properties(), .launches = true};
    if (!joined_load(&joined, argv, operands, &wanted, &fields.common, err))
        return false;
    ok = answer(&joined, &fields, err);
    joined_free(&joined);
    return ok;
}

const struct command command_roofline = {
    .name = "roofline",
    .summary = "how close each kernel comes to what the hardware can do",
    .operands = "[FILE [COUNTERS...]]",
    .examples = "ptk roofline testdata/chrome/roofline.json\n"
                "ptk roofline testdata/nvprof/trace.csv testdata/nvprof/metrics.csv\n"
                "ptk roofline --peak-tflops 6 --by operator testdata/chrome/roofline.json\n"
                "ptk roofline --gpu H200 --precision tf32 testdata/chrome/roofline.json\n",
    .options = options,
    .run = run,
};
