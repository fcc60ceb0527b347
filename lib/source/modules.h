/* SPDX-License-Identifier: BSD-3-Clause
 * The modules of this process: the program, its libraries and whatever else is
 * mapped to be executed, and at which addresses.
 *
 * Where one was mapped stays known when it is gone; an address that was used
 * twice belongs to what was mapped there last.  The kernel is the module
 * "[kernel]": offsets are from the begin of its code (_text) where this user may know
 * that, in loaded modules of it, and else, addresses. */
#ifndef HPM_SOURCE_MODULES_H
#define HPM_SOURCE_MODULES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "source/ring.h"

struct hpm_module {
    char *path; /* "[vdso]" and the like in brackets; "[anonymous]": memory
                   without a file */
    char build_id[2 * HPM_BUILD_ID_BYTES +
                  1];  /* in hexadecimal; "": none known */
    bool is_looked_at; /* its file, for that */
};

/* Any thread; `lock` is for all of it. */
struct hpm_modules {
    pthread_mutex_t lock;
    bool
        wants_kernel; /* an address of the kernel was met: look for its place */
    struct hpm_module *modules;
    size_t n_modules;
    size_t modules_capacity;
    struct hpm_module_part {
        uint64_t start, end, offset;
        size_t module;
    } * parts; /* in the order in which they were mapped */
    size_t n_parts;
    size_t parts_capacity;
};

void hpm_modules_init(struct hpm_modules *modules);
void hpm_modules_clear(struct hpm_modules *modules);

/* Add what is mapped now and not known yet, and find out build ids: reads files, so
 * hold no lock that others wait for. */
void hpm_modules_look(struct hpm_modules *modules) __attribute__((cold));

/* How many parts are known. */
size_t hpm_modules_count_parts(struct hpm_modules *modules);

/* Add a part that was mapped. */
void hpm_modules_add(struct hpm_modules *modules,
                     const struct hpm_mapped *mapped);

/* No part. */
#define HPM_MODULES_NO_PART UINT32_MAX

/* What is mapped at an address now, or was last; HPM_MODULES_NO_PART where nothing
 * is known. */
uint32_t hpm_modules_find_part(struct hpm_modules *modules, uint64_t address);

/* The module of an address in that part, and the offset in its file; false where nothing
 * known was mapped there. */
bool hpm_modules_find(struct hpm_modules *modules, uint64_t address,
                      uint32_t part, size_t *ret_module, uint64_t *ret_offset);

/* The build id of a module that has none yet: from its file, if that is there and
 * an object; of the vDSO from this process's own. */
void hpm_modules_identify(struct hpm_module *module);

#endif
