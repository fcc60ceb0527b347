/* SPDX-License-Identifier: BSD-3-Clause
 * The kernel that reads: all of a place, from its first byte to its last, by
 * the widest loads of the processor, independent of each other. */
#include "hpm/roofs/roofkernel.h"

#if defined(__x86_64__)

/* A block by loads of `bytes` into one register after the other. */
#define READ(name, bytes, instruction, after)                                  \
    static void read_##name(const char *at, const char *end)                   \
    {                                                                          \
        __asm__ volatile(".p2align 4\n0:\n.set offset, 0\n.rept " #bytes       \
                         "\n" instruction "\n.endr\n"                          \
                         "add $1024, %[at]\ncmp %[end], %[at]\njb 0b\n" after  \
                         : [at] "+r"(at)                                       \
                         : [end] "r"(end)                                      \
                         : "cc", "memory", "xmm0", "xmm1", "xmm2", "xmm3");    \
    }
#define FOUR(mnemonic, register, step1, step2, step3, all)                               \
    mnemonic                                                                             \
        " offset(%[at]), %%" register "0\n" mnemonic " offset+" step1                    \
                                      "(%[at]), %%" register "1\n" mnemonic              \
                                                             " offset+" step2            \
                                                             "(%[at]), "                 \
                                                             "%%" register "2"           \
                                                                           "\n" mnemonic \
                                                                           " "           \
                                                                           "o"           \
                                                                           "f"           \
                                                                           "f"           \
                                                                           "s"           \
                                                                           "e"           \
                                                                           "t"           \
                                                                           "+" step3     \
                                                                           "("           \
                                                                           "%"           \
                                                                           "["           \
                                                                           "a"           \
                                                                           "t"           \
                                                                           "]"           \
                                                                           ")"           \
                                                                           ","           \
                                                                           " "           \
                                                                           "%"           \
                                                                           "%" register "3\n.set offset, offset+" all

READ(128, 16, FOUR("movaps", "xmm", "16", "32", "48", "64"), "")
READ(256, 8, FOUR("vmovaps", "ymm", "32", "64", "96", "128"), "vzeroupper\n")
READ(512, 4, FOUR("vmovaps", "zmm", "64", "128", "192", "256"), "vzeroupper\n")

static void
read_once(const char *at, const char *end)
{
    if (__builtin_cpu_supports("avx512f"))
        read_512(at, end);
    else if (__builtin_cpu_supports("avx"))
        read_256(at, end);
    else
        read_128(at, end);
}

#elif defined(__aarch64__)

static void
read_once(const char *at, const char *end)
{
    __asm__ volatile(".p2align 4\n0:\n.rept 8\n"
                     "ldp q0, q1, [%[at]]\nldp q2, q3, [%[at], #32]\n"
                     "ldp q4, q5, [%[at], #64]\nldp q6, q7, [%[at], #96]\n"
                     "add %[at], %[at], #128\n.endr\n"
                     "cmp %[at], %[end]\nb.lo 0b\n"
                     : [at] "+r"(at)
                     : [end] "r"(end)
                     : "cc", "memory", "v0", "v1", "v2", "v3", "v4", "v5", "v6",
                       "v7");
}

#else

static void
read_once(const char *at, const char *end)
{
    const uint64_t *word = (const void *)at;
    uint64_t sums[8] = {0};

    for (; (const char *)word < end; word += 8) {
        for (int i = 0; i < 8; i++)
            sums[i] += word[i];
    }
    for (int i = 0; i < 8; i++)
        *(volatile uint64_t *)&sums[i] = sums[i];
}

#endif

static void
run_reading(struct roof_place *place, uint64_t rounds)
{
    for (; rounds > 0; rounds--)
        read_once(place->memory, place->memory + place->size);
}

const struct roof_kernel roof_reading = {
    "reading", "reads by the widest loads", false, 0, 0, NULL, run_reading};
