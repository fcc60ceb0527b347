/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the way of counting: the cause, and the remedy. */
#ifndef HPM_SOURCE_OBSTACLE_H
#define HPM_SOURCE_OBSTACLE_H

#include <stdbool.h>

#include "base/error.h"

struct hpm_obstacle {
    const char *name; /* for programs, a constant: "paranoid", "no-pmu" ... */
    char cause[256];  /* lower case, no full stop, as the remedy */
    char remedy[224];
};

/* Write all three and return false.  `remedy` may be "". */
bool hpm_obstacle_set(struct hpm_obstacle *obstacle, const char *name,
                      const char *remedy, const char *cause, ...)
    __attribute__((format(printf, 4, 5)));

/* "cause; remedy".  Returns false. */
bool hpm_obstacle_say(const struct hpm_obstacle *obstacle,
                      struct hpm_error *err) __attribute__((cold));

/* Why perf_event_open failed with `error`. */
void hpm_obstacle_of_error(int error, struct hpm_obstacle *ret_obstacle)
    __attribute__((cold));

/* The same in a sentence, with the remedy. */
void hpm_obstacle_explain(int error, struct hpm_error *err)
    __attribute__((cold));

#endif
