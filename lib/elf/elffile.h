/* SPDX-License-Identifier: BSD-3-Clause
 * An ELF file of this machine's word size, read piece by piece: what is read is a
 * copy, so that a file which somebody shortens meanwhile harms nobody. */
#ifndef HPM_ELF_ELFFILE_H
#define HPM_ELF_ELFFILE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>

/* Start from {0}. */
struct hpm_elffile {
    int descriptor;
    ElfW(Phdr) * parts; /* program headers */
    size_t n_parts;
    ElfW(Shdr) * sections; /* NULL: the file has none */
    size_t n_sections;
    char *names; /* of the sections */
    size_t names_size;
};

/* Open the file and read its headers; false, and nothing to close, where it cannot
 * be read or is no such file. */
bool hpm_elffile_open(struct hpm_elffile *file, const char *path);
void hpm_elffile_close(struct hpm_elffile *file);

/* The first section of that type or name, NULL for none. */
const ElfW(Shdr) *
    hpm_elffile_typed(const struct hpm_elffile *file, unsigned type);
const ElfW(Shdr) *
    hpm_elffile_named(const struct hpm_elffile *file, const char *name);

/* The bytes of a section, to be freed with hpm_memory_free, and a byte 0 behind
 * them; NULL where the section is NULL, has no bytes in the file, is compressed other
 * than by zlib, or memory runs out. */
void *hpm_elffile_read(const struct hpm_elffile *file,
                       const ElfW(Shdr) * section, size_t *ret_size);

/* Has the program a part of that type (PT_INTERP ...)? */
bool hpm_elffile_has_part(const struct hpm_elffile *file, unsigned type);

#endif
