/* SPDX-License-Identifier: BSD-3-Clause
 * The functions of sampled runs, as subjects of a comparison. */
#include "study/compare/functions.h"

#include <stdlib.h>
#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "study/compare/intake.h"
#include "study/hotspot/hotspots.h"

void
hpm_functions_clear(struct hpm_functions *functions)
{
    hpm_names_free(&functions->names);
    hpm_memory_free(functions->runs);
    hpm_memory_free(functions->values);
    *functions = (struct hpm_functions){.n_runs = 0};
}

/* ---- taking ---------------------------------------------------------- */

/* The number of a name; frees the text.  HPM_NO_NAME when there is no
 * memory. */
static uint32_t
take_name(struct hpm_functions *functions, struct hpm_string *text)
{
    uint32_t name = HPM_NO_NAME;

    if (!text->failed)
        name = hpm_names_add(&functions->names, hpm_string_text(text),
                             text->length);
    hpm_string_free(text);
    return name;
}

/* The function's name with its module: "solve in app". */
static uint32_t
name_function(struct hpm_functions *functions, const struct hpm_hotspot *spot)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, spot->name);
    if (spot->module[0] != '\0')
        hpm_string_add_format(&text, " in %s", spot->module);
    return take_name(functions, &text);
}

static bool
add_value(struct hpm_functions *functions,
          const struct hpm_functions_value *value)
{
    if (value->function == HPM_NO_NAME ||
        !hpm_memory_grow(&functions->values, &functions->values_capacity,
                         functions->n_values + 1, sizeof *functions->values))
        return false;
    functions->values[functions->n_values++] = *value;
    return true;
}

static bool
add_run(struct hpm_functions *functions, const struct hpm_functions_run *run)
{
    if (run->event == HPM_NO_NAME ||
        !hpm_memory_grow(&functions->runs, &functions->runs_capacity,
                         functions->n_runs + 1, sizeof *functions->runs))
        return false;
    functions->runs[functions->n_runs++] = *run;
    return true;
}

/* The event's name with its domain, unless that is user: "cycles", "cycles
 * (all)".  With the kernel's part it is another metric. */
static uint32_t
name_event(struct hpm_functions *functions,
           const struct hpm_study_sampled *sampled)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, sampled->name);
    if (sampled->domain != NULL && strcmp(sampled->domain, "user") != 0)
        hpm_string_add_format(&text, " (%s)", sampled->domain);
    return take_name(functions, &text);
}

/* Were so many samples lost that the values of functions are not reliable? */
static bool
is_lossy(const struct hpm_hotspots_part *part)
{
    return part->n_lost > part->n_taken / 100;
}

/* Take the functions of one event in a run. */
static bool
take_part(struct hpm_functions *functions, const struct hpm_hotspots *hotspots,
          const struct hpm_hotspots_part *part, size_t side, size_t run)
{
    const struct hpm_study_sampled *sampled =
        &hotspots->study->sampled[part->sampled];
    struct hpm_functions_run of_run = {
        .event = name_event(functions, sampled),
        .side = side,
        .run = run,
        .is_clock = sampled->unit != NULL && strcmp(sampled->unit, "ns") == 0};
    double scale =
        hpm_hotspots_scale(hotspots, sampled) / (of_run.is_clock ? 1e9 : 1.0);

    if (is_lossy(part)) {
        functions->n_lossy++;
        return true;
    }
    if (!add_run(functions, &of_run))
        return false;
    for (size_t i = 0; i < part->n_spots; i++) {
        const struct hpm_functions_value value = {
            .function = name_function(functions, &part->spots[i]),
            .event = of_run.event,
            .side = side,
            .run = run,
            .n = part->spots[i].n,
            .amount = (double)part->spots[i].n * scale};

        if (!add_value(functions, &value))
            return false;
    }
    return true;
}

bool
hpm_functions_take(struct hpm_functions *functions,
                   const struct hpm_study *study, size_t side, size_t run,
                   struct hpm_error *err)
{
    struct hpm_hotspots *hotspots =
        hpm_hotspots_new(study, HPM_NAMING_FUNCTION, err);
    bool is_good = hotspots != NULL;

    for (size_t i = 0; is_good && i < hotspots->n_parts; i++) {
        if (hotspots->parts[i].section == HPM_NO_INDEX)
            is_good = take_part(functions, hotspots, &hotspots->parts[i], side,
                                run) ||
                      hpm_error_no_memory(err);
    }
    hpm_hotspots_free(hotspots);
    return is_good;
}

/* ---- adding ---------------------------------------------------------- */

static int
compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

/* By function and event. */
static int
compare_functions(const struct hpm_functions_value *a,
                  const struct hpm_functions_value *b)
{
    int order = compare_numbers(a->function, b->function);

    return order != 0 ? order : compare_numbers(a->event, b->event);
}

/* By function, event, side and run. */
static int
compare_values(const void *first, const void *second)
{
    const struct hpm_functions_value *a = first, *b = second;
    int order = compare_functions(a, b);

    order = order != 0 ? order : compare_numbers(a->side, b->side);
    return order != 0 ? order : compare_numbers(a->run, b->run);
}

/* Add the metric of an event.  False where the user does not want it. */
static bool
add_metric(const struct hpm_functions *functions, struct hpm_samples *samples,
           uint32_t event, const char *metrics, size_t *ret_metric)
{
    struct hpm_string name = {0};
    bool is_wanted, is_clock = false;

    for (size_t i = 0; i < functions->n_runs; i++) {
        if (functions->runs[i].event == event)
            is_clock = functions->runs[i].is_clock;
    }
    hpm_string_add_format(&name, "SAMPLED %s",
                          hpm_names_text(&functions->names, event));
    is_wanted = hpm_intake_is_wanted(metrics, hpm_string_text(&name));
    if (is_wanted)
        *ret_metric = hpm_samples_add_metric(samples, hpm_string_text(&name),
                                             is_clock ? HPM_SAMPLES_TIME
                                                      : HPM_SAMPLES_COUNT);
    hpm_string_finish(&name, &samples->failed);
    return is_wanted;
}

/* Add `n` consecutive values of one function and event.  A run has several of
 * them where the event was sampled with several periods. */
static void
add_function(const struct hpm_functions *functions, struct hpm_samples *samples,
             const char *metrics, const struct hpm_functions_value *values,
             size_t n)
{
    size_t metric, subject;

    if (!add_metric(functions, samples, values->event, metrics, &metric))
        return;
    subject = hpm_samples_add_subject(
        samples, hpm_names_text(&functions->names, values->function));
    for (size_t i = 0; i < functions->n_runs; i++) {
        const struct hpm_functions_run *run = &functions->runs[i];

        if (run->event == values->event)
            hpm_samples_set(samples, subject, metric, run->side, run->run, 0.0);
    }
    for (size_t i = 0; i < n; i++) {
        double amount = values[i].amount;

        for (; i + 1 < n && compare_values(&values[i], &values[i + 1]) == 0;
             i++)
            amount += values[i + 1].amount;
        hpm_samples_set(samples, subject, metric, values[i].side, values[i].run,
                        amount);
    }
}

void
hpm_functions_add(struct hpm_functions *functions, struct hpm_samples *samples,
                  const char *metrics)
{
    struct hpm_functions_value *values = functions->values;
    size_t first = 0;
    uint64_t n = 0;

    if (functions->n_values == 0)
        return;
    qsort(values, functions->n_values, sizeof *values, compare_values);
    for (size_t i = 0; i < functions->n_values; i++) {
        n += values[i].n;
        if (i + 1 < functions->n_values &&
            compare_functions(&values[i], &values[i + 1]) == 0)
            continue;
        if (n >= HPM_HOTSPOTS_LEAST)
            add_function(functions, samples, metrics, &values[first],
                         i + 1 - first);
        first = i + 1;
        n = 0;
    }
}
