/* SPDX-License-Identifier: BSD-3-Clause
 * The source file and line of each function, or of one instruction, of the table of lines
 * that compilers write with -g (.debug_line, DWARF 2 to 5).  A reader of our own: a measured program
 * loads no library for it. */
#ifndef HPM_ELF_LINETABLE_H
#define HPM_ELF_LINETABLE_H

#include "elf/elffile.h"
#include "elf/elfsymbols.h"

/* Give each function file and line where the table has a line that begins at its
 * address; those of the others stay NULL and 0.  A path is absolute if the compiler
 * noted its folder (DWARF 5), else as the compiler got it.  Paths live for ever. */
void hpm_linetable_fill(struct hpm_elfsymbols *symbols,
                        const struct hpm_elffile *file);

/* The same of the instruction at this address, as linked; false where the table does not
 * know it. */
bool hpm_linetable_find(const struct hpm_elffile *file, uintptr_t address,
                        const char **ret_path, int *ret_line);

#endif
