/* SPDX-License-Identifier: BSD-3-Clause
 * Sections whose instructions are counted by hand, for the guest's processor.
 * Each function takes a count in x0 (and the thread's own section id in w1).
 *
 * Arguments are set as a compiler sets them: the file's address is kept in a
 * register, x19, and the label is made anew where it is used once.  Setting
 * them belongs to the calls, as calibration sees them; what is left is what
 * stands between START and STOP. */

    .macro START id, label
    mov w3, #1
    mov w0, #\id
    adrp x1, \label
    add x1, x1, :lo12:\label
    mov x2, x19
    bl hpmTstartAt
    .endm

    .macro START_AGAIN id /* the label is in x22 */
    mov w3, #1
    mov w0, #\id
    mov x1, x22
    mov x2, x19
    bl hpmTstartAt
    .endm

    .macro STOP id
    mov x1, x19
    mov w2, #2
    mov w0, #\id
    bl hpmTstopAt
    .endm

    .macro ENTER name
    .globl \name
    .type \name, %function
\name:
    stp x29, x30, [sp, #-48]!
    mov x29, sp
    stp x19, x20, [sp, #16]
    stp x21, x22, [sp, #32]
    mov x20, x0
    adrp x19, file
    add x19, x19, :lo12:file
    .endm

    .macro LEAVE
    ldp x21, x22, [sp, #32]
    ldp x19, x20, [sp, #16]
    ldp x29, x30, [sp], #48
    ret
    .endm

    .macro LOOP /* 1 + 4 * x20 */
    mov x0, x20
1:  nop
    nop
    subs x0, x0, #1
    b.ne 1b
    .endm

/* 0 */
ENTER empty_section
    START 1, empty
    STOP 1
    LEAVE

/* 1 + 4 n */
ENTER loop_section
    START 2, loop
    LOOP
    STOP 2
    LEAVE

/* The pairs inside have 0; outside them 1 + 2 n. */
ENTER parent_of_pairs
    START 3, parent
    mov x21, x20
1:  START 4, child
    STOP 4
    subs x21, x21, #1
    b.ne 1b
    STOP 3
    LEAVE

/* Exclusive: 1 + 4 n at each of three depths. */
ENTER three_deep
    START 5, first
    START 6, second
    START 7, third
    LOOP
    STOP 7
    LOOP
    STOP 6
    LOOP
    STOP 5
    LEAVE

/* A loop in each of: left alone, both, right alone; each 1 + 4 n. */
ENTER overlap
    START 8, left
    LOOP
    START 9, right
    LOOP
    STOP 8
    LOOP
    STOP 9
    LEAVE

/* Entered n times more while it is open: 1 + 4 n of loops below, and 2 n of
 * this loop's end: inclusive 2 + 6 n. */
ENTER again
    adrp x22, recursive
    add x22, x22, :lo12:recursive
    START_AGAIN 10
    mov x21, x20
1:  START_AGAIN 10
    STOP 10
    subs x21, x21, #1
    b.ne 1b
    LOOP
    STOP 10
    LEAVE

    .section .rodata
file: .string "exact.S"
empty: .string "empty"
loop: .string "loop"
parent: .string "parent"
child: .string "child"
first: .string "first"
second: .string "second"
third: .string "third"
left: .string "left"
right: .string "right"
recursive: .string "recursive"

    .section .note.GNU-stack, "", %progbits
