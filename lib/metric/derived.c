/* SPDX-License-Identifier: BSD-3-Clause
 * All metrics of an experiment. */
#include "metric/derived.h"

#include "host/memory.h"

/* One allocation for all values: values that nobody asks for are never
 * touched. */
static bool
make_room(struct hpm_derived *derived)
{
    size_t n_leaves = derived->metrics->n_leaves;
    size_t n_metrics = derived->metrics->n_metrics;

    derived->all_counts =
        hpm_memory_new(2 * n_leaves, sizeof *derived->all_counts);
    derived->all_values =
        hpm_memory_new(3 * n_metrics, sizeof *derived->all_values);
    if (derived->all_counts == NULL || derived->all_values == NULL)
        return false;
    derived->counts = derived->all_counts + n_leaves;
    derived->values[HPM_SPAN_INCLUSIVE] = derived->all_values + n_metrics;
    derived->values[HPM_SPAN_EXCLUSIVE] = derived->all_values + 2 * n_metrics;
    return true;
}

struct hpm_derived *
hpm_derived_new(const struct hpm_metrics *metrics,
                const struct hpm_experiment *experiment, bool is_whole_run,
                struct hpm_error *err)
{
    struct hpm_derived *derived = hpm_memory_new(1, sizeof *derived);

    if (derived == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    derived->metrics = metrics;
    derived->experiment = experiment;
    if (make_room(derived) && hpm_binding_init(&derived->binding, metrics,
                                               experiment, is_whole_run, err))
        return derived;
    hpm_error_no_memory(err);
    hpm_derived_free(derived);
    return NULL;
}

void
hpm_derived_free(struct hpm_derived *derived)
{
    if (derived == NULL)
        return;
    hpm_binding_clear(&derived->binding);
    hpm_memory_free(derived->all_counts);
    hpm_memory_free(derived->all_values);
    hpm_memory_free(derived);
}

bool
hpm_derived_shows(const struct hpm_derived *derived, size_t metric,
                  const struct hpm_metric_value *value)
{
    if (derived->is_chosen != NULL && derived->is_chosen[metric] &&
        value->is_present)
        return true;
    return hpm_metrics_is_derived(derived->metrics, metric, value);
}

const struct hpm_metric_value *
hpm_derived_values(struct hpm_derived *derived, size_t record,
                   enum hpm_span span)
{
    enum hpm_scope scope = derived->experiment->records[record].scope;
    struct hpm_whole whole = {derived->all_counts, derived->all_values};

    if (derived->records[span] == record + 1)
        return derived->values[span];
    if (!derived->has_scope || derived->scope != scope) {
        hpm_binding_count_all(&derived->binding, scope, derived->all_counts);
        hpm_metrics_evaluate(derived->metrics, derived->all_counts, NULL,
                             derived->all_values);
        derived->scope = scope;
        derived->has_scope = true;
    }
    hpm_binding_count(&derived->binding, record, span, derived->counts);
    hpm_metrics_evaluate(derived->metrics, derived->counts, &whole,
                         derived->values[span]);
    derived->records[span] = record + 1;
    return derived->values[span];
}
