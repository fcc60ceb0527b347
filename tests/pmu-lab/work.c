/* SPDX-License-Identifier: BSD-3-Clause
 * Functions inside sections of exact.S whose instructions are not counted by
 * hand: plain C, the C library, locks. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000 };

void sort_numbers(long n);
void write_text(long n);
void take_locks(long n);

/* Only code made by the compiler: random numbers, and a shell sort with
 * floating point in its comparison. */
void
sort_numbers(long n)
{
    static double numbers[MOST];
    unsigned seed = 1;

    for (long i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        numbers[i] = (double)seed / 3;
    }
    for (long gap = n / 2; gap > 0; gap /= 2) {
        for (long i = gap; i < n; i++) {
            double number = numbers[i];
            long j = i;

            for (; j >= gap && numbers[j - gap] > number; j -= gap)
                numbers[j] = numbers[j - gap];
            numbers[j] = number;
        }
    }
}

static int
compare(const void *left, const void *right)
{
    return strcmp(*(char *const *)left, *(char *const *)right);
}

/* The C library: memory, numbers as text, copies, comparisons. */
void
write_text(long n)
{
    char *lines[MOST];

    for (long i = 0; i < n; i++) {
        char line[200];
        size_t length = (size_t)snprintf(line, sizeof line, "%ld %.3f",
                                         i * 7919 % n, (double)i / 7);

        lines[i] = malloc(length + 1);
        if (lines[i] == NULL)
            abort();
        memcpy(lines[i], line, length + 1);
    }
    qsort(lines, (size_t)n, sizeof lines[0], compare);
    for (long i = 0; i < n; i++)
        free(lines[i]);
}

/* Atomic additions and exchanges, of this function and of the C library. */
void
take_locks(long n)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static atomic_long sum;

    for (long i = 0; i < n; i++) {
        pthread_mutex_lock(&lock);
        atomic_fetch_add(&sum, i);
        pthread_mutex_unlock(&lock);
    }
}
