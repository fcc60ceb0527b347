/* SPDX-License-Identifier: BSD-3-Clause
 * What summaries are made of: exact sums, histograms, numbers of tasks.  Each must
 * not depend on the order in which its parts came. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "host/memory.h"
#include "study/columns/buckets.h"
#include "study/columns/taskranges.h"
#include "study/store/exactsum.h"
#include "tap.h"

static uint64_t state = 1;

static uint64_t
next_random(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

/* ---- exact sums -------------------------------------------------------- */

static char *
text_of(const struct hpm_exactsum *sum)
{
    struct hpm_string text = {0};

    hpm_exactsum_write(sum, &text);
    return text.text;
}

static void
is_sum(struct hpm_exactsum *sum, const char *expected, const char *sentence)
{
    struct hpm_exactsum again = {0};
    char *text = text_of(sum);
    char *second;

    is_text(text, expected, sentence);
    ok(hpm_exactsum_read(&again, text), "and it is read");
    second = text_of(&again);
    is_text(second, expected, "as the same sum");
    hpm_memory_free(second);
    hpm_memory_free(text);
    hpm_exactsum_free(&again);
    hpm_exactsum_free(sum);
}

static void
test_exactsums(void)
{
    static const char *const wrong[] = {"",      "0x",    "1f",    "0x1g",
                                        "0x1p",  "0x1p3", "0x1p-", "0x1p-99999",
                                        "--0x1", "0x1 "};
    struct hpm_exactsum sum = {0};
    bool are_refused = true;

    is_sum(&sum, "0x0", "nothing is 0");
    hpm_exactsum_add(&sum, false, UINT64_MAX, 0);
    hpm_exactsum_add(&sum, false, 1, 0);
    is_sum(&sum, "0x10000000000000000", "a sum may exceed 64 bits");
    hpm_exactsum_add(&sum, false, 5, 0);
    hpm_exactsum_add(&sum, true, 36, 0);
    is_sum(&sum, "-0x1f", "and be below 0");
    hpm_exactsum_add_real(&sum, 1e300);
    hpm_exactsum_add_real(&sum, 0.125);
    hpm_exactsum_add_real(&sum, -1e300);
    is_sum(&sum, "0x2p-4", "no digit of a small number is lost");
    hpm_exactsum_add_square(&sum, DBL_TRUE_MIN);
    ok(hpm_exactsum_to_real(&sum) == 0, "the smallest square is added");
    hpm_exactsum_add_square(&sum, DBL_MAX);
    ok(isinf(hpm_exactsum_to_real(&sum)), "and the largest");
    hpm_exactsum_free(&sum);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (hpm_exactsum_read(&sum, wrong[i])) {
            are_refused = false;
            printf("# '%s' is read\n", wrong[i]);
        }
        hpm_exactsum_free(&sum);
    }
    ok(are_refused, "what is no sum is refused");
}

/* As many numbers as in a large job, nearly equal: a deviation of a billionth. */
static void
test_deviation(void)
{
    struct hpm_exactsum sum = {0}, squares = {0};
    uint64_t count = 0;

    for (int i = 0; i < 1000; i++) {
        uint64_t amount = UINT64_C(1000000000000) + (i % 2 == 0 ? 1000 : 0);

        hpm_exactsum_add(&sum, false, amount, 0);
        hpm_exactsum_add(&squares, false, (unsigned __int128)amount * amount,
                         0);
    }
    ok(hpm_exactsum_mean(&sum, 1000) == 1000000000500.0, "the mean is exact");
    ok(hpm_exactsum_deviation(&sum, &squares, 1000) == 500.0,
       "so is the deviation of numbers that differ by a billionth");
    ok(hpm_exactsum_to_count(&sum, &count) &&
           count == UINT64_C(1000000000500000),
       "a whole sum is a count");
    hpm_exactsum_add_real(&sum, 0.5);
    ok(!hpm_exactsum_to_count(&sum, &count), "and another one is none");
    hpm_exactsum_free(&sum);
    hpm_exactsum_free(&squares);
}

static double
random_real(void)
{
    double value = (double)(next_random() >> 11) / 9007199254740992.0 - 0.3;

    return ldexp(value, (int)(next_random() % 80) - 40);
}

static void
test_order(void)
{
    enum { N = 300 };
    struct hpm_exactsum forth = {0}, back = {0}, half = {0};
    double values[N];
    char *texts[2];

    for (int i = 0; i < N; i++) {
        values[i] = random_real();
        hpm_exactsum_add_real(&forth, values[i]);
    }
    for (int i = N - 1; i >= N / 2; i--)
        hpm_exactsum_add_real(&half, values[i]);
    for (int i = 0; i < N / 2; i++)
        hpm_exactsum_add_real(&back, values[i]);
    hpm_exactsum_add_sum(&back, &half);
    texts[0] = text_of(&forth);
    texts[1] = text_of(&back);
    is_text(texts[0], texts[1], "the sum of numbers of any size has no order");
    hpm_memory_free(texts[0]);
    hpm_memory_free(texts[1]);
    hpm_exactsum_free(&forth);
    hpm_exactsum_free(&back);
    hpm_exactsum_free(&half);
}

/* ---- histograms -------------------------------------------------------- */

static char *
bins_of(const struct hpm_buckets *buckets)
{
    struct hpm_string text = {0};

    hpm_buckets_write(buckets, &text);
    return text.text;
}

static bool
has_its_values(const struct hpm_buckets *buckets, const double *values, int n)
{
    uint64_t n_met = 0;

    for (size_t i = 0; i < buckets->n; i++) {
        double near = hpm_buckets_near(buckets, i);
        double far = hpm_buckets_far(buckets, i);
        uint64_t n_here = 0;

        for (int j = 0; j < n; j++)
            n_here += near > 0 ? values[j] >= near && values[j] < far
                               : values[j] <= near && values[j] > far;
        if (n_here != buckets->buckets[i].n)
            return false;
        n_met += n_here;
    }
    return n_met + buckets->n_zero == (uint64_t)n;
}

static void
test_buckets(void)
{
    enum { N = 700 };
    struct hpm_buckets all = {0}, parts[2] = {{0}}, again = {0};
    double values[N];
    char *texts[2];

    for (int i = 0; i < N; i++) {
        values[i] = i % 50 == 0 ? 0 : random_real();
        hpm_buckets_add(&all, values[i]);
        hpm_buckets_add(&parts[i > 5], values[i]);
    }
    ok(all.n <= HPM_BUCKETS_MOST, "a histogram is of bounded size");
    ok(hpm_buckets_count(&all) == N && has_its_values(&all, values, N),
       "each value is between the edges of its part");
    hpm_buckets_add_all(&parts[0], &parts[1]);
    texts[0] = bins_of(&all);
    texts[1] = bins_of(&parts[0]);
    is_text(texts[1], texts[0], "it is that of its parts");
    ok(hpm_buckets_read(&again, texts[0]), "it is read");
    hpm_memory_free(texts[1]);
    texts[1] = bins_of(&again);
    is_text(texts[1], texts[0], "as the same");
    hpm_memory_free(texts[0]);
    hpm_memory_free(texts[1]);
    for (int i = 0; i < 2; i++)
        hpm_buckets_free(&parts[i]);
    hpm_buckets_free(&all);
    hpm_buckets_free(&again);
    ok(!hpm_buckets_read(&again, "3 1:1 x") &&
           !hpm_buckets_read(&again, "99 1:1"),
       "what is none is refused");
    hpm_buckets_free(&again);
}

/* ---- numbers of tasks -------------------------------------------------- */

static void
test_ranges(void)
{
    struct hpm_taskranges ranges = {0}, again = {0};
    struct hpm_string text = {0};

    for (int i = 0; i < 64; i += 2)
        hpm_taskranges_add(&ranges, i, i);
    for (int i = 63; i > 0; i -= 2)
        hpm_taskranges_add(&ranges, i, i);
    hpm_taskranges_add(&ranges, 70, 80);
    hpm_taskranges_add(&ranges, 66, 66);
    hpm_taskranges_write(&ranges, &text);
    is_text(text.text, "0-63,66,70-80", "numbers of tasks are ranges");
    ok(hpm_taskranges_has(&ranges, 64, 66) &&
           !hpm_taskranges_has(&ranges, 67, 69),
       "and it is known which are there");
    hpm_taskranges_add(&ranges, 60, 90);
    hpm_string_clear(&text);
    hpm_taskranges_write(&ranges, &text);
    is_text(text.text, "0-90", "a range may take others in");
    ok(hpm_taskranges_read(&again, "3-4,7") && again.n == 2 &&
           !hpm_taskranges_read(&again, "4-3") &&
           !hpm_taskranges_read(&again, "1,") &&
           !hpm_taskranges_read(&again, "99999999999"),
       "a text is read, or refused");
    hpm_string_free(&text);
    hpm_taskranges_free(&ranges);
    hpm_taskranges_free(&again);
}

int
main(void)
{
    test_exactsums();
    test_deviation();
    test_order();
    test_buckets();
    test_ranges();
    return done();
}
