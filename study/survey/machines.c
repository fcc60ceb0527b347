/* SPDX-License-Identifier: BSD-3-Clause
 * Which definitions of metrics apply to which tasks of a study. */
#include <stdlib.h>
#include <string.h>

#include "base/mark.h"
#include "host/memory.h"
#include "metric/language/definitions.h"
#include "study/columns/family.h"
#include "study/metric/definednames.h"
#include "study/survey/steps.h"

static void
close_machine(struct hpm_survey_machine *machine)
{
    for (int i = 0; i < 2; i++) {
        hpm_sum_clear(&machine->sums[0][i]);
        hpm_sum_clear(&machine->sums[1][i]);
        hpm_sum_clear(&machine->sums[2][i]);
        hpm_memory_free(machine->values[i]);
        for (int scope = 0; scope < 2; scope++) {
            hpm_sum_clear(&machine->wholes[scope][i].counts);
            hpm_memory_free(machine->wholes[scope][i].values);
        }
    }
    hpm_memory_free(machine->has_part);
    hpm_memory_free(machine->hints_row);
    hpm_memory_free(machine->hints_whole);
    hpm_ranking_clear(&machine->rankings[0]);
    hpm_ranking_clear(&machine->rankings[1]);
    hpm_possible_clear(&machine->possible);
    hpm_studymetrics_clear(&machine->studymetrics);
    hpm_library_close(&machine->library);
}

void
hpm_survey_close_machines(struct hpm_survey *survey)
{
    for (size_t i = 0; i < survey->n_machines; i++)
        close_machine(&survey->machines[i]);
    hpm_memory_free(survey->machines);
    survey->machines = NULL;
}

static bool
open_machine(const struct hpm_survey *survey,
             struct hpm_survey_machine *machine, const char *pmu,
             struct hpm_error *err)
{
    struct hpm_task task = {.machine = {.pmu = pmu, .facts = machine->facts}};
    struct hpm_platform platform = hpm_studymetrics_platform(&task);

    machine->pmu = pmu;
    return hpm_library_open(&machine->library, survey->options.paths, &platform,
                            err) &&
           hpm_studymetrics_init(&machine->studymetrics,
                                 machine->library.metrics, survey->study,
                                 err) &&
           hpm_possible_init(&machine->possible, machine->library.metrics,
                             machine->studymetrics.live,
                             machine->studymetrics.n_live, err);
}

/* ---- guessing -------------------------------------------------------- */

/* Is this a column that every record has: Count, IncSec, ExcSec? */
static bool
is_built_in(const char *column)
{
    return strcmp(column, "Count") == 0 || strcmp(column, "IncSec") == 0 ||
           strcmp(column, "ExcSec") == 0;
}

/* Is this a counter, of which definitions may know the name? */
static bool
is_asked(const struct hpm_column *column)
{
    return column->kind != HPM_COLUMN_METRIC && !is_built_in(column->name);
}

/* How many of the counted names the definitions use; *ret_n is how many names
 * there are. */
static size_t
count_known(const struct hpm_survey_machine *machine,
            const struct hpm_study *study, size_t *ret_n)
{
    const struct hpm_studymetrics *studymetrics = &machine->studymetrics;
    size_t n_known = 0;

    *ret_n = 0;
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const struct hpm_column *column = &study->columns[i];
        bool is_known = false;

        if (!is_asked(column))
            continue;
        for (size_t j = 0; j < studymetrics->n_columns && !is_known; j++)
            is_known = studymetrics->columns[j].column == i;
        n_known += is_known;
        ++*ret_n;
    }
    return n_known;
}

static bool
knows_all(const struct hpm_survey_machine *machine,
          const struct hpm_study *study)
{
    size_t n;

    return count_known(machine, study, &n) == n;
}

static int
compare_texts(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The different PMU names of the definitions; ends with NULL. */
static const char **
list_pmus(struct hpm_survey *survey, const struct hpm_spec *spec)
{
    const char **pmus =
        hpm_arena_new(&survey->arena, spec->n_pmus + 1, sizeof *pmus);
    size_t n = 0;

    for (size_t i = 0; i < spec->n_pmus && pmus != NULL; i++) {
        const char *name = hpm_spec_text(spec, spec->pmus[i]);
        char *copy = hpm_arena_new(&survey->arena, strlen(name) + 1, 1);

        if (copy == NULL)
            return NULL;
        pmus[i] = strcpy(copy, name);
    }
    if (pmus == NULL)
        return NULL;
    qsort(pmus, spec->n_pmus, sizeof *pmus, compare_texts);
    for (size_t i = 0; i < spec->n_pmus; i++) {
        if (i == 0 || strcmp(pmus[i], pmus[n - 1]) != 0)
            pmus[n++] = pmus[i];
    }
    pmus[n] = NULL;
    return pmus;
}

/* The PMUs whose definitions may be those of a study; `pmus` ends with NULL, and is
 * NULL for none. */
struct candidates {
    const char **pmus;
    size_t n_defined; /* counted names that any definition may have */
    size_t n;         /* counted names */
};

static void
count_defined(struct candidates *candidates,
              const struct hpm_definednames *names,
              const struct hpm_study *study)
{
    for (uint32_t i = 0; i < study->n_columns; i++) {
        const struct hpm_column *column = &study->columns[i];

        if (!is_asked(column))
            continue;
        candidates->n++;
        candidates->n_defined += hpm_definednames_may_have(names, column->name);
    }
}

/* The PMU names of all definitions.  False when there is no memory. */
static bool
find_candidates(struct hpm_survey *survey, struct candidates *ret_candidates,
                struct hpm_error *err)
{
    struct hpm_spec *spec = hpm_spec_new();
    struct hpm_definednames names = {0};
    bool is_good;

    *ret_candidates = (struct candidates){NULL, 0, 0};
    if (spec == NULL)
        return hpm_error_no_memory(err);
    is_good = hpm_definitions_read(spec, survey->options.paths, err);
    if (is_good) {
        ret_candidates->pmus = list_pmus(survey, spec);
        is_good =
            ret_candidates->pmus != NULL && hpm_definednames_add(&names, spec);
        if (is_good)
            count_defined(ret_candidates, &names, survey->study);
        else
            hpm_error_no_memory(err);
    }
    hpm_definednames_clear(&names);
    hpm_spec_free(spec);
    return is_good;
}

/* The file does not say which processor counted: take the first PMU whose
 * definitions know all names, if there is one.  Opening those of all PMUs takes ten
 * times as long as the rest of a small report: not for names that none has. */
static bool
guess_pmu(struct hpm_survey *survey, struct hpm_survey_machine *machine,
          struct hpm_error *err)
{
    struct candidates candidates;

    if (!find_candidates(survey, &candidates, err))
        return false;
    if (candidates.n_defined < candidates.n)
        return true;
    for (const char **pmu = candidates.pmus; *pmu != NULL; pmu++) {
        struct hpm_survey_machine other = {.facts = machine->facts,
                                           .is_guessed = true};
        bool is_good = open_machine(survey, &other, *pmu, err);

        if (is_good && knows_all(&other, survey->study)) {
            close_machine(machine);
            *machine = other;
            return true;
        }
        close_machine(&other);
        if (!is_good)
            return false;
    }
    return true;
}

/* ---- counters of another processor ----------------------------------- */

/* The PMU whose definitions use most names; NULL where it uses at most half of
 * them. */
static bool
find_best_pmu(struct hpm_survey *survey, const struct hpm_survey_machine *here,
              const char **ret_pmu, size_t *ret_n_known, struct hpm_error *err)
{
    struct candidates candidates;

    *ret_pmu = NULL;
    if (!find_candidates(survey, &candidates, err))
        return false;
    if (2 * candidates.n_defined <= candidates.n)
        return true;
    for (const char **pmu = candidates.pmus; *pmu != NULL; pmu++) {
        struct hpm_survey_machine other = {.facts = here->facts};
        bool is_good = open_machine(survey, &other, *pmu, err);
        size_t n = 0, n_known = 0;

        if (is_good)
            n_known = count_known(&other, survey->study, &n);
        close_machine(&other);
        if (!is_good)
            return false;
        if (2 * n_known > n && (*ret_pmu == NULL || n_known > *ret_n_known)) {
            *ret_pmu = *pmu;
            *ret_n_known = n_known;
        }
    }
    return true;
}

/* Counts may come from another machine, in a replay.  Where the definitions use
 * almost none of the counted names, suggest the PMU whose definitions do. */
static bool
suggest_arch(struct hpm_survey *survey, struct hpm_error *err)
{
    const struct hpm_survey_machine *machine = survey->machines;
    size_t n, n_best = 0, n_known;
    const char *best;

    if (survey->n_machines != 1 || survey->options.pmu != NULL ||
        survey->options.part > 0)
        return true;
    n_known = count_known(machine, survey->study, &n);
    if (n < 2 || 4 * n_known > n)
        return true;
    if (!find_best_pmu(survey, machine, &best, &n_best, err))
        return false;
    if (best != NULL)
        hpm_string_add_format(
            &survey->suggestion,
            N_("of these %zu counters the metrics of %s use %zu, those of %s "
               "%zu: "
               "if they were counted there, 'hpm report --arch %s' has them"),
            n, machine->pmu != NULL ? machine->pmu : N_("an unknown processor"),
            n_known, best, n_best, best);
    return true;
}

/* ---- per task -------------------------------------------------------- */

static bool
add_machine(struct hpm_survey *survey, const struct hpm_task *task,
            const char *pmu, struct hpm_error *err)
{
    bool has_none = task->machine.counters != NULL &&
                    strcmp(task->machine.counters, "software only") == 0;
    struct hpm_survey_machine *machine;

    if (!hpm_memory_grow(&survey->machines, &survey->machines_capacity,
                         survey->n_machines + 1, sizeof *survey->machines))
        return hpm_error_no_memory(err);
    machine = &survey->machines[survey->n_machines++];
    *machine = (struct hpm_survey_machine){.facts = task->machine.facts};
    if (!open_machine(survey, machine, pmu, err))
        return false;
    if (pmu == NULL && !has_none && !knows_all(machine, survey->study) &&
        !guess_pmu(survey, machine, err))
        return false;
    return true;
}

/* Problems of definitions are the same for all machines: take the first
 * machine's. */
static bool
take_complaints(struct hpm_survey *survey, struct hpm_error *err)
{
    if (survey->n_machines > 0)
        hpm_string_add(
            &survey->complaints,
            hpm_string_text(&survey->machines[0].library.spec->complaints));
    if (survey->suggestion.length > 0)
        hpm_string_add_format(&survey->complaints, "%s\n",
                              survey->suggestion.text);
    return (!survey->complaints.failed && !survey->suggestion.failed) ||
           hpm_error_no_memory(err);
}

static bool
find_parents(struct hpm_survey *survey)
{
    size_t n = survey->study->n_tasks;

    if (!hpm_family_has_child(survey->study))
        return true;
    survey->parents = hpm_arena_new(&survey->arena, n, sizeof(uint32_t));
    survey->stamps = hpm_arena_new(&survey->arena, n, sizeof(uint32_t));
    if (survey->parents == NULL || survey->stamps == NULL)
        return false;
    hpm_family_find_parents(survey->study, survey->parents);
    return true;
}

bool
hpm_survey_find_machines(struct hpm_survey *survey, struct hpm_error *err)
{
    const struct hpm_study *study = survey->study;
    const char **pmus =
        hpm_arena_new(&survey->arena, study->n_tasks + 1, sizeof *pmus);

    survey->machine_of =
        hpm_arena_new(&survey->arena, study->n_tasks + 1, sizeof(uint32_t));
    if (pmus == NULL || survey->machine_of == NULL || !find_parents(survey))
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < study->n_tasks; i++) {
        const struct hpm_task *task = &study->tasks[i];
        const char *pmu = survey->options.pmu != NULL ? survey->options.pmu
                                                      : task->machine.pmu;
        uint32_t j = 0;

        while (j < survey->n_machines &&
               !(hpm_string_compare(pmus[j], pmu) == 0 &&
                 hpm_string_compare(survey->machines[j].facts,
                                    task->machine.facts) == 0))
            j++;
        if (j == survey->n_machines) {
            pmus[j] = pmu;
            if (!add_machine(survey, task, pmu, err))
                return false;
        }
        survey->machine_of[i] = j;
    }
    survey->shares_nodes = hpm_study_shares_nodes(study);
    return suggest_arch(survey, err) && take_complaints(survey, err);
}
