/* SPDX-License-Identifier: BSD-3-Clause
 * Chooses where in its first period a thread is first sampled. */
#include "source/phase.h"

/* Steele, Lea, Flood: splitmix64.  `value` may have few random bits. */
static uint64_t
mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* Divide the way to the next wanted place into equal steps of at most half a
 * period, at random one step more, so that later places are not the same for
 * all threads.  The kernel repeats a step until we see its sample; no step is
 * below `least`. */
static uint64_t
divide(const struct hpm_phase *phase, uint64_t left)
{
    uint64_t half = phase->period / 2 + 1;
    uint64_t n = left / half + 1 + (left >= half ? phase->random : 0);
    uint64_t step = (left + n - 1) / n;

    return step > phase->least ? step : phase->least;
}

/* Each place of a period, counted from `least` on, has the same probability. */
void
hpm_phase_begin(struct hpm_phase *phase, uint64_t period, uint64_t least,
                uint64_t random)
{
    uint64_t mixed = mix(random), first = least + mixed % period;
    int64_t gone = (int64_t)period - (int64_t)first;

    *phase = (struct hpm_phase){.period = period,
                                .least = least,
                                .step = period,
                                .settles = HPM_PHASE_SETTLES +
                                           mix(mixed) % HPM_PHASE_SETTLES,
                                .random = mix(mixed) / HPM_PHASE_SETTLES % 2,
                                .gone = gone,
                                .credit = gone,
                                .is_settled = period == 1 || least > period};
    if (!phase->is_settled)
        phase->step = divide(phase, first);
}

/* Is the last sample nearer to the next wanted place than the samples around
 * it? */
bool
hpm_phase_keeps_last(struct hpm_phase *phase)
{
    int64_t ahead = (int64_t)phase->period - phase->credit;
    bool is_kept = phase->has_last && 2 * ahead <= (int64_t)phase->step;

    if (is_kept) {
        phase->credit -= (int64_t)phase->period;
        phase->n_kept_here++;
    }
    phase->has_last = true;
    phase->credit += (int64_t)phase->step;
    return is_kept;
}

/* The count tells which places were passed, also if the kernel dropped samples.
 * If a place was passed since the last sample, no later sample before the
 * section's start or stop can be nearer, and a sample after that belongs to
 * another section. */
bool
hpm_phase_go_on(struct hpm_phase *phase, uint64_t count)
{
    int64_t period = (int64_t)phase->period;
    int64_t gone = phase->gone + (int64_t)(count - phase->since);
    int64_t n_passed = gone >= period ? gone / period : 0;
    bool is_kept = phase->has_last && n_passed > phase->n_kept_here;

    gone -= n_passed * period;
    phase->n_kept += (unsigned)(phase->n_kept_here + is_kept);
    phase->is_settled = phase->n_kept >= phase->settles;
    phase->step = phase->is_settled ? phase->period
                                    : divide(phase, (uint64_t)(period - gone));
    phase->n_kept_here = 0;
    phase->has_last = false;
    phase->since = count;
    phase->credit = phase->gone = gone;
    return is_kept;
}
