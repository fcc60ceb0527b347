/* SPDX-License-Identifier: BSD-3-Clause
 * What is loaded. */
#include "functions/objects.h"

#include <elf.h>
#include <string.h>

#include "elf/linetable.h"
#include "functions/mappedfile.h"
#include "functions/separate.h"
#include "functions/twins.h"
#include "host/memory.h"
#include "host/path.h"

static const char of_program[] = "/proc/self/exe";

static struct hpm_object *all;
static size_t n_added;

/* ---- what the C library has loaded ------------------------------------- */

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

static bool
note(struct hpm_loaded *loaded, const struct dl_phdr_info *info,
     bool is_program)
{
    size_t size = info->dlpi_phnum * sizeof *loaded->parts;

    *loaded = (struct hpm_loaded){.bias = (uintptr_t)info->dlpi_addr,
                                  .n_parts = info->dlpi_phnum};
    find_range(info, &loaded->first, &loaded->end);
    loaded->path =
        hpm_memory_copy_text(is_program ? of_program : info->dlpi_name);
    loaded->parts = hpm_memory_new(loaded->n_parts, sizeof *loaded->parts);
    if (loaded->path == NULL || loaded->parts == NULL) {
        hpm_loaded_clear(loaded);
        return false;
    }
    memcpy(loaded->parts, info->dlpi_phdr, size);
    return true;
}

void
hpm_loaded_clear(struct hpm_loaded *loaded)
{
    hpm_memory_free(loaded->path);
    hpm_memory_free(loaded->parts);
    *loaded = (struct hpm_loaded){0};
}

struct look {
    uintptr_t address;
    struct hpm_loaded *loaded;
    size_t n;
    bool is_found;
};

/* The C library holds its list of objects still during the walk. */
static int
look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct look *look = context;
    bool is_program = look->n++ == 0; /* the first one is the program */
    uintptr_t first, end;

    (void)size;
    find_range(info, &first, &end);
    if (look->address < first || look->address >= end)
        return 0;
    look->is_found = note(look->loaded, info, is_program);
    return 1;
}

/* The C library has the path as dlopen was given it, and the program may have gone to
 * another folder since. */
static void
find_whole_path(struct hpm_loaded *loaded, uintptr_t address)
{
    char *path = hpm_mappedfile_find(address);

    if (path == NULL)
        return;
    hpm_memory_free(loaded->path);
    loaded->path = path;
}

bool
hpm_loaded_find(struct hpm_loaded *loaded, uintptr_t address)
{
    struct look look = {.address = address, .loaded = loaded};

    *loaded = (struct hpm_loaded){0};
    dl_iterate_phdr(look_at, &look);
    if (look.is_found && loaded->path[0] != '/')
        find_whole_path(loaded, address);
    return look.is_found;
}

/* A file that was built anew has other symbols; then its parts hardly ever have the
 * same sizes and addresses. */
bool
hpm_loaded_is_file(const struct hpm_loaded *loaded,
                   const struct hpm_elffile *file)
{
    return file->n_parts == loaded->n_parts &&
           memcmp(file->parts, loaded->parts,
                  file->n_parts * sizeof *file->parts) == 0;
}

/* ---- objects ----------------------------------------------------------- */

/* What the file lacks, a separate debug file may have. */
static void
read_symbols(struct hpm_elfsymbols *symbols, const struct hpm_elffile *file,
             const char *path)
{
    bool has_all = hpm_elffile_typed(file, SHT_SYMTAB) != NULL;
    bool has_lines = hpm_elffile_named(file, ".debug_line") != NULL;
    struct hpm_elffile separate;

    if ((has_all && has_lines) || !hpm_separate_open(&separate, file, path)) {
        hpm_elfsymbols_read(symbols, file);
        hpm_linetable_fill(symbols, file);
        return;
    }
    hpm_elfsymbols_read(symbols, has_all ? file : &separate);
    hpm_linetable_fill(symbols, has_lines ? file : &separate);
    hpm_elffile_close(&separate);
}

const struct hpm_object *
hpm_objects_add(const struct hpm_loaded *loaded)
{
    struct hpm_object *object = hpm_memory_new(1, sizeof *object);
    struct hpm_elffile file;

    if (object == NULL)
        return NULL;
    object->name = strcmp(loaded->path, of_program) == 0
                       ? ""
                       : hpm_memory_copy_text(hpm_path_base_name(loaded->path));
    if (object->name == NULL) {
        hpm_memory_free(object);
        return NULL;
    }
    object->bias = loaded->bias;
    object->first = loaded->first;
    object->end = loaded->end;
    if (hpm_elffile_open(&file, loaded->path)) {
        if (hpm_loaded_is_file(loaded, &file))
            read_symbols(&object->symbols, &file, loaded->path);
        hpm_elffile_close(&file);
    }
    object->twins = hpm_twins_count(&object->symbols);
    object->number = ++n_added;
    object->next = all;
    all = object;
    return object;
}

const struct hpm_object *
hpm_objects_find(uintptr_t address)
{
    for (const struct hpm_object *object = all; object != NULL;
         object = object->next) {
        if (!object->is_gone && address >= object->first &&
            address < object->end)
            return object;
    }
    return NULL;
}

/* ---- what is gone ------------------------------------------------------ */

size_t
hpm_objects_count(void)
{
    return n_added;
}

static int
add_place(struct dl_phdr_info *info, size_t size, void *context)
{
    struct hpm_places *places = context;
    struct hpm_loadplace place = {.bias = (uintptr_t)info->dlpi_addr};

    (void)size;
    find_range(info, &place.first, &place.end);
    if (!hpm_memory_grow(&places->list, &places->capacity, places->n + 1,
                         sizeof *places->list))
        return 1;
    places->list[places->n++] = place;
    return 0;
}

bool
hpm_places_find(struct hpm_places *places)
{
    *places = (struct hpm_places){0};
    return dl_iterate_phdr(add_place, places) == 0;
}

static bool
is_there(const struct hpm_places *places, const struct hpm_object *object)
{
    for (size_t i = 0; i < places->n; i++) {
        const struct hpm_loadplace *place = &places->list[i];

        if (place->bias == object->bias && place->first == object->first &&
            place->end == object->end)
            return true;
    }
    return false;
}

void
hpm_objects_keep(const struct hpm_places *places, size_t n_known,
                 void (*tell)(uintptr_t first, uintptr_t end))
{
    for (struct hpm_object *object = all; object != NULL;
         object = object->next) {
        if (object->is_gone || object->number > n_known ||
            is_there(places, object))
            continue;
        object->is_gone = true;
        tell(object->first, object->end);
    }
}
