/* SPDX-License-Identifier: BSD-3-Clause
 * What prevents counting: the cause, and the remedy. */
#ifndef HPM_SOURCE_OBSTACLE_H
#define HPM_SOURCE_OBSTACLE_H

#include <stdbool.h>

#include "base/error.h"

struct hpm_obstacle {
    const char *name; /* for programs, a constant text: "paranoid", "no-pmu"
                       * ... */
    char cause[256];  /* cause and remedy: lower case, no full stop */
    char remedy[224];
};

/* Fill all three members and return false.  `remedy` may be "". */
bool hpm_obstacle_set(struct hpm_obstacle *obstacle, const char *name,
                      const char *remedy, const char *cause, ...)
    __attribute__((format(printf, 4, 5)));

/* Write "cause; remedy" to err and return false. */
bool hpm_obstacle_say(const struct hpm_obstacle *obstacle,
                      struct hpm_error *err) __attribute__((cold));

/* Why perf_event_open failed with `error`. */
void hpm_obstacle_of_error(int error, struct hpm_obstacle *ret_obstacle)
    __attribute__((cold));

/* Write why perf_event_open failed, with the remedy, as one sentence. */
void hpm_obstacle_explain(int error, struct hpm_error *err)
    __attribute__((cold));

#endif
