/* SPDX-License-Identifier: BSD-3-Clause
 * Code that does nothing but calculate, or nothing but read memory, as fast as a
 * processor can.  On x86-64 and aarch64 it is assembler, which is the same
 * whatever the compiler and its options are; elsewhere C. */
#ifndef HPM_ROOFS_ROOFKERNEL_H
#define HPM_ROOFS_ROOFKERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What one thread reads; kernels that calculate have none. */
struct roof_place {
    char *memory;
    size_t size; /* a multiple of ROOF_BLOCK */
};

enum { ROOF_BLOCK = 1024 };

struct roof_kernel {
    const char *name; /* "double_256" */
    const char *text; /* "double precision, vectors of 256 bits" */
    bool is_single;
    unsigned bits;         /* of a vector; 0: reads */
    double operations;     /* floating point, in a round; reading: 0 */
    bool (*can_run)(void); /* NULL: everywhere */
    void (*run)(struct roof_place *place, uint64_t rounds);
};

/* Those that calculate: scalar first, then by width. */
extern const struct roof_kernel roof_calculations[];
extern const size_t roof_n_calculations;

/* Reads all of a place in each round. */
extern const struct roof_kernel roof_reading;

#endif
