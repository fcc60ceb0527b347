/* SPDX-License-Identifier: BSD-3-Clause
 * A study: the experiments of many tasks in columns, as files hold them and as
 * the algebra (merge, integrate, mean, diff, cut) combines them.
 *
 *     study
 *       sources[]              the files it was read from
 *       tasks[]                one each: run, machine, what was counted
 *       sections[] -- parent   every call path once, for all tasks and threads
 *       places[]               (task, thread)
 *       rows[]                 a record: section and place, its family; the
 *                              rows of a task stand together
 *       columns[]              "Count", "IncSec", every counter and metric:
 *                              a series of numbers for each of its fields
 *       hits[]                 samples: how many at which address of a row
 *       kept[] --> calls[]     single calls of a row (see calls.h)
 *       spreads[]              in a summary: how the values of many threads lie
 *                              (see spreads.h)
 *
 * Numbers that most records do not have (outer calls, overhead, a spread) take
 * no room where they are missing: a series has blocks only where there are
 * numbers, nine bytes for each.  All texts are kept once, so two texts of one
 * study are equal if their addresses are equal.  Nothing is ever taken out; all
 * memory is freed together.
 *
 * Any number of threads may read a study while no thread changes it.
 */
#ifndef HPM_STUDY_COLUMNS_STUDY_H
#define HPM_STUDY_COLUMNS_STUDY_H

#include "base/error.h"
#include "base/names.h"
#include "base/state.h"
#include "model/experiment.h"
#include "study/columns/series.h"
#include "study/store/index.h"

enum hpm_study_kind {
    HPM_STUDY_RUN, /* what one task recorded */
    HPM_STUDY_MERGED,
    HPM_STUDY_INTEGRATED,
    HPM_STUDY_MEAN,
    HPM_STUDY_DIFF,
    HPM_STUDY_SUMMARY, /* no task alone: totals and spreads over all tasks */
};

/* The kinds' names in files. */
extern const char *const hpm_study_kind_names[];

/* Yes or no; HPM_UNSAID: the file does not say. */
enum hpm_answer { HPM_UNSAID, HPM_YES, HPM_NO };

/* Which side of a difference. */
enum hpm_side { HPM_SIDE_BOTH, HPM_SIDE_A, HPM_SIDE_B };

/* Which calls of a section were measured. */
enum hpm_measured { HPM_MEASURED_ALL, HPM_MEASURED_FIRST_CALLS };

/* Throughout, NULL or a number of kind HPM_NUMBER_NONE means: not known. */

struct hpm_study_source {
    const char *file;
    enum hpm_side side;
};

/* A file that the user gave, of which nothing is in the study. */
struct hpm_study_left_out {
    const char *file, *reason;
};

/* The names of at most so many are kept: the first ones, by file and reason. */
enum { HPM_STUDY_MOST_LEFT_OUT = 100 };

/* The state in said_state: 1 + enum hpm_state; 0 (not said) is counted. */
static inline enum hpm_state
hpm_said_state(int said)
{
    return said > 0 ? (enum hpm_state)(said - 1) : HPM_STATE_COUNTED;
}

struct hpm_task_resource {
    const char *name, *unit;
    struct hpm_number value;
    int said_state;
};

struct hpm_task_machine {
    const char *host, *system, *architecture, *cpu, *pmu, *mhz_source;
    const char *facts, *counters, *reason;
    const char *binding, *numa_nodes; /* lists of numbers, "0-3,8" */
    struct hpm_number n_cpus, n_allowed, mhz;
    enum hpm_answer is_virtual;
};

/* A counter as a task describes it; its values are in the columns of the same
 * name. */
struct hpm_task_counter {
    const char *name, *source, *domain, *unit, *reason, *description;
    const char *runs; /* "1 3": which of the combined runs counted it; NULL:
                       * all */
    int said_state;
};

enum {
    HPM_N_CALIBRATED = 7
}; /* self, its median and largest, pair..., start */

struct hpm_task_cost {
    const char *name;
    struct hpm_number numbers[HPM_N_CALIBRATED];
};

struct hpm_task_calibration {
    const char *when;
    int said_scope; /* 1 + enum hpm_scope; 0: not said */
    struct hpm_number n_calls;
    struct hpm_task_cost *costs;
    size_t n_costs, costs_capacity;
};

struct hpm_task_problem {
    const char *text;
    struct hpm_number count;
};

/* What a task sampled, and how much. */
struct hpm_task_sampled {
    const char *name, *domain, *unit;
    struct hpm_number period; /* in ns for clocks */
    struct hpm_number count;  /* the total of the event */
    struct hpm_number n_taken, n_lost;
    struct hpm_number n_threads_without; /* that could not be sampled */
    const char *chains; /* "fp": how callers were looked for; NULL: they were
                         * not */
};

struct hpm_task {
    int number;
    const char *file; /* the file it was read from; for messages, not written */
    bool has_run;     /* a file described its run */
    const char *program, *job, *start, *exit, *tool;
    struct hpm_number pid, seconds;
    struct hpm_number forked_from; /* the pid of its parent, if the run includes
                                    * it */
    enum hpm_answer is_complete;
    const char *reason;          /* why it is not complete */
    struct hpm_number n_runs;    /* in a mean: how many runs it is made of */
    const char *only, *except;   /* globs: sections to be measured, and not to
                                  * be measured (HPM_ONLY, HPM_EXCEPT); NULL:
                                  * not said */
    struct hpm_number n_skipped; /* first calls not measured (HPM_SKIP) */
    const char
        *members; /* in a summary: the tasks that it stands for, "0-63" */
    struct hpm_number n_members; /* and how many these are */
    const char *dims, *periods,
        *coords; /* place in a grid (HPM_PLACE_DIMS ...),
                                          * as hpm_cartesian_read takes them;
                                          * NULL: in none */
    const char *degrees, *sources,
        *destinations; /* in a graph (HPM_PLACE_DEGREES ...), as
                        * hpm_taskgraph_read takes them */

    bool has_machine;
    struct hpm_task_machine machine;

    struct hpm_task_resource *resources;
    size_t n_resources, resources_capacity;
    bool has_counters;
    struct hpm_task_counter *counters;
    size_t n_counters, counters_capacity;
    struct hpm_task_calibration *calibrations;
    size_t n_calibrations, calibrations_capacity;
    struct hpm_task_problem *problems;
    size_t n_problems, problems_capacity;
    struct hpm_task_sampled *sampled;
    size_t n_sampled, sampled_capacity;
    uint32_t *modules; /* indices in study->modules; module n of the file is at
                        * n - 1 */
    size_t n_modules, modules_capacity;

    /* In a study of some threads (placecut.h): others of the process, and other
     * tasks of the node, were cut away.  Files do not keep it. */
    bool lacks_threads, lacks_neighbours;

    size_t first_row, n_rows;
    uint32_t *columns; /* columns that its rows have, in their order */
    size_t n_columns, columns_capacity;
};

#define HPM_NO_INDEX UINT32_MAX

/* A section on its call path.  Two files with one base name are the same file
 * here, because builds differ in folders. */
struct hpm_study_section {
    uint32_t parent; /* section, HPM_NO_INDEX at a root */
    uint32_t twin;   /* 0, or the n-th of records with the same fields */
    int scope;       /* enum hpm_scope */
    int instance;
    int line;
    bool is_outside; /* no section: what no section of the scope covers */
    const char *label;
    const char *base; /* base name of the file */
    const char *file; /* as read first */
};

/* The thread of a task; tid -1 is the whole process. */
struct hpm_study_place {
    uint32_t task; /* index */
    int tid;
};

enum {
    HPM_ROW_OPEN = 1,
    HPM_ROW_SHORT = 2,
    HPM_ROW_OVERLAP = 4,
    HPM_ROW_HIDDEN = 8, /* disp="false" */
    HPM_ROW_SIDE_A = 16,
    HPM_ROW_SIDE_B = 32,
    HPM_ROW_FIRST_CALLS = 64, /* later ones were not measured */
};

/* A record. */
struct hpm_row {
    uint32_t section;
    uint32_t place;
    uint32_t parent; /* row, HPM_NO_INDEX at a root */
    uint32_t within; /* row of the process section around, or HPM_NO_INDEX */
    int line_end;
    unsigned flags;
};

/* Fields that few records have. */
enum hpm_extra {
    HPM_EXTRA_OUTER,
    HPM_EXTRA_SKIPPED,
    HPM_EXTRA_THREADS,
    HPM_EXTRA_OMP,
    HPM_EXTRA_TASKS,  /* in a summary: how many tasks have the section */
    HPM_EXTRA_VIA,    /* enum hpm_via, where it is not HPM_VIA_CALL */
    HPM_EXTRA_OFFSET, /* of the function in the module */
    HPM_N_NUMBER_EXTRAS,
    /* texts */
    HPM_EXTRA_FILE = HPM_N_NUMBER_EXTRAS, /* where it is not the section's */
    HPM_EXTRA_MODULE,                     /* the file that has the function */
    HPM_N_EXTRAS
};

enum hpm_column_kind {
    HPM_COLUMN_UNSAID, /* the file does not say which */
    HPM_COLUMN_COUNTER,
    HPM_COLUMN_METRIC,
    HPM_COLUMN_TIME,
};

/* In the order a file has them. */
enum hpm_field {
    HPM_FIELD_VALUE, /* inclusive; in a difference b - a */
    HPM_FIELD_EXCLUSIVE,
    HPM_FIELD_MEAN, /* per outermost call */
    HPM_FIELD_SDEV,
    HPM_FIELD_OVERHEAD,
    HPM_FIELD_UNCERTAINTY,
    HPM_FIELD_CLAMPED,
    HPM_FIELD_SHARE,
    HPM_FIELD_ERROR,           /* standard error of a shared value */
    HPM_FIELD_ERROR_EXCLUSIVE, /* the same of its exclusive value */
    HPM_FIELD_WINDOWS,         /* on-windows in which it was counted, as far as
                                * seen */
    HPM_FIELD_FREEDOM,         /* degrees of freedom of the errors */
    HPM_FIELD_RUNS,            /* how many runs the value is the mean of */
    HPM_FIELD_DEV,             /* over runs */
    HPM_FIELD_MIN,
    HPM_FIELD_MAX,
    HPM_FIELD_RUNS_EXCLUSIVE, /* runs of the exclusive value, where it is not
                               * the mean of as many runs as the value */
    HPM_FIELD_BASE,           /* in a difference: the value in a */
    HPM_FIELD_BASE_EXCLUSIVE,
    HPM_FIELD_SBAD,
    HPM_FIELD_SGOOD,
    HPM_FIELD_DBAD,
    HPM_FIELD_DGOOD,
    HPM_FIELD_CHILDREN,       /* 1: counts nothing of the process's children */
    HPM_FIELD_PARTIAL,        /* 1: some parts of the sum are missing */
    HPM_FIELD_ONLY_EXCLUSIVE, /* how much of the value is from calls with no
                               * inclusive value, only an exclusive one: what
                               * they used in the sections inside is missing */
    HPM_FIELD_BOUNDS, /* 1: a sum of several records: dev is an upper bound, and
                       * all runs lie between min and max */
    HPM_N_NUMBERS,
    HPM_FIELD_REASON = HPM_N_NUMBERS, /* a text */
    HPM_N_FIELDS
};

/* A counter, a time or a metric. */
struct hpm_column {
    const char *name;
    const char *unit;   /* NULL for none */
    int kind;           /* enum hpm_column_kind */
    uint32_t last_task; /* the task whose row got a value last */
    uint32_t sides[2];  /* where study->sides is set: the column in each side,
                         * or HPM_NO_INDEX */
    struct hpm_series fields[HPM_N_FIELDS];
};

/* What samples of several tasks have in common (see hits.h). */
struct hpm_study_sampled {
    const char *name, *domain, *unit;
    uint64_t period;
};

struct hpm_study_module {
    const char *path, *build_id; /* in hexadecimal */
};

/* In place of a module: the module is not known; lost samples. */
#define HPM_MODULE_UNKNOWN UINT32_MAX
#define HPM_MODULE_LOST (UINT32_MAX - 1)

/* n samples at one address of one row. */
struct hpm_study_hit {
    uint32_t row, sampled, module;
    uint64_t offset; /* in the module's file; without a module the address */
    uint64_t n;
    uint32_t chain; /* its chain of callers; 0: not known */
};

/* A caller, by the address to which the call returns.  Chain n is chains[n -
 * 1]; the chain of its own caller stands before it. */
struct hpm_study_chain {
    uint32_t caller; /* chain of its caller; 0: not known */
    uint32_t module; /* HPM_MODULE_CUT: further callers, not recorded */
    uint64_t offset;
};

#define HPM_MODULE_CUT (UINT32_MAX - 2)

/* A single call of a section: its number among the calls of its thread, its
 * begin since the begin of the run, its duration, and what was counted during
 * it: a word for each counter, as files have them (see hpm_calls_value). */
struct hpm_study_call {
    struct hpm_number number, begin, seconds;
    const char *counts;
};

/* The single calls kept of a row, drawn from n_made calls. */
struct hpm_study_kept {
    uint32_t row;
    struct hpm_number n_made; /* number of calls made */
    size_t first, n;          /* calls[first] to calls[first + n - 1] */
    const char **counters;
    size_t n_counters;
};

/* The smallest, or the largest, of the values of many threads or processes, and
 * whose it is: task, thread (-1: the process), node. */
struct hpm_study_extreme {
    struct hpm_number value, task, thread;
    const char *host;
};

/* How the values of a column lie over the threads, or processes, that a row of a
 * summary stands for. */
struct hpm_study_spread {
    uint32_t row, column;
    struct hpm_number n; /* values; less than the row's threads where some have
                          * none, or only one together with others */
    struct hpm_study_extreme low, high;
    struct hpm_number average, deviation;
    const char *bins; /* a histogram, see buckets.h; of times in ns */
    /* Exact sums (exactsum.h, of times in ns): of the n values and of their
     * squares; of values that several threads have together, and of exclusive
     * values; NULL: none. */
    const char *sum, *squares, *rest, *exclusive;
};

/* One value of one row, with all that is known about it. */
struct hpm_datum {
    enum hpm_state state;
    bool is_hidden;
    const char *reason; /* why there is no value */
    struct hpm_number numbers[HPM_N_NUMBERS];
};

/* The two studies that a difference was made of, where it works out from them
 * what it does not keep: see hpm_diff_of_kept. */
struct hpm_study_sides {
    const struct hpm_study *studies[2];
    const uint32_t *rows; /* of row r in each side: at 2 * r and 2 * r + 1;
                           * HPM_NO_INDEX: it is not there */
};

struct hpm_study {
    struct hpm_arena arena;
    struct hpm_names names;
    enum hpm_study_kind kind;

    struct hpm_study_source *sources;
    size_t n_sources, sources_capacity;

    struct hpm_study_left_out *left_out; /* in their order */
    size_t n_left_out, left_out_capacity;
    uint64_t n_left_out_more; /* beyond the first HPM_STUDY_MOST_LEFT_OUT */

    struct hpm_task *tasks;
    size_t n_tasks, tasks_capacity;
    struct hpm_index task_index;

    struct hpm_study_section *sections;
    size_t n_sections, sections_capacity;
    struct hpm_index section_index;

    struct hpm_study_place *places;
    size_t n_places, places_capacity;
    struct hpm_index place_index;

    struct hpm_row **row_blocks;
    size_t n_rows, row_blocks_capacity;
    struct hpm_series extras[HPM_N_EXTRAS];

    struct hpm_column *columns;
    size_t n_columns, columns_capacity;
    struct hpm_study_sides *sides; /* NULL: the study keeps all its numbers */
    struct hpm_study_sampled *sampled;
    size_t n_sampled, sampled_capacity;
    struct hpm_study_module *modules;
    size_t n_modules, modules_capacity;
    struct hpm_index module_index;
    struct hpm_study_chain *chains;
    size_t n_chains, chains_capacity;
    struct hpm_index chain_index;
    struct hpm_study_hit *hits;
    size_t n_hits, hits_capacity;
    struct hpm_study_kept *kept; /* in the order of their rows */
    size_t n_kept, kept_capacity;
    struct hpm_study_call *calls;
    size_t n_calls, calls_capacity;
    struct hpm_study_spread *spreads; /* in the order of their rows */
    size_t n_spreads, spreads_capacity;

    const char **dropped; /* metrics without any record (see hpm_renew) */
    size_t n_dropped, dropped_capacity;
    struct hpm_index column_index;
};

/* An empty study of at most `most_bytes` (0: no bound); NULL when there is no
 * memory. */
struct hpm_study *hpm_study_new(size_t most_bytes);
void hpm_study_free(struct hpm_study *study);

/* Each of these gives the index of the element, which is added if it is not
 * there yet; HPM_NO_INDEX when there is no memory.  Texts must be the study's
 * own, from hpm_names_keep(&study->names, ...). */
uint32_t hpm_study_add_task(struct hpm_study *study, int number);

/* Replace *text by the study's own copy of it; NULL stays.  False when there is
 * no memory. */
bool hpm_study_own(struct hpm_study *study, const char **text);

/* The same for all texts of a section. */
bool hpm_study_own_section(struct hpm_study *study,
                           struct hpm_study_section *section);

/* The study's own copy of the words, which are freed; NULL when there is no
 * memory. */
const char *hpm_study_keep(struct hpm_study *study, struct hpm_string *words);

/* Add a problem of a task, a sentence; the text is the study's own.  False when
 * there is no memory. */
bool hpm_study_add_problem(struct hpm_study *study, uint32_t task,
                           const char *text);
uint32_t hpm_study_add_place(struct hpm_study *study, uint32_t task, int tid);
uint32_t hpm_study_add_section(struct hpm_study *study,
                               const struct hpm_study_section *section);
uint32_t hpm_study_add_column(struct hpm_study *study, const char *name,
                              const char *unit, enum hpm_column_kind kind);

/* The index, or HPM_NO_INDEX when there is no such element. */
uint32_t hpm_study_find_task(const struct hpm_study *study, int number);
uint32_t hpm_study_find_place(const struct hpm_study *study, uint32_t task,
                              int tid);
uint32_t hpm_study_find_section(const struct hpm_study *study,
                                const struct hpm_study_section *section);
uint32_t hpm_study_find_column(const struct hpm_study *study, const char *name,
                               const char *unit, enum hpm_column_kind kind);

/* The first column of that name, or HPM_NO_INDEX. */
uint32_t hpm_study_find_named(const struct hpm_study *study, const char *name);

/* Find the outermost section around this one (or this one itself) that has no
 * place in map[] yet (HPM_NO_INDEX).  Then map[] leads from each section on the
 * way to the next inner one, and from the given section to HPM_NO_INDEX: the
 * caller gives them places in that order.  So even a path as long as the file
 * is walked only once. */
uint32_t hpm_study_climb(const struct hpm_study *study, uint32_t section,
                         uint32_t *map);

/* Set the kind of a column later; false when there is no memory. */
bool hpm_study_set_column_kind(struct hpm_study *study, uint32_t column,
                               enum hpm_column_kind kind);

/* Rename a column.  The name is a text of the study, and no other column of the
 * same unit and kind has it.  False when there is no memory. */
bool hpm_study_rename_column(struct hpm_study *study, uint32_t column,
                             const char *name);

/* Append a record; the place says of which task.  Returns its index or
 * HPM_NO_INDEX.  All rows of a task, and their values, are added before the
 * rows of the next task. */
uint32_t hpm_study_add_row(struct hpm_study *study, const struct hpm_row *row);

static inline struct hpm_row *
hpm_study_row(const struct hpm_study *study, size_t row)
{
    return &study->row_blocks[row / HPM_SERIES_ROWS][row % HPM_SERIES_ROWS];
}

/* The key of a row in an index of rows. */
struct hpm_row_key {
    uint32_t place, section;
};

/* A hpm_index_match whose array is the study. */
bool hpm_study_is_row(const void *array, uint32_t row, const void *key);

/* The place (task and thread), the task and the section of a row. */
static inline struct hpm_study_place *
hpm_study_place_of(const struct hpm_study *study, size_t row)
{
    return &study->places[hpm_study_row(study, row)->place];
}

static inline struct hpm_task *
hpm_study_task_of(const struct hpm_study *study, size_t row)
{
    return &study->tasks[hpm_study_place_of(study, row)->task];
}

static inline struct hpm_study_section *
hpm_study_section_of(const struct hpm_study *study, size_t row)
{
    return &study->sections[hpm_study_row(study, row)->section];
}

/* Set all that is known of a column in a row; false when there is no memory.
 * `after` is the column before it in this row, HPM_NO_INDEX for the first: it
 * says where a column that is new to the task belongs. */
bool hpm_study_set_datum(struct hpm_study *study, uint32_t row, uint32_t column,
                         uint32_t after, const struct hpm_datum *datum);

/* Get all that is known.  False, with *ret_datum unchanged, where the row does
 * not have the column. */
bool hpm_study_get_datum(const struct hpm_study *study, uint32_t row,
                         uint32_t column, struct hpm_datum *ret_datum);

/* Give a datum without value and reason a reason; remove the reason of a datum
 * with a value. */
void hpm_study_settle_datum(struct hpm_datum *datum);

/* May a number of a study have this tag? */
bool hpm_study_is_tag(unsigned char tag);

/* The tag of a value has, besides the kind, whether there is a datum at all,
 * its state, and whether it is shown. */
enum {
    HPM_TAG_STATE_SHIFT = 3,
    HPM_TAG_STATE = 15 << HPM_TAG_STATE_SHIFT, /* state + 1; 0: not there */
    HPM_TAG_HIDDEN = 128
};

static inline enum hpm_state
hpm_tag_state(unsigned tag)
{
    return (enum hpm_state)(((tag & HPM_TAG_STATE) >> HPM_TAG_STATE_SHIFT) - 1);
}

/* Get only the state; false where the row does not have the column.  Asked for
 * each value of a study, so it is inline. */
static inline bool
hpm_study_get_state(const struct hpm_study *study, uint32_t row,
                    uint32_t column, enum hpm_state *ret_state)
{
    unsigned tag =
        hpm_series_tag(&study->columns[column].fields[HPM_FIELD_VALUE], row);
    bool is_there = (tag & HPM_TAG_STATE) != 0;

    *ret_state = is_there ? hpm_tag_state(tag) : HPM_STATE_COUNTED;
    return is_there;
}

/* A number that a study with `sides` does not keep, worked out from these: the
 * exclusive value, the mean per call, or a value in a.  No number for any other
 * field. */
struct hpm_number hpm_study_work_out(const struct hpm_study *study,
                                     uint32_t row, uint32_t column,
                                     enum hpm_field field);

/* Is what the row has of the column only shown when asked for? */
static inline bool
hpm_study_is_hidden(const struct hpm_study *study, uint32_t row,
                    uint32_t column)
{
    return (hpm_series_tag(&study->columns[column].fields[HPM_FIELD_VALUE],
                           row) &
            HPM_TAG_HIDDEN) != 0;
}

/* One number of a datum. */
static inline struct hpm_number
hpm_study_number(const struct hpm_study *study, uint32_t row, uint32_t column,
                 enum hpm_field field)
{
    struct hpm_number number =
        hpm_series_get(&study->columns[column].fields[field], row);

    return study->sides == NULL || number.kind != HPM_NUMBER_NONE
               ? number
               : hpm_study_work_out(study, row, column, field);
}

/* Set and get the fields that few records have; no number, or NULL, where the
 * row has none. */
bool hpm_study_set_extra(struct hpm_study *study, uint32_t row,
                         enum hpm_extra extra, struct hpm_number number);
struct hpm_number hpm_study_extra(const struct hpm_study *study, uint32_t row,
                                  enum hpm_extra extra);
bool hpm_study_set_text(struct hpm_study *study, uint32_t row,
                        enum hpm_extra extra, const char *text);
const char *hpm_study_text(const struct hpm_study *study, uint32_t row,
                           enum hpm_extra extra);

/* Are the places two different threads of one process? */
bool hpm_study_are_of_process(const struct hpm_study *study, uint32_t a,
                              uint32_t b);

/* The seconds that the run of a task took, rounded as the recorder rounds them,
 * so that metrics agree with libhpm's own report and file. */
double hpm_study_run_seconds(const struct hpm_task *task);

/* Did several tasks run on one node, or may they have: is the node of one of several
 * not known, as in a difference whose sides ran on different ones? */
bool hpm_study_shares_nodes(const struct hpm_study *study);

/* Does a count of the whole process, or (`is_of_node`) node, have in this row what
 * threads did that were cut away? */
bool hpm_study_counts_others(const struct hpm_study *study, uint32_t row,
                             bool is_of_node);

/* How many tasks a task of the study stands for: in a summary several. */
size_t hpm_study_n_members(const struct hpm_task *task);

/* How many tasks a study is of; in a summary many more than it has. */
size_t hpm_study_count_tasks(const struct hpm_study *study);

/* How many tasks have a row's section: 1, or in a summary several. */
size_t hpm_study_n_tasks(const struct hpm_study *study, uint32_t row);

/* The number of threads that have records of their own, without records of
 * whole processes. */
size_t hpm_study_count_threads(const struct hpm_study *study);

/* The same with threads that have no records of their own: of a summary, or those
 * beyond HPM_MAX_THREADS; of each task as many as its largest record has. */
size_t hpm_study_count_all_threads(const struct hpm_study *study);

/* Outermost calls of a row, over which mean and deviation per call are.  Where
 * the row does not say them: all calls, from the column `calls`. */
struct hpm_number hpm_study_outer(const struct hpm_study *study, uint32_t row,
                                  uint32_t calls);

/* How many threads share the row: several where threads beyond HPM_MAX_THREADS
 * have one row together. */
size_t hpm_study_n_threads(const struct hpm_study *study, uint32_t row);

/* Bring the study into its one order: tasks by number, sections and columns as
 * they come when the tasks are walked, sources by name.  Studies with the same
 * contents are then equal, however they were put together.  False when there is
 * no memory. */
bool hpm_study_arrange(struct hpm_study *study);

/* Put the columns of each task into the order of its counters, behind Count and
 * the times; columns that the task does not describe keep their order behind
 * the others.  False when there is no memory. */
bool hpm_study_rank_columns(struct hpm_study *study);

/* Report that memory, or the allowed part of it, is used up; returns false. */
bool hpm_study_no_memory(const struct hpm_study *study, struct hpm_error *err);

#endif
