/* SPDX-License-Identifier: BSD-3-Clause
 * Memory for the figures of a survey. */
#include "host/memory.h"
#include "study/columns/combine.h"
#include "study/survey/steps.h"

/* Prepare the totals over all records; they are computed when first needed. */
static bool
make_room_for_wholes(struct hpm_survey_machine *machine, struct hpm_error *err)
{
    const struct hpm_metrics *metrics = machine->library.metrics;

    for (int i = 0; i < 4; i++) {
        struct hpm_survey_whole *whole = &machine->wholes[i / 2][i % 2];

        whole->values =
            hpm_memory_new(metrics->n_metrics + 1, sizeof *whole->values);
        if (whole->values == NULL)
            return hpm_error_no_memory(err);
        if (!hpm_sum_init(&whole->counts, &machine->studymetrics, err))
            return false;
        hpm_metrics_evaluate(metrics, whole->counts.tallies, NULL,
                             whole->values);
    }
    return true;
}

static bool
make_machine_room(struct hpm_survey_machine *machine, struct hpm_error *err)
{
    size_t n = machine->library.metrics->n_metrics;

    machine->has_part = hpm_memory_new(n + 1, sizeof *machine->has_part);
    machine->hints_row = hpm_memory_new(n + 1, sizeof(bool));
    machine->hints_whole = hpm_memory_new(n + 1, sizeof(bool));
    if (machine->has_part == NULL || machine->hints_row == NULL ||
        machine->hints_whole == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        bool is_of_run = machine->library.metrics->metrics[i].is_of_run;

        machine->hints_row[i] = machine->possible.is_possible[i] && !is_of_run;
        machine->has_of_run |= is_of_run;
    }
    for (int i = 0; i < 2; i++) {
        if (!hpm_ranking_init(&machine->rankings[i], machine->library.metrics,
                              (enum hpm_precision)i, err))
            return false;
        machine->values[i] = hpm_memory_new(n + 1, sizeof *machine->values[i]);
        if (machine->values[i] == NULL)
            return hpm_error_no_memory(err);
        for (int level = 0; level < HPM_SURVEY_LEVELS; level++) {
            if (!hpm_sum_init(&machine->sums[level][i], &machine->studymetrics,
                              err))
                return false;
        }
    }
    for (int i = 0; i < 2; i++) {
        hpm_metrics_evaluate(machine->library.metrics,
                             machine->sums[0][i].tallies, NULL,
                             machine->values[i]);
    }
    return make_room_for_wholes(machine, err);
}

bool
hpm_survey_make_room(struct hpm_survey *survey, struct hpm_error *err)
{
    size_t most = 0, n = survey->n_quantities + 1;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (survey->subjects[i].count > most)
            most = survey->subjects[i].count;
    }
    survey->inputs = hpm_memory_new(most + 1, sizeof *survey->inputs);
    survey->longest = hpm_arena_new(&survey->arena, HPM_SURVEY_LEVELS * n,
                                    sizeof *survey->longest);
    survey->verdicts = hpm_arena_new(&survey->arena, HPM_SURVEY_LEVELS * n,
                                     sizeof *survey->verdicts);
    survey->worst = hpm_arena_new(&survey->arena, n, sizeof *survey->worst);
    if (survey->inputs == NULL || survey->longest == NULL ||
        survey->verdicts == NULL || survey->worst == NULL)
        return hpm_error_no_memory(err);
    for (int i = 0; i < HPM_SURVEY_LEVELS; i++) {
        survey->figures[i] =
            hpm_arena_new(&survey->arena, n, sizeof *survey->figures[i]);
        if (survey->figures[i] == NULL)
            return hpm_error_no_memory(err);
    }
    for (size_t i = 0; i < survey->n_machines; i++) {
        if (!make_machine_room(&survey->machines[i], err))
            return false;
    }
    return true;
}
