/* SPDX-License-Identifier: BSD-3-Clause
 * A study: the experiments of many tasks in columns, as files hold them and as
 * the algebra (merge, integrate, mean, diff, cut) combines them.
 *
 *     study
 *       sources[]              the files it came from
 *       tasks[]                run, machine, what was counted: one each
 *       sections[] -- parent   every call path once, whoever was on it
 *       places[]               (task, thread)
 *       rows[]                 a record: section and place, its family; those
 *                              of a task stand together
 *       columns[]              "Count", "IncSec", every counter and metric:
 *                              a series of numbers for each of its fields
 *       hits[]                 samples: how many at which address of a row
 *       kept[] --> calls[]     single calls of a row (see calls.h)
 *
 * What most records do not have (outer calls, overhead, a spread) takes no room
 * where it is not: a series has blocks only where there are numbers, nine
 * bytes for each.  All texts are kept once, so two texts of one study are equal
 * where their addresses are.  Nothing is ever taken out; all is freed together.
 *
 * Any number of threads may read a study while none changes it.
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
};

/* What files for machines call each kind. */
extern const char *const hpm_study_kind_names[];

/* Said to be so, said not to be so, or not said at all. */
enum hpm_answer { HPM_UNSAID, HPM_YES, HPM_NO };

/* Which side of a difference. */
enum hpm_side { HPM_SIDE_BOTH, HPM_SIDE_A, HPM_SIDE_B };

/* What is not known is NULL, or no number, throughout. */

struct hpm_study_source {
    const char *file;
    enum hpm_side side;
};

/* A file that was to be in the study, of which nothing is in it. */
struct hpm_study_left_out {
    const char *file, *reason;
};

/* So many of these are kept by name: the first, by name and reason. */
enum { HPM_STUDY_MOST_LEFT_OUT = 100 };

/* A state as it is said: 1 + enum hpm_state; 0: not said, for it was counted. */
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
    struct hpm_number n_cpus, n_allowed, mhz;
    enum hpm_answer is_virtual;
};

/* A counter as a task describes it; its values are in the columns of its
 * name. */
struct hpm_task_counter {
    const char *name, *source, *domain, *unit, *reason, *description;
    const char *runs; /* "1 3": of those put together; NULL: all */
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

/* What a task sampled, with how much of it. */
struct hpm_task_sampled {
    const char *name, *domain, *unit;
    struct hpm_number period; /* of clocks in ns */
    struct hpm_number count;  /* how much of the event there was */
    struct hpm_number n_taken, n_lost;
    struct hpm_number n_threads_without; /* that could not be sampled */
    const char *chains; /* "fp": callers were looked for, so; else NULL */
};

struct hpm_task {
    int number;
    const char *file; /* that was read for it; for messages, not written */
    bool has_run;     /* its run was described */
    const char *program, *job, *start, *exit, *tool;
    struct hpm_number pid, seconds;
    struct hpm_number forked_from; /* the pid of its parent, where that is of
                                      the run, too */
    enum hpm_answer is_complete;
    const char *reason;          /* why it is not complete */
    struct hpm_number n_runs;    /* that it is made of, in a mean */
    const char *only, *except;   /* globs: sections that measured, and that did
                                  * not (HPM_ONLY, HPM_EXCEPT); NULL: none said */
    struct hpm_number n_skipped; /* first calls that did not (HPM_SKIP) */

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
    uint32_t *modules; /* of the study, in the order of their numbers in a file:
                          1, 2 ... */
    size_t n_modules, modules_capacity;

    size_t first_row, n_rows;
    uint32_t *columns; /* those its rows have, in their order */
    size_t n_columns, columns_capacity;
};

#define HPM_NO_INDEX UINT32_MAX

/* A section on its call path.  Two files of one base name are one file here,
 * for builds differ in folders. */
struct hpm_study_section {
    uint32_t parent; /* section, HPM_NO_INDEX at a root */
    uint32_t twin;   /* 0; else the n-th of records that say the same */
    int scope;       /* enum hpm_scope */
    int instance;
    int line;
    bool is_outside; /* no section: what no section of the scope covers */
    const char *label;
    const char *base; /* base name of the file */
    const char *file; /* as first met */
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

/* What few records have. */
enum hpm_extra {
    HPM_EXTRA_OUTER,
    HPM_EXTRA_SKIPPED,
    HPM_EXTRA_THREADS,
    HPM_EXTRA_OMP,
    HPM_EXTRA_FILE, /* a text: where it is not its section's */
    HPM_N_EXTRAS
};

enum hpm_column_kind {
    HPM_COLUMN_UNSAID, /* neither said to be a counter nor a metric */
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
    HPM_FIELD_ERROR_EXCLUSIVE, /* that of its exclusive value */
    HPM_FIELD_WINDOWS,         /* in which it was counted, as far as seen */
    HPM_FIELD_FREEDOM,         /* degrees of freedom of its errors */
    HPM_FIELD_RUNS,            /* how many runs the value is the mean of */
    HPM_FIELD_DEV,             /* over runs */
    HPM_FIELD_MIN,
    HPM_FIELD_MAX,
    HPM_FIELD_RUNS_EXCLUSIVE, /* of how many the exclusive value is the mean,
                               * where the value is not of as many */
    HPM_FIELD_BASE,           /* in a difference: what it was in a */
    HPM_FIELD_BASE_EXCLUSIVE,
    HPM_FIELD_SBAD,
    HPM_FIELD_SGOOD,
    HPM_FIELD_DBAD,
    HPM_FIELD_DGOOD,
    HPM_FIELD_CHILDREN, /* 1: of the process's children nothing is in it */
    HPM_FIELD_PARTIAL,  /* 1: of a sum some parts are missing */
    HPM_FIELD_ONLY_EXCLUSIVE, /* of the value, so much stands for calls whose
                               * inclusive value was not wanted: what they used
                               * in the sections inside is missing */
    HPM_FIELD_BOUNDS, /* 1: dev is at most so large, and all runs lie between
                       * min and max: it is a sum of several records */
    HPM_N_NUMBERS,
    HPM_FIELD_REASON = HPM_N_NUMBERS, /* a text */
    HPM_N_FIELDS
};

/* A counter, a time or a metric. */
struct hpm_column {
    const char *name;
    const char *unit;   /* NULL for none */
    int kind;           /* enum hpm_column_kind */
    uint32_t last_task; /* whose rows got a value last */
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

/* In place of a module: nobody knows what was there; samples that were lost. */
#define HPM_MODULE_UNKNOWN UINT32_MAX
#define HPM_MODULE_LOST (UINT32_MAX - 1)

/* So many samples at one address of one row. */
struct hpm_study_hit {
    uint32_t row, sampled, module;
    uint64_t offset; /* in the module's file; without one the address */
    uint64_t n;
    uint32_t chain; /* its callers; 0: none is known */
};

/* A caller, to which the call returns there; chain n is at n - 1, and that of its
 * caller before it. */
struct hpm_study_chain {
    uint32_t caller; /* 0: none is known */
    uint32_t module; /* HPM_MODULE_CUT: there are more, which nobody has told */
    uint64_t offset;
};

#define HPM_MODULE_CUT (UINT32_MAX - 2)

/* A single call of a section: its number among those of its thread, when it began
 * after the begin of the run, how long it took, and what was counted meanwhile, a
 * word for each counter, as files have them (see hpm_calls_value). */
struct hpm_study_call {
    struct hpm_number number, begin, seconds;
    const char *counts;
};

/* Those that were kept of a row, drawn from so many. */
struct hpm_study_kept {
    uint32_t row;
    struct hpm_number n_made; /* calls there were */
    size_t first, n;          /* of `calls` */
    const char **counters;
    size_t n_counters;
};

/* One value of one row with all that is known of it. */
struct hpm_datum {
    enum hpm_state state;
    bool is_hidden;
    const char *reason; /* of a state without value */
    struct hpm_number numbers[HPM_N_NUMBERS];
};

struct hpm_study {
    struct hpm_arena arena;
    struct hpm_names names;
    enum hpm_study_kind kind;

    struct hpm_study_source *sources;
    size_t n_sources, sources_capacity;

    struct hpm_study_left_out *left_out; /* in their order */
    size_t n_left_out, left_out_capacity;
    uint64_t n_left_out_more; /* beyond those */

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

    const char **dropped; /* metrics that no record has (see hpm_renew) */
    size_t n_dropped, dropped_capacity;
    struct hpm_index column_index;
};

/* An empty study that takes at most that many bytes (0: no bound); NULL when
 * there is no memory. */
struct hpm_study *hpm_study_new(size_t most_bytes);
void hpm_study_free(struct hpm_study *study);

/* Each of these gives the index of what is there already or is added now,
 * HPM_NO_INDEX when there is no memory.  Texts must be the study's own, from
 * hpm_names_keep(&study->names, ...). */
uint32_t hpm_study_add_task(struct hpm_study *study, int number);

/* Make *text the study's own; NULL stays.  False when there is no memory. */
bool hpm_study_own(struct hpm_study *study, const char **text);

/* The same for the texts of a section. */
bool hpm_study_own_section(struct hpm_study *study,
                           struct hpm_study_section *section);

/* The study's own text of these words, which are freed; NULL when there is no
 * memory. */
const char *hpm_study_keep(struct hpm_study *study, struct hpm_string *words);

/* Something that went wrong in a task, a sentence; the text is the study's.
 * False when there is no memory. */
bool hpm_study_add_problem(struct hpm_study *study, uint32_t task,
                           const char *text);
uint32_t hpm_study_add_place(struct hpm_study *study, uint32_t task, int tid);
uint32_t hpm_study_add_section(struct hpm_study *study,
                               const struct hpm_study_section *section);
uint32_t hpm_study_add_column(struct hpm_study *study, const char *name,
                              const char *unit, enum hpm_column_kind kind);

/* HPM_NO_INDEX when there is none. */
uint32_t hpm_study_find_task(const struct hpm_study *study, int number);
uint32_t hpm_study_find_place(const struct hpm_study *study, uint32_t task,
                              int tid);
uint32_t hpm_study_find_section(const struct hpm_study *study,
                                const struct hpm_study_section *section);
uint32_t hpm_study_find_column(const struct hpm_study *study, const char *name,
                               const char *unit, enum hpm_column_kind kind);

/* The first column of that name; HPM_NO_INDEX when there is none. */
uint32_t hpm_study_find_named(const struct hpm_study *study, const char *name);

/* The outermost section around this one, or itself, that has no place in map[]
 * (HPM_NO_INDEX) yet.  Then map[] leads from each of those on the way to the
 * one inside it, and to HPM_NO_INDEX from this one: the caller gives them
 * places in that order.  So a path as long as the file is walked once. */
uint32_t hpm_study_climb(const struct hpm_study *study, uint32_t section,
                         uint32_t *map);

/* Say of what kind a column is after all; false when there is no memory. */
bool hpm_study_set_column_kind(struct hpm_study *study, uint32_t column,
                               enum hpm_column_kind kind);

/* Give a column another name, a text of the study that no other column of that
 * unit and kind has; false when there is no memory. */
bool hpm_study_rename_column(struct hpm_study *study, uint32_t column,
                             const char *name);

/* Append a record of the task of its place; its index or HPM_NO_INDEX.  The
 * rows of a task, and their values, are added together, before those of the
 * next. */
uint32_t hpm_study_add_row(struct hpm_study *study, const struct hpm_row *row);

static inline struct hpm_row *
hpm_study_row(const struct hpm_study *study, size_t row)
{
    return &study->row_blocks[row / HPM_SERIES_ROWS][row % HPM_SERIES_ROWS];
}

/* What rows are told apart by in an index of them. */
struct hpm_row_key {
    uint32_t place, section;
};

/* As hpm_index_match: the array is the study. */
bool hpm_study_is_row(const void *array, uint32_t row, const void *key);

/* The task and thread, the task and the section of a row. */
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

/* Set what is known of a column in a row; false when there is no memory.
 * `after` is the column that stands before it in this row, HPM_NO_INDEX for the
 * first: it says where a column new to the task belongs. */
bool hpm_study_set_datum(struct hpm_study *study, uint32_t row, uint32_t column,
                         uint32_t after, const struct hpm_datum *datum);

/* False, and no datum, where the row does not have the column. */
bool hpm_study_get_datum(const struct hpm_study *study, uint32_t row,
                         uint32_t column, struct hpm_datum *ret_datum);

/* Say why there is no value where there is none and nothing says so yet, and
 * nothing where there is one. */
void hpm_study_settle_datum(struct hpm_datum *datum);

/* Only its state; false where the row does not have the column. */
bool hpm_study_get_state(const struct hpm_study *study, uint32_t row,
                         uint32_t column, enum hpm_state *ret_state);

/* One number of it. */
static inline struct hpm_number
hpm_study_number(const struct hpm_study *study, uint32_t row, uint32_t column,
                 enum hpm_field field)
{
    return hpm_series_get(&study->columns[column].fields[field], row);
}

/* What few rows have; no number, or NULL, where it is not there. */
bool hpm_study_set_extra(struct hpm_study *study, uint32_t row,
                         enum hpm_extra extra, struct hpm_number number);
struct hpm_number hpm_study_extra(const struct hpm_study *study, uint32_t row,
                                  enum hpm_extra extra);
bool hpm_study_set_text(struct hpm_study *study, uint32_t row,
                        enum hpm_extra extra, const char *text);
const char *hpm_study_text(const struct hpm_study *study, uint32_t row,
                           enum hpm_extra extra);

/* Are two places two threads of one process? */
bool hpm_study_are_of_process(const struct hpm_study *study, uint32_t a,
                              uint32_t b);

/* How long the run of a task took, rounded as the recorder rounds it, for metrics
 * of libhpm's own report and of its file to be the same. */
double hpm_study_run_seconds(const struct hpm_task *task);

/* Did several tasks run on one node, or may they have: is the node of one of several
 * not known, as in a difference whose sides ran on different ones? */
bool hpm_study_shares_nodes(const struct hpm_study *study);

/* Threads that have records of their own: what a process did as a whole is in
 * none. */
size_t hpm_study_count_threads(const struct hpm_study *study);

/* Outermost calls of a row, which mean and deviation per call are over: all
 * calls, in that column, where it does not say. */
struct hpm_number hpm_study_outer(const struct hpm_study *study, uint32_t row,
                                  uint32_t calls);

/* How many threads a row is of: several where those beyond HPM_MAX_THREADS have
 * one together. */
size_t hpm_study_n_threads(const struct hpm_study *study, uint32_t row);

/* Bring the study into its one order: tasks by number, sections and columns as
 * they come when the tasks are walked, sources by name.  What holds the same
 * then is the same, however it came together.  False when there is no
 * memory. */
bool hpm_study_arrange(struct hpm_study *study);

/* Put the columns of each task into the order of its counters, behind Count and
 * the times; those it does not describe keep their order behind the rest.
 * False when there is no memory. */
bool hpm_study_rank_columns(struct hpm_study *study);

/* Say that memory, or what is allowed of it, is used up; returns false. */
bool hpm_study_no_memory(const struct hpm_study *study, struct hpm_error *err);

#endif
