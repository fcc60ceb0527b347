/* SPDX-License-Identifier: BSD-3-Clause
 * The running kernel, as a module of samples. */
#include "study/kernel/kernelcode.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Notes: name length, content length, type, name, content; both padded to four
 * bytes. */
static void
find_build_id(struct hpm_kernelcode *kernel)
{
    unsigned char notes[4096];
    int fd = open("/sys/kernel/notes", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? read(fd, notes, sizeof notes) : 0;
    Elf64_Nhdr head;

    for (size_t at = 0; n > 0 && at + sizeof head <= (size_t)n;) {
        size_t content;

        memcpy(&head, notes + at, sizeof head);
        content = at + sizeof head + ((head.n_namesz + 3u) & ~3u);
        at = content + ((head.n_descsz + 3u) & ~3u);
        if (head.n_type != NT_GNU_BUILD_ID || head.n_namesz != 4 ||
            at > (size_t)n)
            continue;
        for (size_t i = 0; i < head.n_descsz && i < HPM_KERNELCODE_BUILD_ID;
             i++)
            snprintf(kernel->build_id + 2 * i, 3, "%02x", notes[content + i]);
        break;
    }
    if (fd >= 0)
        close(fd);
}

/* Lines such as "ffffffff81000000 T _text"; addresses are 0 if the user may not
 * know them. */
static void
find_code(struct hpm_kernelcode *kernel)
{
    FILE *file = fopen("/proc/kallsyms", "re");
    char line[512], name[256];
    unsigned long long address;

    while (file != NULL && kernel->end == 0 &&
           fgets(line, sizeof line, file) != NULL) {
        if (sscanf(line, "%llx %*c %255s", &address, name) != 2)
            continue;
        if (strcmp(name, "_text") == 0)
            kernel->begin = address;
        else if (strcmp(name, "_etext") == 0)
            kernel->end = address;
    }
    if (file != NULL)
        fclose(file);
}

void
hpm_kernelcode_find(struct hpm_kernelcode *ret_kernel)
{
    *ret_kernel = (struct hpm_kernelcode){0};
    find_build_id(ret_kernel);
    find_code(ret_kernel);
}

uint64_t
hpm_kernelcode_offset(const struct hpm_kernelcode *kernel, uint64_t address)
{
    return address >= kernel->begin && address < kernel->end
               ? address - kernel->begin
               : address;
}
