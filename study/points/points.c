/* SPDX-License-Identifier: BSD-3-Clause
 * Points, made from the figures of a survey. */
#include "study/points/points.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/globs.h"
#include "host/memory.h"

/* ---- which sections, which columns ------------------------------------ */

static bool
is_chosen_section(const struct hpm_survey *survey, size_t subject,
                  const struct hpm_points_options *options)
{
    struct hpm_string label = {0};
    bool is_chosen;

    if (options->is_of_one)
        return subject == options->subject;
    if (hpm_survey_is_outside(survey, subject))
        return false;
    if (options->sections == NULL)
        return true;
    hpm_survey_add_label(survey, subject, &label);
    is_chosen = hpm_globs_match(options->sections, hpm_string_text(&label));
    hpm_string_free(&label);
    return is_chosen;
}

/* Is the column chosen by its kind or, if names are given, only by its name?  A
 * renamed counter would count twice as a metric, so it must be named. */
static bool
is_chosen_column(const struct hpm_quantity *quantity,
                 const struct hpm_figure *figure,
                 const struct hpm_points_options *options)
{
    bool is_metric = quantity->kind == HPM_QUANTITY_METRIC ||
                     quantity->kind == HPM_QUANTITY_RECORDED;

    if (options->columns != NULL)
        return hpm_globs_match(options->columns, quantity->name);
    if (options->content == HPM_POINTS_METRICS)
        return is_metric && !figure->is_renamed;
    return quantity->kind == HPM_QUANTITY_COUNTER;
}

/* ---- one thread after the other --------------------------------------- */

struct filling {
    struct hpm_points *points;
    const struct hpm_points_options *options;
    size_t *column_of;  /* 1 + the quantity's column; 0: none yet */
    bool *is_double;    /* an earlier quantity has the same name */
    size_t n_room;      /* number of points to come */
    size_t subject, at; /* index of its next row in survey->rows */
    bool has_failed;
};

/* The column of a quantity; if there is none, make an empty one. */
static struct hpm_points_column *
column_of(struct filling *filling, size_t quantity)
{
    struct hpm_points *points = filling->points;
    const struct hpm_quantity *here = &points->survey->quantities[quantity];
    struct hpm_points_column *column;

    if (filling->column_of[quantity] != 0)
        return &points->columns[filling->column_of[quantity] - 1];
    column = &points->columns[points->n_columns];
    column->values = hpm_memory_take(filling->n_room * sizeof(double));
    if (column->values == NULL) {
        filling->has_failed = true;
        return NULL;
    }
    column->name = here->name;
    column->unit = here->unit;
    column->quantity = quantity;
    column->is_exact = true;
    for (size_t i = 0; i < filling->n_room; i++)
        column->values[i] = NAN;
    column->n_lacking[HPM_POINTS_ABSENT] = points->n - 1;
    filling->column_of[quantity] = ++points->n_columns;
    return column;
}

static bool
is_whole(struct hpm_number number)
{
    return (number.kind == HPM_NUMBER_COUNT ||
            number.kind == HPM_NUMBER_MINUS) &&
           number.amount <= UINT64_C(1) << 53;
}

static void
put_value(struct hpm_points_column *column, const struct hpm_figure *figure,
          bool is_exclusive, bool is_short, size_t point)
{
    struct hpm_number number = is_exclusive ? figure->exclusive : figure->value;
    double value = hpm_number_to_real(number);

    if (!figure->is_present || figure->state >= HPM_STATE_LOST || isnan(value))
        column->n_lacking[HPM_POINTS_ABSENT]++;
    else if (figure->is_partial)
        column->n_lacking[HPM_POINTS_PARTIAL]++;
    else if (is_short)
        column->n_lacking[HPM_POINTS_SHORT]++;
    else {
        column->values[point] = value;
        column->is_exact &= is_whole(number);
        column->n_estimates += figure->state == HPM_STATE_SHARED;
    }
}

/* Times have their exclusive values as quantities of their own. */
static bool
has_exclusive(const struct hpm_quantity *quantity)
{
    return quantity->kind == HPM_QUANTITY_COUNTER ||
           quantity->kind == HPM_QUANTITY_METRIC ||
           quantity->kind == HPM_QUANTITY_RECORDED;
}

/* Is a record of the thread, whose rows come next, too short?  Steps over these
 * rows. */
static bool
pass_rows(struct filling *filling, uint32_t place)
{
    const struct hpm_survey *survey = filling->points->survey;
    const struct hpm_subject *here = &survey->subjects[filling->subject];
    bool is_short = false;

    for (; filling->at < here->first + here->count; filling->at++) {
        const struct hpm_row *row =
            hpm_study_row(survey->study, survey->rows[filling->at]);

        if (row->place != place)
            break;
        is_short |= (row->flags & HPM_ROW_SHORT) != 0;
    }
    return is_short;
}

/* Numbers too large for an int become the largest: no thread makes so many
 * calls. */
static void
name_call(const struct hpm_callstudy *calls, struct hpm_point *point)
{
    const struct hpm_study_call *call = hpm_callstudy_call(calls, point->place);
    int64_t number = INT_MAX;

    hpm_number_to_integer(call->number, 1, INT_MAX, &number);
    point->call = (int)number;
    point->begin = hpm_number_to_real(call->begin);
    point->thread = hpm_callstudy_thread(calls, point->place);
}

static void
take_thread(void *owner, uint32_t row, const struct hpm_figure *figures)
{
    struct filling *filling = owner;
    struct hpm_points *points = filling->points;
    const struct hpm_study *study = points->survey->study;
    uint32_t place = hpm_study_row(study, row)->place;
    bool is_short = pass_rows(filling, place);

    if (study->places[place].tid < -1) {
        points->n_folded++;
        return;
    }
    points->all[points->n++] = (struct hpm_point){
        .subject = filling->subject,
        .task = study->tasks[study->places[place].task].number,
        .thread = study->places[place].tid,
        .place = place};
    if (points->calls != NULL)
        name_call(points->calls, &points->all[points->n - 1]);
    for (size_t i = 0; i < points->survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &points->survey->quantities[i];
        struct hpm_points_column *column = NULL;

        if (filling->column_of[i] != 0 ||
            (figures[i].is_present && !filling->is_double[i] &&
             is_chosen_column(quantity, &figures[i], filling->options)))
            column = column_of(filling, i);
        if (column != NULL)
            put_value(column, &figures[i],
                      filling->options->is_exclusive && has_exclusive(quantity),
                      is_short, points->n - 1);
    }
}

/* ---- all of them -------------------------------------------------------- */

static size_t
count_threads(const struct hpm_survey *survey,
              const struct hpm_points_options *options)
{
    size_t n = 0;

    for (size_t i = 0; i < survey->n_subjects; i++)
        n += is_chosen_section(survey, i, options) ? survey->subjects[i].count
                                                   : 0;
    return n;
}

/* Order the columns as the survey lists them; they were made in the order of
 * the first thread that had each. */
static void
order_columns(struct hpm_points *points)
{
    for (size_t i = 1; i < points->n_columns; i++) {
        struct hpm_points_column moved = points->columns[i];
        size_t at = i;

        for (; at > 0 && points->columns[at - 1].quantity > moved.quantity;
             at--)
            points->columns[at] = points->columns[at - 1];
        points->columns[at] = moved;
    }
}

/* A metric that was counted directly has a counter of the same name. */
static void
find_doubles(const struct hpm_survey *survey, bool *is_double)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        for (size_t j = 0; j < i && !is_double[i]; j++)
            is_double[i] = strcmp(survey->quantities[i].name,
                                  survey->quantities[j].name) == 0;
    }
}

static bool
fill(struct hpm_points *points, const struct hpm_points_options *options,
     size_t n_room)
{
    struct hpm_survey *survey = points->survey;
    struct filling filling = {
        .points = points, .options = options, .n_room = n_room};

    filling.column_of =
        hpm_memory_new(survey->n_quantities + 1, sizeof *filling.column_of);
    filling.is_double =
        hpm_memory_new(survey->n_quantities + 1, sizeof *filling.is_double);
    points->columns =
        hpm_memory_new(survey->n_quantities + 1, sizeof *points->columns);
    points->all = hpm_memory_new(n_room + 1, sizeof *points->all);
    filling.has_failed = filling.column_of == NULL ||
                         filling.is_double == NULL || points->columns == NULL ||
                         points->all == NULL;
    if (!filling.has_failed && options->columns != NULL)
        find_doubles(survey, filling.is_double);
    for (size_t i = 0; i < survey->n_subjects && !filling.has_failed; i++) {
        if (!is_chosen_section(survey, i, options))
            continue;
        filling.subject = i;
        filling.at = survey->subjects[i].first;
        hpm_survey_visit_threads(survey, i, take_thread, &filling);
    }
    hpm_memory_free(filling.column_of);
    hpm_memory_free(filling.is_double);
    order_columns(points);
    return !filling.has_failed;
}

static bool
set_no_column(const struct hpm_points_options *options, struct hpm_error *err)
{
    if (options->columns != NULL)
        return hpm_error_set(err,
                             "no counter or metric is called '%s' here; hpm "
                             "report --by metric shows what there is",
                             options->columns);
    return hpm_error_set(err, "there are neither metrics nor counters here; "
                              "measure again with HPM_EVENTS or HPM_METRICS "
                              "(hpm-environment(7))");
}

static bool
init_once(struct hpm_points *points, struct hpm_survey *survey,
          const struct hpm_points_options *options, struct hpm_error *err)
{
    size_t n_room = count_threads(survey, options);

    *points = (struct hpm_points){.survey = survey, .calls = options->calls};
    if (n_room == 0)
        return options->sections == NULL
                   ? hpm_error_set(err, "there is no section here")
                   : hpm_error_set(err,
                                   "no section is called '%s'; hpm report "
                                   "lists what there is",
                                   options->sections);
    if (!fill(points, options, n_room)) {
        hpm_points_clear(points);
        return hpm_error_no_memory(err);
    }
    return true;
}

/* A single point shows no difference between points, however long it takes.  A
 * section of whole processes contains those of their threads, and has fewer
 * points. */
static int
rank_of(const struct hpm_survey *survey, const struct hpm_subject *subject)
{
    if (subject->n_threads < 2)
        return 0;
    return survey->study->sections[subject->section].scope == HPM_SCOPE_THREAD
               ? 2
               : 1;
}

static bool
is_better(const struct hpm_survey *survey, const struct hpm_subject *a,
          const struct hpm_subject *b)
{
    int rank = rank_of(survey, a), rank_b = rank_of(survey, b);

    return rank != rank_b ? rank > rank_b : a->share > b->share;
}

size_t
hpm_points_longest(const struct hpm_survey *survey, const char *sections,
                   size_t *ret_n)
{
    const struct hpm_points_options options = {.sections = sections};
    size_t best = HPM_NO_SUBJECT;

    *ret_n = 0;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        if (!is_chosen_section(survey, i, &options))
            continue;
        ++*ret_n;
        if (best == HPM_NO_SUBJECT ||
            is_better(survey, &survey->subjects[i], &survey->subjects[best]))
            best = i;
    }
    return best;
}

/* Kept calls stand for all calls. */
static double
seconds_of(const struct hpm_survey *survey, const struct hpm_callstudy *calls,
           const struct hpm_subject *subject)
{
    double sum = 0.0;

    for (size_t i = 0; i < subject->count; i++) {
        uint32_t row = survey->rows[subject->first + i];
        uint32_t place = hpm_study_row(survey->study, row)->place;
        const struct hpm_study_kept *draw = hpm_callstudy_draw(calls, place);

        sum += hpm_number_to_real(hpm_callstudy_call(calls, place)->seconds) *
               hpm_number_to_real(draw->n_made) / (double)draw->n;
    }
    return sum;
}

size_t
hpm_points_longest_calls(const struct hpm_survey *survey,
                         const struct hpm_callstudy *calls,
                         const char *sections, size_t *ret_n)
{
    const struct hpm_points_options options = {.sections = sections};
    size_t best = HPM_NO_SUBJECT;
    double most = 0.0;

    *ret_n = 0;
    for (size_t i = 0; i < survey->n_subjects; i++) {
        double seconds;

        if (!is_chosen_section(survey, i, &options))
            continue;
        seconds = seconds_of(survey, calls, &survey->subjects[i]);
        if ((*ret_n)++ == 0 || seconds > most) {
            best = i;
            most = seconds;
        }
    }
    return best;
}

bool
hpm_points_init(struct hpm_points *points, struct hpm_survey *survey,
                const struct hpm_points_options *options, struct hpm_error *err)
{
    struct hpm_points_options raw = *options;

    if (!init_once(points, survey, options, err))
        return false;
    if (points->n_columns == 0 && options->columns == NULL &&
        options->content == HPM_POINTS_METRICS) {
        hpm_points_clear(points);
        raw.content = HPM_POINTS_RAW;
        if (!init_once(points, survey, &raw, err))
            return false;
        points->is_raw = true;
    }
    if (points->n_columns > 0)
        return true;
    hpm_points_clear(points);
    return set_no_column(options, err);
}

void
hpm_points_clear(struct hpm_points *points)
{
    for (size_t i = 0; i < points->n_columns; i++)
        hpm_memory_free(points->columns[i].values);
    hpm_memory_free(points->columns);
    hpm_memory_free(points->all);
    *points = (struct hpm_points){0};
}
