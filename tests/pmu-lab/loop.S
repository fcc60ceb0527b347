/* SPDX-License-Identifier: BSD-3-Clause
 * A loop whose instructions are counted by hand, for the guest's processor:
 * with -DWHOLE_PROGRAM a program of its own, else a function for C. */

#ifdef WHOLE_PROGRAM

/* No libc, no stack, no data: from exec to exit 3 + 4 * 1,000,000 + 3
 * instructions, the last of them the system call that ends it; -DONE_MORE: one
 * more. */
    .globl _start
_start:
    movz x0, #0x4240                /* 1,000,000 is 0xf4240 */
    movk x0, #0xf, lsl #16
    nop
#ifdef ONE_MORE
    nop
#endif
1:  nop
    nop
    subs x0, x0, #1
    b.ne 1b
    mov x0, #0
    mov x8, #93                     /* exit */
    svc #0

#else

/* void burn(long n): 4 * n instructions more than burn(0). */
    .globl burn
    .type burn, %function
burn:
    cbz x0, 2f
1:  nop
    nop
    subs x0, x0, #1
    b.ne 1b
2:  ret
    .size burn, . - burn

#endif

    .section .note.GNU-stack, "", %progbits
