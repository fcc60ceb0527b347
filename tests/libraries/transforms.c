/* SPDX-License-Identifier: BSD-3-Clause
 * A program that has transforms made by FFTW, and with -DLIBRARY what stands in for
 * FFTW: plans whose operations are known.  Prints "LABEL CALLS FLOP". */
#include <stdio.h>

struct plan {
    double add, mul, fma;
};

void fftw_execute(const struct plan *plan);
void fftw_flops(const struct plan *plan, double *add, double *mul, double *fma);
void fftwf_execute(const struct plan *plan);

#ifdef LIBRARY
void
fftw_execute(const struct plan *plan)
{
    (void)plan;
}

void
fftw_flops(const struct plan *plan, double *add, double *mul, double *fma)
{
    *add = plan->add;
    *mul = plan->mul;
    *fma = plan->fma;
}

void
fftwf_execute(const struct plan *plan)
{
    (void)plan;
}
#else
int
main(void)
{
    const struct plan plan = {1000, 200, 30};

    for (int i = 0; i < 3; i++)
        fftw_execute(&plan);
    fftwf_execute(&plan);
    printf("fftw_execute 3 %d\nfftwf_execute 1\n", 3 * (1000 + 200 + 2 * 30));
    return 3;
}
#endif
