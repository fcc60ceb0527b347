/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment: what was measured, on what machine, in raw counts.
 *
 * Measuring makes one, a performance file holds one, reports only read it.
 * It owns every string and array below it; all of them may be read by several
 * threads while none writes.
 *
 *     experiment
 *       run, machine            one of each
 *       resources[]             what the whole run used (getrusage, /proc)
 *       counters[]              what was counted, one entry per event
 *       records[] -- parent --> records[]      one per call path and thread
 *       values[record][counter] one row per record
 *       profile                 what was sampled
 *       calls[] --> record      single calls of it
 */
#ifndef HPM_MODEL_EXPERIMENT_H
#define HPM_MODEL_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/state.h"
#include "base/string.h"
#include "model/calls.h"
#include "model/profile.h"

/* Where a task stands in a grid of tasks, that of the largest Cartesian communicator
 * of MPI it is in: texts of numbers with blanks between them, one for each
 * dimension. */
enum {
    HPM_PLACE_DIMS,    /* tasks */
    HPM_PLACE_PERIODS, /* 1: the last one's neighbour is the first; 0 */
    HPM_PLACE_COORDS,  /* of this task, from 0 */
    HPM_N_PLACE
};

/* One who knows the place puts an array of these texts here when it is known, or
 * another one later, by any thread; arrays and texts stay valid for ever. */
typedef _Atomic(const char *const *) hpm_known_place;

/* Which program ran, as which task of which job, when. */
struct hpm_run {
    int task;
    char *program;
    char *job; /* "" for none */
    long pid;
    long forked_from;  /* the pid of the process of this run that forked it; 0:
                          it was not forked */
    char *start;       /* UTC, "2026-11-20T11:30:00.123Z" */
    uint64_t ns;       /* wall clock from start to the last reading */
    bool is_complete;  /* false: something is missing, see reason */
    char *reason;      /* why it is not complete; NULL when it is */
    char *exit_status; /* "0", "7", "signal 9"; NULL when not known */
    char *only, *except; /* labels of the sections that measured, and of those
                          * that did not (HPM_ONLY, HPM_EXCEPT); NULL: none said */
    uint64_t n_skipped;  /* calls of each section that did not (HPM_SKIP) */
    char *place[HPM_N_PLACE]; /* in a grid of tasks; NULL: in none */
};

/* The machine it ran on.  Unknown strings are NULL, unknown numbers 0. */
struct hpm_machine {
    char *host;
    char *system;       /* "Linux 6.1.0" */
    char *architecture; /* "x86_64" */
    char *cpu;          /* the processor's own name */
    int n_cpus;         /* online */
    int n_allowed;      /* of them, those the process may use; 0: not known */
    char *pmu;          /* libpfm4's name of the core PMU */
    double mhz;         /* nominal clock */
    char *mhz_source;   /* where that comes from */
    bool is_virtual;
    char *facts; /* "L2 L3 no-SMT no-FMA VM NUMA LINE=64": those known */
    bool has_hardware_counters;
    char *no_counters_reason; /* why not, and the remedy */
};

enum hpm_counter_kind { HPM_COUNTER_COUNT, HPM_COUNTER_TIME };

/* One thing that was counted. */
struct hpm_counter {
    char *name; /* as the user gave it */
    char *source;
    char *description;
    char *unit;   /* "" for a plain number */
    char *domain; /* "user", "kernel", "all" */
    enum hpm_counter_kind kind;
    bool is_hidden;       /* not shown at first (disp="false") */
    bool omits_children;  /* process sections have nothing of children */
    enum hpm_state state; /* unsupported: not counted in any record */
    char *reason;         /* of a state without value */
};

/* Why a value has an exclusive part only. */
#define HPM_REASON_ONLY_EXCLUSIVE                                              \
    "only its exclusive value was measured (HPM_ONLY_EXCLUSIVE)"

/* Why a value that took turns is no more than that. */
#define HPM_REASON_BRIEF                                                       \
    "too short to tell: an estimate needs 4 separate times with the counter"

enum hpm_scope { HPM_SCOPE_THREAD, HPM_SCOPE_PROCESS };

/* Everything known of one counter (or of time) in one record. */
struct hpm_value {
    bool is_present; /* false: this record does not have this counter */
    bool has_exclusive;
    bool lacks_total;  /* only the exclusive value was wanted */
    bool has_overhead; /* total and exclusive are without it (below) */
    enum hpm_state state;
    uint64_t total;     /* inclusive; times in nanoseconds */
    uint64_t exclusive; /* without the sections inside */
    double mean;        /* per outermost call; NAN when not defined */
    double deviation;   /* sample standard deviation per outermost call */
    double share;       /* part of the time it was counted, 0..1; NAN */
    uint64_t n_windows; /* in which it was counted; 0: all the time, or it is
                           not known: */
    unsigned freedom;   /* then this is 0, too; degrees of freedom of: */
    int n_clamped;      /* how many of total and exclusive were below 0 */
    double error;       /* standard error of the total */
    double error_exclusive;      /* that of the exclusive value */
    uint64_t overhead;           /* what measuring added to the total, */
    uint64_t overhead_exclusive; /* and to the exclusive value */
    double uncertainty;          /* of that, for times; 0 where it is exact */
};

/* One section on one call path in one thread (or in the process). */
struct hpm_record {
    size_t parent; /* index of the enclosing record, HPM_NO_RECORD */
    size_t within; /* process record around the first call, or none */
    enum hpm_scope scope;
    int tid;      /* -1 in process scope */
    int omp;      /* OpenMP's number when tid is another, else -1 */
    int instance; /* the id given to start */
    char *label;  /* never NULL, may be "" */
    char *file;   /* as recorded at start, "" for none */
    int line_start;
    int line_end;
    uint64_t calls;     /* all of them, recursive ones too */
    uint64_t outer;     /* outermost ones: what mean and deviation are over */
    bool is_open;       /* was never stopped */
    uint64_t n_skipped; /* calls left out (HPM_SKIP) */
    int n_threads;      /* that are in it together (tid -2); 0: one or all */
    bool has_overlap;
    bool is_outside; /* no section: what none of its scope and thread covers,
                      * from the first reading to the last; has no calls */
    bool is_short;   /* its calls take hardly longer than measuring them */
    struct hpm_value time; /* nanoseconds of wall clock */
};

#define HPM_NO_RECORD SIZE_MAX

/* What measuring costs in one counter (or time, in nanoseconds): smallest,
 * middle and largest of some calls of an empty section. */
struct hpm_calibrated_cost {
    size_t counter;  /* index, or HPM_NO_COUNTER for time */
    int64_t self[3]; /* read by the empty section itself */
    int64_t pair[3]; /* added to the section around it */
    int64_t start;   /* part of a pair that is the start's */
};

#define HPM_NO_COUNTER SIZE_MAX

/* One calibration, at init or at the end. */
struct hpm_calibrated {
    enum hpm_scope scope;
    const char *when; /* "init" or "end"; not owned */
    int n_calls;
    struct hpm_calibrated_cost *costs;
    size_t n_costs;
};

/* Something the measured program did that could not be measured right. */
struct hpm_problem {
    char *text; /* one sentence */
    uint64_t count;
};

/* What the whole run used. */
struct hpm_resource {
    const char *name;        /* "ru::utime"; these three are constants, */
    const char *description; /* "user time";      not owned */
    const char *unit;        /* "ns", "kB", "" */
    uint64_t value;
    bool is_known; /* false: this system does not keep it; or, with a value, it
                    * is at most that */
};

struct hpm_experiment {
    struct hpm_run run;
    struct hpm_machine machine;

    struct hpm_resource *resources;
    size_t n_resources;
    size_t resources_capacity;

    struct hpm_counter *counters;
    size_t n_counters;
    size_t counters_capacity;

    struct hpm_calibrated *calibrations;
    size_t n_calibrations;
    size_t calibrations_capacity;

    struct hpm_record *records;
    size_t n_records;
    size_t records_capacity;

    struct hpm_value *values; /* n_records rows of n_counters */
    size_t values_capacity;

    struct hpm_problem *problems;
    size_t n_problems;
    size_t problems_capacity;

    struct hpm_profile profile;

    struct hpm_calls *calls; /* in the order of their records */
    size_t n_calls;
    size_t calls_capacity;
};

/* An empty experiment; NULL when there is no memory. */
struct hpm_experiment *hpm_experiment_new(void);

/* Free it and all it owns; NULL is fine. */
void hpm_experiment_free(struct hpm_experiment *experiment);

/* Add one of each and return it, zeroed, for the caller to fill; NULL when
 * there is no memory.  Pointers got before become invalid.  All counters must
 * be there before the first record. */
struct hpm_resource *
hpm_experiment_add_resource(struct hpm_experiment *experiment);
struct hpm_counter *
hpm_experiment_add_counter(struct hpm_experiment *experiment);
struct hpm_record *hpm_experiment_add_record(struct hpm_experiment *experiment);
struct hpm_calibrated *
hpm_experiment_add_calibration(struct hpm_experiment *experiment,
                               size_t n_costs);
struct hpm_problem *
hpm_experiment_add_problem(struct hpm_experiment *experiment);

/* Room for n single calls of a record, behind those of earlier records, to fill. */
struct hpm_calls *hpm_experiment_add_calls(struct hpm_experiment *experiment,
                                           size_t n, size_t n_counters);

/* A problem that was met once, of this text, which is freed.  False: no memory. */
bool hpm_experiment_tell(struct hpm_experiment *experiment,
                         struct hpm_string *text);

/* The value of a counter in a record, to fill or to read. */
struct hpm_value *hpm_experiment_value(const struct hpm_experiment *experiment,
                                       size_t record, size_t counter);

/* Set a string field to a copy of `text`; false when there is no memory. */
bool hpm_experiment_set_text(char **ret_field, const char *text);

/* The label of the record of what no section covers. */
#define HPM_OUTSIDE_LABEL "(outside sections)"

/* "thread" or "process". */
const char *hpm_scope_name(enum hpm_scope scope);

/* Append the label people see: the section's own, or "#id" without one. */
void hpm_record_add_label(const struct hpm_record *record,
                          struct hpm_string *string);

/* Append the paper's lid: base name of the file and first line
 * ("swim.f775"), or the label where there is no file. */
void hpm_record_add_lid(const struct hpm_record *record,
                        struct hpm_string *string);

/* How many records enclose this one. */
size_t hpm_experiment_depth(const struct hpm_experiment *experiment,
                            size_t record);

#endif
