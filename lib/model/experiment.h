/* SPDX-License-Identifier: BSD-3-Clause
 * The experiment: what was measured, on what machine, in raw counts.
 *
 * Measuring makes an experiment, a performance file holds one, reports only
 * read it.  The experiment owns every string and array in it.  Several threads
 * may read while none writes.
 *
 *     experiment
 *       run, machine            one of each
 *       resources[]             what the whole run used (getrusage, /proc)
 *       counters[]              what was counted, one entry per event
 *       records[] -- parent --> records[]      one per call path and thread
 *       values[record][counter] one row per record
 *       profile                 samples
 *       calls[] --> record      single calls of a record */
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

/* Where a task stands in a grid and in a graph of tasks: in the largest Cartesian
 * communicator of MPI that has the task, with a number for each dimension, and in the
 * largest communicator with a graph.  Texts of numbers with blanks between them; NULL
 * where there is none. */
enum {
    HPM_PLACE_DIMS,         /* number of tasks */
    HPM_PLACE_PERIODS,      /* 1: the first task follows the last one; else 0 */
    HPM_PLACE_COORDS,       /* coordinates of the task, from 0 */
    HPM_PLACE_DEGREES,      /* how many sources and destinations the task has */
    HPM_PLACE_SOURCES,      /* tasks that it receives from, as many */
    HPM_PLACE_DESTINATIONS, /* tasks that it sends to */
    HPM_N_PLACE
};

/* Where libhpm_mpi puts an array of these texts when it knows the place, and
 * another array when it knows a larger grid or graph; by any thread.  Arrays and texts stay
 * valid for ever. */
typedef _Atomic(const char *const *) hpm_known_place;

/* The program that ran, its task and job, and the time. */
struct hpm_run {
    int task;
    char *program;
    char *job; /* "" if there is none */
    long pid;
    long forked_from;  /* pid of the process of this run that forked it; 0: not
                        * forked */
    char *start;       /* UTC, "2026-11-20T11:30:00.123Z" */
    uint64_t ns;       /* wall clock from start to the last reading */
    bool is_complete;  /* false: `reason` says what is missing */
    char *reason;      /* why the run is not complete; NULL if it is */
    char *exit_status; /* "0", "7", "signal 9"; NULL when not known */
    char *only, *except; /* labels of sections to measure and not to measure
                          * (HPM_ONLY, HPM_EXCEPT); NULL: not set */
    uint64_t n_skipped;  /* first calls of each section to skip (HPM_SKIP) */
    char *place[HPM_N_PLACE]; /* NULL: in no grid or graph */
};

/* The machine the program ran on.  Unknown strings are NULL, unknown numbers
 * 0. */
struct hpm_machine {
    char *host;
    char *system;       /* "Linux 6.1.0" */
    char *architecture; /* "x86_64" */
    char *cpu;          /* the processor's own name */
    int n_cpus;         /* online */
    int n_allowed;      /* online processors that the process may use; 0: not
                         * known */
    char *binding;      /* the processors that the process may use: "0-3,8" */
    char *numa_nodes;   /* the NUMA nodes of these */
    char *pmu;          /* libpfm4's name of the core PMU */
    double mhz;         /* nominal clock */
    char *mhz_source;   /* where the clock's value comes from */
    bool is_virtual;
    char *facts; /* "L2 L3 no-SMT no-FMA VM NUMA LINE=64": the known facts */
    bool has_hardware_counters;
    char *no_counters_reason; /* why there are none, and what to do */
};

enum hpm_counter_kind { HPM_COUNTER_COUNT, HPM_COUNTER_TIME };

/* An event that was counted. */
struct hpm_counter {
    char *name; /* as the user gave it */
    char *source;
    char *description;
    char *unit;   /* "" for a plain number */
    char *domain; /* "user", "kernel", "all" */
    enum hpm_counter_kind kind;
    bool is_hidden;       /* not shown at first (disp="false") */
    bool omits_children;  /* process sections do not include children */
    enum hpm_state state; /* unsupported: not counted in any record */
    char *reason;         /* why there is no value */
};

/* The reason of a value that has only an exclusive part. */
#define HPM_REASON_ONLY_EXCLUSIVE                                              \
    "only its exclusive value was measured (HPM_ONLY_EXCLUSIVE)"

/* The reason of a value in the state "brief". */
#define HPM_REASON_BRIEF                                                       \
    "too short to tell: an estimate needs 4 separate times with the counter"

/* The reason of times of a section of which only the calls are counted. */
#define HPM_REASON_ENTRY_ONLY "only the calls are counted (--entry-only)"

enum hpm_scope { HPM_SCOPE_THREAD, HPM_SCOPE_PROCESS };

/* All that is known of one counter (or of time) in one record. */
struct hpm_value {
    bool is_present; /* false: the record does not have this counter */
    bool has_exclusive;
    bool lacks_total;  /* the user asked for the exclusive value only */
    bool has_overhead; /* the overhead (below) was subtracted from total and
                        * exclusive */
    enum hpm_state state;
    uint64_t total;     /* inclusive; times in nanoseconds */
    uint64_t exclusive; /* without inner sections */
    double mean;        /* per outermost call; NAN if undefined */
    double deviation;   /* sample standard deviation per outermost call */
    double share;       /* part of the time it was counted, 0..1, or NAN */
    uint64_t n_windows; /* on-windows; 0: counted all the time, or not known */
    unsigned freedom;   /* degrees of freedom of the errors; 0 if n_windows is
                         * 0 */
    int n_clamped;      /* how many of total and exclusive were below 0 and set
                         * to 0 */
    double error;       /* standard error of the total */
    double error_exclusive;      /* standard error of the exclusive value */
    uint64_t overhead;           /* what measuring added to the total */
    uint64_t overhead_exclusive; /* what it added to the exclusive value */
    double uncertainty;          /* of these overheads, for times; 0 if exact */
};

/* What starts a section and stops it. */
enum hpm_via {
    HPM_VIA_CALL,    /* calls of libhpm that the program has */
    HPM_VIA_HOOK,    /* the compiler's -finstrument-functions */
    HPM_VIA_XRAY,    /* clang's -fxray-instrument */
    HPM_VIA_WRAPPER, /* a function of ours before that of a library */
    HPM_VIA_UPROBE,  /* the kernel's probes */
    HPM_N_VIAS
};

/* How a section that is a function came about. */
struct hpm_watched {
    enum hpm_via via;
    char *module; /* path of the file that has the function; NULL: not known */
    uint64_t offset; /* of the function's first byte in that file */
};

/* One section on one call path in one thread (or in the whole process). */
struct hpm_record {
    size_t parent; /* index of the enclosing record, HPM_NO_RECORD */
    size_t within; /* index of the process record around the first call, or
                    * none */
    enum hpm_scope scope;
    int tid;      /* -1 in process scope */
    int omp;      /* OpenMP's thread number if it differs from tid, else -1 */
    int instance; /* the id given to start */
    char *label;  /* never NULL, may be "" */
    char *file;   /* the file given to start, "" if none */
    int line_start;
    int line_end;
    uint64_t calls;     /* all calls, recursive ones too */
    uint64_t outer;     /* outermost calls: mean and deviation are over these */
    bool is_open;       /* was never stopped */
    uint64_t n_skipped; /* calls not measured (HPM_SKIP) */
    int n_threads;      /* threads that share the record (tid -2); 0: one or
                         * all */
    bool has_overlap;
    bool has_first_calls; /* and no others: it was too short to be measured
                           * further */
    bool is_outside; /* no section, but all that no section of its scope and
                      * thread covers, from the first reading to the last; has
                      * no calls */
    bool is_short;   /* its calls take hardly longer than measuring */
    struct hpm_watched watched;
    struct hpm_value time; /* wall clock in nanoseconds */
};

#define HPM_NO_RECORD SIZE_MAX

/* The cost of measuring in one counter (or time, in nanoseconds): smallest,
 * middle and largest of some calls of an empty section. */
struct hpm_calibrated_cost {
    size_t counter;  /* index, or HPM_NO_COUNTER for time */
    int64_t self[3]; /* seen by the empty section itself */
    int64_t pair[3]; /* added to the section around it */
    int64_t start;   /* the start's part of a pair */
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

/* Something in the measured program that could not be measured correctly. */
struct hpm_problem {
    char *text; /* one sentence */
    uint64_t count;
};

/* A resource of the whole run, and how much the run used. */
struct hpm_resource {
    const char *name;        /* "ru::utime"; these three are constants, */
    const char *description; /* "user time";      not owned */
    const char *unit;        /* "ns", "kB", "" */
    uint64_t value;
    bool is_known; /* false: this system does not count it; if there is a value,
                    * it is an upper limit */
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

    struct hpm_calls *calls; /* in the order of the records */
    size_t n_calls;
    size_t calls_capacity;
};

/* A new empty experiment; NULL when memory runs out. */
struct hpm_experiment *hpm_experiment_new(void);

/* Free the experiment and all it owns; NULL is allowed. */
void hpm_experiment_free(struct hpm_experiment *experiment);

/* Add one element and return it, zeroed, for the caller to fill; NULL when
 * memory runs out.  Pointers to earlier elements become invalid.  Add all
 * counters before the first record. */
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

/* Add room for n single calls of a record, for the caller to fill.  Records
 * must come in order.  NULL when memory runs out. */
struct hpm_calls *hpm_experiment_add_calls(struct hpm_experiment *experiment,
                                           size_t n, size_t n_counters);

/* Add a problem with this text that occurred once, and free the text.  False
 * when memory runs out. */
bool hpm_experiment_tell(struct hpm_experiment *experiment,
                         struct hpm_string *text);

/* The value of a counter in a record, to read or to fill. */
struct hpm_value *hpm_experiment_value(const struct hpm_experiment *experiment,
                                       size_t record, size_t counter);

/* Set a string member to a copy of `text`; false when memory runs out. */
bool hpm_experiment_set_text(char **ret_field, const char *text);

/* The label of the record for what no section covers. */
#define HPM_OUTSIDE_LABEL "(outside sections)"

/* The word for it in files, "uprobe"; NULL for HPM_VIA_CALL. */
const char *hpm_via_name(enum hpm_via via);

/* "thread" or "process". */
const char *hpm_scope_name(enum hpm_scope scope);

/* Append the label that people see: the section's own, or "#id" if it has
 * none. */
void hpm_record_add_label(const struct hpm_record *record,
                          struct hpm_string *string);

/* Append the paper's lid: base name of the file and first line ("swim.f775"),
 * or the label if there is no file. */
void hpm_record_add_lid(const struct hpm_record *record,
                        struct hpm_string *string);

/* How many records enclose this one. */
size_t hpm_experiment_depth(const struct hpm_experiment *experiment,
                            size_t record);

#endif
