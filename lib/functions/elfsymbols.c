/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of one ELF file, by address. */
#include "functions/elfsymbols.h"

#include <elf.h>
#include <string.h>

#include "base/sort.h"
#include "host/memory.h"

#if __SIZEOF_POINTER__ == 8
#define TYPE_OF(info) ELF64_ST_TYPE(info)
#else
#define TYPE_OF(info) ELF32_ST_TYPE(info)
#endif

static bool
is_function(const ElfW(Sym) * symbol, size_t names_size)
{
    return TYPE_OF(symbol->st_info) == STT_FUNC &&
           symbol->st_shndx != SHN_UNDEF && symbol->st_name != 0 &&
           symbol->st_name < names_size;
}

/* By address; of several names of one function (aliases, C++ constructors) the
 * first one by alphabet is kept, so that it is the same one in each run. */
static int
compare(const void *first, const void *second)
{
    const struct hpm_symbol *a = first, *b = second;

    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return strcmp(a->name, b->name);
}

static void
keep_one_each(struct hpm_elfsymbols *symbols)
{
    size_t n = 0;

    for (size_t i = 0; i < symbols->n; i++) {
        if (n == 0 || symbols->list[n - 1].address != symbols->list[i].address)
            symbols->list[n++] = symbols->list[i];
    }
    symbols->n = n;
}

static void
fill(struct hpm_elfsymbols *symbols, const ElfW(Sym) * table, size_t n,
     size_t names_size)
{
    size_t n_functions = 0;

    for (size_t i = 0; i < n; i++)
        n_functions += is_function(&table[i], names_size);
    symbols->list = hpm_memory_new(n_functions + 1, sizeof *symbols->list);
    for (size_t i = 0; symbols->list != NULL && i < n; i++) {
        if (is_function(&table[i], names_size))
            symbols->list[symbols->n++] =
                (struct hpm_symbol){.address = (uintptr_t)table[i].st_value,
                                    .size = (size_t)table[i].st_size,
                                    .name = symbols->names + table[i].st_name};
    }
    hpm_sort(symbols->list, symbols->n, sizeof *symbols->list, compare);
    keep_one_each(symbols);
}

void
hpm_elfsymbols_read(struct hpm_elfsymbols *symbols,
                    const struct hpm_elffile *file)
{
    const ElfW(Shdr) *section = hpm_elffile_typed(file, SHT_SYMTAB);
    size_t size = 0, names_size = 0;
    ElfW(Sym) * table;

    if (section == NULL)
        section = hpm_elffile_typed(file, SHT_DYNSYM);
    table = hpm_elffile_read(file, section, &size);
    if (table != NULL && section->sh_link < file->n_sections)
        symbols->names = hpm_elffile_read(
            file, &file->sections[section->sh_link], &names_size);
    if (symbols->names != NULL)
        fill(symbols, table, size / sizeof *table, names_size);
    hpm_memory_free(table);
}

void
hpm_elfsymbols_clear(struct hpm_elfsymbols *symbols)
{
    hpm_memory_free(symbols->list);
    hpm_memory_free(symbols->names);
    *symbols = (struct hpm_elfsymbols){0};
}

const struct hpm_symbol *
hpm_elfsymbols_at(const struct hpm_elfsymbols *symbols, uintptr_t address)
{
    size_t low = 0, high = symbols->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (symbols->list[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < symbols->n && symbols->list[low].address == address
               ? &symbols->list[low]
               : NULL;
}

uintptr_t
hpm_elfsymbols_named(const struct hpm_elfsymbols *symbols, const char *name)
{
    for (size_t i = 0; i < symbols->n; i++) {
        if (strcmp(symbols->list[i].name, name) == 0)
            return symbols->list[i].address;
    }
    return 0;
}
