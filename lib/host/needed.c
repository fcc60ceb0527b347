/* SPDX-License-Identifier: BSD-3-Clause
 * What loaded objects were linked with. */
#include "host/needed.h"

#include <stddef.h>
#include <string.h>

#include "host/path.h"

static const ElfW(Dyn) * find_entry(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag)
{
    while (dynamic->d_tag != tag && dynamic->d_tag != DT_NULL)
        dynamic++;
    return dynamic->d_tag == tag ? dynamic : NULL;
}

/* The address of the string table: on most machines glibc has relocated the
 * entry in place, on some not. */
static const char *
strings_of(const ElfW(Dyn) * dynamic, ElfW(Addr) base)
{
    const ElfW(Dyn) *entry = find_entry(dynamic, DT_STRTAB);
    ElfW(Addr) address = entry != NULL ? entry->d_un.d_ptr : 0;

    if (entry == NULL)
        return NULL;
    return (const char *)(address >= base ? address : address + base);
}

bool
hpm_needed_has(const ElfW(Dyn) * dynamic, ElfW(Addr) base, const char *name)
{
    const char *strings = strings_of(dynamic, base);

    for (; strings != NULL && dynamic->d_tag != DT_NULL; dynamic++) {
        if (dynamic->d_tag == DT_NEEDED &&
            strcmp(hpm_path_base_name(strings + dynamic->d_un.d_val), name) ==
                0)
            return true;
    }
    return false;
}

bool
hpm_needed_is_kept(const ElfW(Dyn) * dynamic)
{
    const ElfW(Dyn) *flags = find_entry(dynamic, DT_FLAGS_1);

    return flags != NULL && (flags->d_un.d_val & DF_1_NODELETE) != 0;
}
