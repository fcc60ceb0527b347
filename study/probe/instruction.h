/* SPDX-License-Identifier: BSD-3-Clause
 * The first instructions of a function, as far as kernel probes (uprobes) depend on
 * them. */
#ifndef HPM_STUDY_PROBE_INSTRUCTION_H
#define HPM_STUDY_PROBE_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>

/* The longest instruction, and the landing instruction before it, in bytes. */
enum { HPM_INSTRUCTION_MOST = 20 };

/* The bytes of the landing instruction at the beginning of a function (endbr64 of
 * x86-64), behind which a probe belongs: there the kernel can often imitate the
 * instruction, which is several times as fast as stepping through endbr64.  0: the
 * function has none, or it is as good a place as the one behind it (bti of Arm). */
size_t hpm_instruction_landing(const unsigned char *code, size_t n);

/* Does the kernel set a probe at this instruction?  It takes the breakpoint for
 * set, and never reports a hit, where it cannot step the instruction that was
 * there.  On machines whose rules are not known here: true. */
bool hpm_instruction_takes_probe(const unsigned char *code, size_t n);

/* What a probe at the instruction costs differs: the kernel imitates some, and steps
 * the others, which takes several times as long.  Which it imitates depends on the
 * kernel, so instructions that are treated alike by all are one kind. */
enum hpm_instruction_kind {
    HPM_INSTRUCTION_IMITATED, /* push, nop, jump, call: by all kernels */
    HPM_INSTRUCTION_FRAME,    /* a constant off the stack pointer */
    HPM_INSTRUCTION_MOVE,     /* between registers */
    HPM_INSTRUCTION_OTHER,
    HPM_N_INSTRUCTION_KINDS
};

/* On machines whose rules are not known here: HPM_INSTRUCTION_IMITATED. */
enum hpm_instruction_kind hpm_instruction_kind(const unsigned char *code,
                                               size_t n);

#endif
