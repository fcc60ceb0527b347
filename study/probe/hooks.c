/* SPDX-License-Identifier: BSD-3-Clause
 * Was a program compiled so that its functions call hooks? */
#include "study/probe/hooks.h"

#include <elf.h>
#include <string.h>

#include "host/memory.h"

/* The hook of gcc and clang is a symbol that the program needs from elsewhere; that
 * of clang's XRay is a list of places. */
bool
hpm_hooks_has(const struct hpm_elffile *file)
{
    static const char hook[] = "__cyg_profile_func_enter";
    const ElfW(Shdr) *section = hpm_elffile_typed(file, SHT_DYNSYM);
    size_t size = 0;
    char *names = NULL;
    bool is_there = hpm_elffile_named(file, "xray_instr_map") != NULL;

    if (section != NULL && section->sh_link < file->n_sections)
        names =
            hpm_elffile_read(file, &file->sections[section->sh_link], &size);
    for (size_t i = 0; names != NULL && i < size && !is_there;
         i += strlen(names + i) + 1)
        is_there = strcmp(names + i, hook) == 0;
    hpm_memory_free(names);
    return is_there;
}
