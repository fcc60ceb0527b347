/* SPDX-License-Identifier: BSD-3-Clause
 * The floating-point environment (exception flags, rounding, traps) is the
 * program's.  Between hold and release the library has the default one, and
 * nothing it computes shows in the program's. */
#ifndef HPM_HOST_FLOATING_H
#define HPM_HOST_FLOATING_H

/* Load numbers after this barrier, and store them before it: the compiler does
 * not know about the environment. */
#define HPM_FLOATING_BARRIER() __asm__ volatile("" ::: "memory")

/* Every stop runs this code, so it does not use <fenv.h>: that also saves the
 * x87's state, which takes ten times as long and which C code on x86-64 does
 * not use. */
#if defined(__x86_64__)
#include <xmmintrin.h>

struct hpm_floating {
    unsigned control;
};

static inline struct hpm_floating
hpm_floating_hold(void)
{
    struct hpm_floating program = {_mm_getcsr()};

    _mm_setcsr(0x1f80); /* no flags, no traps, round to nearest */
    HPM_FLOATING_BARRIER();
    return program;
}

static inline void
hpm_floating_release(struct hpm_floating program)
{
    HPM_FLOATING_BARRIER();
    _mm_setcsr(program.control);
}

#elif defined(__aarch64__)
#include <stdint.h>

struct hpm_floating {
    uint64_t control, status;
};

static inline struct hpm_floating
hpm_floating_hold(void)
{
    struct hpm_floating program;

    __asm__ volatile("mrs %0, fpcr" : "=r"(program.control));
    __asm__ volatile("mrs %0, fpsr" : "=r"(program.status));
    __asm__ volatile("msr fpcr, xzr" ::: "memory");
    return program;
}

static inline void
hpm_floating_release(struct hpm_floating program)
{
    __asm__ volatile("msr fpcr, %0" ::"r"(program.control) : "memory");
    __asm__ volatile("msr fpsr, %0" ::"r"(program.status) : "memory");
}

#else
#include <fenv.h>

struct hpm_floating {
    fenv_t environment;
};

static inline struct hpm_floating
hpm_floating_hold(void)
{
    struct hpm_floating program;

    feholdexcept(&program.environment);
    fesetround(FE_TONEAREST);
    HPM_FLOATING_BARRIER();
    return program;
}

static inline void
hpm_floating_release(struct hpm_floating program)
{
    HPM_FLOATING_BARRIER();
    fesetenv(&program.environment);
}
#endif

#endif
