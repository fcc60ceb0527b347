/* SPDX-License-Identifier: BSD-3-Clause
 * A stand-in for a BLAS with integers of the type INTEGER, and a program that calls
 * it and prints "LABEL CALLS FLOP"; the library prints what it was given. */
#include <stdio.h>

double cblas_ddot(INTEGER n, const double *x, INTEGER incx, const double *y,
                  INTEGER incy);
void cblas_dgemm(int order, int transa, int transb, INTEGER m, INTEGER n,
                 INTEGER k, double alpha, const double *a, INTEGER lda,
                 const double *b, INTEGER ldb, double beta, double *c,
                 INTEGER ldc);
INTEGER idamax_(const INTEGER *n, const double *x, const INTEGER *incx);
double ddot_(const INTEGER *n, const double *x, const INTEGER *incx,
             const double *y, const INTEGER *incy);

#ifdef LIBRARY
double
cblas_ddot(INTEGER n, const double *x, INTEGER incx, const double *y,
           INTEGER incy)
{
    fprintf(stderr, "%lld %lld %lld\n", (long long)n, (long long)incx,
            (long long)incy);
    return *x + *y;
}

void
cblas_dgemm(int order, int transa, int transb, INTEGER m, INTEGER n, INTEGER k,
            double alpha, const double *a, INTEGER lda, const double *b,
            INTEGER ldb, double beta, double *c, INTEGER ldc)
{
    fprintf(stderr, "%d %d %d %lld %lld %lld %lld %lld %lld\n", order, transa,
            transb, (long long)m, (long long)n, (long long)k, (long long)lda,
            (long long)ldb, (long long)ldc);
    *c = alpha * *a * *b + beta;
}

INTEGER
idamax_(const INTEGER *n, const double *x, const INTEGER *incx)
{
    return *x < 0 ? *incx : *n;
}

double
ddot_(const INTEGER *n, const double *x, const INTEGER *incx, const double *y,
      const INTEGER *incy)
{
    fprintf(stderr, "%lld %lld %lld\n", (long long)*n, (long long)*incx,
            (long long)*incy);
    return *x + *y;
}
#else
int
main(void)
{
    /* what is behind an integer of 32 bits is no part of it */
    static const INTEGER numbers[] = {
        (INTEGER)(sizeof(INTEGER) == 8 ? 0x200000005 : 5), -1, 7, 9};
    INTEGER n = numbers[0];
    double x = 1.5, y = 2.5, c = 0.0;

    fprintf(stderr, "%g\n", cblas_ddot(n, &x, numbers[1], &y, numbers[1]));
    fprintf(stderr, "%g\n", ddot_(numbers, &x, numbers + 1, &y, numbers + 1));
    cblas_dgemm(102, 111, 112, 3, n, 7, 2.0, &x, numbers[1], &y, n, 0.5, &c,
                -n);
    fprintf(stderr, "%g\n", c);
    fprintf(stderr, "%lld\n", (long long)idamax_(numbers, &x, numbers + 1));
    printf("cblas_ddot 1 %lld\nddot 1 %lld\nidamax 1\ncblas_dgemm 1 %lld\n",
           2LL * n, 2LL * n, 42LL * n);
    return 3;
}
#endif
