/* SPDX-License-Identifier: BSD-3-Clause
 * Is a file of definitions right? */
#include "study/tool/check.h"

#include <string.h>

#include "metric/language/definitions.h"
#include "metric/making.h"

struct check {
    struct hpm_spec *spec;
    uint32_t file;
    hpm_check_ask *ask;
    void *context;
};

/* A slip in a name is no fault of language: any name may be an event.  It is
 * one that nobody knows, beside one that is defined.  What is for one PMU names
 * events that only that PMU knows. */
static void
complain_slips(struct check *check, const struct hpm_metrics *metrics)
{
    for (size_t i = 0; i < metrics->n_leaves; i++) {
        const char *name = metrics->leaves[i];
        uint32_t number = hpm_names_find(&check->spec->names, name);
        const char *nearest;

        if (metrics->leaf_places[i].file != check->file ||
            metrics->metric_of[number] != 0 || strchr(name, ':') != NULL)
            continue;
        nearest = hpm_metrics_nearest(metrics, name);
        if (nearest != NULL && !check->ask(name, check->context))
            hpm_spec_complain(check->spec, metrics->leaf_places[i],
                              "'%s' is neither defined nor an event known "
                              "here; did you mean '%s'?",
                              name, nearest);
    }
}

/* Of the two nearest names, a set or a metric, one. */
static const char *
nearest_name(const struct hpm_metrics *metrics, const char *name)
{
    const char *nearest = hpm_metrics_nearest_set(metrics, name);

    return nearest != NULL ? nearest : hpm_metrics_nearest(metrics, name);
}

static bool
is_measurable(const struct check *check, const struct hpm_metrics *metrics,
              const char *name)
{
    return strchr(name, ':') != NULL ||
           hpm_metrics_find_set(metrics, name) != NULL ||
           hpm_metrics_find(metrics, name) != HPM_NO_METRIC ||
           check->ask(name, check->context);
}

/* Is what to measure next said by the metric itself, in this file? */
static bool
says_next(const struct check *check, const struct hpm_metrics *metrics,
          const struct hpm_metric *metric)
{
    const struct hpm_metric *other = &metrics->metrics[metric->hint_of];

    return metric->has_hint && metric->hint_place.file == check->file &&
           (metric == other ||
            metric->texts[HPM_TEXT_NEXT] != other->texts[HPM_TEXT_NEXT]);
}

/* What a hint says is to be measured next may be an event.  Those of a PMU
 * are not all known here, there only a slip is a fault. */
static void
complain_next(struct check *check, const struct hpm_metrics *metrics,
              bool is_any)
{
    for (size_t i = 0; i < metrics->n_metrics; i++) {
        const struct hpm_metric *metric = &metrics->metrics[i];
        const char *next = metric->texts[HPM_TEXT_NEXT];
        const char *nearest;

        if (!says_next(check, metrics, metric) ||
            is_measurable(check, metrics, next))
            continue;
        nearest = nearest_name(metrics, next);
        if (nearest != NULL)
            hpm_spec_complain(check->spec, metric->hint_place,
                              "'%s', to measure next, is no set, metric or "
                              "event known here; did you mean '%s'?",
                              next, nearest);
        else if (is_any)
            hpm_spec_complain(check->spec, metric->hint_place,
                              "'%s', to measure next, is no set, metric or "
                              "event known here",
                              next);
    }
}

static bool
check_for(struct check *check, const char *pmu, struct hpm_error *err)
{
    struct hpm_platform platform = {.pmu = pmu};
    struct hpm_metrics *metrics = hpm_metrics_new(check->spec, &platform, err);

    if (metrics == NULL)
        return false;
    if (pmu == NULL)
        complain_slips(check, metrics);
    complain_next(check, metrics, pmu == NULL);
    hpm_metrics_free(metrics);
    return true;
}

/* Each PMU that statements of the file are for; a PMU may come several times,
 * but a complaint does not. */
static bool
check_pmus(struct check *check, struct hpm_error *err)
{
    const struct hpm_spec *spec = check->spec;
    size_t last_arch = 0;

    for (size_t i = 0; i < spec->n_statements; i++) {
        size_t arch = spec->statements[i].arch;
        const struct hpm_range pmus = spec->arches[arch].pmus;

        if (spec->statements[i].place.file != check->file || arch == last_arch)
            continue;
        last_arch = arch;
        for (size_t j = pmus.first; j < pmus.first + pmus.count; j++) {
            if (!check_for(check, hpm_spec_text(spec, spec->pmus[j]), err))
                return false;
        }
    }
    return true;
}

/* Is this line about the file?  A fault, "FILE:LINE:...", or a note, "FILE:
 * ...".
 */
static bool
is_own(const char *line, const char *path, bool *ret_is_fault)
{
    size_t length = strlen(path);

    if (strncmp(line, path, length) != 0 || line[length] != ':')
        return false;
    *ret_is_fault = line[length + 1] >= '0' && line[length + 1] <= '9';
    return true;
}

/* Its own faults, each; of what others lack because of it, one line. */
static size_t
add_complaints(const struct check *check, const char *path,
               struct hpm_string *lines)
{
    const char *line = hpm_string_text(&check->spec->complaints), *first = NULL;
    size_t n_faults = 0, n_others = 0;

    for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
        bool is_fault = false;

        if (is_own(line, path, &is_fault)) {
            n_faults += is_fault;
            hpm_string_add_bytes(lines, line, strcspn(line, "\n") + 1);
        } else if (n_others++ == 0) {
            first = line;
        }
    }
    if (first == NULL)
        return n_faults;
    hpm_string_add_format(lines,
                          "%s: leaves %zu fault%s in other files; the "
                          "first: %.*s\n",
                          path, n_others, n_others == 1 ? "" : "s",
                          (int)strcspn(first, "\n"), first);
    return n_faults + 1;
}

static size_t
count_statements(const struct check *check)
{
    size_t n = 0;

    for (size_t i = 0; i < check->spec->n_statements; i++)
        n += check->spec->statements[i].place.file == check->file;
    return n;
}

bool
hpm_check_file(const char *path, hpm_check_ask *ask, void *context,
               struct hpm_string *lines, size_t *ret_n_faults,
               size_t *ret_n_statements, struct hpm_error *err)
{
    struct check check = {hpm_spec_new(), HPM_NO_NAME, ask, context};
    bool is_good;

    if (check.spec == NULL)
        return hpm_error_no_memory(err);
    is_good = hpm_definitions_read_file(check.spec, path, err);
    check.file = hpm_names_find(&check.spec->names, path);
    is_good =
        is_good && check_for(&check, NULL, err) && check_pmus(&check, err);
    if (is_good) {
        *ret_n_faults = add_complaints(&check, path, lines);
        if (check.spec->n_complaints > HPM_MAX_COMPLAINTS)
            hpm_string_add_format(lines, "%s: and %zu more\n", path,
                                  check.spec->n_complaints -
                                      HPM_MAX_COMPLAINTS);
        *ret_n_statements = count_statements(&check);
    }
    hpm_spec_free(check.spec);
    return is_good;
}
