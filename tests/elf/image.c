/* SPDX-License-Identifier: BSD-3-Clause
 * ELF files made byte by byte. */
#include "elf/image.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t
add_bytes(struct image *image, const void *bytes, size_t size)
{
    size_t at = (image->size + 7) / 8 * 8;

    if (size > sizeof image->bytes - at)
        abort();
    if (size > 0)
        memcpy(image->bytes + at, bytes, size);
    image->size = at + size;
    return IMAGE_START + at;
}

static size_t
add_name(struct image *image, const char *name)
{
    size_t at = image->names_size;

    image->names_size += strlen(name) + 1;
    if (image->names_size > sizeof image->names)
        abort();
    strcpy(image->names + at, name);
    return at;
}

void
image_begin(struct image *image)
{
    *image =
        (struct image){.header = {.e_type = ET_EXEC,
                                  .e_version = EV_CURRENT,
                                  .e_phoff = sizeof image->header,
                                  .e_ehsize = sizeof image->header,
                                  .e_phentsize = sizeof image->parts[0],
                                  .e_phnum = IMAGE_PARTS,
                                  .e_shentsize = sizeof image->sections[0]},
                       .parts = {{.p_type = PT_LOAD,
                                  .p_flags = PF_R | PF_X,
                                  .p_vaddr = IMAGE_CODE,
                                  .p_memsz = IMAGE_CODE_SIZE},
                                 {.p_type = PT_LOAD,
                                  .p_flags = PF_R | PF_W,
                                  .p_vaddr = IMAGE_CODE + IMAGE_CODE_SIZE,
                                  .p_memsz = IMAGE_CODE_SIZE}}};
    memcpy(image->header.e_ident, ELFMAG, SELFMAG);
    image->header.e_ident[EI_CLASS] =
        sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    image->header.e_ident[EI_DATA] =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    image->header.e_ident[EI_VERSION] = EV_CURRENT;
    image->n_sections = 1;
    add_name(image, "");
}

size_t
image_add(struct image *image, const char *name, unsigned type,
          const void *bytes, size_t size)
{
    size_t i = image->n_sections++;

    if (i >= IMAGE_SECTIONS)
        abort();
    image->sections[i].sh_name = (uint32_t)add_name(image, name);
    image->sections[i].sh_type = type;
    image->sections[i].sh_offset = add_bytes(image, bytes, size);
    image->sections[i].sh_size = size;
    return i;
}

void
image_end(struct image *image, bool is_in_first)
{
    size_t names = image_add(image, ".shstrtab", SHT_STRTAB, NULL, 0);

    image->sections[names].sh_offset =
        add_bytes(image, image->names, image->names_size);
    image->sections[names].sh_size = image->names_size;
    if (is_in_first) {
        image->sections[0].sh_size = image->n_sections;
        image->sections[0].sh_link = (uint32_t)names;
    }
    image->header.e_shnum = is_in_first ? 0 : (uint16_t)image->n_sections;
    image->header.e_shstrndx = is_in_first ? SHN_XINDEX : (uint16_t)names;
    image->header.e_shoff = add_bytes(
        image, image->sections, image->n_sections * sizeof image->sections[0]);
}

const char *
image_path(const struct image *image, size_t size)
{
    static char path[64];
    static int descriptor = -1;

    if (descriptor >= 0)
        close(descriptor);
    descriptor = memfd_create("image", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    if (descriptor < 0 ||
        pwrite(descriptor, &image->header, sizeof image->header, 0) < 0 ||
        pwrite(descriptor, image->parts, sizeof image->parts,
               sizeof image->header) < 0 ||
        pwrite(descriptor, image->bytes, image->size, IMAGE_START) < 0 ||
        (size != SIZE_MAX && ftruncate(descriptor, (off_t)size) != 0))
        abort();
    return path;
}
