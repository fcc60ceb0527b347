/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows of a subject together. */
#include "study/survey/rowstotal.h"

#include "host/memory.h"
#include "study/survey/metricfigures.h"
#include "study/survey/steps.h"

enum { THREAD, TASK, ALL };

static void
reset(struct hpm_survey_machine *machine, int level)
{
    for (int i = 0; i < 2; i++)
        hpm_sum_reset(&machine->sums[level][i]);
}

static void
pass_up(struct hpm_survey_machine *machine, int level, size_t n_threads)
{
    for (int i = 0; i < 2; i++)
        hpm_sum_add_sum(&machine->sums[level + 1][i], &machine->studymetrics,
                        &machine->sums[level][i], n_threads);
}

/* The same spans and sides as of a whole subject (entries.c). */
static void
add_row(struct hpm_survey *survey, struct hpm_survey_machine *machine,
        uint32_t row)
{
    bool is_diff = hpm_survey_is_difference(survey);

    hpm_sum_add_row(&machine->sums[THREAD][0], &machine->studymetrics, row,
                    HPM_SPAN_INCLUSIVE,
                    is_diff ? HPM_STUDYMETRICS_A : HPM_STUDYMETRICS_VALUE);
    hpm_sum_add_row(&machine->sums[THREAD][1], &machine->studymetrics, row,
                    is_diff ? HPM_SPAN_INCLUSIVE : HPM_SPAN_EXCLUSIVE,
                    is_diff ? HPM_STUDYMETRICS_B : HPM_STUDYMETRICS_VALUE);
}

/* Add the rows of one thread, which begin the slice; the number of rows. */
static size_t
add_thread(struct hpm_survey *survey, struct hpm_survey_machine *machine,
           struct hpm_slice slice)
{
    const struct hpm_study *study = survey->study;
    uint32_t place = hpm_study_row(study, slice.rows[0])->place;
    size_t n = 0, n_threads = 1;

    reset(machine, THREAD);
    for (; n < slice.n && hpm_study_row(study, slice.rows[n])->place == place;
         n++) {
        size_t n_here = hpm_study_n_threads(study, slice.rows[n]);

        add_row(survey, machine, slice.rows[n]);
        if (n_here > n_threads)
            n_threads = n_here;
    }
    pass_up(machine, THREAD, n_threads);
    return n;
}

/* The rows of one task, which begin the slice. */
static size_t
count_task(const struct hpm_study *study, struct hpm_slice slice)
{
    uint32_t task = hpm_study_place_of(study, slice.rows[0])->task;
    size_t n = 0;

    while (n < slice.n &&
           hpm_study_place_of(study, slice.rows[n])->task == task)
        n++;
    return n;
}

static void
add_task(struct hpm_survey *survey, struct hpm_survey_machine *machine,
         struct hpm_slice task)
{
    reset(machine, TASK);
    while (task.n > 0) {
        size_t n = add_thread(survey, machine, task);

        task.rows += n;
        task.n -= n;
    }
    pass_up(machine, TASK, 1);
}

/* The one machine of all rows, or NULL. */
static struct hpm_survey_machine *
find_machine(const struct hpm_survey *survey, struct hpm_slice slice)
{
    const struct hpm_study *study = survey->study;
    uint32_t machine =
        survey->machine_of[hpm_study_place_of(study, slice.rows[0])->task];

    for (size_t i = 1; i < slice.n; i++) {
        if (survey
                ->machine_of[hpm_study_place_of(study, slice.rows[i])->task] !=
            machine)
            return NULL;
    }
    return &survey->machines[machine];
}

static void
find_metrics(struct hpm_survey *survey, struct hpm_survey_machine *machine,
             size_t subject, struct hpm_slice all)
{
    const struct hpm_subject *here = &survey->subjects[subject];
    bool has_one = here->n_threads == 1;
    const struct hpm_extent extent = {.is_row = has_one, .is_whole = has_one};
    bool are_twice = hpm_figures_are_twice(survey, all);
    struct hpm_figure *figures = survey->figures[ALL];

    reset(machine, ALL);
    for (struct hpm_slice rest = all; rest.n > 0;) {
        struct hpm_slice task = {rest.rows, count_task(survey->study, rest)};

        add_task(survey, machine, task);
        rest.rows += task.n;
        rest.n -= task.n;
    }
    for (int i = 0; i < 2; i++)
        hpm_sum_end(&machine->sums[ALL][i], &machine->studymetrics, are_twice);
    hpm_metricfigures_derive(survey, machine, ALL,
                             survey->study->sections[here->section].scope,
                             extent, figures);
    hpm_figures_take_recorded(survey, all, figures);
}

static void
find_all(struct hpm_survey *survey, struct hpm_survey_machine *machine,
         size_t subject, struct hpm_slice all)
{
    hpm_figures_count(survey, all, survey->figures[ALL]);
    if (!survey->options.is_brief)
        find_metrics(survey, machine, subject, all);
}

/* The survey has room for the rows of any one subject; these may be of several. */
const struct hpm_figure *
hpm_rowstotal_find(struct hpm_survey *survey, size_t subject,
                   const uint32_t *rows, size_t n)
{
    struct hpm_slice all = {rows, n};
    struct hpm_operand *before = survey->inputs, *room = NULL;
    struct hpm_survey_machine *machine;

    if (n == 0 || (machine = find_machine(survey, all)) == NULL)
        return NULL;
    if (n > survey->subjects[subject].count) {
        room = hpm_memory_new(n + 1, sizeof *room);
        if (room == NULL)
            return NULL;
        survey->inputs = room;
    }
    find_all(survey, machine, subject, all);
    survey->inputs = before;
    hpm_memory_free(room);
    return survey->figures[ALL];
}
