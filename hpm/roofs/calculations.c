/* SPDX-License-Identifier: BSD-3-Clause
 * Kernels that calculate: chains of multiply-adds, independent of each
 * other. */
#include "hpm/roofs/roofkernel.h"

#if defined(__aarch64__)
#include <sys/auxv.h>
#include <sys/prctl.h>
#endif

/* Twelve chains are enough for two units with a latency of four to six cycles,
 * and fit in the registers of SSE and AVX beside the factors. */
enum { CHAINS = 12 };

/* Each step adds a half of a half: no sum becomes so large or small during a
 * measurement that it is slow. */
#define HALF 0.5
static const double halves_double[8] __attribute__((aligned(64))) = {
    HALF, HALF, HALF, HALF, HALF, HALF, HALF, HALF};
static const float halves_single[16] __attribute__((aligned(64))) = {
    HALF, HALF, HALF, HALF, HALF, HALF, HALF, HALF,
    HALF, HALF, HALF, HALF, HALF, HALF, HALF, HALF};

#if defined(__x86_64__)

#define CLOBBERS                                                               \
    "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6",    \
        "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm14", "xmm15"
#define CHAIN_REGISTERS "0,1,2,3,4,5,6,7,8,9,10,11"

/* `load` fetches the factors into register 14, `step` is one link of chain
 * r. */
#define KERNEL(name, halves, load, step, after)                                \
    static void run_##name(struct roof_place *place, uint64_t rounds)          \
    {                                                                          \
        (void)place;                                                           \
        __asm__ volatile(load "\n.p2align 4\n0:\n.irp r," CHAIN_REGISTERS      \
                              "\n" step "\n.endr\n"                            \
                              "dec %[rounds]\njnz 0b\n" after                  \
                         : [rounds] "+r"(rounds)                               \
                         : [factors] "r"(halves)                               \
                         : CLOBBERS);                                          \
    }

/* Without multiply-adds: one multiplication (by one half) and one addition. */
KERNEL(double_64, halves_double, "movsd (%[factors]), %%xmm14",
       "mulsd %%xmm14, %%xmm\\r\naddsd %%xmm14, %%xmm\\r", "")
KERNEL(double_128, halves_double, "movapd (%[factors]), %%xmm14",
       "mulpd %%xmm14, %%xmm\\r\naddpd %%xmm14, %%xmm\\r", "")
KERNEL(single_32, halves_single, "movss (%[factors]), %%xmm14",
       "mulss %%xmm14, %%xmm\\r\naddss %%xmm14, %%xmm\\r", "")
KERNEL(single_128, halves_single, "movaps (%[factors]), %%xmm14",
       "mulps %%xmm14, %%xmm\\r\naddps %%xmm14, %%xmm\\r", "")
KERNEL(fused_double_64, halves_double, "vmovsd (%[factors]), %%xmm14",
       "vfmadd231sd %%xmm14, %%xmm14, %%xmm\\r", "")
KERNEL(fused_double_128, halves_double, "vmovapd (%[factors]), %%xmm14",
       "vfmadd231pd %%xmm14, %%xmm14, %%xmm\\r", "")
KERNEL(fused_double_256, halves_double, "vmovapd (%[factors]), %%ymm14",
       "vfmadd231pd %%ymm14, %%ymm14, %%ymm\\r", "vzeroupper\n")
KERNEL(fused_double_512, halves_double, "vmovapd (%[factors]), %%zmm14",
       "vfmadd231pd %%zmm14, %%zmm14, %%zmm\\r", "vzeroupper\n")
KERNEL(fused_single_32, halves_single, "vmovss (%[factors]), %%xmm14",
       "vfmadd231ss %%xmm14, %%xmm14, %%xmm\\r", "")
KERNEL(fused_single_128, halves_single, "vmovaps (%[factors]), %%xmm14",
       "vfmadd231ps %%xmm14, %%xmm14, %%xmm\\r", "")
KERNEL(fused_single_256, halves_single, "vmovaps (%[factors]), %%ymm14",
       "vfmadd231ps %%ymm14, %%ymm14, %%ymm\\r", "vzeroupper\n")
KERNEL(fused_single_512, halves_single, "vmovaps (%[factors]), %%zmm14",
       "vfmadd231ps %%zmm14, %%zmm14, %%zmm\\r", "vzeroupper\n")

static bool
has_fused(void)
{
    return __builtin_cpu_supports("fma");
}

static bool
has_no_fused(void)
{
    return !has_fused();
}

static bool
has_512(void)
{
    return __builtin_cpu_supports("avx512f");
}

/* Two operations for each link and lane.  Of kernels with the same name the
 * first that can run is used. */
const struct roof_kernel roof_calculations[] = {
    {"double_64", "double precision, one number", false, 64, 2 * CHAINS,
     has_fused, run_fused_double_64},
    {"double_64", "double precision, one number, without multiply-add", false,
     64, 2 * CHAINS, has_no_fused, run_double_64},
    {"double_128", "double precision, vectors of 128 bits", false, 128,
     4 * CHAINS, has_fused, run_fused_double_128},
    {"double_128",
     "double precision, vectors of 128 bits, without multiply-add", false, 128,
     4 * CHAINS, has_no_fused, run_double_128},
    {"double_256", "double precision, vectors of 256 bits", false, 256,
     8 * CHAINS, has_fused, run_fused_double_256},
    {"double_512", "double precision, vectors of 512 bits", false, 512,
     16 * CHAINS, has_512, run_fused_double_512},
    {"single_32", "single precision, one number", true, 32, 2 * CHAINS,
     has_fused, run_fused_single_32},
    {"single_32", "single precision, one number, without multiply-add", true,
     32, 2 * CHAINS, has_no_fused, run_single_32},
    {"single_128", "single precision, vectors of 128 bits", true, 128,
     8 * CHAINS, has_fused, run_fused_single_128},
    {"single_128",
     "single precision, vectors of 128 bits, without multiply-add", true, 128,
     8 * CHAINS, has_no_fused, run_single_128},
    {"single_256", "single precision, vectors of 256 bits", true, 256,
     16 * CHAINS, has_fused, run_fused_single_256},
    {"single_512", "single precision, vectors of 512 bits", true, 512,
     32 * CHAINS, has_512, run_fused_single_512},
};

#elif defined(__aarch64__)

#define CLOBBERS                                                               \
    "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v16",     \
        "v17", "v18", "v19", "v20", "v21"
#define CHAIN_REGISTERS "0,1,2,3,4,5,6,7,16,17,18,19"

#define KERNEL(name, halves, load, step)                                       \
    static void run_##name(struct roof_place *place, uint64_t rounds)          \
    {                                                                          \
        (void)place;                                                           \
        __asm__ volatile(load "\n.p2align 4\n0:\n.irp r," CHAIN_REGISTERS      \
                              "\n" step "\n.endr\n"                            \
                              "subs %[rounds], %[rounds], #1\nb.ne 0b\n"       \
                         : [rounds] "+r"(rounds)                               \
                         : [factors] "r"(halves)                               \
                         : CLOBBERS);                                          \
    }

KERNEL(double_64, halves_double, "ldr d20, [%[factors]]",
       "fmadd d\\r, d20, d20, d\\r")
KERNEL(double_128, halves_double, "ldr q20, [%[factors]]",
       "fmla v\\r\\().2d, v20.2d, v20.2d")
KERNEL(single_32, halves_single, "ldr s20, [%[factors]]",
       "fmadd s\\r, s20, s20, s\\r")
KERNEL(single_128, halves_single, "ldr q20, [%[factors]]",
       "fmla v\\r\\().4s, v20.4s, v20.4s")

/* SVE: this processor has vectors of one length, which is known only at run
 * time.  More chains, for units with a latency of nine cycles (A64FX). */
enum { SVE_CHAINS = 20, SVE = 1 << 22, GET_LENGTH = 51, LENGTH = 0xffff };

#define SVE_KERNEL(name, halves, load, step)                                   \
    static void run_##name(struct roof_place *place, uint64_t rounds)          \
    {                                                                          \
        (void)place;                                                           \
        __asm__ volatile(                                                      \
            ".arch_extension sve\nptrue p0.b\n" load "\n.p2align 4\n0:\n"      \
            ".irp r," CHAIN_REGISTERS ",20,21,22,23,24,25,26,27\n" step        \
            "\n.endr\nsubs %[rounds], %[rounds], #1\nb.ne 0b\n"                \
            : [rounds] "+r"(rounds)                                            \
            : [factors] "r"(halves)                                            \
            : CLOBBERS, "v22", "v23", "v24", "v25", "v26", "v27", "v28",       \
              "p0");                                                           \
    }

SVE_KERNEL(sve_double, halves_double, "ld1rd {z28.d}, p0/z, [%[factors]]",
           "fmla z\\r\\().d, p0/m, z28.d, z28.d")
SVE_KERNEL(sve_single, halves_single, "ld1rw {z28.s}, p0/z, [%[factors]]",
           "fmla z\\r\\().s, p0/m, z28.s, z28.s")

/* 0 without SVE.  SVE vectors of 128 bits are not used: they are no wider than
 * those of Advanced SIMD. */
static unsigned
count_sve_bits(void)
{
    int length = (getauxval(AT_HWCAP) & SVE) != 0 ? prctl(GET_LENGTH) : 0;

    return length > 0 ? 8 * (unsigned)(length & LENGTH) : 0;
}

static bool
has_sve_256(void)
{
    return count_sve_bits() == 256;
}

static bool
has_sve_512(void)
{
    return count_sve_bits() == 512;
}

const struct roof_kernel roof_calculations[] = {
    {"double_64", "double precision, one number", false, 64, 2 * CHAINS, NULL,
     run_double_64},
    {"double_128", "double precision, vectors of 128 bits", false, 128,
     4 * CHAINS, NULL, run_double_128},
    {"double_256", "double precision, SVE vectors of 256 bits", false, 256,
     8 * SVE_CHAINS, has_sve_256, run_sve_double},
    {"double_512", "double precision, SVE vectors of 512 bits", false, 512,
     16 * SVE_CHAINS, has_sve_512, run_sve_double},
    {"single_32", "single precision, one number", true, 32, 2 * CHAINS, NULL,
     run_single_32},
    {"single_128", "single precision, vectors of 128 bits", true, 128,
     8 * CHAINS, NULL, run_single_128},
    {"single_256", "single precision, SVE vectors of 256 bits", true, 256,
     16 * SVE_CHAINS, has_sve_256, run_sve_single},
    {"single_512", "single precision, SVE vectors of 512 bits", true, 512,
     32 * SVE_CHAINS, has_sve_512, run_sve_single},
};

#else

/* In C: the compiler uses vectors if it may. */
#define KERNEL(name, real, halves)                                             \
    static void run_##name(struct roof_place *place, uint64_t rounds)          \
    {                                                                          \
        real sums[CHAINS] = {0};                                               \
                                                                               \
        (void)place;                                                           \
        for (; rounds > 0; rounds--)                                           \
            for (int i = 0; i < CHAINS; i++)                                   \
                sums[i] = sums[i] * halves[0] + halves[1];                     \
        for (int i = 0; i < CHAINS; i++)                                       \
            *(volatile real *)&sums[i] = sums[i];                              \
    }

KERNEL(double, double, halves_double)
KERNEL(single, float, halves_single)

const struct roof_kernel roof_calculations[] = {
    {"double_64", "double precision, compiled C", false, 64, 2 * CHAINS, NULL,
     run_double},
    {"single_32", "single precision, compiled C", true, 32, 2 * CHAINS, NULL,
     run_single},
};

#endif

const size_t roof_n_calculations =
    sizeof roof_calculations / sizeof roof_calculations[0];
