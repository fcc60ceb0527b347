/* SPDX-License-Identifier: BSD-3-Clause
 * The figures of some rows. */
#include "study/statistics/quantile.h"
#include "study/survey/figures.h"

#include <math.h>
#include <string.h>

#include "study/columns/absence.h"
#include "study/columns/combine.h"
#include "study/columns/standarderror.h"

/* ---- what was counted ------------------------------------------------ */

/* Outermost calls, over which mean and deviation are. */
static double
calls_of(const struct hpm_survey *survey, uint32_t row)
{
    return hpm_number_to_real(
        hpm_study_outer(survey->study, row, survey->calls));
}

static struct hpm_number
no_number(void)
{
    return (struct hpm_number){0};
}

static bool
get_datum(const struct hpm_survey *survey, const struct hpm_quantity *quantity,
          uint32_t row, struct hpm_datum *ret_datum)
{
    bool is_there = false;

    for (size_t i = 0; i < quantity->n_columns && !is_there; i++)
        is_there = hpm_study_get_datum(survey->study, row, quantity->columns[i],
                                       ret_datum);
    return is_there;
}

/* A record has work (hpmWork) only where it is not 0.  In means and differences a
 * missing value can mean something else. */
bool
hpm_figures_are_0_where_missing(const struct hpm_survey *survey,
                                const struct hpm_quantity *quantity)
{
    static const char work[] = "work::";
    enum hpm_study_kind kind = survey->study->kind;

    return (kind == HPM_STUDY_RUN || kind == HPM_STUDY_MERGED) &&
           quantity->kind == HPM_QUANTITY_COUNTER && quantity->n_columns > 0 &&
           strncmp(survey->study->columns[quantity->columns[0]].name, work,
                   strlen(work)) == 0;
}

static struct hpm_datum
no_work(double n_calls)
{
    struct hpm_datum datum = {.state = HPM_STATE_COUNTED};

    datum.numbers[HPM_FIELD_VALUE] = hpm_number_count(0);
    datum.numbers[HPM_FIELD_EXCLUSIVE] = hpm_number_count(0);
    if (n_calls >= 1.0)
        datum.numbers[HPM_FIELD_MEAN] = hpm_number_count(0);
    if (n_calls > 1.0)
        datum.numbers[HPM_FIELD_SDEV] = hpm_number_count(0);
    return datum;
}

/* Collect the data of a quantity in some rows; returns how many rows have
 * one. */
static size_t
gather(struct hpm_survey *survey, const struct hpm_quantity *quantity,
       struct hpm_slice slice)
{
    bool is_work = hpm_figures_are_0_where_missing(survey, quantity);
    size_t n = 0, n_there = 0;

    for (size_t i = 0; i < slice.n; i++) {
        struct hpm_operand *input = &survey->inputs[n];
        bool is_there =
            get_datum(survey, quantity, slice.rows[i], &input->datum);

        if (!is_there && !is_work)
            continue;
        n_there += is_there;
        input->n_calls = calls_of(survey, slice.rows[i]);
        if (!is_there)
            input->datum = no_work(input->n_calls);
        n++;
    }
    return n_there > 0 ? n : 0;
}

/* Collect inclusive times together with the exclusive ones: a record without an
 * inclusive time was measured with HPM_ONLY_EXCLUSIVE. 0 where no row has an
 * inclusive time. */
static size_t
gather_inclusive(struct hpm_survey *survey, const struct hpm_quantity *quantity,
                 struct hpm_slice slice)
{
    size_t exclusive = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    size_t n = 0, n_inclusive = 0;

    for (size_t i = 0; i < slice.n; i++) {
        struct hpm_operand *input = &survey->inputs[n];
        struct hpm_datum own = {.state = HPM_STATE_LOST};
        bool has_own = exclusive != HPM_NO_QUANTITY &&
                       get_datum(survey, &survey->quantities[exclusive],
                                 slice.rows[i], &own) &&
                       hpm_state_has_value(own.state);
        bool is_there =
            get_datum(survey, quantity, slice.rows[i], &input->datum);

        if (!is_there && !has_own)
            continue;
        if (!is_there)
            input->datum = (struct hpm_datum){.is_hidden = own.is_hidden};
        input->datum.numbers[HPM_FIELD_EXCLUSIVE] =
            own.numbers[HPM_FIELD_VALUE];
        input->n_calls = calls_of(survey, slice.rows[i]);
        n_inclusive += is_there;
        n++;
    }
    return n_inclusive > 0 ? n : 0;
}

/* The part of the exclusive value that is from calls without an inclusive
 * value. */
static double
part_only_exclusive(const struct hpm_survey *survey,
                    const struct hpm_datum *datum)
{
    double part = hpm_number_to_real(datum->numbers[HPM_FIELD_ONLY_EXCLUSIVE]);
    double all = hpm_number_to_real(datum->numbers[HPM_FIELD_EXCLUSIVE]);

    return !hpm_survey_is_difference(survey) && part >= 0.0 && all > 0.0
               ? part / all
               : NAN;
}

/* Half of the 95 % confidence interval. */
static struct hpm_number
reach_of(const struct hpm_datum *datum)
{
    double reach = hpm_standarderror_reach(datum->numbers[HPM_FIELD_ERROR],
                                           datum->numbers[HPM_FIELD_FREEDOM]);

    return isnan(reach) ? no_number() : hpm_number_real(reach);
}

static void
take_datum(struct hpm_figure *figure, const struct hpm_datum *datum)
{
    const struct hpm_number *numbers = datum->numbers;

    *figure = (struct hpm_figure){
        .is_present = true,
        .state = datum->state,
        .value = numbers[HPM_FIELD_VALUE],
        .exclusive = numbers[HPM_FIELD_EXCLUSIVE],
        .base = numbers[HPM_FIELD_BASE],
        .mean = numbers[HPM_FIELD_MEAN],
        .sdev = numbers[HPM_FIELD_SDEV],
        .share = numbers[HPM_FIELD_SHARE],
        .error = numbers[HPM_FIELD_ERROR],
        .windows = numbers[HPM_FIELD_WINDOWS],
        .reach = reach_of(datum),
        .uncertainty = numbers[HPM_FIELD_UNCERTAINTY],
        .runs = numbers[HPM_FIELD_RUNS],
        .run_dev = numbers[HPM_FIELD_DEV],
        .run_min = numbers[HPM_FIELD_MIN],
        .run_max = numbers[HPM_FIELD_MAX],
        .is_run_bound = numbers[HPM_FIELD_BOUNDS].kind != HPM_NUMBER_NONE,
        .only_exclusive = NAN,
        .reason = datum->reason,
        .part = NAN,
        .is_partial = numbers[HPM_FIELD_PARTIAL].kind != HPM_NUMBER_NONE,
    };
}

/* The spread over runs is not valid for another value. */
static void
forget_runs(struct hpm_figure *figure)
{
    figure->run_dev = figure->run_min = figure->run_max = no_number();
    figure->is_run_bound = false;
}

/* Only some of the rows have a value: there is no sum. */
static void
lose_value(struct hpm_figure *figure, const char *reason)
{
    figure->value = figure->exclusive = figure->base = no_number();
    figure->mean = figure->sdev = figure->error = no_number();
    figure->reach = no_number();
    figure->uncertainty = no_number();
    forget_runs(figure);
    figure->is_partial = false;
    figure->only_exclusive = NAN;
    figure->state = HPM_STATE_UNSUPPORTED;
    figure->reason = reason;
}

static bool
is_counted(const struct hpm_quantity *quantity)
{
    return quantity->kind != HPM_QUANTITY_METRIC &&
           quantity->kind != HPM_QUANTITY_RECORDED;
}

/* The figures of a file are exclusive values: inclusive ones overlap. */
static void
keep_exclusive(const struct hpm_quantity *quantity, struct hpm_figure *figure)
{
    if (quantity->kind == HPM_QUANTITY_CALLS ||
        quantity->kind == HPM_QUANTITY_EXCLUSIVE)
        return;
    if (quantity->kind == HPM_QUANTITY_INCLUSIVE ||
        (figure->exclusive.kind == HPM_NUMBER_NONE &&
         figure->value.kind != HPM_NUMBER_NONE)) {
        figure->is_present = false;
        return;
    }
    figure->value = figure->exclusive;
    figure->base = figure->mean = figure->sdev = no_number();
    figure->error = figure->reach = figure->uncertainty = no_number();
    figure->is_partial = false; /* only the inclusive value was partial */
    figure->only_exclusive = NAN;
    forget_runs(figure);
}

/* The column of the quantity that a row has, or HPM_NO_INDEX. */
static uint32_t
column_of(const struct hpm_survey *survey, const struct hpm_quantity *quantity,
          uint32_t row, enum hpm_state *ret_state)
{
    for (size_t i = 0; i < quantity->n_columns; i++) {
        if (hpm_study_get_state(survey->study, row, quantity->columns[i],
                                ret_state))
            return quantity->columns[i];
    }
    return HPM_NO_INDEX;
}

static void
add_field(struct hpm_number *sum, const struct hpm_study *study, uint32_t row,
          uint32_t column, enum hpm_field field)
{
    *sum = hpm_number_total(*sum, hpm_study_number(study, row, column, field));
}

/* Add the exclusive time of a record that has no inclusive time. */
static bool
add_exclusive_time(const struct hpm_survey *survey,
                   const struct hpm_quantity *quantity, uint32_t row,
                   struct hpm_figure *figure)
{
    size_t i = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE);
    enum hpm_state state;
    uint32_t column;

    if (quantity->kind != HPM_QUANTITY_INCLUSIVE || i == HPM_NO_QUANTITY)
        return false;
    column = column_of(survey, &survey->quantities[i], row, &state);
    if (column == HPM_NO_INDEX || !hpm_state_has_value(state))
        return false;
    add_field(&figure->value, survey->study, row, column, HPM_FIELD_VALUE);
    add_field(&figure->base, survey->study, row, column, HPM_FIELD_BASE);
    figure->is_partial = true;
    return true;
}

static bool
is_of_process(const struct hpm_survey *survey,
              const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_COUNTER && quantity->n_columns > 0 &&
           hpm_tally_is_of_process(
               survey->study->columns[quantity->columns[0]].name);
}

const char *
hpm_figures_find_same(const struct hpm_survey *survey,
                      const struct hpm_quantity *quantity,
                      struct hpm_slice slice)
{
    const struct hpm_study *study = survey->study;
    uint32_t last = HPM_NO_INDEX;
    const char *counter;
    bool is_of_node, shares_nodes;

    if (!is_of_process(survey, quantity))
        return NULL;
    counter = study->columns[quantity->columns[0]].name;
    is_of_node = hpm_tally_is_of_node(counter);
    shares_nodes = is_of_node && survey->shares_nodes;
    for (size_t i = 0; i < slice.n; i++) {
        uint32_t place = hpm_study_row(study, slice.rows[i])->place;

        if ((last != HPM_NO_INDEX && last != place &&
             (shares_nodes || hpm_study_are_of_process(study, place, last))) ||
            hpm_study_n_threads(study, slice.rows[i]) > 1 ||
            hpm_study_counts_others(study, slice.rows[i], is_of_node))
            return hpm_tally_same(counter);
        last = place;
    }
    return NULL;
}

/* Only the sum, without its spread, errors and so on. */
static void
count_briefly(const struct hpm_survey *survey,
              const struct hpm_quantity *quantity, struct hpm_slice slice,
              struct hpm_figure *figure)
{
    const struct hpm_study *study = survey->study;
    size_t n = 0, n_own = 0;
    const char *same;

    *figure = (struct hpm_figure){.part = NAN, .only_exclusive = NAN};
    for (size_t i = 0; i < slice.n; i++) {
        uint32_t row = slice.rows[i];
        enum hpm_state state;
        uint32_t column = column_of(survey, quantity, row, &state);

        if (column == HPM_NO_INDEX) {
            n += add_exclusive_time(survey, quantity, row, figure);
            continue;
        }
        n++;
        n_own++;
        if (state > figure->state)
            figure->state = state;
        figure->is_partial |=
            hpm_study_number(study, row, column, HPM_FIELD_PARTIAL).kind !=
            HPM_NUMBER_NONE;
        add_field(&figure->value, study, row, column, HPM_FIELD_VALUE);
        add_field(&figure->base, study, row, column, HPM_FIELD_BASE);
    }
    figure->is_present = n_own > 0;
    if (n < slice.n || n_own == 0)
        lose_value(figure, NULL);
    same = hpm_figures_find_same(survey, quantity, slice);
    if (figure->is_present && same != NULL)
        lose_value(figure, same);
}

static void
count_all_briefly(const struct hpm_survey *survey, struct hpm_slice slice,
                  struct hpm_figure *figures)
{
    for (size_t i = 0; i < survey->n_live; i++)
        count_briefly(survey, &survey->quantities[survey->live[i]], slice,
                      &figures[survey->live[i]]);
}

static bool
is_process_row(const struct hpm_survey *survey, uint32_t row)
{
    const struct hpm_study *study = survey->study;

    return hpm_study_section_of(study, row)->scope == HPM_SCOPE_PROCESS;
}

/* Has the process that forked this one, or one of its ancestors, a row here? */
static bool
has_ancestor(const struct hpm_survey *survey, uint32_t task)
{
    size_t n_steps = 0;

    for (uint32_t i = survey->parents[task];
         i != HPM_NO_INDEX && n_steps < survey->study->n_tasks;
         i = survey->parents[i], n_steps++) {
        if (survey->stamps[i] == survey->stamp)
            return true;
    }
    return false;
}

bool
hpm_figures_are_twice(struct hpm_survey *survey, struct hpm_slice slice)
{
    const struct hpm_study *study = survey->study;

    if (survey->parents == NULL)
        return false;
    survey->stamp++;
    for (size_t i = 0; i < slice.n; i++) {
        if (is_process_row(survey, slice.rows[i]))
            survey->stamps[hpm_study_task_of(study, slice.rows[i]) -
                           study->tasks] = survey->stamp;
    }
    for (size_t i = 0; i < slice.n; i++) {
        const struct hpm_task *task = hpm_study_task_of(study, slice.rows[i]);

        if (is_process_row(survey, slice.rows[i]) &&
            has_ancestor(survey, (uint32_t)(task - study->tasks)))
            return true;
    }
    return false;
}

/* Does the counter include child processes in any of the rows? */
static bool
counts_children(const struct hpm_survey *survey,
                const struct hpm_quantity *quantity, size_t n)
{
    bool counts = false;

    for (size_t i = 0; i < n; i++)
        counts |= survey->inputs[i].datum.numbers[HPM_FIELD_CHILDREN].kind ==
                  HPM_NUMBER_NONE;
    return counts && quantity->kind == HPM_QUANTITY_COUNTER &&
           quantity->n_columns > 0 &&
           !hpm_absence_is_work(&survey->study->columns[quantity->columns[0]]);
}

static size_t
count_exclusive(const struct hpm_survey *survey, size_t n)
{
    size_t n_with = 0;

    for (size_t i = 0; i < n; i++)
        n_with += survey->inputs[i].datum.numbers[HPM_FIELD_EXCLUSIVE].kind !=
                  HPM_NUMBER_NONE;
    return n_with;
}

/* The rows that have the quantity are n data together. */
static void
sum_inputs(struct hpm_survey *survey, const struct hpm_quantity *quantity,
           size_t n, struct hpm_figure *figure)
{
    struct hpm_datum datum;

    hpm_combine_sum(survey->inputs, n, &datum);
    take_datum(figure, &datum);
    figure->only_exclusive = part_only_exclusive(survey, &datum);
    if (quantity->kind == HPM_QUANTITY_INCLUSIVE)
        figure->exclusive = no_number();
    if (hpm_survey_is_difference(survey) &&
        figure->base.kind == HPM_NUMBER_NONE &&
        figure->value.kind != HPM_NUMBER_NONE)
        figure->base = hpm_number_subtract(figure->value, figure->value);
}

/* Some of the rows have no datum. */
static void
miss_some(struct hpm_figure *figure, size_t n_missing, size_t n_rows)
{
    if (n_missing == 0 || (figure->value.kind == HPM_NUMBER_NONE &&
                           figure->exclusive.kind == HPM_NUMBER_NONE))
        return;
    lose_value(figure, NULL);
    figure->n_missing = n_missing;
    figure->n_records = n_rows;
}

/* Of a file the exclusive values count, as far as rows have them. */
static size_t
count_used(const struct hpm_survey *survey, const struct hpm_quantity *quantity,
           size_t n)
{
    size_t n_exclusive = survey->options.grouping == HPM_GROUP_FILES &&
                                 quantity->kind == HPM_QUANTITY_COUNTER
                             ? count_exclusive(survey, n)
                             : 0;

    return n_exclusive > 0 ? n_exclusive : n;
}

size_t
hpm_figures_gather(struct hpm_survey *survey, size_t index,
                   struct hpm_slice slice, bool *ret_counts_children)
{
    struct hpm_quantity *quantity = &survey->quantities[index];
    size_t n = quantity->kind == HPM_QUANTITY_INCLUSIVE
                   ? gather_inclusive(survey, quantity, slice)
                   : gather(survey, quantity, slice);

    for (size_t i = 0; i < n && quantity->is_hidden; i++)
        quantity->is_hidden = survey->inputs[i].datum.is_hidden;
    *ret_counts_children = counts_children(survey, quantity, n);
    return n;
}

void
hpm_figures_sum(struct hpm_survey *survey, size_t index, size_t n,
                const struct hpm_counting *counted, struct hpm_figure *figure)
{
    const struct hpm_quantity *quantity = &survey->quantities[index];

    *figure = (struct hpm_figure){.part = NAN, .only_exclusive = NAN};
    if (n == 0)
        return;
    sum_inputs(survey, quantity, n, figure);
    miss_some(figure, counted->n_rows - counted->n_with, counted->n_rows);
    if (counted->same != NULL)
        lose_value(figure, counted->same);
    if (survey->options.grouping == HPM_GROUP_FILES)
        keep_exclusive(quantity, figure);
    figure->is_twice = counted->is_twice && figure->is_present &&
                       figure->value.kind != HPM_NUMBER_NONE;
    figure->is_partial |= figure->is_twice;
}

static void
count_one(struct hpm_survey *survey, size_t index, struct hpm_slice slice,
          bool are_twice, struct hpm_figure *figure)
{
    bool counts_children;
    size_t n = hpm_figures_gather(survey, index, slice, &counts_children);
    const struct hpm_quantity *quantity = &survey->quantities[index];
    const struct hpm_counting counted = {
        .n_rows = slice.n,
        .n_with = count_used(survey, quantity, n),
        .same = n > 0 ? hpm_figures_find_same(survey, quantity, slice) : NULL,
        .is_twice = are_twice && counts_children};

    hpm_figures_sum(survey, index, n, &counted, figure);
}

void
hpm_figures_count(struct hpm_survey *survey, struct hpm_slice slice,
                  struct hpm_figure *figures)
{
    bool are_twice =
        !survey->options.is_brief && hpm_figures_are_twice(survey, slice);

    if (survey->options.is_brief) {
        count_all_briefly(survey, slice, figures);
        return;
    }
    for (size_t live = 0; live < survey->n_live; live++) {
        size_t i = survey->live[live];

        if (is_counted(&survey->quantities[i]))
            count_one(survey, i, slice, are_twice, &figures[i]);
    }
}

void
hpm_figure_take_limits(struct hpm_figure *figure,
                       const struct hpm_limits limits[2], double value)
{
    for (int i = 0; i < 2; i++) {
        figure->has_limits[i] = hpm_limits_are_given(&limits[i]);
        if (figure->has_limits[i])
            figure->excess[i] = hpm_limits_excess(&limits[i], value);
    }
}

/* ---- metrics that are taken over ------------------------------------- */

/* A negative number is the limit "below", a positive one "above": -1.0 is
 * "below 1.0". */
static struct hpm_limit
limit_of_file(struct hpm_number number)
{
    double value = hpm_number_to_real(number);

    return (struct hpm_limit){.is_given = value != 0.0 && !isnan(value),
                              .is_above = value > 0.0,
                              .value = fabs(value)};
}

static struct hpm_limits
limits_of_file(const struct hpm_datum *datum, enum hpm_precision precision)
{
    bool is_single = precision == HPM_PRECISION_SINGLE;

    return (struct hpm_limits){
        .bad = limit_of_file(
            datum->numbers[is_single ? HPM_FIELD_SBAD : HPM_FIELD_DBAD]),
        .good = limit_of_file(
            datum->numbers[is_single ? HPM_FIELD_SGOOD : HPM_FIELD_DGOOD])};
}

static double
real_of(const struct hpm_datum *datum, enum hpm_field field)
{
    return hpm_number_to_real(datum->numbers[field]);
}

/* Judge a recorded metric by the limits in the file, as a computed one is
 * judged. */
static void
judge_recorded(const struct hpm_datum *datum, bool is_short,
               struct hpm_figure *figure)
{
    struct hpm_limits limits[2];
    struct hpm_judged judged = {
        .value = real_of(datum, HPM_FIELD_VALUE),
        .least = NAN,
        .most = NAN,
        .doubt = is_short ? HPM_DOUBT_SHORT
                          : hpm_doubt_of_share(real_of(datum, HPM_FIELD_SHARE),
                                               real_of(datum, HPM_FIELD_VALUE),
                                               real_of(datum, HPM_FIELD_ERROR)),
        .is_partial = figure->is_partial};

    for (int i = 0; i < 2; i++)
        limits[i] = limits_of_file(datum, (enum hpm_precision)i);
    figure->doubt = hpm_judged_doubt(&judged, limits);
    hpm_figure_take_limits(figure, limits, judged.value);
    for (int i = 0; i < 2; i++)
        figure->verdicts[i] =
            hpm_judged_verdict(&judged, limits, (enum hpm_precision)i);
}

/* A single recorded value is taken as it is; several cannot be combined. */
static void
take_recorded(struct hpm_survey *survey, size_t n, bool is_short,
              struct hpm_figure *figure)
{
    const struct hpm_datum *datum = &survey->inputs[0].datum;

    take_datum(figure, datum);
    if (n > 1 || survey->options.grouping == HPM_GROUP_FILES) {
        lose_value(figure, "recorded by thread, and cannot be computed again");
        figure->state = HPM_STATE_RECORDED;
        return;
    }
    if (figure->state < HPM_STATE_RECORDED)
        figure->state = HPM_STATE_RECORDED;
    judge_recorded(datum, is_short, figure);
}

static bool
has_short(const struct hpm_survey *survey, struct hpm_slice slice)
{
    for (size_t i = 0; i < slice.n; i++) {
        if (hpm_study_row(survey->study, slice.rows[i])->flags & HPM_ROW_SHORT)
            return true;
    }
    return false;
}

/* Were the metric's counts refused?  Then the recorded value is wrong, too. */
static bool
is_refused(const struct hpm_figure *figure)
{
    return figure->is_present && (figure->cause == HPM_CAUSE_RUNS ||
                                  figure->cause == HPM_CAUSE_PROCESS ||
                                  figure->cause == HPM_CAUSE_TWICE ||
                                  figure->cause == HPM_CAUSE_PEAK);
}

void
hpm_figures_take_recorded_one(struct hpm_survey *survey, size_t index,
                              struct hpm_slice slice, struct hpm_figure *figure)
{
    const struct hpm_quantity *quantity = &survey->quantities[index];
    size_t n;

    if (is_counted(quantity) || quantity->n_columns == 0 ||
        is_refused(figure) ||
        (quantity->kind == HPM_QUANTITY_METRIC && figure->is_present &&
         figure->value.kind != HPM_NUMBER_NONE))
        return;
    if (quantity->kind == HPM_QUANTITY_RECORDED)
        *figure = (struct hpm_figure){.part = NAN, .only_exclusive = NAN};
    n = gather(survey, quantity, slice);
    /* with several records, the reason why nothing was computed tells more */
    if (n == 1 || (n > 1 && !figure->is_present))
        take_recorded(survey, n, has_short(survey, slice), figure);
}

void
hpm_figures_take_recorded(struct hpm_survey *survey, struct hpm_slice slice,
                          struct hpm_figure *figures)
{
    for (size_t live = 0; live < survey->n_live; live++)
        hpm_figures_take_recorded_one(survey, survey->live[live], slice,
                                      &figures[survey->live[live]]);
}
