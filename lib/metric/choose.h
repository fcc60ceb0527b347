/* SPDX-License-Identifier: BSD-3-Clause
 * Steps of making metrics, shared by the files that make them. */
#ifndef HPM_METRIC_CHOOSE_H
#define HPM_METRIC_CHOOSE_H

#include "metric/metrics.h"

/* Where making stands. */
struct hpm_choice {
    struct hpm_spec *spec;
    const struct hpm_platform *platform;
    struct hpm_metrics *metrics;
    size_t *last;   /* per name: its last statement that holds, + 1 */
    size_t *before; /* per statement: the one before of the same name, + 1 */
    struct hpm_lack lack; /* of the formula of constants asked for last */
};

/* How a guard stands: true, false, or not to be decided. */
enum hpm_truth { HPM_TRUTH_NO, HPM_TRUTH_YES, HPM_TRUTH_UNKNOWN };
enum hpm_truth hpm_choice_ask(const struct hpm_choice *choice,
                              struct hpm_guard guard);

/* Note that the guard of this name's definition does not hold; one that nobody
 * knows of tells more than one that is known. */
void hpm_choice_note(const struct hpm_choice *choice, uint32_t name,
                     struct hpm_guard guard, struct hpm_lack *lack);

/* The statements of one name that hold: of growing rank, then as read. */
struct hpm_group {
    const struct hpm_statement **statements;
    size_t n;
    size_t capacity;
};

/* The steps, in this order; each that can fail is false when memory runs
 * out. */

/* Find the statements that hold. */
bool hpm_choice_begin(struct hpm_choice *choice);

/* Give every constant its value. */
bool hpm_choice_set_constants(struct hpm_choice *choice);

/* Add all metrics, with what describes them, their rules, and all sets. */
bool hpm_choice_add_metrics(struct hpm_choice *choice);

/* Complete each metric's hint, which may be that of another one. */
void hpm_choice_complete_hints(struct hpm_choice *choice);

/* Put metrics in an order in which inputs come first, cutting rules that lead
 * back to themselves, and link the trees. */
bool hpm_choice_order(struct hpm_choice *choice);

/* What they share. */

/* The value of a formula of constants, such as a limit; NAN, and a complaint,
 * where it is none. */
double hpm_choice_constant(struct hpm_choice *choice, struct hpm_range ops);

/* Does a statement that holds make it a set? */
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

/* Take the texts a statement gives over those given before. */
void hpm_choice_take_texts(const struct hpm_choice *choice,
                           const struct hpm_statement *statement,
                           const char *texts[HPM_N_TEXTS]);

#endif
