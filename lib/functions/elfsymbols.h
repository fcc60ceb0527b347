/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of one ELF file, by address: of its table of all symbols, or where
 * that was stripped of the one for dynamic linking. */
#ifndef HPM_FUNCTIONS_ELFSYMBOLS_H
#define HPM_FUNCTIONS_ELFSYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elffile.h"

struct hpm_symbol {
    uintptr_t address; /* as linked */
    size_t size;       /* in bytes; 0: not known */
    const char *name;  /* linkage name, in the table's memory */
    const char *file;  /* source file; NULL: not known (linetable.h) */
    int line;          /* in it; 0: not known */
};

/* Start from {0}. */
struct hpm_elfsymbols {
    struct hpm_symbol *list; /* by address, one for each address */
    size_t n;
    char *names;
};

/* Read all functions of the file; none where it has no symbols or memory runs
 * out. */
void hpm_elfsymbols_read(struct hpm_elfsymbols *symbols,
                         const struct hpm_elffile *file);
void hpm_elfsymbols_clear(struct hpm_elfsymbols *symbols);

/* The function that begins at this address; NULL for none. */
const struct hpm_symbol *hpm_elfsymbols_at(const struct hpm_elfsymbols *symbols,
                                           uintptr_t address);

/* The address of the function of that name, as linked; 0 for none. */
uintptr_t hpm_elfsymbols_named(const struct hpm_elfsymbols *symbols,
                               const char *name);

#endif
