/* SPDX-License-Identifier: BSD-3-Clause
 * Code that only calculates, or only reads memory, as fast as a processor can.
 * On x86-64 and aarch64 it is assembler, the same for all compilers and their
 * options; elsewhere C. */
#ifndef HPM_ROOFS_ROOFKERNEL_H
#define HPM_ROOFS_ROOFKERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that one thread reads; not used by kernels that calculate. */
struct roof_place {
    char *memory;
    size_t size; /* a multiple of ROOF_BLOCK */
};

enum { ROOF_BLOCK = 1024 };

struct roof_kernel {
    const char *name; /* "double_256" */
    const char *text; /* "double precision, vectors of 256 bits" */
    bool is_single;
    unsigned bits;         /* of a vector; 0: the kernel reads */
    double operations;     /* floating point operations in a round; 0 for
                            * reading */
    bool (*can_run)(void); /* NULL: everywhere */
    void (*run)(struct roof_place *place, uint64_t rounds);
};

/* The kernels that calculate: scalar ones first, then by width. */
extern const struct roof_kernel roof_calculations[];
extern const size_t roof_n_calculations;

/* The kernel that reads all of a place in each round. */
extern const struct roof_kernel roof_reading;

#endif
