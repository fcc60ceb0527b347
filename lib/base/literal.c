/* SPDX-License-Identifier: BSD-3-Clause
 * Text that cannot change. */
#include "base/literal.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

/* One part of an object that is mapped without leave to write. */
struct range {
    uintptr_t first, end;
};

static struct {
    struct range *ranges;
    size_t n_ranges;
    size_t capacity;
} known;

static int
add_object(struct dl_phdr_info *object, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];
        uintptr_t first = (uintptr_t)(object->dlpi_addr + part->p_vaddr);

        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0)
            continue;
        if (!hpm_memory_grow(&known.ranges, &known.capacity,
                             known.n_ranges + 1, sizeof *known.ranges))
            return 1;
        known.ranges[known.n_ranges++] =
            (struct range){first, first + (uintptr_t)part->p_memsz};
    }
    return 0;
}

void
hpm_literal_init(void)
{
    if (known.n_ranges == 0)
        dl_iterate_phdr(add_object, NULL);
}

bool
hpm_literal_is(const void *text)
{
    uintptr_t address = (uintptr_t)text;

    for (size_t i = 0; i < known.n_ranges; i++) {
        if (address >= known.ranges[i].first && address < known.ranges[i].end)
            return true;
    }
    return text == NULL;
}
