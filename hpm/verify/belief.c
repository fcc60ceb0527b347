/* SPDX-License-Identifier: BSD-3-Clause
 * Does an event count correctly, as its counts of kernels show? */
#include "hpm/verify/belief.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Exact counts may be off by 1 %, since interrupts add some, and counts of 0 by
 * a twentieth per round. */
static const double tolerance = 0.01, floor_per_round = 0.05;

/* The clock of a thread is read outside the counters, so times may be off by 10
 * %. */
static const double time_tolerance = 0.1;

/* The largest count that reading the counters may add; a larger constant is an
 * error. */
static const double most_offset = 20000;

struct judging {
    const struct trial_event *event;
    const struct knowncount *known;
    const struct kernels *kernels;
};

static void say(struct belief *belief, enum belief_verdict verdict,
                const char *format, ...) __attribute__((format(printf, 3, 4)));

static void
say(struct belief *belief, enum belief_verdict verdict, const char *format, ...)
{
    va_list arguments;

    belief->verdict = verdict;
    va_start(arguments, format);
    vsnprintf(belief->text, sizeof belief->text, format, arguments);
    va_end(arguments);
}

/* ---- expected counts ------------------------------------------------ */

/* The expected time is the thread's own time in that run. */
static struct amount
amount_of(const struct judging *judging, const struct knowncount *known,
          size_t at)
{
    const struct trial_value *value = &judging->event->values[at];
    double ns = value->cpu_ns;

    if (!value->is_present)
        return (struct amount){.state = AMOUNT_UNKNOWN};
    if (!known->has[QUANTITY_CPU_TIME])
        return knowncount_amount(known, judging->kernels->list[at].kernel);
    if (!(ns > 0) || !judging->kernels->list[at].kernel->is_closed)
        return (struct amount){.state = AMOUNT_UNKNOWN};
    return (struct amount){AMOUNT_KNOWN, ns * (1 - time_tolerance),
                           ns * (1 + time_tolerance)};
}

/* Is the rate in the range of `amount` times `factor`? */
static bool
fits(double rate, struct amount amount, double factor)
{
    double floor = floor_per_round * fmax(1, factor);

    return amount.state != AMOUNT_KNOWN ||
           (rate >= factor * amount.least * (1 - tolerance) - floor &&
            rate <= factor * amount.most * (1 + tolerance) + floor);
}

/* Is the amount nearly exact, and not 0, so that a rate can be divided by
 * it? */
static bool
is_sharp(struct amount amount)
{
    return amount.state == AMOUNT_KNOWN && amount.least > 0 &&
           amount.most <= 1.5 * amount.least + 0.3;
}

static double
middle(struct amount amount)
{
    return (amount.least + amount.most) / 2;
}

/* The first kernel in which the rate does not fit `factor` times the known
 * amount; the number of kernels if there is none. */
static size_t
first_misfit(const struct judging *judging, const struct knowncount *known,
             double factor)
{
    size_t i = 0;

    while (i < judging->kernels->n &&
           fits(judging->event->values[i].rate, amount_of(judging, known, i),
                factor))
        i++;
    return i;
}

static size_t
count_sharp(const struct judging *judging, const struct knowncount *known)
{
    size_t n = 0;

    for (size_t i = 0; i < judging->kernels->n; i++)
        n += is_sharp(amount_of(judging, known, i));
    return n;
}

static const char *
name_of(const struct judging *judging, size_t at)
{
    return judging->kernels->list[at].kernel->name;
}

/* ---- kinds of errors ------------------------------------------------ */

/* Counts nothing: the event should have counted in some kernel and did in
 * none. */
static bool
judge_dead(const struct judging *judging, struct belief *belief)
{
    bool has_moved = false, has_counted = false;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct trial_value *value = &judging->event->values[i];

        has_counted |= value->is_present && value->first != 0;
        has_moved |=
            value->is_present && (value->rate != 0 || value->spread != 0);
    }
    if (has_moved || has_counted)
        return false;
    if (judging->event->raw != 0)
        say(belief, BELIEF_STUCK, "reads %llu, and never anything else",
            (unsigned long long)judging->event->raw);
    else
        say(belief, BELIEF_DEAD, "reads 0 whatever runs");
    return true;
}

/* Counts no more in twice the rounds. */
static bool
judge_saturated(const struct judging *judging, struct belief *belief)
{
    size_t n = 0, n_flat = 0, at = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct trial_value *value = &judging->event->values[i];
        struct amount amount = amount_of(judging, judging->known, i);

        if (!is_sharp(amount))
            continue;
        n++;
        if (value->first > 0 && value->rate < 0.02 * amount.least) {
            n_flat++;
            at = i;
        }
    }
    if (n_flat == 0 || 2 * n_flat < n)
        return false;
    say(belief, BELIEF_SATURATED,
        "stops at about %.0f: twice the rounds of '%s' count no more",
        judging->event->values[at].first, name_of(judging, at));
    return true;
}

static bool
judge_unsteady(const struct judging *judging, struct belief *belief)
{
    size_t n = 0, n_unsteady = 0;
    double worst = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct trial_value *value = &judging->event->values[i];
        struct amount amount = amount_of(judging, judging->known, i);
        double part;

        if (!is_sharp(amount) || amount.most > 1.1 * amount.least)
            continue;
        part = value->spread / middle(amount);
        n++;
        n_unsteady += part > 0.1;
        worst = fmax(worst, part);
    }
    if (n_unsteady == 0 || 2 * n_unsteady < n)
        return false;
    say(belief, BELIEF_UNSTEADY,
        "the same code counts differently from time to time, by up to %.0f %%",
        100 * worst);
    return true;
}

/* The largest deviation from a nearly exact amount, in percent. */
static double
departure(const struct judging *judging)
{
    double worst = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        struct amount amount = amount_of(judging, judging->known, i);
        double rate = judging->event->values[i].rate;

        if (!is_sharp(amount))
            continue;
        if (rate > amount.most)
            worst = fmax(worst, rate / amount.most - 1);
        else if (rate < amount.least)
            worst = fmax(worst, 1 - rate / amount.least);
    }
    return 100 * worst;
}

static bool
judge_offset(const struct judging *judging, struct belief *belief)
{
    size_t n = 0, n_off = 0;
    double least = INFINITY;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct trial_value *value = &judging->event->values[i];

        if (!value->is_present || !judging->kernels->list[i].kernel->is_closed)
            continue;
        n++;
        n_off += fabs(value->offset) > most_offset &&
                 fabs(value->offset) > 0.02 * fabs(value->first);
        least = fmin(least, fabs(value->offset));
    }
    if (judging->known->has[QUANTITY_CPU_TIME] ||
        judging->known->has[QUANTITY_CYCLES] || n < 3 || n_off < n)
        return false;
    say(belief, BELIEF_OFFSET,
        "adds at least %.0f to whatever is counted, however little that is",
        least);
    return true;
}

static bool
judge_right(const struct judging *judging, struct belief *belief)
{
    size_t n = count_sharp(judging, judging->known);

    if (first_misfit(judging, judging->known, 1) < judging->kernels->n)
        return false;
    if (judge_offset(judging, belief))
        return true;
    say(belief, BELIEF_RIGHT, "in %zu kernel%s, within %.3g %%", n,
        n == 1 ? "" : "s", departure(judging));
    return true;
}

/* Correct in all kernels but the one that calls the system. */
static bool
judge_kernel(const struct judging *judging, struct belief *belief)
{
    double more = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct kernel *kernel = judging->kernels->list[i].kernel;
        struct amount amount = amount_of(judging, judging->known, i);
        double rate = judging->event->values[i].rate;

        if (fits(rate, amount, 1))
            continue;
        if (kernel->is_closed || rate < amount.most || kernel->name[0] != 's' ||
            kernel->name[1] != 'y')
            return false;
        more = rate - amount.most;
    }
    say(belief, BELIEF_KERNEL,
        "counts the system, too, though only the program was asked for: %.0f "
        "more in a system call",
        more);
    return true;
}

static int
compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;

    return (a > b) - (a < b);
}

/* Always the same multiple of the expected amount. */
static bool
judge_factor(const struct judging *judging, struct belief *belief)
{
    double factors[MOST_KERNELS], factor;
    size_t n = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        struct amount amount = amount_of(judging, judging->known, i);

        if (is_sharp(amount) && amount.most <= 1.2 * amount.least)
            factors[n++] = judging->event->values[i].rate / middle(amount);
    }
    for (size_t i = 0; n == 0 && i < judging->kernels->n; i++) {
        struct amount amount = amount_of(judging, judging->known, i);

        if (is_sharp(amount))
            factors[n++] = judging->event->values[i].rate / middle(amount);
    }
    if (n == 0)
        return false;
    qsort(factors, n, sizeof *factors, compare);
    factor = factors[n / 2];
    if (!(factor > 0) || fabs(factor - 1) < 0.02 ||
        first_misfit(judging, judging->known, factor) < judging->kernels->n)
        return false;
    say(belief, BELIEF_FACTOR,
        "counts %.3g times what it should, in all %zu kernels that tell",
        factor, n);
    return true;
}

/* Another quantity explains all counts: alone, or added to the event's own. */
static bool
judge_other(const struct judging *judging, struct belief *belief)
{
    for (int has_own = 0; has_own <= 1; has_own++) {
        for (size_t i = 0; i < N_QUANTITIES; i++) {
            struct knowncount other = {.divisor = 1};

            if (judging->known->has[i] || i >= QUANTITY_PAGE_FAULTS)
                continue;
            if (has_own)
                other = *judging->known;
            other.has[i] = true;
            if (count_sharp(judging, &other) == 0 ||
                first_misfit(judging, &other, 1) < judging->kernels->n)
                continue;
            say(belief, BELIEF_OTHER, "counts %s%s",
                has_own ? "what it should and also " : "something else: ",
                kernel_quantities[i]);
            return true;
        }
    }
    return false;
}

/* Off in some kernel: find the one with the largest error. */
static void
judge_off(const struct judging *judging, struct belief *belief)
{
    double worst = -1;
    size_t at = 0;

    for (size_t i = 0; i < judging->kernels->n; i++) {
        struct amount amount = amount_of(judging, judging->known, i);
        double rate = judging->event->values[i].rate, off;

        if (fits(rate, amount, 1))
            continue;
        off = fabs(rate - middle(amount)) / fmax(middle(amount), 1);
        if (off > worst || worst < 0) {
            worst = off;
            at = i;
        }
    }
    say(belief, BELIEF_OFF,
        "counts %.4g in a round of '%s', where it should be %.4g to %.4g",
        judging->event->values[at].rate, name_of(judging, at),
        amount_of(judging, judging->known, at).least,
        amount_of(judging, judging->known, at).most);
}

/* ---- the whole -------------------------------------------------------- */

static void
judge_unknown(const struct judging *judging, struct belief *belief)
{
    for (size_t i = 0; i < judging->kernels->n; i++) {
        const struct trial_value *value = &judging->event->values[i];

        if (value->is_present && (value->rate != 0 || value->first != 0)) {
            say(belief, BELIEF_MOVES,
                "how much it should count here is not known");
            return;
        }
    }
    say(belief, BELIEF_STILL,
        "0 in all kernels; whether that is right is not known");
}

void
belief_judge(const struct trial_event *event, const struct knowncount *known,
             const struct kernels *kernels, struct belief *ret_belief)
{
    static bool (*const ways[])(const struct judging *, struct belief *) = {
        judge_dead,   judge_saturated, judge_unsteady, judge_right,
        judge_kernel, judge_factor,    judge_other};
    const struct judging judging = {event, known, kernels};
    bool is_known = false;

    for (size_t i = 0; i < N_QUANTITIES; i++)
        is_known |= known->has[i];
    if (!event->is_counted) {
        say(ret_belief, BELIEF_UNCOUNTED, "%s", event->reason);
        return;
    }
    if (!is_known) {
        judge_unknown(&judging, ret_belief);
        return;
    }
    if (count_sharp(&judging, known) == 0) {
        say(ret_belief, BELIEF_UNTRIED,
            "no kernel that runs here has a known number of them");
        return;
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (ways[i](&judging, ret_belief))
            return;
    }
    judge_off(&judging, ret_belief);
}

const char *
belief_name(enum belief_verdict verdict)
{
    static const char *const names[] = {
        [BELIEF_RIGHT] = "right",           [BELIEF_MOVES] = "moves",
        [BELIEF_STILL] = "still",           [BELIEF_UNTRIED] = "not tried",
        [BELIEF_UNCOUNTED] = "not counted", [BELIEF_DEAD] = "dead",
        [BELIEF_STUCK] = "stuck",           [BELIEF_SATURATED] = "stops",
        [BELIEF_UNSTEADY] = "unsteady",     [BELIEF_OFFSET] = "offset",
        [BELIEF_KERNEL] = "kernel too",     [BELIEF_FACTOR] = "factor",
        [BELIEF_OTHER] = "another",         [BELIEF_OFF] = "off"};

    return names[verdict];
}
