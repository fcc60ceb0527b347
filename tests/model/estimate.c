/* SPDX-License-Identifier: BSD-3-Clause
 * Estimates for counters that took turns, compared with a slow model that keeps
 * every step; and do the intervals contain the truth as often as they
 * should? */
#include "model/estimate.h"

#include <stdlib.h>

#include "tap.h"

enum { MOST_STEPS = 3000 };

static uint64_t seed = 20010516;

static uint64_t
draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static uint64_t
below(uint64_t n)
{
    return draw() % n;
}

static double
draw_real(void)
{
    return (double)(draw() >> 11) / 9007199254740992.0;
}

/* ---- the slow model --------------------------------------------------- */

struct model {
    struct hpm_turns steps[MOST_STEPS];
    size_t n;
};

static struct hpm_turns
sum_of(const struct hpm_turns *steps, size_t n)
{
    struct hpm_turns sum = {0};

    for (size_t i = 0; i < n; i++) {
        sum.count += steps[i].count;
        sum.enabled += steps[i].enabled;
        sum.running += steps[i].running;
    }
    return sum;
}

/* Number of steps in a block: the smallest power of 2 with which 16 blocks are
 * enough. */
static size_t
length_of_blocks(const struct model *model)
{
    size_t length = 1;

    while (length * HPM_MOST_BLOCKS < model->n)
        length *= 2;
    return length;
}

static uint64_t
windows_of(const struct model *model)
{
    uint64_t n = 0;

    for (size_t i = 0; i < model->n; i++) {
        const struct hpm_turns *step = &model->steps[i], *before = step - 1;
        bool is_whole = step->running == step->enabled;

        if (step->running == 0)
            continue;
        n += i == 0 || before->running == 0 ||
             (before->running < before->enabled && !is_whole);
    }
    return n;
}

/* The formula as it is written: pseudo-estimates without one block each. */
static double
error_of(const struct model *model, size_t *ret_n_blocks)
{
    size_t length = length_of_blocks(model);
    size_t n = (model->n + length - 1) / length;
    struct hpm_turns all = sum_of(model->steps, model->n);
    long double without[HPM_MOST_BLOCKS], mean = 0, squares = 0;

    for (size_t i = 0; i < n; i++) {
        size_t rest = model->n - i * length;
        struct hpm_turns block =
            sum_of(model->steps + i * length, rest < length ? rest : length);

        if (all.running == block.running)
            return NAN;
        without[i] = (long double)(all.count - block.count) /
                     (long double)(all.running - block.running) *
                     (long double)all.enabled;
        mean += without[i] / (long double)n;
    }
    for (size_t i = 0; i < n; i++)
        squares += (without[i] - mean) * (without[i] - mean);
    *ret_n_blocks = n;
    return (double)sqrtl((long double)(n - 1) / (long double)n * squares);
}

/* ---- both compared -------------------------------------------------- */

static void
add_random_step(struct model *model)
{
    struct hpm_turns *step = &model->steps[model->n++];

    step->enabled = 1 + below(1000000);
    step->running = below(3) == 0   ? 0
                    : below(2) == 0 ? step->enabled
                                    : below(step->enabled);
    step->count = step->running * (1 + below(3));
}

static bool
is_close(double a, double b, double scale)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * scale;
}

static bool
agrees(const struct model *model, const struct hpm_blocks *blocks)
{
    struct hpm_turns sum = sum_of(model->steps, model->n);
    struct hpm_estimate estimate;
    size_t n_blocks = 0;
    uint64_t n_windows = windows_of(model), fewest;
    double error = error_of(model, &n_blocks);
    bool is_brief = n_windows < HPM_FEWEST_WINDOWS || isnan(error);

    hpm_estimate_make(&sum, blocks, &estimate);
    if (sum.running == sum.enabled)
        return estimate.state == HPM_STATE_COUNTED &&
               estimate.value == sum.count;
    if (sum.running == 0)
        return estimate.state == HPM_STATE_UNSCHEDULED;
    if (estimate.n_windows != n_windows ||
        estimate.state != (is_brief ? HPM_STATE_BRIEF : HPM_STATE_SHARED))
        return false;
    if (is_brief)
        return isnan(estimate.error) && estimate.freedom == 0;
    fewest = n_windows < n_blocks ? n_windows : n_blocks;
    return estimate.freedom == fewest - 1 &&
           is_close(estimate.error, error, (double)estimate.value);
}

static void
test_model(void)
{
    static struct model model;
    size_t n_wrong = 0, n_shared = 0;

    for (int round = 0; round < 400; round++) {
        struct hpm_blocks blocks = {0}, by_sums = {0};
        size_t n = 1 + below(round % 4 == 0 ? MOST_STEPS : 40);

        model.n = 0;
        while (model.n < n) {
            struct hpm_turns sum;

            add_random_step(&model);
            sum = sum_of(model.steps, model.n);
            hpm_blocks_add(&blocks, &model.steps[model.n - 1]);
            if (n <= 40)
                hpm_blocks_reach(&by_sums, &sum);
        }
        n_wrong += !agrees(&model, &blocks);
        n_wrong += n <= 40 && !agrees(&model, &by_sums);
        n_shared += windows_of(&model) >= HPM_FEWEST_WINDOWS;
    }
    is_count(n_wrong, 0, "blocks tell what all steps do");
    ok(n_shared > 200, "most of them have an error");
}

/* ---- single cases ----------------------------------------------------- */

static struct hpm_estimate
estimate_of(const struct hpm_turns *steps, size_t n)
{
    struct hpm_blocks blocks = {0};
    struct hpm_turns sum = sum_of(steps, n);
    struct hpm_estimate estimate;

    for (size_t i = 0; i < n; i++)
        hpm_blocks_add(&blocks, &steps[i]);
    hpm_estimate_make(&sum, &blocks, &estimate);
    return estimate;
}

static void
test_scale(void)
{
    is_count(hpm_estimate_scale(&(struct hpm_turns){10, 4, 1}), 40,
             "10 in a quarter of the time are 40");
    is_count(hpm_estimate_scale(&(struct hpm_turns){1, 3, 2}), 2,
             "1.5 is 2: to the nearest");
    is_count(hpm_estimate_scale(
                 &(struct hpm_turns){1ULL << 60, 3000000000ULL, 1000000000ULL}),
             3ULL << 60, "no product is too large");
    is_count(hpm_estimate_scale(&(struct hpm_turns){1ULL << 63, 8, 1}),
             UINT64_MAX, "the largest stands for what is too large");
}

static void
test_states(void)
{
    static const struct hpm_turns turns[] = {
        {50, 100, 50}, {0, 100, 0}, {60, 100, 60}, {0, 100, 0},
        {70, 100, 70}, {0, 100, 0}, {50, 100, 50}};
    static const struct hpm_turns nothing[] = {
        {0, 100, 50}, {0, 100, 0}, {0, 100, 60}, {0, 100, 0},
        {0, 100, 70}, {0, 100, 0}, {0, 100, 50}};
    static const struct hpm_turns long_window[] = {
        {1, 9, 9}, {1, 9, 9}, {1, 9, 9}, {1, 9, 9}, {1, 9, 9}, {0, 9, 0}};
    static const struct hpm_turns stray[] = {{3, 100, 0}};
    static const struct hpm_turns shortest[] = {{4, 1, 1}}, never[] = {{0}};
    struct hpm_estimate estimate = estimate_of(shortest, 1);

    is_near(estimate.share, 1.0, 0.0,
            "one nanosecond, all of it: its share is 1");
    estimate = estimate_of(never, 1);
    ok(isnan(estimate.share), "of no time there is no share");
    estimate = estimate_of(turns, 7);
    ok(estimate.state == HPM_STATE_SHARED && estimate.n_windows == 4 &&
           estimate.freedom == 3,
       "4 on-windows are enough for an error");
    is_count(estimate.value, 700, "the value is scaled");
    ok(estimate.error > 0.0 || estimate.error == 0.0, "there is an error");
    ok(estimate_of(turns, 5).state == HPM_STATE_BRIEF &&
           estimate_of(turns, 5).n_windows == 3,
       "3 are too few to tell");
    ok(estimate_of(turns + 1, 1).state == HPM_STATE_UNSCHEDULED,
       "never on the hardware is said as such");
    is_count(estimate_of(stray, 1).value, 0,
             "and has no value, whatever was read");
    ok(estimate_of(long_window, 5).state == HPM_STATE_COUNTED,
       "on all the time is counted");
    ok(estimate_of(long_window, 6).n_windows == 1 &&
           estimate_of(long_window, 6).state == HPM_STATE_BRIEF,
       "many steps in one on-window are one on-window");
    estimate = estimate_of(nothing, 7);
    ok(estimate.state == HPM_STATE_SHARED && estimate.value == 0 &&
           estimate.n_windows == 4 && isnan(estimate.error),
       "of 4 on-windows without an event the error is not known");
    hpm_estimate_make(&turns[0], NULL, &estimate);
    ok(estimate.state == HPM_STATE_SHARED && estimate.n_windows == 0 &&
           isnan(estimate.error),
       "without blocks the error is not known");
}

static void
test_reach(void)
{
    ok(isnan(hpm_estimate_reach(0)), "no degrees of freedom, no interval");
    is_near(hpm_estimate_reach(3), 3.1824, 1e-4, "t of 3 degrees of freedom");
    is_near(hpm_estimate_reach(15), 2.1314, 1e-4, "t of 15");
    is_near(hpm_estimate_reach(99), 2.1314, 1e-4, "no smaller one beyond");
}

static void
test_append(void)
{
    struct hpm_blocks a = {0}, b = {0};
    static struct model model;

    model.n = 0;
    for (int i = 0; i < 10; i++)
        add_random_step(&model);
    for (int i = 0; i < 10; i++)
        hpm_blocks_add(i < 5 ? &a : &b, &model.steps[i]);
    hpm_blocks_append(&a, &b);
    is_count(a.sum.count, sum_of(model.steps, 10).count,
             "blocks of another thread are added");
    is_count(a.n_blocks, 10, "each as a step");
}

/* The unused blocks after the last one do not count. */
static void
test_append_full(void)
{
    struct hpm_blocks a = {0}, b = {0};
    static struct model model;

    model.n = 0;
    for (int i = 0; i < HPM_MOST_BLOCKS; i++) {
        add_random_step(&model);
        hpm_blocks_add(&b, &model.steps[i]);
    }
    is_count(b.n_blocks, HPM_MOST_BLOCKS, "all blocks are in use");
    hpm_blocks_append(&a, &b);
    is_count(a.sum.count, b.sum.count, "as many as they are, they are added");
    is_count(a.sum.enabled, b.sum.enabled, "with their time");
    is_count(a.n_blocks, HPM_MOST_BLOCKS, "and nothing else");
}

/* Two blocks are the smallest number with a difference. */
static void
test_two_blocks(void)
{
    struct hpm_blocks blocks = {.blocks = {{100, 1000, 500}, {140, 1000, 500}},
                                .sum = {240, 2000, 1000},
                                .n_blocks = 2,
                                .n_per_block = 2,
                                .n_in_last = 2,
                                .n_windows = HPM_FEWEST_WINDOWS};
    struct hpm_estimate estimate;

    hpm_estimate_make(&blocks.sum, &blocks, &estimate);
    ok(estimate.state == HPM_STATE_SHARED && estimate.freedom == 1,
       "two blocks have an error, with one degree of freedom");
    /* the estimates without one of the blocks: 560 and 400 */
    is_near(estimate.error, 80.0, 1e-9, "by how they differ");
    blocks.n_blocks = 1;
    hpm_estimate_make(&blocks.sum, &blocks, &estimate);
    ok(estimate.state == HPM_STATE_BRIEF, "one block has none");
}

/* ---- coverage --------------------------------------------------------- */

/* A program with two rates in phases of random length, whose counter is on
 * every other 4 ms: is the true number in the interval? */
static bool
has_truth(size_t n_steps, bool *ret_is_told)
{
    struct hpm_blocks blocks = {0};
    struct hpm_turns sum;
    struct hpm_estimate estimate;
    double truth = 0, offset = 1e3 * (double)below(8000), now = offset;
    double rate = 1.0;

    for (size_t i = 0; i < n_steps; i++) {
        double end = now + 1e3 * floor(200 + 700 * draw_real());
        double running = 0, used = 0;

        rate = below(2) == 0 ? 1.0 : 0.4;
        for (double t = now; t < end; t += 1e3) {
            bool is_on = fmod(t, 8e6) < 4e6;

            truth += rate * 1e3;
            used += is_on ? rate * 1e3 : 0;
            running += is_on ? 1e3 : 0;
        }
        hpm_blocks_add(&blocks, &(struct hpm_turns){(uint64_t)used,
                                                    (uint64_t)(end - now),
                                                    (uint64_t)running});
        now = end;
    }
    sum = blocks.sum;
    hpm_estimate_make(&sum, &blocks, &estimate);
    *ret_is_told = estimate.state == HPM_STATE_SHARED;
    return *ret_is_told &&
           fabs((double)estimate.value - truth) <=
               hpm_estimate_reach(estimate.freedom) * estimate.error;
}

static void
test_coverage(size_t n_steps, int fewest, int fewest_told)
{
    int n_right = 0, n_told = 0;
    char sentence[96];

    for (int i = 0; i < 200; i++) {
        bool is_told;

        n_right += has_truth(n_steps, &is_told);
        n_told += is_told;
    }
    snprintf(sentence, sizeof sentence,
             "%zu activations: %d of %d intervals have the truth", n_steps,
             n_right, n_told);
    ok(n_told >= fewest_told && 100 * n_right >= fewest * n_told, sentence);
}

/* 8 ms are one period of the two rates, with one or two windows in which the
 * counter is on. */
static void
is_none_told(size_t n_steps)
{
    int n_told = 0;

    for (int i = 0; i < 200; i++) {
        bool is_told;

        has_truth(n_steps, &is_told);
        n_told += is_told;
    }
    is_count((uint64_t)n_told, 0, "8 ms are too short to tell");
}

/* Once the blocks are folded, new blocks have the new length. */
static void
test_lengthen(void)
{
    const struct hpm_turns step = {1, 10, 5};
    struct hpm_blocks blocks = {0};

    for (int i = 0; i < HPM_MOST_BLOCKS; i++)
        hpm_blocks_add(&blocks, &step);
    ok(!hpm_blocks_lengthen(&blocks), "a block of one step is not folded");
    hpm_blocks_add(&blocks, &step);
    is_count(blocks.n_per_block, 2, "one step too many folds them");
    ok(hpm_blocks_lengthen(&blocks) && !hpm_blocks_lengthen(&blocks),
       "which is told once");
    is_count(blocks.n_per_block, 1, "and then each is one step again");
}

int
main(void)
{
    test_lengthen();
    test_scale();
    test_states();
    test_reach();
    test_append();
    test_append_full();
    test_two_blocks();
    test_model();
    is_none_told(14);
    test_coverage(60, 94, 150);
    test_coverage(240, 94, 200);
    return done();
}
