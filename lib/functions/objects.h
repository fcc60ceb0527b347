/* SPDX-License-Identifier: BSD-3-Clause
 * The program and the libraries and plug-ins that are loaded, with their functions.
 * The caller holds a lock around each call. */
#ifndef HPM_FUNCTIONS_OBJECTS_H
#define HPM_FUNCTIONS_OBJECTS_H

#include <stdbool.h>
#include <stdint.h>

#include "functions/elfsymbols.h"

struct hpm_object {
    struct hpm_object *next;
    const char *name; /* without folders; "" for the program */
    uintptr_t bias;   /* address in memory less address as linked */
    uintptr_t first, end;
    bool is_gone; /* unloaded; nothing is looked for in it any more */
    struct hpm_elfsymbols symbols;
};

/* The object that has the code at this address, its symbols read; NULL for none (code
 * made at run time) or where memory runs out.  Lives for ever. */
struct hpm_object *hpm_objects_find(uintptr_t address);

/* An object was unloaded: mark the objects that are gone, and call `tell` for
 * each. */
void hpm_objects_look_again(void (*tell)(uintptr_t first, uintptr_t end));

#endif
