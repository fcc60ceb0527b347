/* SPDX-License-Identifier: BSD-3-Clause
 * The source file and line of each function, of the table of lines that compilers
 * write with -g (.debug_line, DWARF 2 to 5).  A reader of our own: a measured program
 * loads no library for it. */
#ifndef HPM_FUNCTIONS_LINETABLE_H
#define HPM_FUNCTIONS_LINETABLE_H

#include "functions/elfsymbols.h"
#include "elf/elffile.h"

/* Give each function file and line where the table has a line that begins at its
 * address; those of the others stay NULL and 0.  A path is absolute if the compiler
 * noted its folder (DWARF 5), else as the compiler got it.  Paths live for ever. */
void hpm_linetable_fill(struct hpm_elfsymbols *symbols,
                        const struct hpm_elffile *file);

#endif
