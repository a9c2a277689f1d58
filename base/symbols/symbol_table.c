/* SPDX-License-Identifier: Apache-2.0 */
/* symbol_table.c — the symbol of an address: a module's symbols, sorted once
 *
 * The choice is that of elfutils' dwfl_module_addrinfo(), which reads the whole table for each address. */
#include <stdlib.h>

#include "base/symbols/elfutils.h"

#define NO_ENTRY UINT32_MAX

struct symbol_entry {
    struct table_symbol symbol;
    uint32_t place;      /* in the order of the search: global symbols first, then local ones */
    uint32_t wider;      /* the last entry before that ends later, or NO_ENTRY */
    uint8_t binding;     /* a higher one is preferred */
    bool is_local;       /* of the part of the table that is searched last */
    bool has_no_section; /* an absolute symbol: it names its own address alone */
};

struct symbol_table {
    Dwfl_Module *module;
    VECTOR(struct symbol_entry);
    struct VECTOR_OF(uint32_t) around; /* the entries around the address at hand */
};

/* ---- reading ---- */

static uint8_t preference(const GElf_Sym *symbol)
{
    switch (GELF_ST_BIND(symbol->st_info)) {
    case STB_GLOBAL:
        return 3;
    case STB_WEAK:
        return 2;
    case STB_LOCAL:
        return 1;
    default:
        return 0;
    }
}

static void add_symbol(struct symbol_table *table, int index, bool is_local)
{
    GElf_Sym symbol;
    GElf_Addr low;
    GElf_Word section;
    const char *name =
        libdw()->dwfl_module_getsym_info(table->module, index, &symbol, &low, &section, NULL, NULL);
    unsigned type = GELF_ST_TYPE(symbol.st_info);

    if (!name || !*name || symbol.st_shndx == SHN_UNDEF || type == STT_SECTION ||
        type == STT_FILE || type == STT_TLS || table->count == NO_ENTRY)
        return;
    vector_add(table,
               (struct symbol_entry){
                   .symbol = {.name = name,
                              .low = low,
                              .high = symbol.st_size > UINT64_MAX - low ? UINT64_MAX
                                                                        : low + symbol.st_size,
                              .is_object = type == STT_OBJECT},
                   .place = (uint32_t)table->count,
                   .binding = preference(&symbol),
                   .is_local = is_local,
                   .has_no_section = section >= SHN_LORESERVE,
               });
}

static bool starts_before(const void *context, uint32_t a, uint32_t b)
{
    const struct symbol_entry *list = context;

    return list[a].symbol.low < list[b].symbol.low;
}

static void sort_entries(struct symbol_table *table)
{
    uint32_t *order = sorted_order(table->count, starts_before, table->list);
    void *scratch = grow_to(NULL, table->count + 1, sizeof(*table->list));

    permute(table->list, sizeof(*table->list), order, table->count, scratch);
    free(scratch);
    free(order);
    for (uint32_t i = 0; i < table->count; i++) {
        uint32_t wider = i ? i - 1 : NO_ENTRY;

        while (wider != NO_ENTRY && table->list[wider].symbol.high <= table->list[i].symbol.high)
            wider = table->list[wider].wider;
        table->list[i].wider = wider;
    }
}

struct symbol_table *symbol_table_new(Dwfl_Module *module)
{
    struct symbol_table *table = grow_zeroed(1, sizeof(*table));
    int count = libdw()->dwfl_module_getsymtab(module);
    int first_global = count > 0 ? libdw()->dwfl_module_getsymtab_first_global(module) : -1;

    table->module = module;
    if (first_global < 0)
        return table;
    for (int i = first_global ? first_global : 1; i < count; i++)
        add_symbol(table, i, false);
    for (int i = 1; i < first_global; i++)
        add_symbol(table, i, true);
    sort_entries(table);
    return table;
}

void symbol_table_free(struct symbol_table *table)
{
    if (!table)
        return;
    free(table->around.list);
    free(table->list);
    free(table);
}

/* ---- searching ---- */

/* Lists the entries that hold an address. Returns where the last byte ends that one before the address
 * has, if none holds it. */
static uint64_t list_around(struct symbol_table *table, uint32_t past, uint64_t address)
{
    uint64_t end = 0;

    table->around.count = 0;
    for (uint32_t at = past ? past - 1 : NO_ENTRY; at != NO_ENTRY;) {
        end = table->list[at].symbol.high;
        if (end <= address) {
            at = table->list[at].wider;
            continue;
        }
        vector_add(&table->around, at);
        at = at ? at - 1 : NO_ENTRY;
    }
    return end;
}

static bool comes_first(const void *context, uint32_t a, uint32_t b)
{
    const struct symbol_entry *list = context;

    return list[a].place < list[b].place;
}

/* Not an order: who is compared with whom depends on the table's. */
static bool is_better(const struct symbol_entry *next, const struct symbol_entry *best)
{
    return next->symbol.low > best->symbol.low || next->binding > best->binding ||
           (next->symbol.low == best->symbol.low && next->binding == best->binding &&
            next->symbol.high < best->symbol.high);
}

static const struct symbol_entry *best_around(struct symbol_table *table)
{
    const struct symbol_entry *best = NULL;

    sort_stable(table->around.list, table->around.count, comes_first, table->list);
    for (size_t i = 0; i < table->around.count; i++) {
        const struct symbol_entry *next = &table->list[table->around.list[i]];

        if (best && next->is_local && !best->is_local)
            break;
        if (!best || is_better(next, best))
            best = next;
    }
    return best;
}

static bool share_section(const struct symbol_table *table, uint64_t a, uint64_t b)
{
    GElf_Addr bias;

    return libdw()->dwfl_module_address_section(table->module, &a, &bias) ==
           libdw()->dwfl_module_address_section(table->module, &b, &bias);
}

/* The last of the labels, which have no size, at `low`. */
static const struct symbol_entry *last_label(const struct symbol_table *table, uint32_t past,
                                             uint64_t low, bool is_local, bool needs_section)
{
    for (uint32_t at = past; at-- > 0 && table->list[at].symbol.low >= low;) {
        const struct symbol_entry *label = &table->list[at];

        if (label->symbol.low == low && label->symbol.high == low && label->is_local == is_local &&
            !(needs_section && label->has_no_section))
            return label;
    }
    return NULL;
}

/* The label behind everything that ends before the address, in the address's section. */
static const struct symbol_entry *label_before(const struct symbol_table *table, uint32_t past,
                                               uint64_t low, uint64_t address)
{
    const struct symbol_entry *label = last_label(table, past, low, true, low != address);

    if (!label)
        label = last_label(table, past, low, false, low != address);
    return label && share_section(table, low, address) ? label : NULL;
}

const struct table_symbol *symbol_table_find(struct symbol_table *table, uint64_t address)
{
    SEARCH(uint32_t, past, (uint32_t)table->count, table->list[past].symbol.low <= address);
    uint64_t end = list_around(table, past, address);
    const struct symbol_entry *best = best_around(table), *label = NULL;

    if (!best || best->is_local)
        label = last_label(table, past, address, false, false);
    if (!best && !label)
        label = label_before(table, past, end, address);
    if (label)
        best = label;
    return best ? &best->symbol : NULL;
}
