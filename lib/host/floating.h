/* SPDX-License-Identifier: BSD-3-Clause
 * The floating-point environment is the program's: its exception flags, its
 * rounding and what it has let trap.  Between hold and release ours is the
 * default one, and nothing of what we compute shows in the program's. */
#ifndef HPM_HOST_FLOATING_H
#define HPM_HOST_FLOATING_H

/* Numbers must be loaded after it, and stored before: the compiler knows
 * nothing of the environment. */
#define HPM_FLOATING_BARRIER() __asm__ volatile("" ::: "memory")

/* On the way of every stop: so not by <fenv.h>, which saves the x87's state,
 * too, and takes ten times as long.  C code does not use that on x86-64. */
#if defined(__x86_64__)
#include <xmmintrin.h>

struct hpm_floating {
    unsigned control;
};

static inline struct hpm_floating
hpm_floating_hold(void)
{
    struct hpm_floating program = {_mm_getcsr()};

    _mm_setcsr(0x1f80); /* no flag, no trap, to nearest */
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
