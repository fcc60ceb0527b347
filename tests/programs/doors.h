/* SPDX-License-Identifier: BSD-3-Clause
 * The ways into the library: a thread section and a process section through
 * each of its entries.  C++ calls those of C, the Fortran module "f_hpm-at". */
#ifndef HPM_TEST_DOORS_H
#define HPM_TEST_DOORS_H

struct door {
    const char *name;
    void (*thread_start)(int id, const char *label);
    void (*thread_stop)(int id);
    void (*process_start)(int id, const char *label);
    void (*process_stop)(int id);
};

/* All doors; the last one has no name. */
extern const struct door doors[];

/* The door of that name, NULL if there is none. */
const struct door *door_named(const char *name);

#endif
