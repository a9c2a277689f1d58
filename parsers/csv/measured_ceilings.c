/* SPDX-License-Identifier: Apache-2.0 */
/* measured_ceilings.c — reads roofline.csv, which rocprof-compute writes beside pmc_perf.csv
 *
 *     device,HBMBw,HBMBwLow,hbmBwHigh,L2Bw,...,FP32Flops,...,MFMABF16Flops,...
 *     0,1388.8003,1388.2018,1389.3988,5018.0034,...,20942.057,...,170490.59,...
 *
 * A row is a device, its figures are GB/s and GFLOP/s. Low and High are the bounds of a mean. */
#include "parsers/csv/measured_ceilings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/io/io.h"
#include "base/memory/memory.h"
#include "parsers/csv/csv.h"

enum {
    FIELD_MEMORY = 1,
    FIELD_L2,
    FIELD_L1,
    FIELD_FLOPS /* PRECISION_COUNT pairs: vector, matrix */
};

#define VECTOR_FIELD(precision) (FIELD_FLOPS + 2 * (precision))
#define MATRIX_FIELD(precision) (FIELD_FLOPS + 2 * (precision) + 1)

static const struct csv_title titles[] = {
    {"HBMBw", FIELD_MEMORY},
    {"L2Bw", FIELD_L2},
    {"L1Bw", FIELD_L1},
    {"FP16Flops", VECTOR_FIELD(PRECISION_FP16)},
    {"FP32Flops", VECTOR_FIELD(PRECISION_FP32)},
    {"FP64Flops", VECTOR_FIELD(PRECISION_FP64)},
    {"MFMAF8Flops", MATRIX_FIELD(PRECISION_FP8)},
    {"MFMAF16Flops", MATRIX_FIELD(PRECISION_FP16)},
    {"MFMABF16Flops", MATRIX_FIELD(PRECISION_BF16)},
    {"MFMAF32Flops", MATRIX_FIELD(PRECISION_FP32)},
    {"MFMAF64Flops", MATRIX_FIELD(PRECISION_FP64)},
    {"MFMAI8Ops", MATRIX_FIELD(PRECISION_INT8)},
};

/* A table while it is read: large, because a row may have many cells. */
struct ceiling_table {
    struct csv_header header;
    struct csv_fields cells;
};

/* In base units of what the file has in billions. */
static double figure_of(const struct ceiling_table *table, unsigned field)
{
    struct span cell = csv_cell(&table->header, &table->cells, field);
    char text[64], *end;
    double figure;

    if (cell.len == 0 || cell.len >= sizeof(text))
        return 0;
    memcpy(text, cell.at, cell.len);
    text[cell.len] = '\0';
    figure = strtod(text, &end);
    return *end == '\0' && isfinite(figure) && figure > 0 ? figure * 1e9 : 0;
}

static bool read_table(struct input *in, struct ceiling_table *table,
                       struct measured_ceilings *measured)
{
    struct span line;

    if (!input_line(in, &line))
        return false;
    fields_of_csv(line, &table->cells);
    csv_header_read(&table->header, titles, COUNT_OF(titles), &table->cells, 0);
    if (!csv_has(&table->header, FIELD_MEMORY) || !input_line(in, &line))
        return false;
    fields_of_csv(line, &table->cells);
    measured->memory = figure_of(table, FIELD_MEMORY);
    measured->l2 = figure_of(table, FIELD_L2);
    measured->l1 = figure_of(table, FIELD_L1);
    for (int p = 0; p < PRECISION_COUNT; p++)
        measured->flops[p] = fmax(figure_of(table, (unsigned)VECTOR_FIELD(p)),
                                  figure_of(table, (unsigned)MATRIX_FIELD(p)));
    return measured->memory > 0;
}

bool measured_ceilings_beside(const char *profile, struct measured_ceilings *measured)
{
    const struct span own = SPAN("pmc_perf.csv");
    struct span path = span_of(profile);
    struct ceiling_table *table;
    struct arena arena = {0};
    struct input in;
    bool is_read = false;

    *measured = (struct measured_ceilings){0};
    if (!span_eq(span_file_name(path), own))
        return false;
    table = grow_zeroed(1, sizeof(*table));
    if (input_open_beside(
            &in, arena_printf(&arena, "%.*sroofline.csv", (int)(path.len - own.len), path.at))) {
        is_read = read_table(&in, table, measured);
        input_close(&in);
    }
    arena_free(&arena);
    free(table);
    return is_read;
}
