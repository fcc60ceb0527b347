/* SPDX-License-Identifier: BSD-3-Clause
 * The threads of a program whose functions are probed: each has a call tree, as the
 * threads of a program with calls of libhpm have, made of the kernel's records in
 * the order of time. */
#ifndef HPMCOUNT_PROBETHREADS_H
#define HPMCOUNT_PROBETHREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hpmcount/probecosts.h"
#include "hpmcount/probeplan.h"
#include "hpmcount/proberings.h"
#include "record/calltree.h"

struct probethreads {
    const struct proberings *rings;
    const struct probecosts *costs;
    struct hpm_problems *problems;
    struct probethread *list; /* those that live, and those with sections */
    size_t n, capacity;
    int n_numbered;     /* threads with sections */
    uint64_t n_left;    /* calls whose return never came */
    uint64_t n_unknown; /* returns without a call */
    uint64_t n_again;   /* times round of loops, see probethreads.c */
    bool is_lacking;    /* memory ran out */
};

struct probethread {
    uint32_t pid, tid;
    bool has_ended;
    int number; /* in the file; -1: no section yet */
    struct hpm_calltree *tree;
    uint64_t *last; /* counts by processor, as last read */
    uint64_t *sums; /* of all processors */
    struct probethread_frame {
        const struct probeplan_point *point;
        uint64_t stack; /* pointer at the entry */
        uint64_t n_again;
    } * frames;
    size_t n_frames, frames_capacity;
    struct probethread_frame over; /* the last call that has returned */
};

/* All are borrowed. */
bool probethreads_init(struct probethreads *threads,
                       const struct proberings *rings,
                       const struct probecosts *costs);

/* Follow a record; `point` is that of an entry or a return, else NULL. */
void probethreads_take(struct probethreads *threads,
                       const struct proberings_record *record,
                       const struct probeplan_point *point);

/* The program has ended: close what is open. */
void probethreads_end(struct probethreads *threads);
void probethreads_clear(struct probethreads *threads);

#endif
