/* SPDX-License-Identifier: BSD-3-Clause
 * Is everything sorted, and nothing lost? */
#include "base/sort.h"

#include <stdint.h>

#include "tap.h"

struct item {
    uint64_t key;
    uint32_t twice;
};

static int
compare(const void *first, const void *second)
{
    const struct item *a = first, *b = second;

    return (a->key > b->key) - (a->key < b->key);
}

static bool
is_sorted(size_t n, uint64_t range)
{
    struct item items[200] = {{0}};
    uint64_t random = n + 1, sum = 0;
    bool is_good = true;

    for (size_t i = 0; i < n; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        items[i].key = (random >> 33) % range;
        items[i].twice = (uint32_t)(2 * items[i].key);
        sum += items[i].key;
    }
    hpm_sort(items, n, sizeof items[0], compare);
    for (size_t i = 0; i < n; i++) {
        is_good &= items[i].twice == 2 * items[i].key &&
                   (i == 0 || items[i - 1].key <= items[i].key);
        sum -= items[i].key;
    }
    return is_good && sum == 0;
}

int
main(void)
{
    bool is_good = true;

    for (size_t n = 0; n <= 200; n++)
        is_good &= is_sorted(n, 1000000) && is_sorted(n, 5);
    ok(is_good, "up to 200 items, with equal ones and without");
    return done();
}
