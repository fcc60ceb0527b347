/* SPDX-License-Identifier: BSD-3-Clause
 * The modules of this process: the program, its libraries and all else that is
 * mapped as executable, with their addresses.
 *
 * An unmapped module stays known; an address that was used twice belongs to the
 * module mapped there last.  The kernel is the module "[kernel]": offsets count
 * from the begin of its code (_text), if this user may know that; they are
 * addresses in loaded kernel modules, and if _text is not known. */
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
                  1];  /* in hexadecimal; "": not known */
    bool is_looked_at; /* its file was read for the build id */
};

/* Any thread; `lock` protects all members. */
struct hpm_modules {
    pthread_mutex_t lock;
    bool
        wants_kernel; /* an address of the kernel was sampled: find the kernel's
                       * code */
    struct hpm_module *modules;
    size_t n_modules;
    size_t modules_capacity;
    struct hpm_module_part {
        uint64_t start, end, offset;
        size_t module;
    } * parts; /* in the order in which they were mapped */
    size_t n_parts;
    size_t parts_capacity;
    const struct hpm_module_part
        *last; /* found, where the next address is often,
                                         * too; NULL when a part was added since */
};

void hpm_modules_init(struct hpm_modules *modules);
void hpm_modules_clear(struct hpm_modules *modules);

/* Add what is mapped now and not known yet, and find build ids.  This reads
 * files: do not hold a lock that others wait for. */
void hpm_modules_look(struct hpm_modules *modules) __attribute__((cold));

/* The number of known parts. */
size_t hpm_modules_count_parts(struct hpm_modules *modules);

/* Between these calls the two below can be called, by this thread: a reading of a ring
 * does so for many addresses. */
void hpm_modules_lock(struct hpm_modules *modules);
void hpm_modules_unlock(struct hpm_modules *modules);

/* Add a part that was mapped. */
void hpm_modules_add(struct hpm_modules *modules,
                     const struct hpm_mapped *mapped);

/* Stands for no part. */
#define HPM_MODULES_NO_PART UINT32_MAX

/* The part mapped at an address now, or last; HPM_MODULES_NO_PART if none is
 * known. */
uint32_t hpm_modules_find_part(struct hpm_modules *modules, uint64_t address);

/* The module of an address in that part, and the offset in the module's file;
 * false if no known module was mapped there. */
bool hpm_modules_find(struct hpm_modules *modules, uint64_t address,
                      uint32_t part, size_t *ret_module, uint64_t *ret_offset);

/* Find the build id of a module without one: in its file, if that is there and
 * an object; for the vDSO in this process's memory. */
void hpm_modules_identify(struct hpm_module *module);

#endif
