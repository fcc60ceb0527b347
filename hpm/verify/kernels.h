/* SPDX-License-Identifier: BSD-3-Clause
 * Small pieces of code with known counts, to find out whether counters count
 * correctly.  On x86-64 and aarch64 they are assembler, which no compiler
 * changes; elsewhere C, of which only a lower bound is known. */
#ifndef HPM_KERNELS_H
#define HPM_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Quantities that are counted; their names are in kernel_quantities[]. */
enum quantity {
    QUANTITY_INSTRUCTIONS,
    QUANTITY_CYCLES,
    QUANTITY_BRANCHES,
    QUANTITY_MISPREDICTIONS,
    QUANTITY_LOADS,
    QUANTITY_STORES,
    QUANTITY_DOUBLE_64, /* floating point operations, by precision and bits */
    QUANTITY_DOUBLE_128,
    QUANTITY_DOUBLE_256,
    QUANTITY_DOUBLE_512,
    QUANTITY_SINGLE_32,
    QUANTITY_SINGLE_128,
    QUANTITY_SINGLE_256,
    QUANTITY_SINGLE_512,
    QUANTITY_L1_MISSES, /* loads that miss this cache */
    QUANTITY_L2_MISSES,
    QUANTITY_L3_MISSES,
    QUANTITY_TLB_MISSES,
    QUANTITY_PAGE_FAULTS,
    QUANTITY_SWITCHES,
    QUANTITY_MIGRATIONS,
    QUANTITY_READ_CALLS,
    QUANTITY_READ_BYTES,
    QUANTITY_WRITE_CALLS,
    QUANTITY_WRITE_BYTES,
    QUANTITY_CPU_TIME, /* nanoseconds; taken from the thread's clock */
    N_QUANTITIES
};

extern const char *const kernel_quantities[N_QUANTITIES];

/* Count per round; `most` is infinite if only the least is known. */
struct amount {
    enum { AMOUNT_UNLISTED, AMOUNT_KNOWN, AMOUNT_UNKNOWN } state;
    double least, most;
};

/* Memory that a kernel works on, made by kernels_open. */
struct kernel_place;

struct kernel {
    const char *name; /* "loads" */
    const char *text; /* the work of a round, in a few words */
    void (*run)(struct kernel_place *place, uint64_t rounds);
    bool (*can_run)(void);                  /* NULL: everywhere */
    bool (*prepare)(struct kernel_place *); /* NULL: nothing to prepare */
    bool is_closed;        /* quantities that are not listed are 0 */
    bool is_waiting;       /* it waits for the system to give it a processor */
    uint64_t least_rounds; /* enough for a mean, if the counts are random */
    uint64_t most_rounds;  /* 0: as many as fit in a millisecond */
    struct amount amounts[N_QUANTITIES];
};

enum { MOST_KERNELS = 40 };

/* A kernel that runs on this machine. */
struct kernel_ready {
    const struct kernel *kernel;
    struct kernel_place *place;
};

struct kernels {
    struct kernel_ready list[MOST_KERNELS];
    size_t n;
    char left_out[256]; /* names of kernels that cannot run here, with the
                         * reason */
};

/* Prepare the kernels that run here; kernels that walk through memory, and
 * first fill caches, only if they are needed.  False when there is no
 * memory. */
bool kernels_open(struct kernels *kernels, bool needs_walks,
                  struct hpm_error *err);
void kernels_close(struct kernels *kernels);

/* The amount of a quantity in a round of this kernel: KNOWN or UNKNOWN. */
struct amount kernel_amount(const struct kernel *kernel,
                            enum quantity quantity);

/* The quantity of this name, N_QUANTITIES if there is none. */
enum quantity kernel_quantity_of(const char *name);

#endif
