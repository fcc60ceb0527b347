/* SPDX-License-Identifier: BSD-3-Clause
 * An ELF file, read piece by piece. */
#include "elf/elffile.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "elf/inflate.h"
#include "host/memory.h"

/* More than any real file has: a damaged header must not take all memory. */
enum { MAX_BYTES = 1 << 30, MAX_SECTIONS = 1 << 20 };

static bool
read_all(int descriptor, void *buffer, size_t size, uint64_t offset)
{
    char *to = buffer;

    while (size > 0) {
        ssize_t n = pread(descriptor, to, size, (off_t)offset);

        if (n <= 0)
            return false;
        to += n;
        size -= (size_t)n;
        offset += (uint64_t)n;
    }
    return true;
}

static void *
read_new(int descriptor, size_t size, uint64_t offset)
{
    char *bytes =
        size > 0 && size <= MAX_BYTES ? hpm_memory_new(size + 1, 1) : NULL;

    if (bytes != NULL && !read_all(descriptor, bytes, size, offset)) {
        hpm_memory_free(bytes);
        return NULL;
    }
    return bytes;
}

static bool
is_of_this_machine(const ElfW(Ehdr) * header)
{
    return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] ==
               (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) &&
           header->e_ident[EI_DATA] ==
               (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB
                                                          : ELFDATA2MSB) &&
           header->e_phentsize == sizeof(ElfW(Phdr));
}

/* A file with very many sections has their number in the first one. */
static bool
count_sections(struct hpm_elffile *file, const ElfW(Ehdr) * header,
               size_t *ret_names_index)
{
    ElfW(Shdr) first;

    if (header->e_shoff == 0 || header->e_shentsize != sizeof first ||
        !read_all(file->descriptor, &first, sizeof first, header->e_shoff))
        return false;
    file->n_sections = header->e_shnum != 0 ? header->e_shnum : first.sh_size;
    *ret_names_index =
        header->e_shstrndx != SHN_XINDEX ? header->e_shstrndx : first.sh_link;
    return file->n_sections <= MAX_SECTIONS &&
           *ret_names_index < file->n_sections;
}

/* Sections may be missing or damaged: then the file has none. */
static void
read_sections(struct hpm_elffile *file, const ElfW(Ehdr) * header)
{
    size_t names_index = 0;

    if (count_sections(file, header, &names_index))
        file->sections =
            read_new(file->descriptor, file->n_sections * sizeof(ElfW(Shdr)),
                     header->e_shoff);
    if (file->sections == NULL) {
        file->n_sections = 0;
        return;
    }
    file->names =
        hpm_elffile_read(file, &file->sections[names_index], &file->names_size);
}

bool
hpm_elffile_open(struct hpm_elffile *file, const char *path)
{
    ElfW(Ehdr) header;

    *file = (struct hpm_elffile){
        .descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)};
    if (file->descriptor < 0)
        return false;
    if (read_all(file->descriptor, &header, sizeof header, 0) &&
        is_of_this_machine(&header)) {
        file->n_parts = header.e_phnum;
        file->parts =
            read_new(file->descriptor, file->n_parts * sizeof(ElfW(Phdr)),
                     header.e_phoff);
    }
    if (file->parts == NULL) {
        hpm_elffile_close(file);
        return false;
    }
    read_sections(file, &header);
    return true;
}

void
hpm_elffile_close(struct hpm_elffile *file)
{
    close(file->descriptor);
    hpm_memory_free(file->parts);
    hpm_memory_free(file->sections);
    hpm_memory_free(file->names);
    *file = (struct hpm_elffile){.descriptor = -1};
}

const ElfW(Shdr) *
    hpm_elffile_typed(const struct hpm_elffile *file, unsigned type)
{
    for (size_t i = 0; i < file->n_sections; i++) {
        if (file->sections[i].sh_type == type)
            return &file->sections[i];
    }
    return NULL;
}

const ElfW(Shdr) *
    hpm_elffile_named(const struct hpm_elffile *file, const char *name)
{
    for (size_t i = 0; file->names != NULL && i < file->n_sections; i++) {
        size_t at = file->sections[i].sh_name;

        if (at < file->names_size && strcmp(file->names + at, name) == 0)
            return &file->sections[i];
    }
    return NULL;
}

/* A compressed section has its size and then what zlib made. */
static void *
read_compressed(const struct hpm_elffile *file, const ElfW(Shdr) * section,
                size_t *ret_size)
{
    size_t size = (size_t)section->sh_size;
    char *bytes = read_new(file->descriptor, size, section->sh_offset);
    char *result = NULL;
    ElfW(Chdr) head = {0};

    if (bytes != NULL && size > sizeof head)
        memcpy(&head, bytes, sizeof head);
    if (head.ch_type == ELFCOMPRESS_ZLIB && head.ch_size <= MAX_BYTES)
        result = hpm_memory_new((size_t)head.ch_size + 1, 1);
    if (result != NULL && !hpm_inflate(bytes + sizeof head, size - sizeof head,
                                       result, (size_t)head.ch_size)) {
        hpm_memory_free(result);
        result = NULL;
    }
    hpm_memory_free(bytes);
    *ret_size = result != NULL ? (size_t)head.ch_size : 0;
    return result;
}

void *
hpm_elffile_read(const struct hpm_elffile *file, const ElfW(Shdr) * section,
                 size_t *ret_size)
{
    *ret_size = 0;
    if (section == NULL || section->sh_type == SHT_NOBITS ||
        section->sh_size > MAX_BYTES)
        return NULL;
    if ((section->sh_flags & SHF_COMPRESSED) != 0)
        return read_compressed(file, section, ret_size);
    *ret_size = (size_t)section->sh_size;
    return read_new(file->descriptor, *ret_size, section->sh_offset);
}

bool
hpm_elffile_has_part(const struct hpm_elffile *file, unsigned type)
{
    for (size_t i = 0; i < file->n_parts; i++) {
        if (file->parts[i].p_type == type)
            return true;
    }
    return false;
}
