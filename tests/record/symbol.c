/* SPDX-License-Identifier: BSD-3-Clause
 * Symbols of a running program, 64-bit ELF. */
#include "symbol.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_PATH = 4096 };

/* Find the file that is mapped at an address of the program, and the begin of
 * its mapping. */
static bool
find_file(pid_t pid, uintptr_t address, char *ret_path, uintptr_t *ret_base)
{
    char maps[64], line[MAX_PATH + 128], path[MAX_PATH];
    bool is_found = false;
    FILE *file;

    snprintf(maps, sizeof maps, "/proc/%d/maps", (int)pid);
    file = fopen(maps, "r");
    if (file == NULL)
        return false;
    *ret_path = '\0';
    while (!is_found && fgets(line, sizeof line, file) != NULL) {
        uintptr_t first, end, offset;

        if (sscanf(line,
                   "%" SCNxPTR "-%" SCNxPTR " %*s %" SCNxPTR
                   " %*s %*s %4095[^\n]",
                   &first, &end, &offset, path) != 4)
            continue;
        if (strcmp(path, ret_path) != 0) {
            strcpy(ret_path, path);
            *ret_base = first - offset;
        }
        is_found = first <= address && address < end;
    }
    fclose(file);
    return is_found;
}

/* A symbol's value in the full symbol table, not the dynamic one; 0 if there is
 * none. */
static uintptr_t
find_symbol(const char *elf, size_t n_bytes, const char *name)
{
    const Elf64_Ehdr *header = (const void *)elf;
    const Elf64_Shdr *sections = (const void *)(elf + header->e_shoff);

    if (header->e_shoff == 0 ||
        header->e_shoff + header->e_shnum * sizeof *sections > n_bytes)
        return 0;
    for (size_t i = 0; i < header->e_shnum; i++) {
        const Elf64_Sym *symbols = (const void *)(elf + sections[i].sh_offset);
        const char *texts = elf + sections[sections[i].sh_link].sh_offset;

        if (sections[i].sh_type != SHT_SYMTAB)
            continue;
        for (size_t k = 0; k < sections[i].sh_size / sizeof *symbols; k++) {
            if (strcmp(texts + symbols[k].st_name, name) == 0)
                return symbols[k].st_value;
        }
    }
    return 0;
}

/* The lowest address in an ELF file; 0 if it may be loaded anywhere. */
static uintptr_t
first_address(const char *elf)
{
    const Elf64_Ehdr *header = (const void *)elf;
    const Elf64_Phdr *parts = (const void *)(elf + header->e_phoff);

    for (size_t i = 0; i < header->e_phnum; i++) {
        if (parts[i].p_type == PT_LOAD)
            return parts[i].p_vaddr - parts[i].p_offset;
    }
    return 0;
}

static uintptr_t
find_in_file(const char *path, uintptr_t base, const char *name)
{
    uintptr_t value = 0;
    struct stat about;
    char *elf;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return 0;
    elf = fstat(fd, &about) == 0
              ? mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, fd, 0)
              : MAP_FAILED;
    close(fd);
    if (elf == MAP_FAILED)
        return 0;
    value = find_symbol(elf, (size_t)about.st_size, name);
    if (value != 0)
        value += base - first_address(elf);
    munmap(elf, (size_t)about.st_size);
    return value;
}

uintptr_t
symbol_find(pid_t pid, uintptr_t neighbour, const char *name)
{
    uintptr_t base = 0;
    char path[MAX_PATH];

    if (!find_file(pid, neighbour, path, &base))
        return 0;
    return find_in_file(path, base, name);
}
