/* SPDX-License-Identifier: BSD-3-Clause
 * Where hpmcount's own functions are on which it measures what probes cost. */
#include "study/probe/costplaces.h"

#include <string.h>
#include <unistd.h>

#include "elf/elffile.h"
#include "host/memory.h"

static bool
find_offset(const struct hpm_elffile *file, uint64_t address,
            uint64_t *ret_offset)
{
    unsigned char code[HPM_INSTRUCTION_MOST];
    ssize_t n;

    for (size_t i = 0; i < file->n_parts; i++) {
        const ElfW(Phdr) *part = &file->parts[i];

        if (part->p_type != PT_LOAD || address < part->p_vaddr ||
            address - part->p_vaddr >= part->p_filesz)
            continue;
        *ret_offset = address - part->p_vaddr + part->p_offset;
        n = pread(file->descriptor, code, sizeof code, (off_t)*ret_offset);
        *ret_offset += hpm_instruction_landing(code, n > 0 ? (size_t)n : 0);
        return n > 0;
    }
    return false;
}

bool
hpm_costplaces_read(const char *path, uint64_t ret_offsets[HPM_N_COST_PLACES],
                    struct hpm_error *err)
{
    struct hpm_elffile file = {0};
    const ElfW(Shdr) *section = NULL;
    int32_t *distances = NULL;
    size_t size = 0;
    bool is_good = hpm_elffile_open(&file, path);

    if (is_good) {
        section = hpm_elffile_named(&file, HPM_COST_PLACES);
        distances = hpm_elffile_read(&file, section, &size);
        is_good =
            distances != NULL && size == HPM_N_COST_PLACES * sizeof *distances;
        for (size_t k = 0; k < HPM_N_COST_PLACES && is_good; k++)
            is_good = find_offset(&file,
                                  section->sh_addr + k * sizeof *distances +
                                      (uint64_t)(int64_t)distances[k],
                                  &ret_offsets[k]);
        hpm_memory_free(distances);
        hpm_elffile_close(&file);
    }
    return is_good || hpm_error_set(err,
                                    "'%.200s' is not the hpmcount of this "
                                    "version; install all of the HPM Toolkit",
                                    path);
}
