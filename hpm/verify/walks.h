/* SPDX-License-Identifier: BSD-3-Clause
 * Walks through memory in which each address is read from the line before. */
#ifndef HPM_WALKS_H
#define HPM_WALKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Memory that a kernel works on. */
struct kernel_place {
    char *memory;
    size_t size;
    void *at; /* the present position of the walk */
};

/* A round is one load. */
void walks_run(struct kernel_place *place, uint64_t rounds);

/* Make the memory, and walk through it once.  False if this machine does not
 * tell its caches, has no such level, or has too little memory. */
bool walks_prepare_stride(struct kernel_place *place);
bool walks_prepare_l1(struct kernel_place *place);
bool walks_prepare_l2(struct kernel_place *place);
bool walks_prepare_l3(struct kernel_place *place);
bool walks_prepare_memory(struct kernel_place *place);
bool walks_prepare_pages(struct kernel_place *place);
void walks_release(struct kernel_place *place);

/* The size of the caches of level 1 (data) to 3, in bytes; 0: none, or not
 * known. */
size_t walks_cache_size(int level);

#endif
