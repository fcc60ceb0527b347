/* SPDX-License-Identifier: BSD-3-Clause
 * Makes the metrics of one machine. */
#include "metric/making.h"

#include "host/memory.h"
#include "metric/choose.h"

static bool
make(struct hpm_choice *choice)
{
    struct hpm_metrics *metrics = choice->metrics;
    size_t n_names = choice->spec->names.n_texts;

    metrics->metric_of = hpm_memory_new(n_names, sizeof(size_t));
    metrics->leaf_of = hpm_memory_new(n_names, sizeof(size_t));
    if (metrics->metric_of == NULL || metrics->leaf_of == NULL ||
        !hpm_choice_begin(choice) || !hpm_choice_set_constants(choice) ||
        !hpm_choice_add_metrics(choice) || !hpm_choice_order(choice))
        return false;
    return !choice->spec->complaints.failed;
}

struct hpm_metrics *
hpm_metrics_new(struct hpm_spec *spec, const struct hpm_platform *platform,
                struct hpm_error *err)
{
    struct hpm_choice choice = {.spec = spec, .platform = platform};
    bool is_good;

    choice.metrics = hpm_memory_new(1, sizeof *choice.metrics);
    if (choice.metrics == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    choice.metrics->spec = spec;
    is_good = make(&choice);
    hpm_memory_free(choice.last);
    hpm_memory_free(choice.before);
    if (is_good)
        return choice.metrics;
    hpm_metrics_free(choice.metrics);
    hpm_error_no_memory(err);
    return NULL;
}
