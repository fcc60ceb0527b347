/* SPDX-License-Identifier: BSD-3-Clause
 * Do two groups of values differ?
 *
 * All ranks are doubled, so that middle ranks are whole numbers. */
#include "study/inference/permutation.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "study/inference/normal.h"
#include "study/statistics/quantile.h"

enum {
    ROOM_FOR_WAYS = 100000,
    MOST_STEPS = 5000000,   /* most additions for counting all ways, for one
                             * p */
    MOST_SEARCHED = 400000, /* the same where many p are needed */
    SEARCH_STEPS = 24
};

/* The groups, and working memory. */
struct work {
    const struct hpm_permutation *groups;
    double *a, *b;   /* minus the medians of their blocks */
    double *sorted;  /* both groups sorted */
    double *scratch; /* room for as many values */
    double *ways;
    size_t n;          /* number of values of both groups */
    size_t most_steps; /* for counting all ways */
};

/* The runs of one block: a[first_a] to a[end_a - 1], and the same of b. */
struct block {
    size_t first_a, end_a, first_b, end_b;
};

size_t
hpm_permutation_room(size_t n_a, size_t n_b)
{
    return 4 * (n_a + n_b) + ROOM_FOR_WAYS;
}

/* ---- blocks ------------------------------------------------------------ */

static size_t
end_of_block(const size_t *blocks, size_t n, size_t i, size_t block)
{
    while (i < n && (blocks == NULL || blocks[i] == block))
        i++;
    return i;
}

/* Go to the next block, from {0} at the begin; false: there is no more. */
static bool
next_block(const struct hpm_permutation *groups, struct block *block)
{
    size_t a = block->end_a, b = block->end_b, number = 0;
    bool has_a = a < groups->n_a, has_b = b < groups->n_b;

    if (!has_a && !has_b)
        return false;
    if (groups->block_a != NULL) {
        number = has_a ? groups->block_a[a] : groups->block_b[b];
        if (has_b && groups->block_b[b] < number)
            number = groups->block_b[b];
    }
    *block = (struct block){
        a, end_of_block(groups->block_a, groups->n_a, a, number), b,
        end_of_block(groups->block_b, groups->n_b, b, number)};
    return true;
}

static size_t
size_of(const struct block *block)
{
    return block->end_a - block->first_a + block->end_b - block->first_b;
}

static size_t
n_b_of(const struct block *block)
{
    return block->end_b - block->first_b;
}

/* ---- ranks ------------------------------------------------------------- */

/* Subtract from each value the median of its block; b is first moved by
 * `shift`. */
static void
align(struct work *work, double shift)
{
    const struct hpm_permutation *groups = work->groups;
    struct block block = {0};

    while (next_block(groups, &block)) {
        size_t n = 0;
        double median;

        for (size_t i = block.first_a; i < block.end_a; i++)
            work->scratch[n++] = groups->a[i];
        for (size_t i = block.first_b; i < block.end_b; i++)
            work->scratch[n++] = groups->b[i] + shift;
        hpm_quantile_sort(work->scratch, n);
        median = hpm_quantile_median(work->scratch, n);
        for (size_t i = block.first_a; i < block.end_a; i++)
            work->a[i] = groups->a[i] - median;
        for (size_t i = block.first_b; i < block.end_b; i++)
            work->b[i] = groups->b[i] + shift - median;
    }
    memcpy(work->sorted, work->a, groups->n_a * sizeof *work->sorted);
    memcpy(work->sorted + groups->n_a, work->b,
           groups->n_b * sizeof *work->sorted);
    hpm_quantile_sort(work->sorted, work->n);
}

/* The number of sorted values below a value, or (`or_equal`) at most equal to
 * it. */
static size_t
count_below(const struct work *work, double value, bool or_equal)
{
    size_t low = 0, high = work->n;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        double here = work->sorted[middle];

        if (here < value || (or_equal && here == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t
rank_of(const struct work *work, double value)
{
    return count_below(work, value, false) + count_below(work, value, true) + 1;
}

/* Store the doubled ranks of a block in scratch: first those of a. */
static void
rank_block(const struct work *work, const struct block *block)
{
    size_t n = 0;

    for (size_t i = block->first_a; i < block->end_a; i++)
        work->scratch[n++] = (double)rank_of(work, work->a[i]);
    for (size_t i = block->first_b; i < block->end_b; i++)
        work->scratch[n++] = (double)rank_of(work, work->b[i]);
}

/* ---- the sum of the ranks of b ------------------------------------------ */

struct sum {
    double measured, mean, variance;
    double steps; /* additions for counting all ways */
    size_t most_picked;
};

static void
add_block(const struct work *work, const struct block *block, struct sum *sum)
{
    size_t n = size_of(block), n_a = block->end_a - block->first_a;
    double n_b = (double)(n - n_a), all = 0.0, squares = 0.0;

    rank_block(work, block);
    for (size_t i = 0; i < n; i++) {
        all += work->scratch[i];
        if (i >= n_a)
            sum->measured += work->scratch[i];
    }
    for (size_t i = 0; i < n; i++)
        squares += pow(work->scratch[i] - all / (double)n, 2.0);
    sum->mean += n_b * all / (double)n;
    if (n > 1)
        sum->variance +=
            squares * n_b * (double)n_a / ((double)n * (double)(n - 1));
    sum->steps += (double)(n * n_b_of(block));
    if (n_b_of(block) > sum->most_picked)
        sum->most_picked = n_b_of(block);
}

static struct sum
sum_ranks(const struct work *work)
{
    struct block block = {0};
    struct sum sum = {0};

    while (next_block(work->groups, &block))
        add_block(work, &block, &sum);
    return sum;
}

/* ---- all ways ------------------------------------------------------------ */

/* ways[k * width + s]: the probability that k values picked from this block,
 * together with those picked from the blocks before, have the sum s.  At the
 * end ways[s] is the probability for all values picked, as many as b has. */
static void
pick_of_block(const struct work *work, const struct block *block, size_t width)
{
    size_t n = size_of(block), n_b = n_b_of(block);
    double *ways = work->ways, n_ways = 1.0;

    rank_block(work, block);
    memset(ways + width, 0, n_b * width * sizeof *ways);
    for (size_t i = 0; i < n; i++) {
        size_t rank = (size_t)work->scratch[i];

        for (size_t k = n_b; k > 0; k--) {
            double *to = ways + k * width;
            const double *from = to - width;

            for (size_t s = rank; s < width; s++)
                to[s] += from[s - rank];
        }
    }
    for (size_t k = 1; k <= n_b; k++)
        n_ways *= (double)(n - n_b + k) / (double)k;
    for (size_t s = 0; s < width; s++)
        ways[s] = ways[n_b * width + s] / n_ways;
}

/* The part of all ways whose sum is at least as far from the mean. */
static double
count_ways(const struct work *work, const struct sum *sum, size_t width)
{
    double far = 0.0, distance = fabs(sum->measured - sum->mean);
    struct block block = {0};

    memset(work->ways, 0, width * sizeof *work->ways);
    work->ways[0] = 1.0;
    while (next_block(work->groups, &block))
        pick_of_block(work, &block, width);
    for (size_t s = 0; s < width; s++) {
        if (fabs((double)s - sum->mean) >= distance - 1e-6)
            far += work->ways[s];
    }
    return fmin(far, 1.0);
}

/* ---- p ------------------------------------------------------------------- */

static double
p_of(struct work *work, double shift)
{
    size_t width = work->n * (work->n + 1) + 1; /* all doubled ranks, and 0 */
    struct sum sum;
    double z;

    align(work, shift);
    sum = sum_ranks(work);
    if (!(sum.variance > 0.0))
        return 1.0;
    if (sum.steps * (double)width <= (double)work->most_steps &&
        (sum.most_picked + 1) * width <= ROOM_FOR_WAYS)
        return count_ways(work, &sum, width);
    z = fmax(fabs(sum.measured - sum.mean) - 1.0, 0.0) / sqrt(sum.variance);
    return hpm_normal_tails(z);
}

/* The test is symmetric, and the smaller group has fewer ways. */
static struct hpm_permutation
smaller_last(const struct hpm_permutation *groups)
{
    if (groups->n_b <= groups->n_a)
        return *groups;
    return (struct hpm_permutation){.a = groups->b,
                                    .b = groups->a,
                                    .n_a = groups->n_b,
                                    .n_b = groups->n_a,
                                    .block_a = groups->block_b,
                                    .block_b = groups->block_a};
}

static struct work
begin(const struct hpm_permutation *groups, size_t most_steps, double *room)
{
    size_t n = groups->n_a + groups->n_b;

    return (struct work){.groups = groups,
                         .a = room,
                         .b = room + groups->n_a,
                         .sorted = room + n,
                         .scratch = room + 2 * n,
                         .ways = room + 3 * n,
                         .n = n,
                         .most_steps = most_steps};
}

double
hpm_permutation_test(const struct hpm_permutation *groups, double *room)
{
    struct hpm_permutation used = smaller_last(groups);
    struct work work = begin(&used, MOST_STEPS, room);

    return p_of(&work, 0.0);
}

/* ---- what would have been found
 * ------------------------------------------- */

static double
median_of(const double *values, size_t n, double *room)
{
    memcpy(room, values, n * sizeof *room);
    hpm_quantile_sort(room, n);
    return hpm_quantile_median(room, n);
}

/* Largest minus smallest value. */
static double
width_of(const double *values, size_t n)
{
    double least = values[0], most = values[0];

    for (size_t i = 1; i < n; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return most - least;
}

/* The smallest shift from `middle` in the direction of `far` for which p
 * reaches the level. */
static double
find_shift(struct work *work, double middle, double far, double level)
{
    double below = 0.0;

    if (p_of(work, middle + far) > level)
        return INFINITY;
    for (int i = 0; i < SEARCH_STEPS; i++) {
        double half = (below + far) / 2.0;

        if (p_of(work, middle + half) > level)
            below = half;
        else
            far = half;
    }
    return fabs(far);
}

double
hpm_permutation_seen(const struct hpm_permutation *groups, double level,
                     double *room)
{
    struct hpm_permutation used = smaller_last(groups);
    struct work work = begin(&used, MOST_SEARCHED, room);
    double z = hpm_normal_quantile(1.0 - level / 2.0), middle, far, both;

    if (used.n_b == 0)
        return INFINITY;
    middle = median_of(used.a, used.n_a, work.scratch) -
             median_of(used.b, used.n_b, work.scratch);
    far = width_of(used.a, used.n_a) + width_of(used.b, used.n_b);
    far = 2.0 * fmax(far, 1e-12 * fabs(used.a[0]) + 1e-300);
    both = find_shift(&work, middle, far, level) +
           find_shift(&work, middle, -far, level);
    return both / 2.0 * (1.0 + hpm_normal_quantile(0.9) / z);
}

double
hpm_permutation_clearest(size_t n, size_t block)
{
    double n_ways = 1.0;

    for (size_t left = n; left > 0;) {
        size_t here = block > 0 && block < left ? block : left;

        for (size_t k = 1; k <= here; k++)
            n_ways *= (double)(here + k) / (double)k;
        left -= here;
    }
    return 2.0 / n_ways;
}
