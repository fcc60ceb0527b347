/* SPDX-License-Identifier: BSD-3-Clause
 * What events count while kernels run. */
#ifndef HPM_TRIAL_H
#define HPM_TRIAL_H

#include "hpm/verify/kernels.h"
#include "source/eventset.h"

/* What one event counted of one kernel. */
struct trial_value {
    bool is_present;
    double rate;   /* per round, from so many rounds and twice as many */
    double spread; /* how far repetitions were from one another, per round */
    double offset; /* what was counted beside the rounds */
    double first;  /* in the smaller number of rounds */
    double rounds; /* that number */
    double cpu_ns; /* the thread's time for a round; 0: too short to tell */
};

struct trial_event {
    const char *name;
    size_t leaf;
    bool is_known;    /* how much it should count, of some kernel */
    bool needs_walks; /* through memory; others show nothing new there */
    bool is_counted;
    char reason[256]; /* of not being counted */
    uint64_t raw;     /* what the counter read at the end */
    struct trial_value values[MOST_KERNELS];
};

/* Count these events while each kernel runs, as many at once as go together: each at
 * least twice where `is_known`, else once, shorter, for it is only asked whether it
 * moves. */
bool trial_run(struct trial_event *events, size_t n,
               const struct kernels *kernels,
               const struct hpm_source *const *sources, struct hpm_error *err);

#endif
