/* SPDX-License-Identifier: BSD-3-Clause
 * A grid of tasks. */
#include "study/columns/cartesian.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Numbers with blanks between them, each from `least` to `most`; returns how
 * many, 0 where it is not that, or too many. */
static size_t
read_numbers(const char *text, long least, long most, int *ret_numbers)
{
    size_t n = 0;

    while (text != NULL && *text != '\0') {
        char *end;
        long number;

        errno = 0;
        number = strtol(text, &end, 10);
        if (end == text || errno != 0 || number < least || number > most ||
            (*end != '\0' && *end != ' ') || n == HPM_CARTESIAN_MOST)
            return 0;
        ret_numbers[n++] = (int)number;
        text = end;
        while (*text == ' ')
            text++;
    }
    return n;
}

bool
hpm_cartesian_read(const char *dims, const char *periods, const char *coords,
                   struct hpm_cartesian_place *ret, struct hpm_error *err)
{
    int numbers[HPM_CARTESIAN_MOST];
    size_t n = read_numbers(dims, 1, INT_MAX, ret->dims);

    ret->n = n;
    if (n == 0)
        return hpm_error_set(err, "dims '%s' are not 1 to %d numbers above 0",
                             dims != NULL ? dims : "", HPM_CARTESIAN_MOST);
    if (read_numbers(periods, 0, 1, numbers) != n)
        return hpm_error_set(err,
                             "periods '%s' are not 0 or 1 for each of %zu "
                             "dims",
                             periods != NULL ? periods : "", n);
    for (size_t i = 0; i < n; i++)
        ret->are_periodic[i] = numbers[i] == 1;
    if (read_numbers(coords, 0, INT_MAX, ret->coords) != n)
        return hpm_error_set(err,
                             "coords '%s' are not a number from 0 for each of "
                             "%zu dims",
                             coords != NULL ? coords : "", n);
    for (size_t i = 0; i < n; i++) {
        if (ret->coords[i] >= ret->dims[i])
            return hpm_error_set(err, "coords '%s' are outside of dims '%s'",
                                 coords, dims);
    }
    return true;
}
