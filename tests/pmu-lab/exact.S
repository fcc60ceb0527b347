/* SPDX-License-Identifier: BSD-3-Clause
 * Sections whose instructions are counted by hand, for the guest's processor.
 * Each function takes a count in x0.
 *
 * Arguments are set as a compiler sets them (lib/session/patterns.c): a start by
 * a call site has its address from a register, x22, a plain one the file's, x19,
 * and a label that is made anew; a stop makes the file's address anew.  Setting
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

    .macro START_BY_SITE id, site
    mov w0, #\id
    add x1, x22, #\site - sites
    bl hpmTstartSite
    .endm

    .macro STOP id
    adrp x1, file
    add x1, x1, :lo12:file
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

/* Threads that differ by a section alone. */
ENTER plain_thread
    LOOP
    LEAVE

ENTER measuring_thread
    START 16, life
    LOOP
    STOP 16
    LEAVE

/* The same by a call site, and by Fortran's calls. */
ENTER thread_with_site
    adrp x22, sites
    add x22, x22, :lo12:sites
    START_BY_SITE 17, life_site
    LOOP
    STOP 17
    LEAVE

/* 0 in the pairs, and 1 + 4 n at each of two depths; outside 1 + 2 n. */
ENTER sections_with_sites
    adrp x22, sites
    add x22, x22, :lo12:sites
    START_BY_SITE 24, outer_site
    LOOP
    START_BY_SITE 25, inner_site
    LOOP
    STOP 25
    STOP 24
    START_BY_SITE 26, around_site
    mov x21, x20
1:  START_BY_SITE 27, pair_site
    STOP 27
    subs x21, x21, #1
    b.ne 1b
    STOP 26
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

/* The same through Fortran's entries: numbers by address, here off x22, and
 * strings with their lengths. */

    .macro FORTRAN_START id, label, length
    mov x5, #7
    mov x4, #\length
    mov x3, x22
    mov x2, x19
    adrp x1, \label
    add x1, x1, :lo12:\label
    add x0, x22, #4 * \id
    bl f_hpmtstartat_
    .endm

    .macro FORTRAN_STOP id
    mov x3, #7
    mov x2, x22
    mov x1, x19
    add x0, x22, #4 * \id
    bl f_hpmtstopat_
    .endm

    .macro FORTRAN_ENTER name
ENTER \name
    adrp x22, numbers
    add x22, x22, :lo12:numbers
    .endm

FORTRAN_ENTER thread_of_fortran
    FORTRAN_START 16, life, 4
    LOOP
    FORTRAN_STOP 16
    LEAVE

/* 0 */
FORTRAN_ENTER fortran_empty_section
    FORTRAN_START 11, fortran_empty, 13
    FORTRAN_STOP 11
    LEAVE

/* Two depths, 1 + 4 n each. */
FORTRAN_ENTER fortran_nested
    FORTRAN_START 12, fortran_outer, 13
    LOOP
    FORTRAN_START 13, fortran_inner, 13
    LOOP
    FORTRAN_STOP 13
    FORTRAN_STOP 12
    LEAVE

/* As overlap. */
FORTRAN_ENTER fortran_overlap
    FORTRAN_START 14, fortran_left, 12
    LOOP
    FORTRAN_START 15, fortran_right, 13
    LOOP
    FORTRAN_STOP 14
    LOOP
    FORTRAN_STOP 15
    LEAVE

/* As parent_of_pairs. */
FORTRAN_ENTER fortran_parent_of_pairs
    FORTRAN_START 16, fortran_parent, 14
    mov x21, x20
1:  FORTRAN_START 17, fortran_child, 13
    FORTRAN_STOP 17
    subs x21, x21, #1
    b.ne 1b
    FORTRAN_STOP 16
    LEAVE

/* Asks callgrind for what x21 points to; without it nothing happens.  The
 * instructions are those of valgrind.h, the requests those of callgrind.h. */
    .macro REQUEST
    mov x4, x21
    ror x12, x12, #3
    ror x12, x12, #13
    ror x12, x12, #51
    ror x12, x12, #61
    orr x10, x10, x10
    .endm

/* 14 + what the function executes. */
    .macro CALL name, id, label, function
ENTER \name
    adrp x21, toggle_collect
    add x21, x21, :lo12:toggle_collect
    START \id, \label
    REQUEST
    mov x0, x20
    bl \function
    REQUEST
    STOP \id
    LEAVE
    .endm

CALL call_burn, 18, burn_label, burn
CALL call_sort_numbers, 19, sort_numbers_label, sort_numbers
CALL call_write_text, 22, write_text_label, write_text
CALL call_take_locks, 23, take_locks_label, take_locks

/* What callgrind has counted since the last time goes into a file. */
ENTER dump_counted
    adrp x21, dump_stats
    add x21, x21, :lo12:dump_stats
    REQUEST
    LEAVE

    .data
    .balign 8
toggle_collect: .quad 0x43540002, 0, 0, 0, 0, 0 /* CALLGRIND_TOGGLE_COLLECT */
dump_stats: .quad 0x43540000, 0, 0, 0, 0, 0 /* CALLGRIND_DUMP_STATS */

    .macro SITE name
\name: .quad \name\()_label, file
    .word 1, 0
    .endm

    .balign 8
sites:
    SITE life_site
    SITE outer_site
    SITE inner_site
    SITE around_site
    SITE pair_site

    .section .rodata
life_site_label: .string "life"
outer_site_label: .string "site outer"
inner_site_label: .string "site inner"
around_site_label: .string "site parent"
pair_site_label: .string "site child"
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
life: .string "life"
fortran_empty: .ascii "fortran empty"
fortran_outer: .ascii "fortran outer"
fortran_inner: .ascii "fortran inner"
fortran_left: .ascii "fortran left"
fortran_right: .ascii "fortran right"
fortran_parent: .ascii "fortran parent"
fortran_child: .ascii "fortran child"
burn_label: .string "burn"
sort_numbers_label: .string "sort_numbers"
write_text_label: .string "write_text"
take_locks_label: .string "take_locks"
    .balign 4
numbers: .word 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17

    .section .note.GNU-stack, "", %progbits
