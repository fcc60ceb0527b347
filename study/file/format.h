/* SPDX-License-Identifier: BSD-3-Clause
 * The elements and attributes of a performance file (xsd/hpm.xsd), one table
 * line an attribute.  Reader and writer of studies both use this table.
 */
#ifndef HPM_STUDY_FILE_FORMAT_H
#define HPM_STUDY_FILE_FORMAT_H

#include "study/columns/study.h"

/* The version of performance files that is read and written. */
enum { HPM_FORMAT_VERSION = 1 };

enum hpm_format_type {
    HPM_FORMAT_TEXT,    /* const char *, NULL where missing */
    HPM_FORMAT_DERIVED, /* the same, but the reader computes it */
    HPM_FORMAT_NUMBER,  /* struct hpm_number */
    HPM_FORMAT_INTEGER, /* struct hpm_number, whole, least to most */
    HPM_FORMAT_WORD,    /* int: 1 for the first of `words`; 0: missing */
};

struct hpm_format_attribute {
    const char *name;
    enum hpm_format_type type;
    size_t offset;            /* in the element's struct */
    const char *const *words; /* ends in NULL */
    int64_t least, most;
    bool is_vital; /* if it is wrong, the element is left out */
};

enum hpm_format_name {
    HPM_FORMAT_FILE,
    HPM_FORMAT_SOURCES,
    HPM_FORMAT_SOURCE,
    HPM_FORMAT_LEFT_OUT,
    HPM_FORMAT_RUN,
    HPM_FORMAT_RESOURCE,
    HPM_FORMAT_MACHINE,
    HPM_FORMAT_COUNTERS,
    HPM_FORMAT_COUNTER,
    HPM_FORMAT_CALIBRATION,
    HPM_FORMAT_COST,
    HPM_FORMAT_PROBLEM,
    HPM_FORMAT_PROFILE,
    HPM_FORMAT_SAMPLED,
    HPM_FORMAT_MODULE,
    HPM_FORMAT_RECORD,
    HPM_FORMAT_OUTSIDE, /* a record of what no section covers */
    HPM_FORMAT_DATA,
    HPM_FORMAT_SAMPLES,
    HPM_FORMAT_AT,
    HPM_FORMAT_CALLS,
    HPM_FORMAT_COUNTED,
    HPM_FORMAT_CALL,
    HPM_FORMAT_SPREAD,
    HPM_FORMAT_END,
    HPM_FORMAT_N_ELEMENTS
};

struct hpm_format_element {
    const char *name;
    int parent; /* enum hpm_format_name; -1 for the root */
    const struct hpm_format_attribute *attributes;
    size_t n_attributes;
    size_t size; /* of its struct */
};

extern const struct hpm_format_element
    hpm_format_elements[HPM_FORMAT_N_ELEMENTS];

/* The contents of each element; in all fields 0 means: missing. */

struct hpm_format_file {
    const char *version, *reason;
    int complete, kind;
};

struct hpm_format_source {
    struct hpm_study_source said;
};

struct hpm_format_left_out {
    struct hpm_study_left_out said;
    struct hpm_number count;
};

struct hpm_format_run {
    struct hpm_number task, pid, forked_from, seconds, n_runs, n_skipped;
    const char *members;
    struct hpm_number n_members;
    const char *dims, *periods, *coords, *degrees, *sources, *destinations;
    const char *program, *job, *start, *exit, *tool, *reason, *only, *except;
    int complete;
};

struct hpm_format_resource {
    struct hpm_task_resource said;
};

struct hpm_format_machine {
    struct hpm_number task;
    struct hpm_task_machine said;
};

/* Counters, and other elements with only a task. */
struct hpm_format_counters {
    struct hpm_number task;
};

struct hpm_format_counter {
    struct hpm_task_counter said;
};

struct hpm_format_calibration {
    struct hpm_number task;
    struct hpm_task_calibration said; /* without its costs */
};

struct hpm_format_cost {
    struct hpm_task_cost said;
};

struct hpm_format_problem {
    struct hpm_number task;
    struct hpm_task_problem said;
};

struct hpm_format_profile {
    struct hpm_number task;
};

struct hpm_format_sampled {
    struct hpm_task_sampled said;
};

struct hpm_format_module {
    struct hpm_number id;
    struct hpm_study_module said;
};

/* The samples of one event in a record, and the number at each address.  Domain
 * and period are given where the name alone does not tell which Sampled is
 * meant. */
struct hpm_format_samples {
    const char *name, *domain;
    struct hpm_number period, n_taken, n_lost;
};

struct hpm_format_at {
    struct hpm_number module, offset, n;
    const char *callers; /* "2:4711 :815", the nearest caller first */
};

/* Single calls of a section: number of calls, counters, and each call. */
struct hpm_format_calls {
    struct hpm_number n_made, n_kept;
};

struct hpm_format_counted {
    const char *name;
};

struct hpm_format_call {
    struct hpm_study_call said;
};

/* How the values of one data of a summary lie. */
struct hpm_format_spread {
    const char *name, *unit;
    int kind;
    struct hpm_study_spread said; /* without row and column */
};

struct hpm_format_record {
    const char *lid, *label, *file, *module;
    struct hpm_number tid, task, line_start, line_end, instance;
    struct hpm_number id, parent, within;
    struct hpm_number extras[HPM_N_NUMBER_EXTRAS]; /* by enum hpm_extra */
    int disp, scope, open, is_short, overlap, measured, side, via;
};

struct hpm_format_data {
    const char *name, *unit;
    struct hpm_datum datum; /* numbers and reason are here; the rest below */
    int kind, state, disp, partial, children, spread;
};

struct hpm_format_end {
    struct hpm_number n_records;
};

/* Room for any element. */
union hpm_format_any {
    struct hpm_format_file file;
    struct hpm_format_source source;
    struct hpm_format_left_out left_out;
    struct hpm_format_run run;
    struct hpm_format_resource resource;
    struct hpm_format_machine machine;
    struct hpm_format_counters counters;
    struct hpm_format_counter counter;
    struct hpm_format_calibration calibration;
    struct hpm_format_cost cost;
    struct hpm_format_problem problem;
    struct hpm_format_profile profile;
    struct hpm_format_sampled sampled;
    struct hpm_format_module module;
    struct hpm_format_samples samples;
    struct hpm_format_at at;
    struct hpm_format_calls calls;
    struct hpm_format_counted counted;
    struct hpm_format_call call;
    struct hpm_format_spread spread;
    struct hpm_format_record record;
    struct hpm_format_data data;
    struct hpm_format_end end;
};

/* Values of attributes that are words, in the order of their enums. */
enum { HPM_FORMAT_TRUE = 1, HPM_FORMAT_FALSE = 2 };
enum { HPM_FORMAT_YES = 1, HPM_FORMAT_NO = 2 };

/* Append the attributes that are set, each with a blank before it. */
void hpm_format_add(struct hpm_string *string, enum hpm_format_name element,
                    const void *values);

#endif
