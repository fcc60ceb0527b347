/* SPDX-License-Identifier: BSD-3-Clause
 * Multiply two matrices twice, row by column and block by block, to see what
 * the order of memory accesses costs. */
#include <stdio.h>
#include <stdlib.h>

#include <libhpm.h>

enum { DEFAULT_SIZE = 500, MAX_SIZE = 2048, BLOCK = 48 };

/* Numbers of the sections. */
enum { MATMUL, FILL, NAIVE, BLOCKED };

static void
fill(double *a, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i * n + j] = i + j;
            b[i * n + j] = i - j;
        }
    }
}

/* Walks b down its columns: a new cache line for every element. */
static void
multiply_naive(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0.0;

            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}

/* One block of b (18 KiB) at a time, used by all rows of a, and the innermost
 * loop runs along its rows. */
static void
multiply_block(double *c, const double *a, const double *b, int n, int k0,
               int j0)
{
    int k1 = n - k0 < BLOCK ? n : k0 + BLOCK;
    int j1 = n - j0 < BLOCK ? n : j0 + BLOCK;

    for (int i = 0; i < n; i++) {
        for (int k = k0; k < k1; k++) {
            double factor = a[i * n + k];

            for (int j = j0; j < j1; j++)
                c[i * n + j] += factor * b[k * n + j];
        }
    }
}

static void
multiply_blocked(double *c, const double *a, const double *b, int n)
{
    for (int i = 0; i < n * n; i++)
        c[i] = 0.0;
    for (int k = 0; k < n; k += BLOCK) {
        for (int j = 0; j < n; j += BLOCK)
            multiply_block(c, a, b, n, k, j);
    }
}

/* The sum over k of (i + k)(k - j).  Every term is a whole number below 2^53,
 * so both products have to be exact. */
static int
is_product(const double *c, int n)
{
    double sum1 = 0.5 * n * (n - 1.0);
    double sum2 = n * (n - 1.0) * (2.0 * n - 1.0) / 6.0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            double expected = sum2 + (i - j) * sum1 - (double)n * i * j;

            if (c[i * n + j] != expected)
                return 0;
        }
    }
    return 1;
}

static int
read_size(int argc, char **argv)
{
    char *end;
    long n;

    if (argc < 2)
        return DEFAULT_SIZE;
    n = strtol(argv[1], &end, 10);
    if (argc == 2 && end != argv[1] && *end == '\0' && n >= 1 && n <= MAX_SIZE)
        return (int)n;
    fprintf(stderr, "matmul: unexpected '%s'; expected one size, 1 to %d\n",
            argv[argc > 2 ? 2 : 1], MAX_SIZE);
    exit(2);
}

static int
run(double *room, int n)
{
    size_t area = (size_t)n * (size_t)n;
    double *a = room, *b = a + area, *c = b + area, *d = c + area;

    hpmTstart(MATMUL, "matmul");
    hpmTstart(FILL, "fill");
    fill(a, b, n);
    hpmTstop(FILL);
    hpmTstart(NAIVE, "naive");
    multiply_naive(c, a, b, n);
    hpmTstop(NAIVE);
    hpmTstart(BLOCKED, "blocked");
    multiply_blocked(d, a, b, n);
    hpmTstop(BLOCKED);
    hpmTstop(MATMUL);
    return is_product(c, n) && is_product(d, n);
}

int
main(int argc, char **argv)
{
    int n = read_size(argc, argv);
    double *room = malloc(4 * (size_t)n * (size_t)n * sizeof *room);
    int is_right;

    if (room == NULL) {
        fprintf(stderr, "matmul: no memory for size %d\n", n);
        return 1;
    }
    hpmInit(-1, "matmul");
    is_right = run(room, n);
    hpmTerminate(-1);
    free(room);
    if (!is_right) {
        fprintf(stderr, "matmul: the product is wrong\n");
        return 1;
    }
    printf("matmul: two %d x %d products, both right\n", n, n);
    return 0;
}
