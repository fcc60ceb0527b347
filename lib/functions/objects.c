/* SPDX-License-Identifier: BSD-3-Clause
 * What is loaded. */
#include "functions/objects.h"

#include <elf.h>
#include <string.h>

#include "functions/linetable.h"
#include "host/memory.h"
#include "host/path.h"

static struct hpm_object *all;

/* What is looked for, and what the walk through the loaded objects has found. */
struct walk {
    uintptr_t address;
    const struct hpm_object *wanted;
    struct hpm_object *found;
    size_t n;
    bool is_there;
};

static void
find_range(const struct dl_phdr_info *info, uintptr_t *ret_first,
           uintptr_t *ret_end)
{
    *ret_first = UINTPTR_MAX;
    *ret_end = 0;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        uintptr_t first = (uintptr_t)(info->dlpi_addr + part->p_vaddr);
        uintptr_t end = first + (uintptr_t)part->p_memsz;

        if (part->p_type == PT_LOAD && first < *ret_first)
            *ret_first = first;
        if (part->p_type == PT_LOAD && end > *ret_end)
            *ret_end = end;
    }
}

/* A file that was built anew since it was loaded has other symbols; then its parts
 * hardly ever have the same sizes and addresses. */
static bool
is_same_file(const struct hpm_elffile *file, const struct dl_phdr_info *info)
{
    return file->n_parts == info->dlpi_phnum &&
           memcmp(file->parts, info->dlpi_phdr,
                  file->n_parts * sizeof *file->parts) == 0;
}

static struct hpm_object *
add(const struct dl_phdr_info *info, bool is_program)
{
    struct hpm_object *object = hpm_memory_new(1, sizeof *object);
    struct hpm_elffile file;

    if (object == NULL)
        return NULL;
    object->name =
        is_program ? ""
                   : hpm_memory_copy_text(hpm_path_base_name(info->dlpi_name));
    if (object->name == NULL) {
        hpm_memory_free(object);
        return NULL;
    }
    object->bias = (uintptr_t)info->dlpi_addr;
    find_range(info, &object->first, &object->end);
    if (hpm_elffile_open(&file,
                         is_program ? "/proc/self/exe" : info->dlpi_name)) {
        if (is_same_file(&file, info)) {
            hpm_elfsymbols_read(&object->symbols, &file);
            hpm_linetable_fill(&object->symbols, &file);
        }
        hpm_elffile_close(&file);
    }
    object->next = all;
    all = object;
    return object;
}

/* The C library holds its list of objects still during the walk. */
static int
visit(struct dl_phdr_info *info, size_t size, void *context)
{
    struct walk *walk = context;
    bool is_program = walk->n++ == 0; /* the first one is the program */
    uintptr_t first, end;

    (void)size;
    find_range(info, &first, &end);
    if (walk->wanted != NULL) {
        walk->is_there = walk->wanted->bias == info->dlpi_addr &&
                         walk->wanted->first == first &&
                         walk->wanted->end == end;
        return walk->is_there;
    }
    if (walk->address < first || walk->address >= end)
        return 0;
    walk->found = add(info, is_program);
    return 1;
}

struct hpm_object *
hpm_objects_find(uintptr_t address)
{
    struct walk walk = {.address = address};

    for (struct hpm_object *object = all; object != NULL;
         object = object->next) {
        if (!object->is_gone && address >= object->first &&
            address < object->end)
            return object;
    }
    dl_iterate_phdr(visit, &walk);
    return walk.found;
}

void
hpm_objects_look_again(void (*tell)(uintptr_t first, uintptr_t end))
{
    for (struct hpm_object *object = all; object != NULL;
         object = object->next) {
        struct walk walk = {.wanted = object};

        if (object->is_gone)
            continue;
        dl_iterate_phdr(visit, &walk);
        if (!walk.is_there) {
            object->is_gone = true;
            tell(object->first, object->end);
        }
    }
}
