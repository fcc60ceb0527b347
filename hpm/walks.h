/* SPDX-License-Identifier: BSD-3-Clause
 * Walks through memory in which each address is read from the line before. */
#ifndef HPM_WALKS_H
#define HPM_WALKS_H

#include "hpm/kernels.h"

struct kernel_place {
    char *memory;
    size_t size;
    void *at; /* where the walk has come to */
};

/* The load, and the two instructions of its loop. */
#if defined(__x86_64__) || defined(__aarch64__)
#define WALK_LOADS                                                             \
    [QUANTITY_INSTRUCTIONS] = {AMOUNT_KNOWN, 3, 3},                            \
    [QUANTITY_BRANCHES] = {AMOUNT_KNOWN, 1, 1},                                \
    [QUANTITY_LOADS] = {AMOUNT_KNOWN, 1, 1},                                   \
    [QUANTITY_STORES] = {AMOUNT_KNOWN, 0, 0},
#else
#define WALK_LOADS [QUANTITY_LOADS] = {AMOUNT_KNOWN, 1, INFINITY},
#endif

/* A round is one load. */
void walks_run(struct kernel_place *place, uint64_t rounds);

/* Make the memory, and walk through it once.  False where this machine does not
 * tell its caches, or has no such level or no room. */
bool walks_prepare_stride(struct kernel_place *place);
bool walks_prepare_l1(struct kernel_place *place);
bool walks_prepare_l2(struct kernel_place *place);
bool walks_prepare_l3(struct kernel_place *place);
bool walks_prepare_memory(struct kernel_place *place);
bool walks_prepare_pages(struct kernel_place *place);
void walks_release(struct kernel_place *place);

/* What the caches of level 1 (data) to 3 hold, in bytes; 0: none, or nobody
 * tells. */
size_t walks_cache_size(int level);

#endif
