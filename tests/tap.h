/* SPDX-License-Identifier: BSD-3-Clause
 * Test Anything Protocol, as much as a test program needs.
 *
 *     int main(void)
 *     {
 *         ok(1 + 1 == 2, "one and one is two");
 *         is_text(hpm_state_name(0), "counted", "the first state's name");
 *         return done();
 *     } */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_n, tap_failed;

/* Does another build on this machine run this test with all inputs?  Then fewer
 * random inputs are enough here (HPM_TEST_REPEATED, see tests/tap.py). */
static inline bool
is_repeated(void)
{
    const char *value = getenv("HPM_TEST_REPEATED");

    return value != NULL && value[0] != '\0' && strcmp(value, "0") != 0;
}

/* Each assertion is a sentence. */
static inline bool
tap_ok(bool is_good, const char *sentence, const char *file, int line)
{
    printf("%sok %d - %s\n", is_good ? "" : "not ", ++tap_n, sentence);
    if (!is_good) {
        tap_failed++;
        printf("# at %s:%d\n", file, line);
    }
    fflush(stdout);
    return is_good;
}

static inline void
tap_is_text(const char *got, const char *expected, const char *sentence,
            const char *file, int line)
{
    bool is_good = got == expected || (got != NULL && expected != NULL &&
                                       strcmp(got, expected) == 0);

    if (!tap_ok(is_good, sentence, file, line))
        printf("# got      '%s'\n# expected '%s'\n",
               got != NULL ? got : "(null)",
               expected != NULL ? expected : "(null)");
}

static inline void
tap_is_count(uint64_t got, uint64_t expected, const char *sentence,
             const char *file, int line)
{
    if (!tap_ok(got == expected, sentence, file, line))
        printf("# got %llu, expected %llu\n", (unsigned long long)got,
               (unsigned long long)expected);
}

static inline void
tap_is_near(double got, double expected, double tolerance, const char *sentence,
            const char *file, int line)
{
    if (!tap_ok(fabs(got - expected) <= tolerance, sentence, file, line))
        printf("# got %.17g, expected %.17g\n", got, expected);
}

#define ok(condition, sentence)                                                \
    ((void)tap_ok((condition), (sentence), __FILE__, __LINE__))
#define is_text(got, expected, sentence)                                       \
    tap_is_text((got), (expected), (sentence), __FILE__, __LINE__)
#define is_count(got, expected, sentence)                                      \
    tap_is_count((got), (expected), (sentence), __FILE__, __LINE__)
#define is_near(got, expected, tolerance, sentence)                            \
    tap_is_near((got), (expected), (tolerance), (sentence), __FILE__, __LINE__)

/* Skip one assertion that is not possible here, with the reason. */
static inline void
skip(const char *sentence, const char *reason)
{
    printf("ok %d - %s # SKIP %s\n", ++tap_n, sentence, reason);
}

/* The plan, and main's return value. */
static inline int
done(void)
{
    printf("1..%d\n", tap_n);
    return tap_failed > 0;
}

#endif
