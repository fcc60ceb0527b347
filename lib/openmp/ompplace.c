/* SPDX-License-Identifier: BSD-3-Clause
 * The places at which the program begins parallel regions, as sections. */
#include "openmp/ompplace.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/auxv.h>

#include "base/env.h"
#include "base/string.h"
#include "elf/elffile.h"
#include "elf/linetable.h"
#include "host/memory.h"
#include "host/path.h"

atomic_bool hpm_ompplace_is_on;

static struct hpm_ompplace *_Atomic places;

void
hpm_ompplace_begin(void)
{
    atomic_store(&hpm_ompplace_is_on,
                 hpm_env_is_on(HPM_VARIABLE_OPENMP_REGIONS, false));
}

void
hpm_ompplace_end(void)
{
    atomic_store(&hpm_ompplace_is_on, false);
}

/* ---- where the code is ------------------------------------------------------ */

struct code {
    uintptr_t address; /* of the instruction: in memory, */
    uintptr_t linked;  /* and as linked */
    const char *path;  /* of the file */
    const char *name;  /* the same without folders */
    const ElfW(Phdr) * parts;
    size_t n_parts, n_objects;
};

/* The first object is the program. */
static int
look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    struct code *code = context;
    bool is_program = code->n_objects++ == 0;

    (void)size;
    for (size_t i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];

        code->linked = code->address - (uintptr_t)info->dlpi_addr;
        if (part->p_type != PT_LOAD ||
            code->linked - part->p_vaddr >= part->p_memsz)
            continue;
        code->path = is_program ? "/proc/self/exe" : info->dlpi_name;
        code->name = hpm_path_base_name(
            is_program ? (const char *)getauxval(AT_EXECFN) : info->dlpi_name);
        code->parts = info->dlpi_phdr;
        code->n_parts = info->dlpi_phnum;
        return 1;
    }
    return 0;
}

/* A file that was built anew since it was loaded has other lines, and hardly ever parts
 * of the same sizes and addresses. */
static bool
find_line(const struct code *code, const char **ret_path, int *ret_line)
{
    struct hpm_elffile file;
    bool is_found;

    if (!hpm_elffile_open(&file, code->path))
        return false;
    is_found = file.n_parts == code->n_parts &&
               memcmp(file.parts, code->parts,
                      file.n_parts * sizeof *file.parts) == 0 &&
               hpm_linetable_find(&file, code->linked, ret_path, ret_line);
    hpm_elffile_close(&file);
    return is_found;
}

/* ---- places ------------------------------------------------------------------ */

/* From HPM_OMPBRING_WHOLE_ID to HPM_OMPBRING_LAST_ID.  Regions of one line are one
 * section. */
static int
id_of(const char *label)
{
    uint32_t hash = 0x811c9dc5u; /* FNV-1a */

    for (const char *c = label; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * 0x01000193u;
    return -(1 << 30) - (int)(hash % ((1u << 30) - 2));
}

/* "region at solve.c:42"; without lines "region at libsolve.so+0x1234". */
static char *
make_label(struct hpm_call_site *site, const struct code *code)
{
    struct hpm_string label = {0};

    if (site->line > 0)
        hpm_string_add_format(&label, "region at %s:%d",
                              hpm_path_base_name(site->file), site->line);
    else
        hpm_string_add_format(&label, "region at %s+%#llx", code->name,
                              (unsigned long long)code->linked);
    if (!label.failed)
        return label.text;
    hpm_string_free(&label);
    return NULL;
}

static struct hpm_ompplace *
make(const void *address)
{
    struct hpm_ompplace *made = hpm_memory_new(1, sizeof *made);
    struct code code = {.address = (uintptr_t)address, .name = "code"};

    if (made == NULL)
        return NULL;
    made->code = address;
    made->site.file = "";
    if (dl_iterate_phdr(look_at, &code) != 0 &&
        !find_line(&code, &made->site.file, &made->site.line))
        made->site.line = 0;
    made->site.label = make_label(&made->site, &code);
    if (made->site.label == NULL) {
        hpm_memory_free(made);
        return NULL;
    }
    made->id = id_of(made->site.label);
    return made;
}

static struct hpm_ompplace *
find(const void *code)
{
    struct hpm_ompplace *each =
        atomic_load_explicit(&places, memory_order_acquire);

    while (each != NULL && each->code != code)
        each = each->next;
    return each;
}

/* Two threads that look at a new place at once make it twice, with one label and id. */
struct hpm_ompplace *
hpm_ompplace_find(const void *code)
{
    struct hpm_ompplace *place = find(code);

    if (place != NULL || code == NULL)
        return place;
    place = make(code);
    if (place == NULL)
        return NULL;
    place->next = atomic_load(&places);
    while (!atomic_compare_exchange_weak(&places, &place->next, place))
        continue;
    return place;
}

/* ---- sections ---------------------------------------------------------------- */

void
hpm_ompplace_enter(struct hpm_ompplace *place)
{
    if (atomic_load_explicit(&hpm_ompplace_is_on, memory_order_relaxed))
        hpmTstartSite(place->id, &place->site);
}

void
hpm_ompplace_leave(const struct hpm_ompplace *place)
{
    if (atomic_load_explicit(&hpm_ompplace_is_on, memory_order_relaxed))
        hpmTstopAt(place->id, "", 0);
}
