/* SPDX-License-Identifier: BSD-3-Clause
 * Sorting without memory: heap sort. */
#include "base/sort.h"

struct heap {
    char *items;
    size_t bytes;
    int (*compare)(const void *first, const void *second);
};

static void
swap(const struct heap *heap, size_t i, size_t j)
{
    char *a = heap->items + i * heap->bytes, *b = heap->items + j * heap->bytes;

    for (size_t k = 0; k < heap->bytes; k++) {
        char byte = a[k];

        a[k] = b[k];
        b[k] = byte;
    }
}

static int
compare(const struct heap *heap, size_t i, size_t j)
{
    return heap->compare(heap->items + i * heap->bytes,
                         heap->items + j * heap->bytes);
}

/* Move the item at i down until neither of its two children is greater. */
static void
sift(const struct heap *heap, size_t i, size_t n)
{
    size_t below;

    while ((below = 2 * i + 1) < n) {
        if (below + 1 < n && compare(heap, below, below + 1) < 0)
            below++;
        if (compare(heap, i, below) >= 0)
            return;
        swap(heap, i, below);
        i = below;
    }
}

void
hpm_sort(void *items, size_t n, size_t bytes,
         int (*compare_items)(const void *first, const void *second))
{
    const struct heap heap = {items, bytes, compare_items};

    for (size_t i = n / 2; i > 0; i--)
        sift(&heap, i - 1, n);
    for (; n > 1; n--) {
        swap(&heap, 0, n - 1);
        sift(&heap, 0, n - 1);
    }
}
