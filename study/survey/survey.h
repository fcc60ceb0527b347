/* SPDX-License-Identifier: BSD-3-Clause
 * What a study says of its sections: values of the whole, how they are spread
 * over threads and tasks, metrics with verdicts.
 *
 *     survey
 *       quantities[]     what there is of a section: calls, times, counters,
 *                        metrics
 *       subjects[]       what is told about: a section, a call path or a file
 *         entries[]        one per quantity that it has: figure and spread
 *
 * Threads of one section ran at one time, so of times the figure of the whole
 * is the largest of them; counters are summed; metrics are worked out from
 * these (hpm-metrics(5)).
 */
#ifndef HPM_STUDY_SURVEY_SURVEY_H
#define HPM_STUDY_SURVEY_SURVEY_H

#include "metric/library.h"
#include "study/columns/study.h"
#include "study/metric/possible.h"
#include "study/metric/ranking.h"
#include "study/metric/sum.h"
#include "study/statistics/summary.h"

/* What one subject is. */
enum hpm_grouping {
    HPM_GROUP_SECTIONS, /* a section, on whatever call paths */
    HPM_GROUP_PATHS,    /* a section on its call path */
    HPM_GROUP_FILES     /* all sections of a file, by their exclusive values */
};

enum hpm_quantity_kind {
    HPM_QUANTITY_CALLS,
    HPM_QUANTITY_EXCLUSIVE, /* time */
    HPM_QUANTITY_INCLUSIVE,
    HPM_QUANTITY_COUNTER,
    HPM_QUANTITY_METRIC,
    HPM_QUANTITY_RECORDED /* a metric that cannot be computed again */
};

struct hpm_quantity {
    enum hpm_quantity_kind kind;
    const char *name;
    const char *unit;        /* "" for none */
    const char *description; /* NULL for none */
    bool is_ratio;           /* has no sum, and so no imbalance */
    bool is_hidden;          /* not shown at first */
    bool is_wanted;    /* a metric that is shown also where it is a counter
                              * under another name */
    uint32_t *columns; /* of the study */
    size_t n_columns, columns_capacity;
    size_t *metrics; /* per machine: the metric, or HPM_NO_METRIC */
    size_t parent;   /* of a metric: the quantity it is a part of, or
                      * HPM_NO_QUANTITY */
};

#define HPM_NO_QUANTITY SIZE_MAX

/* A value of one quantity.  What is not there is no number. */
struct hpm_figure {
    bool is_present; /* false: nobody asked for it */
    bool is_renamed; /* a counter under another name, which no table for
                      * programs repeats unless somebody names it, or several
                      * rows have more than that together */
    enum hpm_state state;
    struct hpm_number value, exclusive;
    struct hpm_number base; /* in a difference: what value was before */
    struct hpm_number mean, sdev, share, error;
    struct hpm_number windows; /* in which a shared value was counted */
    struct hpm_number reach;   /* the true value is with 95 % within that */
    /* Of the mean of so many runs: how far `value` is apart in them.  For a
     * sum of several records they are bounds.  In a difference it is that of a
     * run of b less a run of a. */
    struct hpm_number runs, run_dev, run_min, run_max;
    bool is_run_bound;
    struct hpm_number uncertainty; /* how far off an inclusive time may be, for
                                    * what measuring takes is taken off it */
    double only_exclusive; /* part of the exclusive value, 0..1, that is of
                            * calls whose inclusive value was not wanted; it
                            * makes `value` partial; NAN for none */
    const char *reason;    /* of a state without value, or NULL */
    size_t n_missing;      /* records that lack what others have ... */
    size_t n_records;      /* ... of so many */
    size_t n_folded;      /* of a time: threads of which only the mean is known;
                           * they make `value` partial */
    bool is_twice;        /* what forked processes did may be in it twice, which
                           * makes it partial */
    enum hpm_cause cause; /* of a metric without value, and who it is about */
    enum hpm_privilege privilege; /* of a refused counter */
    const char *culprit;
    double part;              /* of the root of its tree, 0..1; NAN for none */
    bool is_partial;          /* "~": some parts are missing */
    bool is_of_run;           /* a metric whose limits are of the whole */
    enum hpm_doubt doubt;     /* "?": why there is no verdict */
    enum hpm_doubt own_doubt; /* of a metric the same of its exclusive value */
    enum hpm_verdict verdict; /* by the limits of the survey's precision */
    struct hpm_rows judged;   /* the same */
    enum hpm_verdict verdicts[2]; /* by those of each precision: of several
                                   * threads or processes that of the worst, of
                                   * what is of the run that of the value */
    struct hpm_rows rows[2];      /* the values that were judged for it */
    bool has_limits[2];           /* per precision, where it is judged */
    double excess[2];             /* then, see hpm_limits_excess */
};

struct hpm_entry {
    size_t quantity;
    struct hpm_figure figure;
    struct hpm_worst worst[2];  /* per precision: of what figure.rows counts,
                                 * who is a place of the study, or HPM_NO_INDEX
                                 * for the whole */
    struct hpm_summary threads; /* max_at, min_at: places of the study */
    struct hpm_summary tasks;   /* tasks of the study */
    /* the smallest and the largest of threads, and of tasks, to the last digit
     */
    struct hpm_number least[2], most[2];
    bool is_of_row; /* a thread has it, not as a counter under another name */
};

/* Of several threads the longest time; of a difference on either side. */
struct hpm_longest {
    struct hpm_number times[2]; /* a or the value, b */
    size_t threads[2];          /* who has them */
    size_t n_folded;            /* threads of which only the mean is known */
    struct hpm_figure figure;   /* of the one found last */
};

#define HPM_NO_SUBJECT SIZE_MAX

struct hpm_subject {
    uint32_t section;    /* of the study: the first of those it stands for */
    size_t parent;       /* subject, of call paths; HPM_NO_SUBJECT for none */
    size_t depth;        /* how many are above it */
    size_t first, count; /* its rows, in survey->rows */
    int line_end;
    unsigned flags; /* of any of its rows, sides of all; HPM_ROW_... */
    size_t n_threads, n_tasks;
    size_t n_bad; /* values that are bad: of each metric each thread, process
                   * or, of what is of the run, the whole */
    double share; /* of the run: of the time of all threads of its scope,
                   * outside sections too, as far as files tell; 0..1 */
    double section_share; /* of the time of all sections of its scope; NAN of
                           * what is outside */
    struct hpm_entry *entries;
    size_t n_entries;
};

/* Tasks whose processors have the same definitions. */
struct hpm_survey_machine {
    const char *pmu; /* NULL: not known */
    const char *facts;
    bool is_guessed; /* the PMU is that whose definitions know all names */
    struct hpm_library library;
    struct hpm_studymetrics studymetrics;
    struct hpm_possible possible; /* with the studymetrics's counts */
    /* of a thread, a task, all; per span, but of a difference per side */
    struct hpm_sum sums[3][2];
    struct hpm_metric_value *values[2]; /* per span */
    bool *has_part; /* per metric: a part of it has a value */
    /* per metric: may give hints for a row, or for the whole of several */
    bool *hints_row, *hints_whole;
    bool has_of_run; /* any is of the whole */
    /* of all records, for total(); per scope, once they are wanted, and of a
     * difference per side */
    struct hpm_survey_whole {
        struct hpm_sum counts;
        struct hpm_metric_value *values;
        bool is_there;
    } wholes[2][2];
    /* limits that threads have crossed in what is their own of a subject, which
     * is the place; of a difference none; per precision */
    struct hpm_ranking rankings[2];
};

struct hpm_survey_options {
    enum hpm_grouping grouping;
    bool is_brief; /* only calls and times, which takes a small part of the
                    * time; metrics and counters are no quantities then */
    enum hpm_precision precision;
    /* Metrics that are a counter under another name are no more than that
     * counter, and not shown, but where this text names them; or all of them. */
    const char *named;
    bool has_all_metrics;
    const char *pmu;   /* take definitions for it; NULL: the task's own */
    const char *paths; /* of definitions; NULL: the usual ones */
    /* Fill only every n_parts-th subject from `part` on, for hpm_survey_join;
     * 0: all of them. */
    size_t part, n_parts;
    /* Asked between subjects: false stops it.  NULL: nobody wants to. */
    bool (*goes_on)(void *owner);
    void *owner;
};

struct hpm_survey {
    const struct hpm_study *study;
    struct hpm_survey_options options;
    struct hpm_arena arena; /* of all that is small and stays */

    struct hpm_survey_machine *machines;
    size_t n_machines, machines_capacity;
    uint32_t *machine_of; /* per task */
    bool shares_nodes;    /* several tasks ran on one node */
    uint32_t *parents;    /* per task: who forked it; NULL where none was */
    uint32_t *stamps;     /* then, per task: when it was last seen */
    uint32_t stamp;

    struct hpm_quantity *quantities;
    size_t n_quantities, quantities_capacity;
    size_t *live; /* quantities that a record can have, in their order */
    size_t n_live;

    struct hpm_subject *subjects;
    size_t n_subjects;
    uint32_t *rows;   /* of the study: those of a subject stand together, and
                       * of these those of a task, and of a thread */
    double totals[2]; /* seconds of all threads, per scope, and of these */
    double section_totals[2];        /* those in sections */
    size_t n_threads[2], n_tasks[2]; /* per scope: with any section of it */

    struct hpm_operand *inputs;     /* room for one subject's rows */
    struct hpm_figure *figures[3];  /* of a thread, a task, all of them */
    struct hpm_longest *longest;    /* per level and quantity */
    struct hpm_rows (*verdicts)[2]; /* the same, per precision: those of single
                                     * threads and processes */
    struct hpm_worst (*worst)[2];   /* per quantity, of all of them */
    uint32_t calls;                 /* column, or HPM_NO_INDEX */
    struct hpm_string complaints;   /* about definitions, in lines */
    struct hpm_string suggestion;   /* one of them: whose definitions would use
                                     * counters that these do not; or "" */
    struct hpm_survey *parts;       /* that were joined: a list by next_part */
    struct hpm_survey *next_part;
    bool *lacks_memory; /* some text could not be compared: no report of it
                         * is right */
};

/* Take the limits of another precision: verdicts, and how many of them are
 * bad, are by these from now on, without anything being read or computed
 * again. */
void hpm_survey_judge(struct hpm_survey *survey, enum hpm_precision precision);

/* Is it what no section covers? */
bool hpm_survey_is_outside(const struct hpm_survey *survey, size_t subject);

/* Is there time outside the sections of a scope? */
bool hpm_survey_has_outside(const struct hpm_survey *survey, int scope);

/* The entry of a quantity; NULL where the subject does not have it. */
const struct hpm_entry *hpm_subject_entry(const struct hpm_subject *subject,
                                          size_t quantity);

/* Does a metric of a row of the subject only repeat a counter, as the subject's
 * metric does?  Tables leave that out. */
bool hpm_subject_repeats(const struct hpm_subject *subject, size_t quantity,
                         const struct hpm_figure *figure);

/* The worst row by the limits of the survey's precision. */
const struct hpm_worst *hpm_entry_worst(const struct hpm_survey *survey,
                                        const struct hpm_entry *entry);

/* The quantity of this name, however it is spelled; HPM_NO_QUANTITY when there
 * is none. */
size_t hpm_survey_find(const struct hpm_survey *survey, const char *name);

/* Of a counter the metric of its name, which is that counter, measured;
 * HPM_NO_QUANTITY where there is none, and for what is no counter. */
size_t hpm_survey_find_twin(const struct hpm_survey *survey, size_t counter);

/* The first of a kind, or HPM_NO_QUANTITY. */
size_t hpm_survey_find_kind(const struct hpm_survey *survey,
                            enum hpm_quantity_kind kind);

/* Called for each thread, or task, of a subject, with the row of its first
 * call path, and the figures of all quantities, which are gone afterwards. */
typedef void hpm_survey_visit(void *owner, uint32_t row,
                              const struct hpm_figure *figures);
void hpm_survey_visit_threads(struct hpm_survey *survey, size_t subject,
                              hpm_survey_visit *visit, void *owner);
void hpm_survey_visit_tasks(struct hpm_survey *survey, size_t subject,
                            hpm_survey_visit *visit, void *owner);

/* The threads of a subject in pieces, for who has to do something else between
 * them: from its row `from` on, 0 at first, until at least `most` rows are
 * visited.  Returns the `from` of the next piece; the subject's count when
 * there is none.
 *
 * What each thread crossed where the subject is its own is added to rankings[],
 * per machine and precision; places are the study's.  Of a difference nothing
 * is.  `visit` and `rankings` may be NULL. */
size_t hpm_survey_visit_some(struct hpm_survey *survey, size_t subject,
                             size_t from, size_t most, hpm_survey_visit *visit,
                             void *owner, struct hpm_ranking (*rankings)[2]);

/* Judge a line by the survey's precision: take what is said of it. */
void hpm_figure_judge(struct hpm_figure *figure, enum hpm_precision precision);

/* The metrics, per metric of the machine's library, of all records of a scope
 * on that kind of machine: each record's own counts, what is outside sections,
 * too.  Of a difference those of its first side. */
const struct hpm_metric_value *
hpm_survey_whole_values(struct hpm_survey *survey, size_t machine, int scope);

/* Did it run long enough for hints to be worth reading? */
bool hpm_survey_is_long(const struct hpm_survey *survey);
/* What one task has of calls, a time or a counter: the largest of its threads;
 * NAN where it has none.  A task is an index of the study. */
double hpm_survey_task_value(const struct hpm_survey *survey, size_t subject,
                             size_t quantity, uint32_t task);

/* The label people see: the section's own, or "#id"; of files the file's. */
void hpm_survey_add_label(const struct hpm_survey *survey, size_t subject,
                          struct hpm_string *string);

/* "section 'solve' (main.c:12)". */
void hpm_survey_add_name(const struct hpm_survey *survey, size_t subject,
                         struct hpm_string *string);

/* Where a hint about a metric was found: "the gravest of 20 threads (3 bad) of
 * section 'solve' (main.c:12)", as many of them as the table says; or, of what
 * is of the run, all of them together.  How many are bad in what is the
 * section's own, without those inside it, no table says. */
void hpm_survey_add_hint_place(const struct hpm_survey *survey, size_t subject,
                               const struct hpm_metric *metric,
                               struct hpm_string *string);

/* Of a section on its call path: the labels from the root, with slashes. */
void hpm_survey_add_path(const struct hpm_survey *survey, size_t subject,
                         struct hpm_string *string);

static inline bool
hpm_survey_is_difference(const struct hpm_survey *survey)
{
    return survey->study->kind == HPM_STUDY_DIFF;
}

#endif
