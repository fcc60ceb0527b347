/* SPDX-License-Identifier: BSD-3-Clause
 * Sections as hpm(7) describes them, in the simplest way: a list of open
 * sections, and all amounts are added to each open section.  Slow, and written
 * from the description, not from the library: tests/record/oracle compares the
 * two. */
#ifndef TESTS_RECORD_MODEL_H
#define TESTS_RECORD_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MODEL_MAX_OPEN = 256, MODEL_MAX_RECORDS = 4096 };

/* Kinds of amounts: counts, and the assumed costs of starts and stops. */
enum { MODEL_TICKS, MODEL_OVERHEAD, MODEL_STARTS, MODEL_N_AMOUNTS };

/* Which stops also end the sections open inside: those of scopes, all, none. */
enum model_nesting { MODEL_SCOPES, MODEL_STRICT, MODEL_FREE };

enum { MODEL_NO_PARENT = -1, MODEL_AUTO_PARENT = -2, MODEL_EXCLUSIVE = -3 };

/* The identity of a section; label 0 is no label. */
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
        squares; /* sum over the outermost calls, of ticks without overhead */
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
    /* the settings, made by the caller */
    unsigned left_out;  /* labels, one bit each */
    uint64_t n_skipped; /* first calls of each record */
    bool is_process;    /* two threads cannot start the same section */
    enum model_nesting nesting;
    uint64_t start_cost; /* of a start that opens a section */
    uint64_t again_cost; /* of a start of an open section */
    uint64_t off_cost;   /* of a start that is left out, and its stop */
    uint64_t stop_cost;
    uint64_t counted_cost; /* of a stop with counted strings, inside the section
                            * that it ends */

    int n_records, n_open;
    struct model_record records[MODEL_MAX_RECORDS];
    struct model_entry open[MODEL_MAX_OPEN];
    uint64_t n_beyond; /* starts for which this array had no room */
    uint64_t n_problems;
};

void model_start(struct model *model, int thread,
                 const struct model_section *section, int parent);
void model_stop(struct model *model, int id, bool is_counted);
void model_stop_scope(struct model *model, int id);

/* Add work to an open section; false when it is not open. */
bool model_work(struct model *model, int id, uint64_t amount);

/* Add an amount that passes between calls. */
void model_pass(struct model *model, int what, uint64_t amount);

/* End: close all open sections. */
void model_end(struct model *model);

/* The record of a section below another, -1 if there is none. */
int model_find(const struct model *model, int parent,
               const struct model_section *section);

#endif
