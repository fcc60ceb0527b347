/* SPDX-License-Identifier: BSD-3-Clause
 * Matrices of N x N times vectors and matrices by BLAS and LAPACK, as C calls them and
 * as Fortran does; prints how often, and which operations that takes:
 * "LABEL CALLS FLOP". */
#include <complex.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 };

void cblas_dgemm(int order, int transa, int transb, int m, int n, int k,
                 double alpha, const double *a, int lda, const double *b,
                 int ldb, double beta, double *c, int ldc);
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy);
void dgemm_(const char *transa, const char *transb, const int *m, const int *n,
            const int *k, const double *alpha, const double *a, const int *lda,
            const double *b, const int *ldb, const double *beta, double *c,
            const int *ldc, size_t, size_t);
void dtrsm_(const char *side, const char *uplo, const char *transa,
            const char *diag, const int *m, const int *n, const double *alpha,
            const double *a, const int *lda, double *b, const int *ldb, size_t,
            size_t, size_t, size_t);
double _Complex zdotc_(const int *n, const double _Complex *x, const int *incx,
                       const double _Complex *y, const int *incy);
void dgesv_(const int *n, const int *nrhs, double *a, const int *lda,
            int *pivots, double *b, const int *ldb, int *info);

int
main(int n_words, char **words)
{
    int n = n_words > 1 ? atoi(words[1]) : 12, k = n / 2, one = 1, info;
    double *a = calloc((size_t)(n * n), sizeof *a), scale = 1, zero = 0;
    double *b = calloc((size_t)(n * n), sizeof *b);
    double *c = calloc((size_t)(n * n), sizeof *c);
    int *pivots = calloc((size_t)n, sizeof *pivots);
    const double _Complex z[2] = {1 + 2 * I, 3 - 1 * I};
    const int two = 2;
    long long l = n;

    for (int i = 0; i < n * n; i++) {
        a[i] = i % (n + 1) == 0 ? 2 : 0; /* twice the identity */
        b[i] = i;
    }
    for (int i = 0; i < 3; i++)
        cblas_dgemm(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, n, n, n, 1, a, n, b,
                    n, 0, c, n);
    if (c[n + 1] != 2 * b[n + 1])
        return 1;
    dgemm_("N", "N", &n, &n, &k, &scale, a, &n, b, &n, &zero, c, &n, 1, 1);
    dtrsm_("L", "U", "N", "N", &n, &k, &scale, a, &n, b, &n, 1, 1, 1, 1);
    if (cblas_ddot(n, a, 1, a, 1) != 4)
        return 1;
    if (zdotc_(&two, z, &one, z, &one) != 15)
        return 1;
    dgesv_(&n, &one, a, &n, pivots, b, &n, &info);
    if (info != 0 || b[1] != 0.25)
        return 1;
    printf("cblas_dgemm 3 %lld\n", 3 * 2 * l * l * l);
    printf("dgemm 1 %lld\n", 2 * l * l * k);
    printf("dtrsm 1 %lld\n", l * l * k);
    printf("cblas_ddot 1 %lld\n", 2 * l);
    printf("zdotc 1 %d\n", 8 * two);
    printf("dgesv 1 %lld\n",
           (4 * l * l * l - 3 * l * l + 5 * l) / 6 + 2 * l * l - l);
    return 3;
}
