/* SPDX-License-Identifier: BSD-3-Clause
 * A library of which tests measure the calls: libdemo.so. */
#include <complex.h>
#include <errno.h>
#include <setjmp.h>
#include <stddef.h>

struct pair {
    long first;
    double second;
};

int demo_add(int a, int b);
int demo_visit(int n, int (*visit)(int, void *), void *context);
double _Complex demo_turn(double _Complex z);
float _Complex demo_turnf(float _Complex z);
long double demo_long(long double x, int power);
struct pair demo_pair(struct pair p, double by);
int demo_fail(void);
double demo_mix(int a, float b, const char *c, double d, long e, int f, int g,
                int h, double i, short j);
int demo_outer(int n);
int demo_missing(int n);
int demo_text_(const char *name, const int *n, const char *other,
               size_t name_length, size_t other_length);

int
demo_add(int a, int b)
{
    return a + b;
}

int
demo_visit(int n, int (*visit)(int, void *), void *context)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum += visit(i, context);
    return sum;
}

double _Complex demo_turn(double _Complex z)
{
    return z * I;
}

float _Complex demo_turnf(float _Complex z)
{
    return z * I;
}

long double
demo_long(long double x, int power)
{
    long double result = 1;

    while (power-- > 0)
        result *= x;
    return result;
}

struct pair
demo_pair(struct pair p, double by)
{
    p.first++;
    p.second *= by;
    return p;
}

int
demo_fail(void)
{
    errno = ENOSPC;
    return -1;
}

double
demo_mix(int a, float b, const char *c, double d, long e, int f, int g, int h,
         double i, short j)
{
    return a + b + c[0] + d + (double)e + f + g + h + i + j;
}

/* By the table of the library, so that a wrapper sees the call. */
int
demo_outer(int n)
{
    int sum = 0;

    for (int i = 0; i < n; i++)
        sum = demo_add(sum, i);
    return sum;
}

#ifdef WITH_MISSING
int
demo_missing(int n)
{
    return n;
}
#endif

/* As Fortran gives texts. */
int
demo_text_(const char *name, const int *n, const char *other,
           size_t name_length, size_t other_length)
{
    return name[name_length - 1] + *n + other[other_length - 1];
}
