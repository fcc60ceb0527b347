/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one machine: the meaning of the definitions
 * (metric/language/spec.h) for one PMU and the facts that hold.
 *
 *     metrics
 *       metrics[]      one per name
 *         rules[]        ways to get its value, the best first
 *           inputs[]       metrics or leaves (measure, compose)
 *           steps[]        a formula (compute, ratio)
 *       leaves[]       names of events, countable here or not
 *       order[]        metrics, each after all that its value needs
 *       sets[]         what is counted together
 *
 * The spec owns the texts, and must live as long. */
#ifndef HPM_METRIC_METRICS_H
#define HPM_METRIC_METRICS_H

#include <stdbool.h>
#include <stddef.h>

#include "metric/language/spec.h"
#include "metric/language/threshold.h"

#define HPM_NO_METRIC SIZE_MAX
#define HPM_NO_RULE SIZE_MAX

/* Facts about a machine that guards ask for, as bits. */
enum hpm_fact {
    HPM_FACT_L2 = 1,
    HPM_FACT_L3 = 2,
    HPM_FACT_SMT = 4,
    HPM_FACT_FMA = 8,
    HPM_FACT_VM = 16,
    HPM_FACT_NUMA = 32,
    HPM_N_FACTS = 6
};

/* The facts' names, in the order of the bits. */
extern const char hpm_fact_names[HPM_N_FACTS][5];

/* A constant that a user sets to another value. */
struct hpm_setting {
    const char *name;
    double value;
};

/* Constants that the machine can tell; shipped definitions give only usual
 * values. */
enum hpm_machine_number {
    HPM_MACHINE_LINE,         /* bytes of a cache line */
    HPM_MACHINE_L2_SIZE,      /* bytes */
    HPM_MACHINE_L3_SIZE,      /* bytes */
    HPM_MACHINE_MHZ,          /* nominal clock */
    HPM_MACHINE_WIDTH,        /* operations per cycle */
    HPM_MACHINE_VECTOR_BYTES, /* of a scalable vector */
    HPM_N_MACHINE_NUMBERS
};

/* Their names. */
extern const char *const hpm_machine_numbers[HPM_N_MACHINE_NUMBERS];

/* The machine that metrics are made for. */
struct hpm_platform {
    const char *pmu; /* as arch names it; NULL: not known */
    unsigned facts;  /* bits of the facts that hold */
    unsigned known;  /* bits of the facts known to hold or not to hold */
    double numbers[HPM_N_MACHINE_NUMBERS]; /* 0: not known */
    const struct hpm_setting *settings;
    size_t n_settings;
};

/* The guard because of which a metric or constant has no value: the one of its
 * own definition, or of a constant in it. */
struct hpm_lack {
    const char *name; /* the guarded name; NULL: no such guard */
    const char *fact;
    bool is_negated; /* "if no" */
    bool is_known;   /* the guard is false; else its answer is unknown */
};

/* A metric or a leaf. */
struct hpm_input {
    bool is_metric;
    size_t index;
};

/* One step of a formula; see struct hpm_op.  Constants are numbers already.  A
 * number with more digits than a double has sets input.is_metric, and has its
 * digits in input.index. */
struct hpm_step {
    enum hpm_op_kind kind;
    struct hpm_input input;
    double number;
};

struct hpm_rule {
    enum hpm_statement_kind kind; /* MEASURE, COMPUTE, COMPOSE or RATIO */
    struct hpm_range inputs;      /* for MEASURE and COMPOSE */
    struct hpm_range steps;       /* for COMPUTE and RATIO */
    bool is_cut;   /* gives no value, because it leads back to itself */
    unsigned rank; /* of its statement; higher is more special */
    struct hpm_position place;
};

struct hpm_metric {
    const char *name;
    const char *shown; /* its name in reports and files: "as", or its own */
    const char *texts[HPM_N_TEXTS]; /* NULL if not given */
    bool is_ratio;
    double scale;                /* the value shown is the value / scale */
    double least, most;          /* its range, in the unit shown; NAN if not
                                  * given */
    struct hpm_limits limits[2]; /* per precision */
    bool is_of_run; /* the limits are for the whole run, else for a thread or
                     * process */
    size_t leaf;    /* the counter of the same name */
    struct hpm_range rules;
    size_t tree;    /* the composition shown as its tree, or HPM_NO_RULE */
    size_t parent;  /* the metric above it, or HPM_NO_METRIC */
    bool has_hint;  /* why, next and try are texts */
    size_t hint_of; /* the metric that has its hint, or itself */
    struct hpm_range evidence; /* terms of the spec: names of metrics */
    struct hpm_range unless;   /* terms: metrics whose hints replace this one */
    struct hpm_position hint_place;
    struct hpm_lack lack;      /* why it has fewer rules */
    bool may_be_bad;           /* a limit 'bad' is given, even if its value is
                                * not known */
    struct hpm_position place; /* of its first definition */
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

    const char **leaves;              /* names */
    struct hpm_position *leaf_places; /* where each is named first */
    size_t n_leaves;
    size_t leaves_capacity;
    size_t places_capacity;

    size_t *order; /* metrics, inputs first */

    struct hpm_metric_set *sets;
    size_t n_sets;
    size_t sets_capacity;

    /* per name of the spec, as index + 1 or 0 */
    size_t *metric_of;
    size_t *leaf_of;
    double *constant_of; /* NAN: no constant, or one without a value here */
    struct hpm_lack *constant_lack; /* why a constant has no value */
    bool *is_constant;              /* also of a constant without a value
                                     * here */

    bool *holds; /* per statement: its arch and guard hold here */

    bool *is_arch_here; /* per arch of the spec: it holds on the platform */
};

void hpm_metrics_free(struct hpm_metrics *metrics);

/* The metric with this name, or shown under this name; a leading "~" is
 * ignored.  HPM_NO_METRIC if there is none. */
size_t hpm_metrics_find(const struct hpm_metrics *metrics, const char *name);

/* The leaf of this name, or else one whose name differs only in case; SIZE_MAX
 * if there is neither. */
size_t hpm_metrics_find_leaf(const struct hpm_metrics *metrics,
                             const char *name);

/* The set of this name, or else one whose name differs only in case; or
 * NULL. */
const struct hpm_metric_set *
hpm_metrics_find_set(const struct hpm_metrics *metrics, const char *name);

/* The defined name nearest to this one, at most two edits away; or NULL. */
const char *hpm_metrics_nearest(const struct hpm_metrics *metrics,
                                const char *name);

/* The name of the nearest set, likewise. */
const char *hpm_metrics_nearest_set(const struct hpm_metrics *metrics,
                                    const char *name);

#endif
