/* SPDX-License-Identifier: BSD-3-Clause
 * From a section table to the records of an experiment: what was read is
 * corrected, clamped, and brought into the units of a file.
 *
 * Not thread-safe; nothing may change the table meanwhile.
 */
#ifndef HPM_RECORD_RECORDS_H
#define HPM_RECORD_RECORDS_H

#include <stdbool.h>

#include "model/experiment.h"
#include "record/calltree.h"
#include "record/correct.h"
#include "source/meter.h"

/* What the records of one table have in common. */
struct hpm_records {
    struct hpm_experiment *experiment; /* they are added to it */
    const struct hpm_calltree *tree;   /* all of it is closed */
    const struct hpm_meter *meter;     /* what its events are */
    struct hpm_correction correction;
    bool is_corrected;
    size_t first_work; /* counter of the first unit of work */
    bool has_sections; /* its scope has any: what is outside is a record */
    bool omits_counts_outside; /* the run is longer than its counting */
    enum hpm_scope scope;
    int tid;
    int omp;
    int n_threads;
    bool is_closed_by_other; /* than the thread that counted */
    uint64_t missing_ns;     /* so much processor time is in no task-clock */
    double ns_per_tick;
    uint64_t
        begin; /* ticks at the begin of the run: single calls are after it */
    uint64_t *exclusive; /* row of the node being filled; set while adding */
};

/* Each of these is false when there is no memory. */

/* A counter for each unit of work in the table that has none yet from `first`
 * on; of all tables, before the first record. */
bool hpm_records_add_works(struct hpm_experiment *experiment, size_t first,
                           const struct hpm_calltree *tree);

/* Has the table any section that was measured? */
bool hpm_records_has_sections(const struct hpm_calltree *tree);

/* The records of a table; that of the process comes first, for the others
 * point there. */
bool hpm_records_add(struct hpm_records *records);

/* A calibration, as far as it is taken off; none where it was not done.  `when`
 * is a constant. */
bool hpm_records_add_calibration(struct hpm_experiment *experiment,
                                 const struct hpm_eventset *set,
                                 const struct hpm_calibration *calibration,
                                 enum hpm_scope scope, const char *when,
                                 double ns_per_tick);

#endif
