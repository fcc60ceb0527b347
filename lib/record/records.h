/* SPDX-License-Identifier: BSD-3-Clause
 * Records of an experiment, made from a section table: what was read is
 * corrected, clamped, and converted to the units of the file.
 *
 * Not thread-safe; nothing may change the table meanwhile. */
#ifndef HPM_RECORD_RECORDS_H
#define HPM_RECORD_RECORDS_H

#include <stdbool.h>

#include "model/experiment.h"
#include "record/calltree.h"
#include "record/correct.h"
#include "source/meter.h"

/* Data that the records of one table have in common. */
struct hpm_records {
    struct hpm_experiment *experiment; /* the records are added to it */
    const struct hpm_calltree *tree;   /* its sections are all closed */
    const struct hpm_meter *meter;     /* describes the events */
    struct hpm_correction correction;
    bool is_corrected;
    size_t first_work; /* counter of the first unit of work */
    bool has_sections; /* a thread, or the process, has sections: so what no
                        * section covers is a record */
    bool omits_counts_outside; /* the run is longer than its counting */
    enum hpm_scope scope;
    int tid;
    int omp;
    int n_threads;
    bool is_closed_by_other; /* by another thread than the one that counted */
    uint64_t missing_ns;     /* processor time that is missing in the
                              * task-clock */
    double ns_per_tick;
    uint64_t begin; /* ticks at the begin of the run: begins of single calls are
                     * given from here */
    uint64_t *exclusive; /* row of the node that is filled in; used only while
                          * adding */
};

/* Each of these returns false when there is no memory. */

/* Add a counter for each unit of work in the table, unless a counter from
 * `first` on has the unit.  Do this for all tables, before the first record. */
bool hpm_records_add_works(struct hpm_experiment *experiment, size_t first,
                           const struct hpm_calltree *tree);

/* Has the table a section that was measured? */
bool hpm_records_has_sections(const struct hpm_calltree *tree);

/* Add the records of a table.  Add the process's table first: the other records
 * refer to its records. */
bool hpm_records_add(struct hpm_records *records);

/* Add a calibration, with the costs that are subtracted; nothing if it was not
 * done.  `when` is a string constant. */
bool hpm_records_add_calibration(struct hpm_experiment *experiment,
                                 const struct hpm_eventset *set,
                                 const struct hpm_calibration *calibration,
                                 enum hpm_scope scope, const char *when,
                                 double ns_per_tick);

#endif
