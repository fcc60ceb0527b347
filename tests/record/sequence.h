/* SPDX-License-Identifier: BSD-3-Clause
 * A sequence of starts and stops, made at random or read from words:
 *
 *     thread skip=1 : +1a 20 +1b' 5 -1 -1
 *
 * First the way in which it is measured:
 *     thread, process  the scope
 *     program          both, in threads and processes of their own: below
 *     skip=N           HPM_SKIP; except=ab, only=ab: labels of HPM_EXCEPT, ONLY
 *     strict, free     HPM_NESTING
 *     changing         labels change in memory
 * and after the colon its steps:
 *     +1a              section 1, labelled "a" (_: no label), starts
 *     +1a'             the same in another line
 *     ~1a              the same through the door for counted strings
 *     +1a@2            below the section 2; @none, @exclusive
 *     -1               it stops
 *     /1               the same through the door for counted strings
 *     *1               it gets work
 *     25               so much time passes
 *     ?                the open sections are looked at
 * each of them with "t" and the thread's number in front, unless that is 0.
 *
 * In a program "p" in front of a start, stop or work means the process scope,
 * and there are also these steps:
 *     (1a              section 1 starts, as an object of C++ that ends with its
 *                      scope: in other languages a start
 *     )                the thread's last such scope ends: a stop
 *     !2               an exception leaves the last two: in other languages a
 *                      jump over their stops
 *     fork             the steps until "end" are done by a child
 *     end
 *     gone             the thread ends; later its number is another thread's
 * Impossible steps (the end of a scope that does not exist, of thread 0, of a
 * process that is no child) do nothing. */
#ifndef TESTS_RECORD_SEQUENCE_H
#define TESTS_RECORD_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"

enum {
    SEQUENCE_MAX_STEPS = 8000,
    SEQUENCE_N_LABELS = 5,
    SEQUENCE_N_LINES = 2,
    SEQUENCE_N_THREADS = 4 /* threads of a program at a time */
};

struct sequence_step {
    char kind;       /* as above; p: time passes, f: fork, e: end, g: gone */
    bool is_process; /* in a program */
    unsigned char thread, label, line;
    int id;
    int parent; /* an id, or a constant of model.h */
    unsigned amount;
};

struct sequence {
    bool is_process, is_changing, is_program;
    enum model_nesting nesting;
    unsigned n_skipped;
    unsigned except, only; /* labels, one bit each */
    int n_steps;
    struct sequence_step steps[SEQUENCE_MAX_STEPS];
};

/* "" is label 0. */
extern const char *const sequence_labels[SEQUENCE_N_LABELS];

/* The same number gives the same sequence. */
void sequence_make(struct sequence *sequence, uint64_t number);

/* A program; with forks, if wanted.  With one round it is short, since few
 * steps are enough to show a fault.  With several rounds, up to `n_rounds`,
 * each round has threads of its own, which end with it: so one process has many
 * sequences. */
void sequence_make_program(struct sequence *sequence, uint64_t number,
                           bool has_forks, unsigned n_rounds);

/* The end of the steps of the child forked in that step: the step "end", or the
 * end of the sequence. */
int sequence_find_end(const struct sequence *sequence, int fork);

/* False when the words are no sequence. */
bool sequence_read(struct sequence *sequence, const char *words);

void sequence_print(const struct sequence *sequence);

/* Shorten it as far as possible while `fails` is true. */
void sequence_shrink(struct sequence *sequence,
                     bool (*fails)(const struct sequence *sequence));

#endif
