/* SPDX-License-Identifier: BSD-3-Clause
 * Where in its first period a thread is sampled first. */
#include "source/phase.h"

/* Steele, Lea, Flood: splitmix64; what comes in may have few bits by chance. */
static uint64_t
mix(uint64_t value)
{
    value += UINT64_C(0x9e3779b97f4a7c15);
    value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
    return value ^ (value >> 31);
}

/* A whole number of steps to the next place, each at most a quarter of a period:
 * with an eighth short threads cost twice as much, with a half they are sampled
 * twice as often at some places as at others. */
static uint64_t
divide(const struct hpm_phase *phase, uint64_t left)
{
    uint64_t n = left / (phase->period / 4 + 1) + 1 + phase->random % 3;

    if (n > left / phase->least)
        n = left / phase->least;
    return n > 0 ? (left + n - 1) / n : phase->least;
}

/* From `least` on all places of a period are as probable. */
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
                                .random = mix(mixed) / HPM_PHASE_SETTLES % 3,
                                .gone = gone,
                                .credit = gone,
                                .is_settled = period == 1 || least > period};
    if (!phase->is_settled)
        phase->step = divide(phase, first);
}

bool
hpm_phase_keeps(struct hpm_phase *phase)
{
    if (phase->is_settled)
        return true;
    phase->credit += (int64_t)phase->step;
    if (phase->credit < (int64_t)phase->period)
        return false;
    phase->credit -= (int64_t)phase->period;
    phase->n_kept++;
    return true;
}

/* By the count, so that samples that the kernel left out are none.  A place that was
 * wanted since the last step is still to be sampled. */
void
hpm_phase_go_on(struct hpm_phase *phase, uint64_t count)
{
    int64_t period = (int64_t)phase->period;
    uint64_t passed = count - phase->since;
    int64_t gone = phase->gone + (int64_t)passed;
    int64_t at_step = gone - (int64_t)(passed % phase->step);

    if (at_step >= period)
        gone -= at_step / period * period;
    phase->is_settled = phase->n_kept >= phase->settles;
    phase->step = phase->period;
    if (!phase->is_settled)
        phase->step =
            divide(phase, gone < period ? (uint64_t)(period - gone) : 0);
    phase->since = count;
    phase->credit = phase->gone = gone;
}
