/* SPDX-License-Identifier: BSD-3-Clause
 * The metrics of one machine. */
#include "metric/metrics.h"

#include <string.h>

#include "host/memory.h"

void
hpm_metrics_free(struct hpm_metrics *metrics)
{
    if (metrics == NULL)
        return;
    hpm_memory_free(metrics->metrics);
    hpm_memory_free(metrics->rules);
    hpm_memory_free(metrics->inputs);
    hpm_memory_free(metrics->steps);
    hpm_memory_free(metrics->leaves);
    hpm_memory_free(metrics->leaf_places);
    hpm_memory_free(metrics->order);
    hpm_memory_free(metrics->sets);
    hpm_memory_free(metrics->metric_of);
    hpm_memory_free(metrics->leaf_of);
    hpm_memory_free(metrics->constant_of);
    hpm_memory_free(metrics->constant_lack);
    hpm_memory_free(metrics->is_constant);
    hpm_memory_free(metrics->holds);
    hpm_memory_free(metrics->is_arch_here);
    hpm_memory_free(metrics);
}

/* ---- looking things up ----------------------------------------------- */

size_t
hpm_metrics_find(const struct hpm_metrics *metrics, const char *name)
{
    uint32_t number;

    if (name[0] == '~')
        name++;
    number = hpm_names_find(&metrics->spec->names, name);
    if (number != HPM_NO_NAME && metrics->metric_of[number] != 0)
        return metrics->metric_of[number] - 1;
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        if (strcmp(metrics->metrics[i].shown, name) == 0)
            return i;
    }
    return HPM_NO_METRIC;
}

const struct hpm_metric_set *
hpm_metrics_find_set(const struct hpm_metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->n_sets; i++) {
        if (strcmp(metrics->sets[i].name, name) == 0)
            return &metrics->sets[i];
    }
    for (size_t i = 0; i < metrics->n_sets; i++) {
        if (hpm_string_same_word(metrics->sets[i].name, name))
            return &metrics->sets[i];
    }
    return NULL;
}

size_t
hpm_metrics_find_leaf(const struct hpm_metrics *metrics, const char *name)
{
    size_t found = SIZE_MAX;

    for (size_t i = 0; i < metrics->n_leaves; i++) {
        if (strcmp(metrics->leaves[i], name) == 0)
            return i;
        if (found == SIZE_MAX && hpm_string_same_word(metrics->leaves[i], name))
            found = i;
    }
    return found;
}

/* The one of two names that is nearer to `name`; `*edits` is the distance of
 * `nearest`.  A difference in case only counts as none. */
static const char *
nearer(const char *name, const char *nearest, const char *here, unsigned *edits)
{
    unsigned n = hpm_string_same_word(name, here)
                     ? 0
                     : hpm_string_distance(name, here, *edits);

    if (n >= *edits || strlen(here) <= 2 * n)
        return nearest;
    *edits = n;
    return here;
}

const char *
hpm_metrics_nearest(const struct hpm_metrics *metrics, const char *name)
{
    const char *nearest = NULL;
    unsigned edits = 3;

    for (size_t i = 0; i < metrics->n_metrics; i++)
        nearest = nearer(name, nearest, metrics->metrics[i].name, &edits);
    return nearest;
}

const char *
hpm_metrics_nearest_set(const struct hpm_metrics *metrics, const char *name)
{
    const char *nearest = NULL;
    unsigned edits = 3;

    for (size_t i = 0; i < metrics->n_sets; i++)
        nearest = nearer(name, nearest, metrics->sets[i].name, &edits);
    return nearest;
}
