/* SPDX-License-Identifier: BSD-3-Clause
 * The one door to the heap, so that a test can make any allocation fail. */
#include "base/memory.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_ulong fail_countdown;
static atomic_bool fail_for_ever;

static bool
must_fail(void)
{
    unsigned long left = atomic_load(&fail_countdown);

    if (left == 0)
        return false;
    if (left == 1) {
        if (!atomic_load(&fail_for_ever))
            atomic_store(&fail_countdown, 0);
        return true;
    }
    atomic_store(&fail_countdown, left - 1);
    return false;
}

void
hpm_memory_fail_at(unsigned long n, bool for_ever)
{
    atomic_store(&fail_for_ever, for_ever);
    atomic_store(&fail_countdown, n);
}

void *
hpm_memory_new(size_t count, size_t size)
{
    if (must_fail())
        return NULL;
    return calloc(count != 0 ? count : 1, size != 0 ? size : 1);
}

char *
hpm_memory_copy_text(const char *text)
{
    size_t size;
    char *copy;

    if (text == NULL)
        return NULL;
    size = strlen(text) + 1;
    copy = hpm_memory_new(size, 1);
    if (copy != NULL)
        memcpy(copy, text, size);
    return copy;
}

bool
hpm_memory_grow(void *ret_array, size_t *ret_capacity, size_t needed,
                size_t size)
{
    void **array = ret_array;
    size_t capacity = *ret_capacity * 2;
    char *grown;

    if (needed <= *ret_capacity)
        return true;
    if (capacity < needed)
        capacity = needed;
    if (capacity < 8)
        capacity = 8;
    if (capacity > SIZE_MAX / 2 / size || must_fail())
        return false;
    grown = realloc(*array, capacity * size);
    if (grown == NULL)
        return false;
    memset(grown + *ret_capacity * size, 0, (capacity - *ret_capacity) * size);
    *array = grown;
    *ret_capacity = capacity;
    return true;
}

void
hpm_memory_free(void *memory)
{
    free(memory);
}
