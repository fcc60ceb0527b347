/* SPDX-License-Identifier: BSD-3-Clause
 * The program and the libraries and plug-ins that are loaded, with their functions.
 *
 * The C library has a lock of its own on its list, which a thread that calls a hook may
 * hold: nobody looks there with a lock of ours.  So hpm_loaded_find and hpm_places_find
 * are called without the lock, and hpm_objects_... with it. */
#ifndef HPM_FUNCTIONS_OBJECTS_H
#define HPM_FUNCTIONS_OBJECTS_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "elf/elfsymbols.h"

struct hpm_object {
    struct hpm_object *next;
    const char *name; /* without folders; "" for the program */
    uintptr_t bias;   /* address in memory less address as linked */
    uintptr_t first, end;
    size_t number; /* the first one that was added has 1 */
    bool is_gone;  /* unloaded; nothing is looked for in it any more */
    struct hpm_elfsymbols symbols;
    uint32_t *twins; /* see twins.h; or NULL */
};

/* What the C library knows of an object. */
struct hpm_loaded {
    char *path;
    uintptr_t bias, first, end;
    ElfW(Phdr) * parts;
    size_t n_parts;
};

/* What is loaded at this address; false for nothing (code made at run time) or where
 * memory runs out. */
bool hpm_loaded_find(struct hpm_loaded *loaded, uintptr_t address);
void hpm_loaded_clear(struct hpm_loaded *loaded);

/* Is this the file that was loaded, and not one that was built anew since? */
bool hpm_loaded_is_file(const struct hpm_loaded *loaded,
                        const struct hpm_elffile *file);

/* The object at this address, of those that were added; NULL for none.  Lives for
 * ever. */
const struct hpm_object *hpm_objects_find(uintptr_t address);

/* Add it, and read its symbols; NULL where memory runs out. */
const struct hpm_object *hpm_objects_add(const struct hpm_loaded *loaded);

/* Where something is loaded. */
struct hpm_loadplace {
    uintptr_t bias, first, end;
};

struct hpm_places {
    struct hpm_loadplace *list; /* the caller frees it */
    size_t n;
    size_t capacity;
};

/* All places; false where memory runs out. */
bool hpm_places_find(struct hpm_places *places);

/* How many objects were added. */
size_t hpm_objects_count(void);

/* Mark those of the first `n_known` objects that are not in `places` as gone, and call
 * `tell` for each. */
void hpm_objects_keep(const struct hpm_places *places, size_t n_known,
                      void (*tell)(uintptr_t first, uintptr_t end));

#endif
