/* SPDX-License-Identifier: BSD-3-Clause
 * Walks through memory in which each address is read from the line before. */
#ifndef HPM_WALKS_H
#define HPM_WALKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a kernel works on. */
struct kernel_place {
    char *memory;
    size_t size;
    void *at; /* where the walk has come to */
};

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
