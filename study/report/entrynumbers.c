/* SPDX-License-Identifier: BSD-3-Clause
 * The numbers of a quantity, for a section or for one thread. */
#include "study/report/entrynumbers.h"

#include <math.h>
#include <string.h>

const char *const hpm_entrynumbers_names[HPM_N_ENTRY_NUMBERS] = {
    [HPM_ENTRY_VALUE] = "value",
    [HPM_ENTRY_EXCLUSIVE] = "exclusive",
    [HPM_ENTRY_MEAN] = "mean",
    [HPM_ENTRY_SDEV] = "sdev",
    [HPM_ENTRY_SHARE] = "share",
    [HPM_ENTRY_ERROR] = "error",
    [HPM_ENTRY_RUNS] = "runs",
    [HPM_ENTRY_PART] = "part",
    [HPM_ENTRY_BASE] = "base",
    [HPM_ENTRY_THREADS] = "threads",
    [HPM_ENTRY_THREAD_MIN] = "thread_min",
    [HPM_ENTRY_THREAD_MIN_AT] = "thread_min_at",
    [HPM_ENTRY_THREAD_MAX] = "thread_max",
    [HPM_ENTRY_THREAD_MAX_AT] = "thread_max_at",
    [HPM_ENTRY_THREAD_AVERAGE] = "thread_average",
    [HPM_ENTRY_THREAD_DEVIATION] = "thread_deviation",
    [HPM_ENTRY_THREAD_IMBALANCE] = "thread_imbalance",
    [HPM_ENTRY_TASKS] = "tasks",
    [HPM_ENTRY_TASK_MIN] = "task_min",
    [HPM_ENTRY_TASK_MAX] = "task_max",
    [HPM_ENTRY_TASK_AVERAGE] = "task_average",
    [HPM_ENTRY_TASK_DEVIATION] = "task_deviation",
    [HPM_ENTRY_TASK_IMBALANCE] = "task_imbalance",
    [HPM_ENTRY_JUDGED] = "judged",
    [HPM_ENTRY_BAD] = "bad",
    [HPM_ENTRY_RUN_DEV] = "run_dev",
    [HPM_ENTRY_RUN_MIN] = "run_min",
    [HPM_ENTRY_RUN_MAX] = "run_max",
    [HPM_ENTRY_ONLY_EXCLUSIVE] = "only_exclusive",
    [HPM_ENTRY_WORST] = "worst",
    [HPM_ENTRY_WORST_AT] = "worst_at",
    [HPM_ENTRY_WINDOWS] = "windows",
    [HPM_ENTRY_INTERVAL] = "interval",
    [HPM_ENTRY_UNCERTAINTY] = "uncertainty",
};

void
hpm_entrynumbers_of_figure(struct hpm_number numbers[HPM_N_ENTRY_NUMBERS],
                           const struct hpm_quantity *quantity,
                           const struct hpm_figure *figure)
{
    memset(numbers, 0, HPM_N_ENTRY_NUMBERS * sizeof *numbers);
    numbers[HPM_ENTRY_VALUE] = figure->value;
    numbers[HPM_ENTRY_EXCLUSIVE] = figure->exclusive;
    numbers[HPM_ENTRY_MEAN] = figure->mean;
    numbers[HPM_ENTRY_SDEV] = figure->sdev;
    numbers[HPM_ENTRY_SHARE] = figure->share;
    numbers[HPM_ENTRY_ERROR] = figure->error;
    numbers[HPM_ENTRY_RUNS] = figure->runs;
    numbers[HPM_ENTRY_PART] = hpm_number_real(figure->part);
    numbers[HPM_ENTRY_BASE] = figure->base;
    if (quantity->kind == HPM_QUANTITY_METRIC ||
        quantity->kind == HPM_QUANTITY_RECORDED) {
        numbers[HPM_ENTRY_JUDGED] = hpm_number_count(figure->judged.n_judged);
        numbers[HPM_ENTRY_BAD] = hpm_number_count(figure->judged.n_bad);
    }
    numbers[HPM_ENTRY_RUN_DEV] = figure->run_dev;
    numbers[HPM_ENTRY_RUN_MIN] = figure->run_min;
    numbers[HPM_ENTRY_RUN_MAX] = figure->run_max;
    numbers[HPM_ENTRY_ONLY_EXCLUSIVE] = hpm_number_real(figure->only_exclusive);
    numbers[HPM_ENTRY_WINDOWS] = figure->windows;
    numbers[HPM_ENTRY_INTERVAL] = figure->reach;
    numbers[HPM_ENTRY_UNCERTAINTY] = figure->uncertainty;
}

/* Mean, deviation and imbalance follow each other; the imbalance of a ratio has
 * no meaning. */
static void
add_spread(struct hpm_number average[3], const struct hpm_summary *summary,
           bool is_ratio)
{
    average[0] = hpm_number_real(summary->mean);
    average[1] = hpm_number_real(hpm_summary_deviation(summary));
    average[2] = is_ratio ? hpm_number_real(NAN)
                          : hpm_number_real(hpm_summary_imbalance(summary));
}

static void
add_worst(struct hpm_number *numbers, const struct hpm_worst *worst)
{
    if (worst->verdict == HPM_VERDICT_NONE)
        return;
    numbers[HPM_ENTRY_WORST] = hpm_number_real(worst->value);
    if (worst->who != HPM_NO_INDEX)
        numbers[HPM_ENTRY_WORST_AT] = hpm_number_count(worst->who);
}

void
hpm_entrynumbers_of_entry(struct hpm_number numbers[HPM_N_ENTRY_NUMBERS],
                          const struct hpm_survey *survey,
                          const struct hpm_entry *entry)
{
    const struct hpm_quantity *quantity = &survey->quantities[entry->quantity];
    const struct hpm_summary *threads = &entry->threads, *tasks = &entry->tasks;

    hpm_entrynumbers_of_figure(numbers, quantity, &entry->figure);
    numbers[HPM_ENTRY_THREADS] = hpm_number_count(threads->n);
    if (threads->n > 0) {
        numbers[HPM_ENTRY_THREAD_MIN] = entry->least[0];
        if (entry->low == NULL)
            numbers[HPM_ENTRY_THREAD_MIN_AT] =
                hpm_number_count(threads->min_at);
        numbers[HPM_ENTRY_THREAD_MAX] = entry->most[0];
        if (entry->high == NULL)
            numbers[HPM_ENTRY_THREAD_MAX_AT] =
                hpm_number_count(threads->max_at);
        add_spread(&numbers[HPM_ENTRY_THREAD_AVERAGE], threads,
                   quantity->is_ratio);
    }
    numbers[HPM_ENTRY_TASKS] = hpm_number_count(tasks->n);
    if (tasks->n > 0) {
        numbers[HPM_ENTRY_TASK_MIN] = entry->least[1];
        numbers[HPM_ENTRY_TASK_MAX] = entry->most[1];
        add_spread(&numbers[HPM_ENTRY_TASK_AVERAGE], tasks, quantity->is_ratio);
    }
    add_worst(numbers, hpm_entry_worst(survey, entry));
}
