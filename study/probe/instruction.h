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

#endif
