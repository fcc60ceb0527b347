/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one machine: what the definitions read (metric/language/spec.h) mean
 * where one PMU counts and some facts hold.
 *
 *     metrics
 *       metrics[]      one per name
 *         rules[]        ways to get its value, the best first
 *           inputs[]       metrics or leaves (measure, compose)
 *           steps[]        a formula (compute, ratio)
 *       leaves[]       names to be counted, or not to be had
 *       order[]        metrics, each after all that its value needs
 *       sets[]         what is counted together
 *
 * Texts belong to the spec, which must live as long.
 */
#ifndef HPM_METRIC_METRICS_H
#define HPM_METRIC_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "metric/language/spec.h"
#include "metric/language/threshold.h"

#define HPM_NO_METRIC SIZE_MAX
#define HPM_NO_RULE SIZE_MAX

/* What guards ask about a machine, as bits. */
enum hpm_fact {
    HPM_FACT_L2 = 1,
    HPM_FACT_L3 = 2,
    HPM_FACT_SMT = 4,
    HPM_FACT_FMA = 8,
    HPM_FACT_VM = 16,
    HPM_FACT_NUMA = 32,
    HPM_N_FACTS = 6
};

/* Their names, in the order of the bits. */
extern const char hpm_fact_names[HPM_N_FACTS][5];

/* A constant that a user sets to another value. */
struct hpm_setting {
    const char *name;
    double value;
};

/* Constants a machine tells, where the shipped definitions of them are only
 * usual values. */
enum hpm_machine_number {
    HPM_MACHINE_LINE,         /* bytes of a cache line */
    HPM_MACHINE_L2_SIZE,      /* bytes */
    HPM_MACHINE_L3_SIZE,      /* bytes */
    HPM_MACHINE_MHZ,          /* nominal clock */
    HPM_MACHINE_WIDTH,        /* operations a cycle */
    HPM_MACHINE_VECTOR_BYTES, /* of a scalable vector */
    HPM_N_MACHINE_NUMBERS
};

/* Their names. */
extern const char *const hpm_machine_numbers[HPM_N_MACHINE_NUMBERS];

/* For which machine. */
struct hpm_platform {
    const char *pmu; /* as arch names it; NULL: not known */
    unsigned facts;  /* bits of those that hold */
    unsigned known;  /* bits of those known to hold or not to */
    double numbers[HPM_N_MACHINE_NUMBERS]; /* 0: not told */
    const struct hpm_setting *settings;
    size_t n_settings;
};

/* A guard that keeps a metric or a constant from having a value: that of its
 * own definition, or of a constant it is made of. */
struct hpm_lack {
    const char *name; /* of what the guard stands behind; NULL: no such guard */
    const char *fact;
    bool is_negated; /* "if no" */
    bool is_known;   /* it does not hold; else nobody knows */
};

/* A metric or a leaf. */
struct hpm_input {
    bool is_metric;
    size_t index;
};

/* One step of a formula; see struct hpm_op.  Constants are numbers.  Of a number
 * with more digits than a double has, input.index is the number, and
 * input.is_metric says so. */
struct hpm_step {
    enum hpm_op_kind kind;
    struct hpm_input input;
    double number;
};

struct hpm_rule {
    enum hpm_statement_kind kind; /* MEASURE, COMPUTE, COMPOSE or RATIO */
    struct hpm_range inputs;      /* of MEASURE and COMPOSE */
    struct hpm_range steps;       /* of COMPUTE and RATIO */
    bool is_cut;   /* gives no value, for it leads back to itself */
    unsigned rank; /* of its statement: the higher is the more special */
    struct hpm_position place;
};

struct hpm_metric {
    const char *name;
    const char *shown; /* its name in reports and files: "as", or its own */
    const char *texts[HPM_N_TEXTS]; /* NULL where not given */
    bool is_ratio;
    double scale;                /* the value shown is the value / scale */
    double least, most;          /* its range, as shown; NAN where not given */
    struct hpm_limits limits[2]; /* per precision */
    bool is_of_run; /* they are of the whole, else of a thread or process */
    size_t leaf;    /* the counter of the same name */
    struct hpm_range rules;
    size_t tree;    /* the composition that is its tree, or HPM_NO_RULE */
    size_t parent;  /* the metric above it, or HPM_NO_METRIC */
    bool has_hint;  /* why, next and try are texts */
    size_t hint_of; /* the metric that has its hint, or itself */
    struct hpm_range evidence; /* terms of the spec, names of metrics */
    struct hpm_range unless;   /* the same: whose hints replace this one */
    struct hpm_position hint_place;
    struct hpm_lack lack;      /* why it has fewer rules */
    bool may_be_bad;           /* a limit 'bad' is given, be its value known */
    struct hpm_position place; /* where it is defined first */
};

struct hpm_metric_set {
    const char *name;
    const char *texts[HPM_N_TEXTS];
    struct hpm_range inputs;
};

struct hpm_metrics {
    const struct hpm_spec *spec;

    struct hpm_metric *metrics;
    size_t n_metrics;
    size_t metrics_capacity;

    struct hpm_rule *rules;
    size_t n_rules;
    size_t rules_capacity;

    struct hpm_input *inputs;
    size_t n_inputs;
    size_t inputs_capacity;

    struct hpm_step *steps;
    size_t n_steps;
    size_t steps_capacity;

    const char **leaves;              /* their names */
    struct hpm_position *leaf_places; /* where each is met first */
    size_t n_leaves;
    size_t leaves_capacity;
    size_t places_capacity;

    size_t *order; /* of metrics, inputs first */

    struct hpm_metric_set *sets;
    size_t n_sets;
    size_t sets_capacity;

    /* per name of the spec, as index + 1 or 0 */
    size_t *metric_of;
    size_t *leaf_of;
    double *constant_of; /* NAN: no constant, or none that has a value here */
    struct hpm_lack *constant_lack; /* why it has none */
    bool *is_constant;              /* whether it has a value here or not */

    bool *holds; /* per statement: it is for the platform, so is its guard */

    bool *is_arch_here; /* per arch of the spec: it is the platform's */
};

void hpm_metrics_free(struct hpm_metrics *metrics);

/* The metric of this name, or shown under it; a leading "~" is passed over.
 * HPM_NO_METRIC when there is none. */
size_t hpm_metrics_find(const struct hpm_metrics *metrics, const char *name);

/* The leaf of this name, in another case if there is none in this; SIZE_MAX
 * when there is neither. */
size_t hpm_metrics_find_leaf(const struct hpm_metrics *metrics,
                             const char *name);

/* The set of this name, in another case if there is none in this; or NULL. */
const struct hpm_metric_set *
hpm_metrics_find_set(const struct hpm_metrics *metrics, const char *name);

/* The defined name nearest to this one, within two edits; NULL if none is. */
const char *hpm_metrics_nearest(const struct hpm_metrics *metrics,
                                const char *name);

/* The same of sets. */
const char *hpm_metrics_nearest_set(const struct hpm_metrics *metrics,
                                    const char *name);

#endif
