/* SPDX-License-Identifier: BSD-3-Clause
 * A graph of tasks. */
#include "study/columns/taskgraph.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>

/* Numbers from 0 with blanks between them; false where the text is not that.  The
 * first `most` go to ret_first. */
static bool
read_numbers(const char *text, size_t *ret_n, size_t most, size_t *ret_first)
{
    size_t n = 0;

    while (*text != '\0') {
        char *end;
        long number;

        errno = 0;
        number = strtol(text, &end, 10);
        if (end == text || errno != 0 || number < 0 || number > INT_MAX ||
            (*end != '\0' && *end != ' '))
            return false;
        if (n < most)
            ret_first[n] = (size_t)number;
        n++;
        text = end;
        while (*text == ' ')
            text++;
    }
    *ret_n = n;
    return true;
}

static bool
is_list_of(const char *text, size_t degree)
{
    size_t n;

    return text != NULL && read_numbers(text, &n, 0, NULL) && n == degree;
}

bool
hpm_taskgraph_read(const char *degrees, const char *sources,
                   const char *destinations, struct hpm_taskgraph_place *ret,
                   struct hpm_error *err)
{
    size_t numbers[2], n;

    if (degrees == NULL || !read_numbers(degrees, &n, 2, numbers) || n != 2)
        return hpm_error_set(err, "degrees '%s' are not two numbers from 0",
                             degrees != NULL ? degrees : "");
    *ret = (struct hpm_taskgraph_place){
        numbers[0], numbers[1], sources != NULL || destinations != NULL};
    if (!ret->are_listed)
        return true;
    if (!is_list_of(sources, numbers[0]))
        return hpm_error_set(err, "sources '%s' are not %zu numbers of tasks",
                             sources != NULL ? sources : "", numbers[0]);
    if (!is_list_of(destinations, numbers[1]))
        return hpm_error_set(
            err, "destinations '%s' are not %zu numbers of tasks",
            destinations != NULL ? destinations : "", numbers[1]);
    return true;
}
