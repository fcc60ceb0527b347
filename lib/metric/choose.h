/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of making metrics, shared by the files that make them. */
#ifndef HPM_METRIC_CHOOSE_H
#define HPM_METRIC_CHOOSE_H

#include "metric/metrics.h"

/* The state of making metrics. */
struct hpm_choice {
    struct hpm_spec *spec;
    const struct hpm_platform *platform;
    struct hpm_metrics *metrics;
    size_t *last;   /* per name: its last statement that holds, + 1 */
    size_t *before; /* per statement: the one before it with the same name, +
                     * 1 */
    struct hpm_lack lack; /* why the constants' formula asked for last has no
                           * value */
};

/* What a guard says here: true, false, or unknown. */
enum hpm_truth { HPM_TRUTH_NO, HPM_TRUTH_YES, HPM_TRUTH_UNKNOWN };
enum hpm_truth hpm_choice_ask(const struct hpm_choice *choice,
                              struct hpm_guard guard);

/* Note that the guard of this name's definition does not hold.  A guard noted
 * before stays if its answer is unknown: that tells more than a known
 * answer. */
void hpm_choice_note(const struct hpm_choice *choice, uint32_t name,
                     struct hpm_guard guard, struct hpm_lack *lack);

/* The statements that hold for one name, by rising rank, then in the order
 * read. */
struct hpm_group {
    const struct hpm_statement **statements;
    size_t n;
    size_t capacity;
};

/* The steps, in this order.  A step that can fail returns false when memory
 * runs out. */

/* Find the statements that hold. */
bool hpm_choice_begin(struct hpm_choice *choice);

/* Give every constant its value. */
bool hpm_choice_set_constants(struct hpm_choice *choice);

/* Add all metrics with their descriptions and rules, and all sets. */
bool hpm_choice_add_metrics(struct hpm_choice *choice);

/* Complete each metric's hint, which may be taken from another metric. */
void hpm_choice_complete_hints(struct hpm_choice *choice);

/* Order the metrics so that inputs come first, drop rules that lead back to
 * themselves, and link the trees. */
bool hpm_choice_order(struct hpm_choice *choice);

/* Functions that the steps share. */

/* The value of a formula of constants, such as a limit; NAN, with a complaint,
 * if it has none. */
double hpm_choice_constant(struct hpm_choice *choice, struct hpm_range ops);

/* Does a statement that holds define this name as a set? */
bool hpm_choice_is_set(const struct hpm_choice *choice, uint32_t name);

/* Add a leaf, if it is not there yet. */
bool hpm_choice_add_leaf(struct hpm_choice *choice, uint32_t name,
                         struct hpm_position place);

/* Add the rules of a metric, the best first. */
bool hpm_choice_add_rules(struct hpm_choice *choice,
                          const struct hpm_group *group,
                          struct hpm_metric *metric);

/* Add a set. */
bool hpm_choice_add_set(struct hpm_choice *choice,
                        const struct hpm_statement *statement);

/* Overwrite the texts by those that the statement gives. */
void hpm_choice_take_texts(const struct hpm_choice *choice,
                           const struct hpm_statement *statement,
                           const char *texts[HPM_N_TEXTS]);

#endif
