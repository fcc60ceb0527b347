/* SPDX-License-Identifier: BSD-3-Clause
 * ELF files made byte by byte, so that a test knows what is in them. */
#ifndef TESTS_ELF_IMAGE_H
#define TESTS_ELF_IMAGE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { IMAGE_SECTIONS = 12, IMAGE_BYTES = 1 << 16 };

/* One part is loaded code: the addresses IMAGE_CODE and IMAGE_CODE_SIZE bytes on; the
 * other one is loaded data, right behind it. */
enum { IMAGE_CODE = 0x1000, IMAGE_CODE_SIZE = 0x800, IMAGE_PARTS = 2 };

struct image {
    ElfW(Ehdr) header;
    ElfW(Phdr) parts[IMAGE_PARTS];
    ElfW(Shdr) sections[IMAGE_SECTIONS];
    size_t n_sections;
    unsigned char bytes[IMAGE_BYTES]; /* what is behind header and parts */
    size_t size;
    char names[256];
    size_t names_size;
};

/* A program of this machine with the two parts and section 0, which is none. */
void image_begin(struct image *image);

/* Add a section with these bytes; returns its number. */
size_t image_add(struct image *image, const char *name, unsigned type,
                 const void *bytes, size_t size);

/* Add the names of the sections and their headers: nothing may be added later, but
 * `header` may be changed.  Where the first section's header has room for it, the number
 * of sections and the place of their names stand there (`is_in_first`). */
void image_end(struct image *image, bool is_in_first);

/* A file with the image, cut after `size` bytes (SIZE_MAX: whole); its path is valid
 * until the next call. */
const char *image_path(const struct image *image, size_t size);

/* Where the bytes begin in the file. */
enum { IMAGE_START = sizeof(ElfW(Ehdr)) + IMAGE_PARTS * sizeof(ElfW(Phdr)) };

#endif
