/* SPDX-License-Identifier: BSD-3-Clause
 * Numbers of call sites: what has one keeps it, whatever is loaded where. */
#include "record/callsite.h"

#include <pthread.h>
#include <string.h>

#include "host/memory.h"
#include "tap.h"

static unsigned
number_of(const char *label, const char *file, int line, unsigned *word)
{
    return hpm_callsite_register(
        &(struct hpm_callsite){label, file, line, word});
}

static void
test_places(void)
{
    unsigned word = 0, again = 0, other = 0;
    char label[] = "solve", file[] = "a.c";
    unsigned number = number_of(label, file, 1, &word);

    ok(number != 0 && word == number, "a site gets a number, and keeps it");
    memset(label, 'x', 5);
    ok(number_of("solve", "a.c", 1, &again) == number && again == number,
       "a site that is loaded again has it again, wherever its text is");
    ok(number_of(label, "a.c", 1, &other) != number &&
           number_of("solve", "b.c", 1, &other) != number &&
           number_of("solve", "a.c", 2, &other) != number,
       "another label, file or line has another one");
    ok(number_of("ab", "c", 1, &other) != number_of("a", "bc", 1, &again),
       "it is known where a label ends");
    ok(number_of(NULL, NULL, 1, &other) == number_of("", "", 1, &again),
       "no text is empty text");
}

static void
test_memory(void)
{
    unsigned word = 0;

    hpm_memory_fail_at(1, false);
    ok(number_of("late", "a.c", 1, &word) == 0 && word == 0,
       "without memory a site has no number");
    hpm_memory_fail_at(0, false);
    ok(number_of("late", "a.c", 1, &word) != 0, "it is tried again");
}

enum { N_THREADS = 8, N_SITES = 500 };

static pthread_barrier_t barrier;
static unsigned words[N_SITES];

static void *
register_all(void *ret_numbers)
{
    unsigned *numbers = ret_numbers;

    pthread_barrier_wait(&barrier);
    for (int i = 0; i < N_SITES; i++)
        numbers[i] = number_of("thread", "a.c", i, &words[i]);
    return NULL;
}

static void
test_threads(void)
{
    static unsigned numbers[N_THREADS][N_SITES];
    pthread_t threads[N_THREADS];
    bool are_same = true, are_apart = true;

    pthread_barrier_init(&barrier, NULL, N_THREADS);
    for (int i = 0; i < N_THREADS; i++)
        pthread_create(&threads[i], NULL, register_all, numbers[i]);
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < N_SITES; i++) {
        for (int j = 1; j < N_THREADS; j++)
            are_same &= numbers[j][i] == numbers[0][i];
        are_apart &= i == 0 || numbers[0][i] != numbers[0][i - 1];
    }
    ok(are_same && are_apart, "threads give one site one number");
}

int
main(void)
{
    test_places();
    test_memory();
    test_threads();
    return done();
}
