/* SPDX-License-Identifier: BSD-3-Clause
 * The findings of hpm doctor, in the order of its checks: the first fault is
 * the cause. */
#ifndef HPM_FINDINGS_H
#define HPM_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include "source/obstacle.h"

enum finding_state {
    FINDING_OK,
    FINDING_NOTE,  /* useful to know; no counters are missing */
    FINDING_FAULT, /* counters are missing */
};

struct finding {
    const char *check; /* what was checked; a constant */
    enum finding_state state;
    char text[320];   /* one line, lower case, no full stop */
    char remedy[224]; /* "" where none is needed */
};

enum { MOST_FINDINGS = 24 };

struct findings {
    struct finding list[MOST_FINDINGS];
    size_t n;
    bool has_hardware; /* the processor's cycles can be counted */
};

/* Add a finding, with a remedy ("" for none). */
void findings_add(struct findings *findings, const char *check,
                  enum finding_state state, const char *remedy,
                  const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/* Add a fault for this reason. */
void findings_add_obstacle(struct findings *findings, const char *check,
                           const struct hpm_obstacle *obstacle);

/* The first fault; NULL when there is none. */
const struct finding *findings_cause(const struct findings *findings);

/* "ok", "note" or "fault". */
const char *finding_state_name(enum finding_state state);

#endif
