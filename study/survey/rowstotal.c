/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows of a subject together. */
#include "study/survey/rowstotal.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/survey/metricfigures.h"
#include "study/survey/steps.h"

enum { THREAD, TASK, ALL, N_LEVELS };

/* Rows whose data are combined at once: these take some tenths of a
 * millisecond. */
enum { CHUNK = 128 };

/* One quantity in all rows. */
struct counting {
    size_t quantity;
    struct hpm_operand *sums; /* of chunks */
    size_t n_sums, capacity;
    struct hpm_counting counted;
    bool counts_children;
    uint32_t recorded[2]; /* of a metric: rows that have a recorded value, of
                           * which two are enough */
    size_t n_recorded;
};

struct hpm_rowstotal {
    struct hpm_survey *survey;
    struct counting *all;
    size_t n_all;
    bool has_metrics; /* one of them is a metric */
    struct hpm_figure *figures;
    struct hpm_operand inputs[CHUNK + 1];

    /* what is summed now */
    size_t subject;
    struct hpm_slice rows;
    size_t next;
    struct hpm_survey_machine *machine; /* of all rows so far, or NULL */
    struct hpm_sum sums[N_LEVELS][2];   /* of this machine; by span, in a
                                         * difference by side */
    size_t n_threads; /* that the rows of a thread stand for */
    bool are_twice, has_several_machines, lacks_memory, is_ended;
};

/* ---- making ---------------------------------------------------------- */

struct hpm_rowstotal *
hpm_rowstotal_new(struct hpm_survey *survey, const size_t *wanted,
                  size_t n_wanted)
{
    struct hpm_rowstotal *total = hpm_memory_new(1, sizeof *total);

    if (total == NULL)
        return NULL;
    total->survey = survey;
    total->all = hpm_memory_new(n_wanted + 1, sizeof *total->all);
    total->figures =
        hpm_memory_new(survey->n_quantities + 1, sizeof *total->figures);
    if (total->all == NULL || total->figures == NULL) {
        hpm_rowstotal_free(total);
        return NULL;
    }
    for (size_t i = 0; i < n_wanted; i++) {
        total->all[i].quantity = wanted[i];
        total->has_metrics |=
            survey->quantities[wanted[i]].kind == HPM_QUANTITY_METRIC;
    }
    total->n_all = n_wanted;
    return total;
}

static void
clear_sums(struct hpm_rowstotal *total)
{
    for (int level = 0; level < N_LEVELS; level++) {
        for (int i = 0; i < 2; i++)
            hpm_sum_clear(&total->sums[level][i]);
    }
    total->machine = NULL;
}

void
hpm_rowstotal_free(struct hpm_rowstotal *total)
{
    if (total == NULL)
        return;
    for (size_t i = 0; i < total->n_all; i++)
        hpm_memory_free(total->all[i].sums);
    clear_sums(total);
    hpm_memory_free(total->all);
    hpm_memory_free(total->figures);
    hpm_memory_free(total);
}

/* ---- the counts for metrics ------------------------------------------ */

static struct hpm_survey_machine *
machine_of(const struct hpm_survey *survey, uint32_t row)
{
    uint32_t task = hpm_study_place_of(survey->study, row)->task;

    return &survey->machines[survey->machine_of[task]];
}

static void
reset(struct hpm_rowstotal *total, int level)
{
    for (int i = 0; i < 2; i++)
        hpm_sum_reset(&total->sums[level][i]);
}

/* Room is made again only for another machine. */
static void
use_machine(struct hpm_rowstotal *total, struct hpm_survey_machine *machine)
{
    if (total->machine != machine) {
        clear_sums(total);
        for (int i = 0; i < 2 * N_LEVELS && !total->lacks_memory; i++)
            total->lacks_memory = !hpm_sum_init(&total->sums[i / 2][i % 2],
                                                &machine->studymetrics, NULL);
        total->machine = total->lacks_memory ? NULL : machine;
    }
    for (int level = 0; level < N_LEVELS && !total->lacks_memory; level++)
        reset(total, level);
}

static void
pass_up(struct hpm_rowstotal *total, int level, size_t n_threads)
{
    for (int i = 0; i < 2; i++)
        hpm_sum_add_sum(&total->sums[level + 1][i],
                        &total->machine->studymetrics, &total->sums[level][i],
                        n_threads);
    reset(total, level);
}

/* The row before was the last of a thread, or of a task. */
static void
end_place(struct hpm_rowstotal *total, bool is_task)
{
    pass_up(total, THREAD, total->n_threads);
    if (is_task)
        pass_up(total, TASK, 1);
    total->n_threads = 1;
}

/* The same spans and sides as of a whole subject (entries.c). */
static void
add_row(struct hpm_rowstotal *total, uint32_t row)
{
    const struct hpm_studymetrics *studymetrics = &total->machine->studymetrics;
    bool is_diff = hpm_survey_is_difference(total->survey);
    size_t n_threads = hpm_study_n_threads(total->survey->study, row);

    hpm_sum_add_row(&total->sums[THREAD][0], studymetrics, row,
                    HPM_SPAN_INCLUSIVE,
                    is_diff ? HPM_STUDYMETRICS_A : HPM_STUDYMETRICS_VALUE);
    hpm_sum_add_row(&total->sums[THREAD][1], studymetrics, row,
                    is_diff ? HPM_SPAN_INCLUSIVE : HPM_SPAN_EXCLUSIVE,
                    is_diff ? HPM_STUDYMETRICS_B : HPM_STUDYMETRICS_VALUE);
    if (n_threads > total->n_threads)
        total->n_threads = n_threads;
}

static void
add_to_sums(struct hpm_rowstotal *total, size_t index)
{
    const struct hpm_study *study = total->survey->study;
    uint32_t row = total->rows.rows[index];
    const struct hpm_study_place *here = hpm_study_place_of(study, row);

    if (index > 0) {
        const struct hpm_study_place *before =
            hpm_study_place_of(study, total->rows.rows[index - 1]);

        if (here->task != before->task &&
            machine_of(total->survey, row) != total->machine) {
            total->has_several_machines = true;
            return;
        }
        if (here != before)
            end_place(total, here->task != before->task);
    }
    add_row(total, row);
}

/* ---- counters and times ---------------------------------------------- */

/* Keep the sum of n data in total->inputs. */
static void
keep_sum(struct hpm_rowstotal *total, struct counting *counting, size_t n)
{
    struct hpm_operand *sum;

    if (!hpm_memory_grow(&counting->sums, &counting->capacity,
                         counting->n_sums + 1, sizeof *sum)) {
        total->lacks_memory = true;
        return;
    }
    sum = &counting->sums[counting->n_sums++];
    *sum = (struct hpm_operand){0};
    for (size_t i = 0; i < n; i++)
        sum->n_calls += total->inputs[i].n_calls;
    hpm_combine_sum(total->inputs, n, &sum->datum);
}

/* With the row before the chunk: values of it and of the first may include the same
 * events. */
static void
find_same(const struct hpm_rowstotal *total, struct counting *counting,
          struct hpm_slice chunk)
{
    if (total->next > 0) {
        chunk.rows--;
        chunk.n++;
    }
    if (counting->counted.same == NULL)
        counting->counted.same = hpm_figures_find_same(
            total->survey, &total->survey->quantities[counting->quantity],
            chunk);
}

static void
count_chunk(struct hpm_rowstotal *total, struct counting *counting,
            struct hpm_slice chunk)
{
    struct hpm_survey *survey = total->survey;
    bool counts_children;
    size_t n =
        hpm_figures_gather(survey, counting->quantity, chunk, &counts_children);
    const struct hpm_quantity *quantity =
        &survey->quantities[counting->quantity];

    counting->counted.n_rows += chunk.n;
    counting->counts_children |= counts_children;
    find_same(total, counting, chunk);
    if (n > 0)
        keep_sum(total, counting, n);
    else if (hpm_figures_are_0_where_missing(survey, quantity))
        n = chunk.n;
    counting->counted.n_with += n;
}

/* Only a single recorded value can be taken. */
static void
note_recorded(struct hpm_rowstotal *total, struct counting *counting,
              struct hpm_slice chunk)
{
    const struct hpm_quantity *quantity =
        &total->survey->quantities[counting->quantity];
    enum hpm_state state;

    for (size_t i = 0; i < chunk.n && counting->n_recorded < 2; i++) {
        bool is_there = false;

        for (size_t j = 0; j < quantity->n_columns && !is_there; j++)
            is_there = hpm_study_get_state(total->survey->study, chunk.rows[i],
                                           quantity->columns[j], &state);
        if (is_there)
            counting->recorded[counting->n_recorded++] = chunk.rows[i];
    }
}

static bool
is_metric(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

static void
take_chunk(struct hpm_rowstotal *total, struct hpm_slice chunk)
{
    struct hpm_survey *survey = total->survey;
    struct hpm_operand *before = survey->inputs;

    survey->inputs = total->inputs;
    for (size_t i = 0; i < total->n_all; i++) {
        if (is_metric(&survey->quantities[total->all[i].quantity]))
            note_recorded(total, &total->all[i], chunk);
        else
            count_chunk(total, &total->all[i], chunk);
    }
    survey->inputs = before;
    for (size_t i = 0;
         i < chunk.n && total->has_metrics && !total->has_several_machines; i++)
        add_to_sums(total, total->next + i);
    total->next += chunk.n;
}

/* ---- all rows -------------------------------------------------------- */

void
hpm_rowstotal_begin(struct hpm_rowstotal *total, size_t subject,
                    const uint32_t *rows, size_t n)
{
    total->subject = subject;
    total->rows = (struct hpm_slice){rows, n};
    total->next = 0;
    total->n_threads = 1;
    total->has_several_machines = total->is_ended = false;
    total->lacks_memory = false;
    for (size_t i = 0; i < total->n_all; i++) {
        struct counting *counting = &total->all[i];

        counting->n_sums = counting->n_recorded = 0;
        counting->counted = (struct hpm_counting){0};
        counting->counts_children = false;
    }
    if (n == 0)
        return;
    total->are_twice = hpm_figures_are_twice(total->survey, total->rows);
    if (total->has_metrics)
        use_machine(total, machine_of(total->survey, rows[0]));
}

bool
hpm_rowstotal_work(struct hpm_rowstotal *total, size_t most)
{
    while (most > 0 && total->next < total->rows.n && !total->lacks_memory &&
           !total->has_several_machines) {
        size_t n = total->rows.n - total->next;

        n = n < most ? n : most;
        n = n < CHUNK ? n : CHUNK;
        take_chunk(total,
                   (struct hpm_slice){total->rows.rows + total->next, n});
        most -= n;
    }
    return total->next < total->rows.n && !total->lacks_memory &&
           !total->has_several_machines;
}

/* ---- the end --------------------------------------------------------- */

static void
derive_metrics(struct hpm_rowstotal *total)
{
    struct hpm_survey *survey = total->survey;
    const struct hpm_subject *here = &survey->subjects[total->subject];
    bool has_one = here->n_threads == 1;
    const struct hpm_extent extent = {.is_row = has_one, .is_whole = has_one};

    end_place(total, true);
    for (int i = 0; i < 2; i++)
        hpm_sum_end(&total->sums[ALL][i], &total->machine->studymetrics,
                    total->are_twice);
    hpm_metricfigures_derive(survey, total->machine, total->sums[ALL],
                             survey->study->sections[here->section].scope,
                             extent, total->figures);
}

static void
end_counting(struct hpm_rowstotal *total, struct counting *counting)
{
    struct hpm_survey *survey = total->survey;
    struct hpm_figure *figure = &total->figures[counting->quantity];
    struct hpm_operand *before = survey->inputs;

    counting->counted.is_twice = total->are_twice && counting->counts_children;
    survey->inputs = is_metric(&survey->quantities[counting->quantity])
                         ? total->inputs
                         : counting->sums;
    if (survey->inputs == total->inputs)
        hpm_figures_take_recorded_one(
            survey, counting->quantity,
            (struct hpm_slice){counting->recorded, counting->n_recorded},
            figure);
    else
        hpm_figures_sum(survey, counting->quantity, counting->n_sums,
                        &counting->counted, figure);
    survey->inputs = before;
}

const struct hpm_figure *
hpm_rowstotal_figures(struct hpm_rowstotal *total)
{
    if (total->rows.n == 0 || total->lacks_memory ||
        total->has_several_machines)
        return NULL;
    if (total->is_ended)
        return total->figures;
    memset(total->figures, 0,
           total->survey->n_quantities * sizeof *total->figures);
    if (total->has_metrics)
        derive_metrics(total);
    for (size_t i = 0; i < total->n_all; i++)
        end_counting(total, &total->all[i]);
    total->is_ended = true;
    return total->figures;
}
