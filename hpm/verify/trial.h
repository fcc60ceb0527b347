/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of events while kernels run. */
#ifndef HPM_TRIAL_H
#define HPM_TRIAL_H

#include "hpm/verify/kernels.h"
#include "source/eventset.h"

/* The counts of one event for one kernel. */
struct trial_value {
    bool is_present;
    double rate;   /* per round: the difference of twice the rounds and the
                    * rounds */
    double spread; /* largest difference between repetitions, per round */
    double offset; /* count apart from the rounds */
    double first;  /* count in the smaller number of rounds */
    double rounds; /* the smaller number of rounds */
    double cpu_ns; /* the thread's time for a round; 0: too short to tell */
};

struct trial_event {
    const char *name;
    size_t leaf;
    bool is_known;    /* the correct count is known for some kernel */
    bool needs_walks; /* walks through memory; they show nothing new about other
                       * events */
    bool is_counted;
    char reason[256]; /* why it is not counted */
    uint64_t raw;     /* the counter's value at the end */
    struct trial_value values[MOST_KERNELS];
};

/* Count these events while each kernel runs, as many at once as possible: each
 * at least twice if `is_known`; else once, and shorter, since the only question
 * is whether it counts. */
bool trial_run(struct trial_event *events, size_t n,
               const struct kernels *kernels,
               const struct hpm_source *const *sources, struct hpm_error *err);

#endif
