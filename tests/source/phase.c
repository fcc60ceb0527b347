/* SPDX-License-Identifier: BSD-3-Clause
 * Random phases: many threads of one kind, with a simulated kernel, are sampled
 * equally at all their places, and as often as the period says. */
#include "source/phase.h"

#include <math.h>
#include <string.h>

#include "tap.h"

enum { PERIOD = 1000000, LEAST = PERIOD / 48, MOST = 60000000, N_BINS = 10 };

/* A simulated counter of the kernel: `next` is the count at its next sample. */
struct thread {
    struct hpm_phase phase;
    uint64_t next;
};

/* Samples in [from, to), counted in bins. */
static void
play(struct thread *thread, uint64_t from, uint64_t to, uint64_t bin_width,
     uint64_t *bins)
{
    bool has_come = false;
    uint64_t last = 0;

    for (; thread->next < to; thread->next += thread->phase.step) {
        uint64_t bin = thread->next / bin_width;

        if (thread->next < from)
            continue;
        has_come = true;
        if (thread->phase.is_settled)
            bins[bin]++;
        else if (hpm_phase_keeps_last(&thread->phase))
            bins[last]++;
        last = bin;
    }
    if (has_come && !thread->phase.is_settled) {
        if (hpm_phase_go_on(&thread->phase, to))
            bins[last]++;
        thread->next = to + thread->phase.step;
    }
}

static void
check(const char *what, uint64_t length, uint64_t edge)
{
    const int n_threads = 2000;
    uint64_t bins[N_BINS] = {0}, width = length / N_BINS;
    double worst = 0.0;

    for (int i = 0; i < n_threads; i++) {
        struct thread thread;

        hpm_phase_begin(&thread.phase, PERIOD, LEAST, (uint64_t)i);
        thread.next = thread.phase.step;
        for (uint64_t at = 0; at < length; at += edge)
            play(&thread, at, at + edge < length ? at + edge : length, width,
                 bins);
    }
    for (int bin = 1; bin < N_BINS; bin++) {
        double wanted = (double)n_threads * (double)width / PERIOD;
        double off = fabs((double)bins[bin] - wanted) / sqrt(wanted + 1.0);

        worst = off > worst ? off : worst;
    }
    ok(worst < 5.0, what);
    if (worst >= 5.0)
        printf("# a place is %.1f sigma off\n", worst);
}

static void
check_plain(void)
{
    struct hpm_phase phase;
    uint64_t count = 0;

    hpm_phase_begin(&phase, 1, 1, 7);
    ok(phase.is_settled && phase.step == 1, "every event: there is no phase");
    hpm_phase_begin(&phase, PERIOD, 2 * PERIOD, 7);
    ok(phase.is_settled && phase.step == PERIOD,
       "nor is there one where steps may not be shorter");
    hpm_phase_begin(&phase, PERIOD, LEAST, 7);
    for (int i = 0; i < 20 * HPM_PHASE_SETTLES && !phase.is_settled; i++) {
        count += phase.step;
        hpm_phase_keeps_last(&phase);
        hpm_phase_go_on(&phase, count);
    }
    ok(phase.is_settled && phase.step == PERIOD,
       "after some samples the kernel's period is the one wanted");
}

int
main(void)
{
    check_plain();
    check("every place is sampled alike: one period, no edges", 1000000,
          1000000);
    check("one period, some edges", 1000000, 170000);
    check("three periods, many edges", 3000000, 10000);
    check("five periods, edges of 0.7 periods", 5000000, 700000);
    check("five periods, no edges", 5000000, 5000000);
    check("twenty periods, edges of 1.3", 20000000, 1300000);
    check("sixty periods: it is settled", MOST, 333000);
    return done();
}
