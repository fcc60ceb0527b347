/* SPDX-License-Identifier: BSD-3-Clause
 * A hash that nobody can predict without its seed: texts made to collide in a
 * table do not collide. */
#ifndef HPM_STUDY_STORE_KEYEDHASH_H
#define HPM_STUDY_STORE_KEYEDHASH_H

#include <stddef.h>
#include <stdint.h>

/* A number for these bytes. */
uint64_t hpm_keyedhash(const uint64_t seed[2], const void *bytes,
                       size_t length);

/* A new seed. */
void hpm_keyedhash_seed(uint64_t ret_seed[2]);

#endif
