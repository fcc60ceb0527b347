/* SPDX-License-Identifier: BSD-3-Clause
 * What a study says about its sections: values of the whole, their spread over
 * threads and tasks, metrics with verdicts.
 *
 *     survey
 *       quantities[]     what is known of sections: calls, times, counters,
 *                        metrics
 *       subjects[]       a section, a call path or a file
 *         entries[]        one per quantity that it has: figure and spread
 *
 * Threads of one section run at the same time, so the time of the whole is the
 * longest time of a thread.  Counters are summed; metrics are computed from
 * these values (hpm-metrics(5)).
 */
#ifndef HPM_STUDY_SURVEY_SURVEY_H
#define HPM_STUDY_SURVEY_SURVEY_H

#include "metric/library.h"
#include "study/columns/study.h"
#include "study/columns/watched.h"
#include "study/metric/possible.h"
#include "study/metric/ranking.h"
#include "study/metric/sum.h"
#include "study/statistics/summary.h"

/* What a subject is. */
enum hpm_grouping {
    HPM_GROUP_SECTIONS, /* a section, on all its call paths */
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
    bool is_hidden;          /* not shown unless asked for */
    bool is_wanted;    /* a metric that is shown even where it only renames a
                        * counter */
    uint32_t *columns; /* of the study */
    size_t n_columns, columns_capacity;
    size_t *metrics; /* by machine: the metric, or HPM_NO_METRIC */
    size_t parent;   /* of a metric: the quantity that contains it as a part, or
                      * HPM_NO_QUANTITY */
};

#define HPM_NO_QUANTITY SIZE_MAX

/* A value of one quantity.  A missing number is HPM_NUMBER_NONE. */
struct hpm_figure {
    bool is_present; /* false: neither a value nor a reason: nobody asked for
                      * it */
    bool is_renamed; /* only renames a counter: tables for programs do not
                      * repeat it, unless the user names it or several rows
                      * together have more than the counter */
    enum hpm_state state;
    struct hpm_number value, exclusive;
    struct hpm_number base; /* in a difference: the value in a */
    struct hpm_number mean, sdev, share, error;
    struct hpm_number windows; /* on-windows of a shared value */
    struct hpm_number reach;   /* half of the 95 % confidence interval */
    /* In a mean of `runs` runs: the spread of `value` over these runs.  For a
     * sum of several records these are bounds.  In a difference the spread is
     * that of a run of b minus a run of a. */
    struct hpm_number runs, run_dev, run_min, run_max;
    bool is_run_bound;
    struct hpm_number uncertainty; /* how wrong an inclusive time may be,
                                    * because overhead was subtracted */
    double only_exclusive; /* 0..1: part of the exclusive value from calls
                            * without an inclusive value; then `value` is
                            * partial; NAN for none */
    const char *reason;    /* why there is no value, or NULL */
    size_t n_missing;      /* records that lack the value ... */
    size_t n_records;      /* ... of so many records */
    size_t n_folded;      /* of a time: threads of which only the mean is known;
                           * then `value` is partial */
    bool is_twice;        /* work of forked processes may be counted twice; then
                           * `value` is partial */
    enum hpm_cause cause; /* why a metric has no value, and the counter
                           * concerned */
    enum hpm_privilege privilege; /* of a refused counter */
    const char *culprit;
    double part;              /* 0..1: part of the root of its tree; NAN for
                               * none */
    bool is_partial;          /* "~": some parts are missing */
    bool is_of_run;           /* a metric whose limits apply to the whole */
    enum hpm_doubt doubt;     /* "?": why there is no verdict */
    enum hpm_doubt own_doubt; /* of a metric: doubt of the exclusive value */
    enum hpm_verdict verdict; /* by the limits of the survey's precision */
    struct hpm_rows judged;   /* counts by the same limits */
    enum hpm_verdict verdicts[2]; /* by precision: with several threads or
                                   * processes the verdict of the worst; of a
                                   * metric of the run the verdict of the
                                   * value */
    struct hpm_rows rows[2];      /* by precision: the judged values */
    bool has_limits[2];           /* by precision: is there a limit? */
    double excess[2];             /* by precision: see hpm_limits_excess */
};

struct hpm_entry {
    size_t quantity;
    struct hpm_figure figure;
    struct hpm_worst worst[2];  /* by precision: the worst of the values counted
                                 * in figure.rows; `who` is a place of the
                                 * study, or HPM_NO_INDEX for the whole */
    struct hpm_summary threads; /* over threads; max_at, min_at: places */
    struct hpm_summary tasks;   /* over tasks; max_at, min_at: tasks */
    /* smallest and largest value over threads, and over tasks, with all
     * digits */
    struct hpm_number least[2], most[2];
    /* in a summary: whose values these are, where that is known */
    const struct hpm_study_extreme *low, *high;
    bool is_of_row; /* a thread has the value, and not only as a renamed
                     * counter */
};

/* The longest time of several threads; in a difference on each side. */
struct hpm_longest {
    struct hpm_number times[2]; /* in a difference of a and b, else [0] */
    size_t threads[2];          /* the threads with these times */
    size_t n_folded;            /* threads of which only the mean is known */
    struct hpm_figure figure;   /* of the longest thread found last */
};

#define HPM_NO_SUBJECT SIZE_MAX

struct hpm_subject {
    uint32_t section;    /* of the study: the first section of this subject */
    size_t parent;       /* subject around a call path, or HPM_NO_SUBJECT */
    size_t depth;        /* number of subjects above it */
    size_t first, count; /* its rows, in survey->rows */
    int line_end;
    unsigned flags; /* HPM_ROW_...: of any row; sides: of all rows */
    size_t n_threads, n_tasks;
    size_t n_bad; /* bad values: for each metric the bad threads or processes;
                   * for a metric of the run 1 for the whole */
    double share; /* 0..1: of the time of all threads of its scope in the run,
                   * also outside sections, as far as files tell */
    double section_share; /* of the time in all sections of its scope; NAN for
                           * what is outside */
    struct hpm_entry *entries;
    size_t n_entries;
};

/* Tasks whose processors have the same definitions. */
struct hpm_survey_machine {
    const char *pmu; /* NULL: not known */
    const char *facts;
    bool is_guessed; /* guessed: the definitions for this PMU know all names */
    struct hpm_library library;
    struct hpm_studymetrics studymetrics;
    struct hpm_possible possible; /* by the counts of studymetrics */
    /* of a thread, a task, the whole; by span, in a difference by side */
    struct hpm_sum sums[3][2];
    struct hpm_metric_value *values[2]; /* by span */
    bool *has_part; /* by metric: one of its parts has a value */
    /* by metric: may it give hints for a row, or for the whole of several
     * rows? */
    bool *hints_row, *hints_whole;
    bool has_of_run; /* some metrics are of the whole */
    /* totals of all records, for total(): by scope, computed when first needed;
     * in a difference by side */
    struct hpm_survey_whole {
        struct hpm_sum counts;
        struct hpm_metric_value *values;
        bool is_there;
    } wholes[2][2];
    /* by precision: limits that threads crossed in the exclusive part of a
     * subject; a subject is a place; not in a difference */
    struct hpm_ranking rankings[2];
};

struct hpm_survey_options {
    enum hpm_grouping grouping;
    bool is_brief; /* only calls and times, which takes little time; no metrics
                    * and counters */
    enum hpm_precision precision;
    /* A metric that only renames a counter is not shown, unless this text names
     * it, or has_all_metrics is set. */
    const char *named;
    bool has_all_metrics;
    const char *pmu;   /* use definitions for this PMU; NULL: the task's own */
    const char *paths; /* where definitions are; NULL: the usual places */
    /* Fill only every n_parts-th subject, beginning with `part`, for
     * hpm_survey_join; 0: all subjects. */
    size_t part, n_parts;
    /* Called between subjects: false stops the survey.  NULL: do not ask. */
    bool (*goes_on)(void *owner);
    void *owner;
};

struct hpm_survey {
    const struct hpm_study *study;
    struct hpm_survey_options options;
    struct hpm_arena arena; /* of all small things that stay */

    struct hpm_survey_machine *machines;
    size_t n_machines, machines_capacity;
    uint32_t *machine_of; /* by task */
    bool shares_nodes;    /* several tasks ran on one node */
    uint32_t *parents;    /* by task: the process that forked it; NULL where no
                           * task was forked */
    uint32_t *stamps;     /* then, by task: when it was last seen */
    uint32_t stamp;

    struct hpm_quantity *quantities;
    size_t n_quantities, quantities_capacity;
    size_t *live; /* quantities that a record can have, in order */
    size_t n_live;

    struct hpm_subject *subjects;
    size_t n_subjects;
    uint32_t *rows;   /* of the study, sorted by subject, task, thread */
    double totals[2]; /* by scope: seconds of all threads ... */
    double section_totals[2];        /* ... of these: in sections */
    size_t n_threads[2], n_tasks[2]; /* by scope: with any of its sections */

    struct hpm_operand *inputs;     /* room for the rows of one subject */
    struct hpm_figure *figures[3];  /* of a thread, a task, the whole */
    struct hpm_longest *longest;    /* by level and quantity */
    struct hpm_rows (*verdicts)[2]; /* the same, and by precision: of single
                                     * threads and processes */
    struct hpm_worst (*worst)[2];   /* by quantity: of all threads, processes */
    uint32_t calls;                 /* column "Count", or HPM_NO_INDEX */
    struct hpm_string complaints;   /* about definitions, as lines */
    struct hpm_string suggestion;   /* one of these lines: whose definitions
                                     * would use counters that these do not use;
                                     * or "" */
    struct hpm_survey *parts;       /* joined parts, linked by next_part */
    struct hpm_survey *next_part;
    size_t n_spreads; /* see hpm_survey_count_spreads */
    bool has_counted;
    bool *lacks_memory; /* set where a text could not be compared for lack of
                         * memory: reports of it are wrong */
};

/* Use the limits of another precision from now on, for verdicts and the numbers
 * of bad values.  Reads and computes nothing again. */
void hpm_survey_judge(struct hpm_survey *survey, enum hpm_precision precision);

/* Is the subject what no section covers? */
bool hpm_survey_is_outside(const struct hpm_survey *survey, size_t subject);

/* Is any time of a scope outside its sections? */
bool hpm_survey_has_outside(const struct hpm_survey *survey, int scope);

/* The entry of a quantity; NULL where the subject has none. */
const struct hpm_entry *hpm_subject_entry(const struct hpm_subject *subject,
                                          size_t quantity);

/* Does this metric of a row only repeat a counter, as the subject's metric
 * does?  Tables leave it out. */
bool hpm_subject_repeats(const struct hpm_subject *subject, size_t quantity,
                         const struct hpm_figure *figure);

/* The worst row, by the limits of the survey's precision. */
const struct hpm_worst *hpm_entry_worst(const struct hpm_survey *survey,
                                        const struct hpm_entry *entry);

/* The quantity of this name in any spelling, or HPM_NO_QUANTITY. */
size_t hpm_survey_find(const struct hpm_survey *survey, const char *name);

/* The metric with the same name as a counter, which measures just this counter;
 * HPM_NO_QUANTITY where there is none, or `counter` is not a counter. */
size_t hpm_survey_find_twin(const struct hpm_survey *survey, size_t counter);

/* The first quantity of a kind, or HPM_NO_QUANTITY. */
size_t hpm_survey_find_kind(const struct hpm_survey *survey,
                            enum hpm_quantity_kind kind);

/* Is the quantity a maximum, such as the most memory used, which has no sum over
 * several processes or sections? */
bool hpm_survey_is_peak(const struct hpm_survey *survey, size_t quantity);

/* The number of times and metrics, over all subjects, whose spread over runs is
 * known: whoever judges by it makes so many tests.  Counted when first asked
 * for. */
size_t hpm_survey_count_spreads(struct hpm_survey *survey);

/* Called for each thread, or task, of a subject, with the row of its first call
 * path and the figures of all quantities, which are valid only during the
 * call. */
typedef void hpm_survey_visit(void *owner, uint32_t row,
                              const struct hpm_figure *figures);
void hpm_survey_visit_threads(struct hpm_survey *survey, size_t subject,
                              hpm_survey_visit *visit, void *owner);
void hpm_survey_visit_tasks(struct hpm_survey *survey, size_t subject,
                            hpm_survey_visit *visit, void *owner);

/* Visit the threads of a subject in pieces, so that the caller can do something
 * else between them: from row `from` of the subject on (0 at first) until at
 * least `most` rows are visited.  Returns the `from` of the next piece, or the
 * subject's count at the end.
 *
 * For each thread, the limits crossed by the exclusive values are added to
 * rankings[], by machine and precision; a ranking's places are the study's.  In
 * a difference nothing is added.  `visit` and `rankings` may be NULL. */
size_t hpm_survey_visit_some(struct hpm_survey *survey, size_t subject,
                             size_t from, size_t most, hpm_survey_visit *visit,
                             void *owner, struct hpm_ranking (*rankings)[2]);

/* Set a figure's verdict by the survey's precision. */
void hpm_figure_judge(struct hpm_figure *figure, enum hpm_precision precision);

/* The metrics, by index in the machine's library, of all records of a scope on
 * this kind of machine: each record's exclusive counts, also outside sections.
 * In a difference those of its first side. */
const struct hpm_metric_value *
hpm_survey_whole_values(struct hpm_survey *survey, size_t machine, int scope);

/* Did the program run long enough for useful hints? */
bool hpm_survey_is_long(const struct hpm_survey *survey);
/* The calls, a time or a counter of one task: the largest value of its threads;
 * NAN where it has none.  `task` is an index of the study. */
double hpm_survey_task_value(const struct hpm_survey *survey, size_t subject,
                             size_t quantity, uint32_t task);

/* Append the label that people see: the section's own, or "#id"; for a file its
 * name. */
void hpm_survey_add_label(const struct hpm_survey *survey, size_t subject,
                          struct hpm_string *string);

/* Append "section 'solve' (main.c:12)". */
void hpm_survey_add_name(const struct hpm_survey *survey, size_t subject,
                         struct hpm_string *string);

/* Has the subject time of inner sections besides its own? */
bool hpm_survey_has_inner(const struct hpm_survey *survey,
                          const struct hpm_subject *subject);

/* Append where a hint about a metric was found: "the gravest of 20 threads (3
 * bad) of section 'solve' (main.c:12)", with the numbers of the table; for a
 * metric of the run all threads together.  Exclusive values without inner
 * sections have no number of bad threads in any table. */
void hpm_survey_add_hint_place(const struct hpm_survey *survey, size_t subject,
                               const struct hpm_metric *metric,
                               struct hpm_string *string);

/* What measured the functions of a subject's rows, as far as these agree. */
struct hpm_watched_row hpm_survey_watched(const struct hpm_survey *survey,
                                          const struct hpm_subject *subject);

/* Append the labels of a section's call path from the root, separated by
 * slashes. */
void hpm_survey_add_path(const struct hpm_survey *survey, size_t subject,
                         struct hpm_string *string);

static inline bool
hpm_survey_is_difference(const struct hpm_survey *survey)
{
    return survey->study->kind == HPM_STUDY_DIFF;
}

#endif
