/* SPDX-License-Identifier: BSD-3-Clause
 * The first instructions of a function.
 *
 * What a kernel refuses was asked of one (Linux 6.18, tests/cli/probes.py does so
 * again where it may).  Older kernels refuse some instructions with two opcodes
 * (0f), too, with which no compiler begins a function. */
#include "study/probe/instruction.h"

#include <stdint.h>
#include <string.h>

#if defined(__x86_64__)

static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};

size_t
hpm_instruction_landing(const unsigned char *code, size_t n)
{
    return n > sizeof endbr64 && memcmp(code, endbr64, sizeof endbr64) == 0
               ? sizeof endbr64
               : 0;
}

/* A bit for each opcode that is refused, 16 of them a row: instructions for the
 * kernel only, those that raise an exception, and codes that mean nothing. */
static const uint16_t refused[16] = {
    [0x0] = 0x40c0, [0x1] = 0xc0c0, [0x2] = 0x8080, [0x3] = 0x8080,
    [0x6] = 0xf003, [0x8] = 0x0004, [0x9] = 0x0400, [0xc] = 0xf000,
    [0xd] = 0x0070, [0xe] = 0xf4f0, [0xf] = 0x0c12,
};

static bool
is_refused(unsigned char opcode)
{
    return (refused[opcode >> 4] >> (opcode & 15) & 1) != 0;
}

/* The bytes before the opcode of a vector instruction (VEX, EVEX).  The kernel
 * looks its opcode up among those of other instructions, so that of vmovdqu is
 * taken for one of input and output, and refused. */
static size_t
vector_prefix(unsigned char byte)
{
    return byte == 0xc5 ? 2 : byte == 0xc4 ? 3 : byte == 0x62 ? 4 : 0;
}

static bool
is_among(unsigned char byte, const char *bytes, size_t n)
{
    return memchr(bytes, byte, n) != NULL;
}

bool
hpm_instruction_takes_probe(const unsigned char *code, size_t n)
{
    size_t i = 0;

    while (i < n && is_among(code[i], "\x66\x67\xf2\xf3\x64\x65", 6))
        i++;
    /* a lock of the bus, and segments that mean nothing in 64-bit code */
    if (i < n && is_among(code[i], "\x26\x2e\x36\x3e\xf0", 5))
        return false;
    if (i < n && code[i] >> 4 == 4)
        i++;
    else if (i < n)
        i += vector_prefix(code[i]);
    return i < n && !is_refused(code[i]);
}

#elif defined(__aarch64__)

size_t
hpm_instruction_landing(const unsigned char *code, size_t n)
{
    (void)code;
    (void)n;
    return 0;
}

/* Refused: loads of a literal; exclusive loads and stores, which a step interrupts;
 * what raises an exception or writes system registers.  Branches are imitated. */
bool
hpm_instruction_takes_probe(const unsigned char *code, size_t n)
{
    uint32_t word;

    if (n < sizeof word)
        return false;
    memcpy(&word, code, sizeof word);
    return (word & 0x3b000000) != 0x18000000 && /* ldr =literal */
           (word & 0x3f800000) != 0x08000000 && /* ldxr, stxr */
           (word & 0xff000000) != 0xd4000000 && /* svc, brk, hlt */
           (word & 0xfff00000) != 0xd5100000;   /* msr */
}

#else

size_t
hpm_instruction_landing(const unsigned char *code, size_t n)
{
    (void)code;
    (void)n;
    return 0;
}

bool
hpm_instruction_takes_probe(const unsigned char *code, size_t n)
{
    (void)code;
    (void)n;
    return true;
}

#endif
