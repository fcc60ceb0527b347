/* SPDX-License-Identifier: BSD-3-Clause
 * Text that cannot change. */
#include "host/literal.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "host/memory.h"
#include "host/needed.h"
#include "host/path.h"

/* A part of an object that is mapped read-only. */
struct range {
    uintptr_t first, end;
};

static struct {
    struct range *ranges;
    size_t n_ranges;
    size_t capacity;
} known;

/* A loaded object; valid only while nothing is unloaded. */
struct object {
    ElfW(Addr) base;
    const char *name; /* without its folder; "" for the program */
    const ElfW(Phdr) * parts;
    size_t n_parts;
    const ElfW(Dyn) * dynamic; /* NULL: none */
    bool stays;
    bool is_done; /* the libraries it was linked with are marked */
};

struct objects {
    struct object *list;
    size_t n;
    size_t capacity;
};

static const ElfW(Dyn) * dynamic_of(const struct dl_phdr_info *object)
{
    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC)
            return (const ElfW(Dyn) *)(object->dlpi_addr +
                                       object->dlpi_phdr[i].p_vaddr);
    }
    return NULL;
}

/* Does this object hold our own code?  Then our table of ranges ends with
 * it. */
static bool
is_ours(const struct dl_phdr_info *object)
{
    uintptr_t here = (uintptr_t)hpm_literal_init;

    for (size_t i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[i];

        if (part->p_type == PT_LOAD &&
            here - (object->dlpi_addr + part->p_vaddr) < part->p_memsz)
            return true;
    }
    return false;
}

static int
add_object(struct dl_phdr_info *object, size_t size, void *context)
{
    struct objects *all = context;
    const ElfW(Dyn) *dynamic = dynamic_of(object);

    (void)size;
    if (!hpm_memory_grow(&all->list, &all->capacity, all->n + 1,
                         sizeof *all->list))
        return 1;
    all->list[all->n] = (struct object){
        .base = object->dlpi_addr,
        .name = hpm_path_base_name(object->dlpi_name),
        .parts = object->dlpi_phdr,
        .n_parts = object->dlpi_phnum,
        .dynamic = dynamic,
        /* the first one is the program */
        .stays = all->n == 0 || is_ours(object) ||
                 (dynamic != NULL && hpm_needed_is_kept(dynamic)),
    };
    all->n++;
    return 0;
}

/* If several objects have one name, the first counts: libraries the program was
 * linked with are loaded before all others. */
static bool
is_first_of_name(const struct objects *all, size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (strcmp(all->list[k].name, all->list[i].name) == 0)
            return false;
    }
    return true;
}

static void
mark_needed_by(const struct objects *all, struct object *user)
{
    user->is_done = true;
    for (size_t i = 1; user->dynamic != NULL && i < all->n; i++) {
        struct object *object = &all->list[i];

        if (!object->stays &&
            hpm_needed_has(user->dynamic, user->base, object->name) &&
            is_first_of_name(all, i))
            object->stays = true;
    }
}

/* A library that a staying object was linked with stays, too. */
static void
mark_all_needed(const struct objects *all)
{
    for (size_t i = 0; i < all->n; i++) {
        if (all->list[i].stays && !all->list[i].is_done) {
            mark_needed_by(all, &all->list[i]);
            i = (size_t)-1; /* start again from the first */
        }
    }
}

static bool
add_ranges(const struct object *object)
{
    for (size_t i = 0; i < object->n_parts; i++) {
        const ElfW(Phdr) *part = &object->parts[i];
        uintptr_t first = (uintptr_t)(object->base + part->p_vaddr);

        if (part->p_type != PT_LOAD || (part->p_flags & PF_W) != 0)
            continue;
        if (!hpm_memory_grow(&known.ranges, &known.capacity, known.n_ranges + 1,
                             sizeof *known.ranges))
            return false;
        known.ranges[known.n_ranges++] =
            (struct range){first, first + (uintptr_t)part->p_memsz};
    }
    return true;
}

/* Do all the work in the first callback: the linker's lock is held, so nothing
 * is unloaded, and the lock may be taken again by the same thread. */
static int
look_at_all(struct dl_phdr_info *object, size_t size, void *context)
{
    struct objects all = {0};

    (void)object;
    (void)size;
    (void)context;
    dl_iterate_phdr(add_object, &all);
    mark_all_needed(&all);
    for (size_t i = 0; i < all.n; i++) {
        if (all.list[i].stays && !add_ranges(&all.list[i]))
            break;
    }
    hpm_memory_free(all.list);
    return 1;
}

void
hpm_literal_init(void)
{
    if (known.n_ranges == 0)
        dl_iterate_phdr(look_at_all, NULL);
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
