/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of tasks as text. */
#include "study/columns/taskranges.h"

#include <limits.h>
#include <string.h>

#include "host/memory.h"

void
hpm_taskranges_free(struct hpm_taskranges *ranges)
{
    hpm_memory_free(ranges->ranges);
    *ranges = (struct hpm_taskranges){0};
}

/* The first range that ends at `number` or behind it. */
static size_t
find(const struct hpm_taskranges *ranges, int number)
{
    size_t low = 0, high = ranges->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (ranges->ranges[middle].last < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

void
hpm_taskranges_add(struct hpm_taskranges *ranges, int first, int last)
{
    size_t from = find(ranges, first > 0 ? first - 1 : 0), to = from;
    struct hpm_taskrange *range;

    while (to < ranges->n &&
           (last == INT_MAX || ranges->ranges[to].first <= last + 1)) {
        range = &ranges->ranges[to++];
        first = range->first < first ? range->first : first;
        last = range->last > last ? range->last : last;
    }
    if (to == from && !hpm_memory_grow(&ranges->ranges, &ranges->capacity,
                                       ranges->n + 1, sizeof *ranges->ranges)) {
        ranges->failed = true;
        return;
    }
    memmove(ranges->ranges + from + 1, ranges->ranges + to,
            (ranges->n - to) * sizeof *ranges->ranges);
    ranges->ranges[from] = (struct hpm_taskrange){first, last};
    ranges->n += 1 + from - to;
}

bool
hpm_taskranges_has(const struct hpm_taskranges *ranges, int first, int last)
{
    size_t at = find(ranges, first);

    return at < ranges->n && ranges->ranges[at].first <= last;
}

/* Read a number at *text, and set *text behind it. */
static bool
read_number(const char **text, int *ret_number)
{
    long number = 0;
    const char *at = *text;

    for (; *at >= '0' && *at <= '9' && number <= INT_MAX; at++)
        number = 10 * number + (*at - '0');
    if (at == *text || number > INT_MAX)
        return false;
    *text = at;
    *ret_number = (int)number;
    return true;
}

bool
hpm_taskranges_read(struct hpm_taskranges *ranges, const char *text)
{
    do {
        int first, last;

        if (!read_number(&text, &first))
            return false;
        last = first;
        if (*text == '-') {
            text++;
            if (!read_number(&text, &last) || last < first)
                return false;
        }
        hpm_taskranges_add(ranges, first, last);
    } while (*text == ',' && *text++ != '\0');
    return *text == '\0' && !ranges->failed;
}

void
hpm_taskranges_write(const struct hpm_taskranges *ranges,
                     struct hpm_string *string)
{
    string->failed |= ranges->failed;
    for (size_t i = 0; i < ranges->n; i++) {
        const struct hpm_taskrange *range = &ranges->ranges[i];

        hpm_string_add(string, i > 0 ? "," : "");
        hpm_string_add_format(string, "%d", range->first);
        if (range->last > range->first)
            hpm_string_add_format(string, "-%d", range->last);
    }
}
