/* SPDX-License-Identifier: BSD-3-Clause
 * The entries of a subject: walk over its threads, its tasks, and the whole. */
#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/survey/metricfigures.h"
#include "study/survey/steps.h"
#include "study/survey/summaryspread.h"

enum { THREAD, TASK, ALL };

/* A walk over one subject. */
struct walk {
    struct hpm_survey *survey;
    const struct hpm_subject *subject;
    int scope;
    struct hpm_entry *entries; /* by quantity, or NULL */
    hpm_survey_visit *visits[2];
    void *owner;
    struct hpm_ranking (*rankings)[2];  /* by machine: for threads; or NULL */
    struct hpm_survey_machine *machine; /* of all tasks so far, if it is one */
    bool has_several_machines;
    struct hpm_longest *longest; /* by level and quantity, for times */
    size_t n_threads;            /* walked so far */
};

static bool
is_time(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_EXCLUSIVE ||
           quantity->kind == HPM_QUANTITY_INCLUSIVE;
}

static void
keep_longer(struct hpm_longest *longest, int side, struct hpm_number number,
            const struct hpm_figure *figure, size_t thread)
{
    if (hpm_number_compare(number, longest->times[side]) <= 0)
        return;
    longest->times[side] = number;
    longest->threads[side] = thread;
    longest->figure = *figure;
}

/* ---- times ----------------------------------------------------------- */

/* Take the runs and their spread from the longest thread; in a difference only
 * where the same thread is longest on both sides. */
static void
take_runs(const struct walk *walk, struct hpm_figure *figure,
          const struct hpm_longest *longest)
{
    bool is_known = !hpm_survey_is_difference(walk->survey) ||
                    longest->threads[0] == longest->threads[1];
    struct hpm_figure none = {.runs = longest->figure.runs};
    const struct hpm_figure *from = is_known ? &longest->figure : &none;

    figure->runs = from->runs;
    figure->run_dev = from->run_dev;
    figure->run_min = from->run_min;
    figure->run_max = from->run_max;
    figure->is_run_bound = from->is_run_bound;
}

/* The mean of one thread, where a record is of several threads. */
static struct hpm_number
mean_of(struct hpm_number number, size_t n_threads)
{
    bool is_seconds = number.kind == HPM_NUMBER_SECONDS ||
                      number.kind == HPM_NUMBER_MINUS_SECONDS;

    if (n_threads == 1)
        return number;
    if (!is_seconds)
        return hpm_number_real(hpm_number_to_real(number) / (double)n_threads);
    number.amount = (number.amount + n_threads / 2) / n_threads;
    return number;
}

/* Threads run at the same time: the time of a task, and of the whole, is that
 * of the longest thread, even where some threads have no time. */
static void
set_times(const struct walk *walk, int level, struct hpm_figure *figures)
{
    const struct hpm_survey *survey = walk->survey;

    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];
        const struct hpm_longest *longest =
            &walk->longest[(size_t)level * survey->n_quantities + i];

        if (!is_time(&survey->quantities[i]) || !figures[i].is_present ||
            longest->times[0].kind == HPM_NUMBER_NONE)
            continue;
        if (figures[i].value.kind == HPM_NUMBER_NONE) {
            figures[i].is_partial = true;
            figures[i].state = HPM_STATE_COUNTED;
            figures[i].reason = NULL;
        }
        take_runs(walk, &figures[i], longest);
        if (longest->n_folded > 0) {
            figures[i].is_partial = true;
            figures[i].n_folded = longest->n_folded;
        }
        if (hpm_survey_is_difference(survey)) {
            figures[i].base = longest->times[0];
            figures[i].value =
                hpm_number_subtract(longest->times[1], longest->times[0]);
        } else {
            figures[i].value = longest->times[0];
        }
    }
}

/* The time that a thread adds.  An inclusive time that is missing
 * (HPM_ONLY_EXCLUSIVE) is at least the exclusive time. */
static const struct hpm_figure *
time_of(const struct hpm_survey *survey, const struct hpm_figure *figures,
        size_t quantity)
{
    size_t own = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);

    if (survey->quantities[quantity].kind == HPM_QUANTITY_INCLUSIVE &&
        !figures[quantity].is_present && own != HPM_NO_QUANTITY)
        return &figures[own];
    return &figures[quantity];
}

/* The time of one of several threads: of a summary the longest one, else their
 * mean. */
static struct hpm_number
time_of_several(const struct walk *walk, size_t quantity,
                struct hpm_slice thread, struct hpm_number sum,
                size_t n_threads, size_t *ret_n_folded)
{
    const struct hpm_study_spread *spread = NULL;

    *ret_n_folded = 0;
    if (n_threads == 1)
        return sum;
    spread =
        hpm_summaryspread_find(walk->survey, quantity, thread.rows, thread.n);
    if (spread == NULL) {
        *ret_n_folded = n_threads;
        return mean_of(sum, n_threads);
    }
    if (spread->n.amount < n_threads)
        *ret_n_folded = n_threads - (size_t)spread->n.amount;
    return spread->high.value;
}

static void
note_times(struct walk *walk, const struct hpm_figure *figures,
           struct hpm_slice rows, size_t n_threads)
{
    const struct hpm_survey *survey = walk->survey;
    size_t thread = walk->n_threads++;

    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];
        const struct hpm_figure *figure = time_of(survey, figures, i);

        for (int level = TASK; level <= ALL && is_time(&survey->quantities[i]);
             level++) {
            struct hpm_longest *longest =
                &walk->longest[(size_t)level * survey->n_quantities + i];

            size_t n_folded;
            struct hpm_number time = time_of_several(
                walk, i, rows, figure->value, n_threads, &n_folded);

            if (figure->is_present)
                longest->n_folded += n_folded;
            if (hpm_survey_is_difference(survey)) {
                keep_longer(longest, 0, mean_of(figure->base, n_threads),
                            figure, thread);
                keep_longer(longest, 1,
                            mean_of(hpm_number_sum(figure->base, figure->value),
                                    n_threads),
                            figure, thread);
            } else {
                keep_longer(longest, 0, time, figure, thread);
            }
        }
    }
}

/* Only live quantities have been noted. */
static void
forget_times(const struct walk *walk, int level)
{
    const struct hpm_survey *survey = walk->survey;
    struct hpm_longest *longest =
        walk->longest + (size_t)level * survey->n_quantities;

    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];

        if (is_time(&survey->quantities[i]))
            longest[i] = (struct hpm_longest){0};
    }
}

/* ---- verdicts -------------------------------------------------------- */

/* The counts of verdicts of a level, by quantity and precision. */
static struct hpm_rows (*verdicts_of(const struct hpm_survey *survey,
                                     int level))[2]
{
    return survey->verdicts + (size_t)level * survey->n_quantities;
}

static void
forget_verdicts(struct hpm_survey *survey, int level)
{
    memset(verdicts_of(survey, level), 0,
           survey->n_quantities * sizeof *survey->verdicts);
}

static void
forget_worst(struct hpm_survey *survey)
{
    memset(survey->worst, 0, survey->n_quantities * sizeof *survey->worst);
}

/* Keep the worst row; a row without limits does not count. */
static void
add_worst(struct hpm_worst worst[2], const struct hpm_figure *figure,
          uint32_t who)
{
    for (int j = 0; j < 2; j++) {
        if (figure->has_limits[j])
            hpm_worst_add(&worst[j], figure->verdicts[j], figure->excess[j],
                          hpm_number_to_real(figure->value), who);
    }
}

/* Note the verdict of a thread or process, for itself, its task and the
 * whole. */
static void
note_verdicts(struct hpm_survey *survey, size_t quantity, uint32_t place)
{
    struct hpm_figure *figure = &survey->figures[THREAD][quantity];

    add_worst(survey->worst[quantity], figure, place);
    for (int j = 0; j < 2; j++) {
        figure->rows[j] = (struct hpm_rows){0};
        for (int level = THREAD; level <= ALL; level++)
            hpm_rows_add(level == THREAD
                             ? &figure->rows[j]
                             : &verdicts_of(survey, level)[quantity][j],
                         figure->verdicts[j], figure->doubt);
    }
}

/* Most limits hold for one thread or process: then several of them have the
 * verdict of the worst, not that of their total value.  Limits of metrics of
 * the run hold for the total. */
static void
settle_verdicts(struct hpm_survey *survey, int level, size_t quantity)
{
    struct hpm_figure *figure = &survey->figures[level][quantity];
    const struct hpm_rows *rows = verdicts_of(survey, level)[quantity];

    for (int j = 0; j < 2; j++) {
        if (figure->is_of_run && figure->verdicts[j] != HPM_VERDICT_NONE) {
            figure->rows[j] = (struct hpm_rows){0};
            hpm_rows_add(&figure->rows[j], figure->verdicts[j], figure->doubt);
        } else {
            figure->rows[j] = rows[j];
            figure->verdicts[j] = hpm_rows_verdict(&rows[j]);
        }
    }
    if (!figure->is_of_run && rows[0].n_judged + rows[1].n_judged == 0 &&
        rows[0].doubt > figure->doubt)
        figure->doubt = rows[0].doubt;
}

static void
set_verdicts(struct hpm_survey *survey, int level, uint32_t place)
{
    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];

        if (level == THREAD)
            note_verdicts(survey, i, place);
        else
            settle_verdicts(survey, level, i);
        hpm_figure_judge(&survey->figures[level][i], survey->options.precision);
    }
}

/* ---- levels ---------------------------------------------------------- */

static void
reset_sums(struct hpm_survey_machine *machine, int level)
{
    if (machine == NULL)
        return;
    hpm_sum_reset(&machine->sums[level][0]);
    hpm_sum_reset(&machine->sums[level][1]);
}

static void
pass_up(struct hpm_survey_machine *machine, int level, size_t n_threads)
{
    for (int i = 0; i < 2 && machine != NULL; i++)
        hpm_sum_add_sum(&machine->sums[level + 1][i], &machine->studymetrics,
                        &machine->sums[level][i], n_threads);
}

/* In a summary the longest time of its threads is known. */
static void
know_longest(const struct walk *walk, struct hpm_survey_machine *machine,
             struct hpm_slice slice, size_t n_threads)
{
    static const enum hpm_quantity_kind kinds[] = {HPM_QUANTITY_INCLUSIVE,
                                                   HPM_QUANTITY_EXCLUSIVE};

    for (int i = 0; i < 2; i++) {
        double longest = hpm_summaryspread_longest(walk->survey, kinds[i],
                                                   slice.rows, slice.n);

        if (!isnan(longest))
            hpm_sum_know_longest(&machine->sums[THREAD][i],
                                 &machine->studymetrics, longest, n_threads);
    }
}

static void
add_rows(const struct walk *walk, struct hpm_survey_machine *machine,
         struct hpm_slice slice, size_t n_threads)
{
    bool is_diff = hpm_survey_is_difference(walk->survey);

    reset_sums(machine, THREAD);
    for (size_t i = 0; i < slice.n && machine != NULL; i++) {
        hpm_sum_add_row(&machine->sums[THREAD][0], &machine->studymetrics,
                        slice.rows[i], HPM_SPAN_INCLUSIVE,
                        is_diff ? HPM_STUDYMETRICS_A : HPM_STUDYMETRICS_VALUE);
        hpm_sum_add_row(&machine->sums[THREAD][1], &machine->studymetrics,
                        slice.rows[i],
                        is_diff ? HPM_SPAN_INCLUSIVE : HPM_SPAN_EXCLUSIVE,
                        is_diff ? HPM_STUDYMETRICS_B : HPM_STUDYMETRICS_VALUE);
    }
    if (machine != NULL && n_threads > 1 && walk->survey->study->n_spreads > 0)
        know_longest(walk, machine, slice, n_threads);
    pass_up(machine, THREAD, n_threads);
}

/* The number of threads of the rows.  A record with "threads" is of several;
 * each of these threads may be in several records. */
static size_t
threads_of(const struct walk *walk, struct hpm_slice thread)
{
    size_t most = 1;

    for (size_t i = 0; i < thread.n; i++) {
        size_t n = hpm_study_n_threads(walk->survey->study, thread.rows[i]);

        if (n > most)
            most = n;
    }
    return most;
}

/* A record of several threads is no row: limits are of one thread. */
static struct hpm_extent
extent_of(const struct walk *walk, int level, struct hpm_slice slice)
{
    bool has_one = walk->subject->n_threads == 1;
    bool is_row = level == THREAD && threads_of(walk, slice) == 1;

    return (struct hpm_extent){.is_row = is_row || has_one,
                               .is_whole = level == ALL || has_one};
}

static void
find_figures(const struct walk *walk, struct hpm_survey_machine *machine,
             int level, struct hpm_slice slice)
{
    struct hpm_figure *figures = walk->survey->figures[level];
    bool are_twice;

    hpm_figures_count(walk->survey, slice, figures);
    if (machine == NULL)
        return;
    are_twice = hpm_figures_are_twice(walk->survey, slice);
    for (int i = 0; i < 2; i++) {
        hpm_sum_end(&machine->sums[level][i], &machine->studymetrics,
                    are_twice);
    }
    hpm_metricfigures_derive(walk->survey, machine, machine->sums[level],
                             walk->scope, extent_of(walk, level, slice),
                             figures);
    hpm_figures_take_recorded(walk->survey, slice, figures);
}

/* A task with one thread has the same figures as the thread. */
static void
copy_figures(const struct hpm_survey *survey, int from, int to)
{
    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];

        survey->figures[to][i] = survey->figures[from][i];
    }
}

static void
finish(struct walk *walk, struct hpm_survey_machine *machine, int level,
       struct hpm_slice slice, bool is_same)
{
    struct hpm_figure *figures = walk->survey->figures[level];

    if (is_same)
        copy_figures(walk->survey, level - 1, level);
    else
        find_figures(walk, machine, level, slice);
    set_verdicts(walk->survey, level,
                 hpm_study_row(walk->survey->study, slice.rows[0])->place);
    if (level != THREAD)
        set_times(walk, level, figures);
    if (level < ALL && walk->visits[level] != NULL)
        walk->visits[level](walk->owner, slice.rows[0], figures);
}

/* Does each thread add to the total?  Yes, except in ratios and recorded
 * metrics. */
static bool
is_amount(const struct hpm_survey *survey,
          const struct hpm_survey_machine *machine, size_t quantity)
{
    const struct hpm_quantity *here = &survey->quantities[quantity];
    size_t metric;

    if (here->kind != HPM_QUANTITY_METRIC)
        return here->kind != HPM_QUANTITY_RECORDED;
    metric = here->metrics[machine - survey->machines];
    return metric != HPM_NO_METRIC &&
           !machine->library.metrics->metrics[metric].is_ratio;
}

/* As numbers, because a count may have more digits than a double. */
static void
note_extremes(struct hpm_entry *entry, int which, struct hpm_number number)
{
    struct hpm_number *least = &entry->least[which];
    struct hpm_number *most = &entry->most[which];

    if (number.kind == HPM_NUMBER_NONE)
        return;
    if (least->kind == HPM_NUMBER_NONE ||
        hpm_number_compare(number, *least) < 0)
        *least = number;
    if (most->kind == HPM_NUMBER_NONE || hpm_number_compare(number, *most) > 0)
        *most = number;
}

/* A figure of several threads counts as their mean for each of them, if it is not
 * known how they lie.  In a summary that would be all there is: equal extremes, and
 * no deviation, of threads that nobody has compared. */
static void
summarise(const struct walk *walk, int level, struct hpm_slice rows,
          uint32_t who, size_t n_threads)
{
    const struct hpm_survey *survey = walk->survey;

    for (size_t j = 0; j < survey->n_live && walk->entries != NULL; j++) {
        size_t i = survey->live[j];
        struct hpm_summary *summary = level == THREAD
                                          ? &walk->entries[i].threads
                                          : &walk->entries[i].tasks;
        const struct hpm_figure *figure = &survey->figures[level][i];
        const struct hpm_study_spread *spread =
            level == THREAD
                ? hpm_summaryspread_find(survey, i, rows.rows, rows.n)
                : NULL;
        struct hpm_number number = figure->value;
        double value = hpm_number_to_real(number);

        walk->entries[i].is_of_row |=
            level == THREAD && figure->is_present && !figure->is_renamed;
        if (spread != NULL) {
            hpm_summaryspread_add(&walk->entries[i], spread, who);
            continue;
        }
        if (n_threads > 1 && survey->study->kind == HPM_STUDY_SUMMARY)
            continue;
        if (n_threads > 1 && is_amount(survey, walk->machine, i)) {
            value /= (double)n_threads;
            number = hpm_number_real(value);
        }
        note_extremes(&walk->entries[i], level, number);
        hpm_summary_add_many(summary, value, n_threads, who);
    }
}

/* ---- the walk -------------------------------------------------------- */

/* The rows from `from` on that belong to one thread, or to one task. */
static struct hpm_slice
next_slice(const struct walk *walk, size_t from, size_t end, int level)
{
    const struct hpm_study *study = walk->survey->study;
    const uint32_t *rows = walk->survey->rows;
    uint32_t place = hpm_study_row(study, rows[from])->place;
    size_t to = from;

    while (to < end) {
        uint32_t here = hpm_study_row(study, rows[to])->place;

        if (level == THREAD
                ? here != place
                : study->places[here].task != study->places[place].task)
            break;
        to++;
    }
    return (struct hpm_slice){rows + from, to - from};
}

/* Metrics of the run give no hints for a single row of several. */
static const bool *
hints_of_row(const struct walk *walk, const struct hpm_survey_machine *machine)
{
    return walk->subject->n_threads == 1 ? machine->possible.is_possible
                                         : machine->hints_row;
}

/* Do rows already show more exactly what is wrong than this metric? */
static bool
is_told_by_rows(const struct hpm_survey *survey,
                const struct hpm_survey_machine *machine, size_t metric)
{
    const struct hpm_metrics *metrics = machine->library.metrics;
    const struct hpm_range unless = metrics->metrics[metric].unless;
    size_t index = (size_t)(machine - survey->machines);

    for (size_t i = 0; i < survey->n_quantities; i++) {
        size_t other = survey->quantities[i].kind == HPM_QUANTITY_METRIC
                           ? survey->quantities[i].metrics[index]
                           : HPM_NO_METRIC;

        for (size_t j = 0; j < unless.count && other != HPM_NO_METRIC; j++) {
            uint32_t name = metrics->spec->terms[unless.first + j].name;

            if (metrics->metric_of[name] == other + 1 &&
                survey->figures[ALL][i].judged.n_bad > 0)
                return true;
        }
    }
    return false;
}

/* Add the hints of metrics of the run, for all rows together. */
static void
rank_whole(const struct walk *walk, struct hpm_survey_machine *machine)
{
    const struct hpm_survey *survey = walk->survey;
    const struct hpm_metrics *metrics;
    size_t quantity = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    double seconds;

    if (hpm_survey_is_difference(survey) || machine == NULL ||
        !machine->has_of_run || quantity == HPM_NO_QUANTITY ||
        walk->subject->n_threads == 1 || walk->has_several_machines)
        return;
    metrics = machine->library.metrics;
    seconds = hpm_number_to_real(survey->figures[ALL][quantity].value);
    for (size_t i = 0; i < metrics->n_metrics; i++)
        machine->hints_whole[i] = metrics->metrics[i].is_of_run &&
                                  machine->possible.is_possible[i] &&
                                  !is_told_by_rows(survey, machine, i);
    for (int i = 0; i < 2 && seconds > 0.0; i++)
        hpm_ranking_add(&machine->rankings[i], machine->values[1],
                        machine->hints_whole, seconds,
                        (size_t)(walk->subject - survey->subjects));
}

static void
rank_row(const struct walk *walk, const struct hpm_survey_machine *machine,
         struct hpm_ranking *ranking, double seconds, uint32_t place,
         size_t where)
{
    const struct hpm_study *study = walk->survey->study;

    ranking->task = study->tasks[study->places[place].task].number;
    ranking->thread = study->places[place].tid >= 0 ? study->places[place].tid
                                                    : HPM_NO_THREAD;
    hpm_ranking_add(ranking, machine->values[1], hints_of_row(walk, machine),
                    seconds, where);
    ranking->task = HPM_NO_TASK;
    ranking->thread = HPM_NO_THREAD;
}

/* Add the hints of a thread for the subject itself, without the sections
 * inside. */
static void
rank_hints(const struct walk *walk, struct hpm_survey_machine *machine,
           uint32_t place)
{
    const struct hpm_survey *survey = walk->survey;
    size_t quantity = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    double seconds;

    /* hints are about the work of a section; time outside sections has a share
     * instead */
    if (hpm_survey_is_difference(survey) || machine == NULL ||
        quantity == HPM_NO_QUANTITY ||
        (walk->rankings == NULL && walk->entries == NULL) ||
        hpm_survey_is_outside(survey,
                              (size_t)(walk->subject - survey->subjects)))
        return;
    seconds = hpm_number_to_real(survey->figures[THREAD][quantity].value);
    if (!(seconds > 0.0))
        return;
    for (int i = 0; i < 2; i++) {
        if (walk->rankings != NULL)
            rank_row(walk, machine,
                     &walk->rankings[machine - survey->machines][i], seconds,
                     place, place);
        if (walk->entries != NULL)
            rank_row(walk, machine, &machine->rankings[i], seconds, place,
                     (size_t)(walk->subject - survey->subjects));
    }
}

/* The machine of a place; NULL in a brief survey. */
static struct hpm_survey_machine *
machine_of(const struct hpm_survey *survey, uint32_t place)
{
    return survey->options.is_brief
               ? NULL
               : &survey->machines
                      [survey->machine_of[survey->study->places[place].task]];
}

static void
walk_thread(struct walk *walk, struct hpm_survey_machine *machine,
            struct hpm_slice thread, uint32_t place, size_t n_threads)
{
    add_rows(walk, machine, thread, n_threads);
    finish(walk, machine, THREAD, thread, false);
    rank_hints(walk, machine, place);
}

static void
walk_task(struct walk *walk, struct hpm_slice task)
{
    const struct hpm_study *study = walk->survey->study;
    size_t first = (size_t)(task.rows - walk->survey->rows);
    uint32_t place = hpm_study_row(study, task.rows[0])->place;
    uint32_t number = study->places[place].task;
    struct hpm_survey_machine *machine = machine_of(walk->survey, place);
    bool has_one = false;

    if (walk->machine != NULL && walk->machine != machine)
        walk->has_several_machines = true;
    if (walk->machine != machine)
        reset_sums(machine, ALL);
    walk->machine = machine;
    reset_sums(machine, TASK);
    forget_times(walk, TASK);
    forget_verdicts(walk->survey, TASK);
    for (size_t at = first; at < first + task.n;) {
        struct hpm_slice thread = next_slice(walk, at, first + task.n, THREAD);

        size_t n_threads = threads_of(walk, thread);

        place = hpm_study_row(study, thread.rows[0])->place;
        walk_thread(walk, machine, thread, place, n_threads);
        note_times(walk, walk->survey->figures[THREAD], thread, n_threads);
        summarise(walk, THREAD, thread, place, n_threads);
        has_one = thread.n == task.n && n_threads == 1;
        at += thread.n;
    }
    pass_up(machine, TASK, 1);
    finish(walk, machine, TASK, task, has_one);
    /* of the tasks of a summary nothing is known */
    if (study->kind != HPM_STUDY_SUMMARY)
        summarise(walk, TASK, task, number, 1);
}

/* Metrics of different kinds of machines are never combined, whether all kinds
 * define the metric or only some. */
static void
lose_metrics(const struct walk *walk, struct hpm_figure *figures)
{
    struct hpm_survey *survey = walk->survey;

    for (size_t i = 0; i < survey->n_quantities; i++) {
        if (survey->quantities[i].kind != HPM_QUANTITY_METRIC ||
            !(figures[i].is_present || walk->entries[i].is_of_row))
            continue;
        figures[i] = (struct hpm_figure){
            .is_present = true,
            .state = HPM_STATE_UNSUPPORTED,
            .reason = "counted by processors of several kinds",
            .part = NAN,
            .only_exclusive = NAN};
        /* but each thread or process is judged */
        settle_verdicts(survey, ALL, i);
        hpm_figure_judge(&figures[i], survey->options.precision);
    }
}

static void
walk_subject(struct walk *walk)
{
    struct hpm_survey *survey = walk->survey;
    size_t end = walk->subject->first + walk->subject->count;
    struct hpm_slice all = {survey->rows + walk->subject->first,
                            walk->subject->count};

    walk->scope = survey->study->sections[walk->subject->section].scope;
    forget_times(walk, ALL);
    forget_verdicts(survey, ALL);
    forget_worst(survey);
    for (size_t at = walk->subject->first; at < end;) {
        struct hpm_slice task = next_slice(walk, at, end, TASK);

        walk_task(walk, task);
        at += task.n;
    }
    /* a visit of tasks does not need the whole */
    if (walk->subject->count == 0 || walk->entries == NULL)
        return;
    finish(walk, walk->machine, ALL, all, false);
    rank_whole(walk, walk->machine);
    if (walk->has_several_machines)
        lose_metrics(walk, survey->figures[ALL]);
}

/* ---- entries --------------------------------------------------------- */

/* A metric of the run is judged only for the whole. */
static void
take_worst(struct hpm_entry *entry, const struct hpm_worst rows[2])
{
    memcpy(entry->worst, rows, sizeof entry->worst);
    if (entry->figure.is_of_run && !rows[0].has_limits && !rows[1].has_limits)
        add_worst(entry->worst, &entry->figure, HPM_NO_INDEX);
}

static bool
keep_entries(struct hpm_survey *survey, struct hpm_subject *subject,
             const struct hpm_entry *entries)
{
    size_t n = 0;

    for (size_t i = 0; i < survey->n_quantities; i++)
        n += survey->figures[ALL][i].is_present;
    subject->entries =
        hpm_arena_new(&survey->arena, n + 1, sizeof *subject->entries);
    if (subject->entries == NULL)
        return false;
    for (size_t i = 0; i < survey->n_quantities; i++) {
        struct hpm_entry *entry = &subject->entries[subject->n_entries];

        if (!survey->figures[ALL][i].is_present)
            continue;
        *entry = entries[i];
        entry->quantity = i;
        entry->figure = survey->figures[ALL][i];
        take_worst(entry, survey->worst[i]);
        subject->n_bad += entry->figure.judged.n_bad;
        subject->n_entries++;
    }
    return true;
}

/* ---- all subjects ---------------------------------------------------- */

bool
hpm_survey_fill(struct hpm_survey *survey, struct hpm_error *err)
{
    size_t step = survey->options.n_parts > 0 ? survey->options.n_parts : 1;
    struct hpm_entry *entries = hpm_arena_new(
        &survey->arena, survey->n_quantities + 1, sizeof *entries);

    if (entries == NULL)
        return hpm_error_no_memory(err);
    if (!hpm_survey_make_room(survey, err))
        return false;
    for (size_t i = 0; i < survey->n_quantities; i++)
        survey->quantities[i].is_hidden =
            survey->quantities[i].kind == HPM_QUANTITY_COUNTER;
    for (size_t i = survey->options.part; i < survey->n_subjects; i += step) {
        struct walk walk = {.survey = survey,
                            .subject = &survey->subjects[i],
                            .entries = entries,
                            .longest = survey->longest};

        if (survey->options.goes_on != NULL &&
            !survey->options.goes_on(survey->options.owner))
            return hpm_error_set(err, "stopped");
        memset(entries, 0, survey->n_quantities * sizeof *entries);
        walk_subject(&walk);
        if (!keep_entries(survey, &survey->subjects[i], entries))
            return hpm_error_no_memory(err);
    }
    hpm_survey_share_out(survey);
    return true;
}

/* ---- visits ---------------------------------------------------------- */

size_t
hpm_survey_visit_some(struct hpm_survey *survey, size_t subject, size_t from,
                      size_t most, hpm_survey_visit *take, void *owner,
                      struct hpm_ranking (*rankings)[2])
{
    const struct hpm_study *study = survey->study;
    const struct hpm_subject *here = &survey->subjects[subject];
    size_t at = here->first + from, end = here->first + here->count;
    struct walk walk = {.survey = survey,
                        .subject = here,
                        .scope = study->sections[here->section].scope,
                        .visits = {take, NULL},
                        .owner = owner,
                        .longest = survey->longest,
                        .rankings = rankings};

    while (at < end && at < here->first + from + most) {
        struct hpm_slice thread = next_slice(&walk, at, end, THREAD);
        uint32_t place = hpm_study_row(study, thread.rows[0])->place;

        walk_thread(&walk, machine_of(survey, place), thread, place,
                    threads_of(&walk, thread));
        at += thread.n;
    }
    return at - here->first;
}

void
hpm_survey_visit_threads(struct hpm_survey *survey, size_t subject,
                         hpm_survey_visit *take, void *owner)
{
    hpm_survey_visit_some(survey, subject, 0, SIZE_MAX / 2, take, owner, NULL);
}

void
hpm_survey_visit_tasks(struct hpm_survey *survey, size_t subject,
                       hpm_survey_visit *take, void *owner)
{
    struct walk walk = {.survey = survey,
                        .subject = &survey->subjects[subject],
                        .visits = {NULL, take},
                        .owner = owner,
                        .longest = survey->longest};

    walk_subject(&walk);
}
