/* SPDX-License-Identifier: BSD-3-Clause
 * Sections as hpm(7) describes them, in the simplest way: a list of what is
 * open, and whatever passes is added to each section that is open.  Slow, and
 * written from the description, not from the library: tests/record/oracle
 * compares the two. */
#ifndef TESTS_RECORD_MODEL_H
#define TESTS_RECORD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_MAX_OPEN = 256, MODEL_MAX_RECORDS = 4096 };

/* What passes: counts, and what edges are said to cost. */
enum { MODEL_TICKS, MODEL_OVERHEAD, MODEL_STARTS, MODEL_N_AMOUNTS };

/* Which stops end what is open inside: those of scopes, all, none. */
enum model_nesting { MODEL_SCOPES, MODEL_STRICT, MODEL_FREE };

enum { MODEL_NO_PARENT = -1, MODEL_AUTO_PARENT = -2, MODEL_EXCLUSIVE = -3 };

/* What makes a section that section; label 0 is none. */
struct model_section {
    int id, label, line;
};

/* A section on one call path. */
struct model_record {
    int parent; /* another record, -1: none */
    struct model_section section;
    uint64_t calls, outer, skipped, to_skip, work;
    uint64_t inclusive[MODEL_N_AMOUNTS], exclusive[MODEL_N_AMOUNTS];
    unsigned __int128
        squares; /* of each outermost call's ticks less overhead */
    bool has_overlap, is_open, is_only_exclusive;
};

/* An open section. */
struct model_entry {
    int record;
    bool is_measured;
    uint64_t more_starts;
    int opener;
    uint64_t used[MODEL_N_AMOUNTS];
};

struct model {
    /* what it is to do; set by the caller */
    unsigned left_out;  /* labels, a bit each */
    uint64_t n_skipped; /* first calls of each record */
    bool is_process;    /* a section is not started by two threads */
    enum model_nesting nesting;
    uint64_t start_cost; /* of the start of a section that is opened */
    uint64_t again_cost; /* of the start of one that is not */
    uint64_t off_cost;   /* of a start that is left out, with its stop */
    uint64_t stop_cost;
    uint64_t counted_cost; /* of a stop by the door for counted strings, within
                              the section that it ends */

    int n_records, n_open;
    struct model_record records[MODEL_MAX_RECORDS];
    struct model_entry open[MODEL_MAX_OPEN];
    uint64_t n_beyond; /* starts that found no room among these */
    uint64_t n_problems;
};

void model_start(struct model *model, int thread,
                 const struct model_section *section, int parent);
void model_stop(struct model *model, int id, bool is_counted);
void model_stop_scope(struct model *model, int id);

/* Work for an open section; false when it is not open. */
bool model_work(struct model *model, int id, uint64_t amount);

/* Something passes between calls. */
void model_pass(struct model *model, int what, uint64_t amount);

/* The end: close what is open. */
void model_end(struct model *model);

/* The record of a section below another, -1 for none. */
int model_find(const struct model *model, int parent,
               const struct model_section *section);

#endif
