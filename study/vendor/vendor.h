/* SPDX-License-Identifier: BSD-3-Clause
 * What vendors' files say: events with their codes and metrics with their
 * formulas, by processor.  Files of any form are read into one of these; all texts
 * in it live as long as it.
 *
 *     vendor
 *       maps[]         which files are for which processors (mapfile.csv)
 *       processors[]
 *         events[]       name, code
 *         metrics[]      name, formula, limits, as the vendor has them
 *         latencies[]    of events, as a vendor measured them
 *       sources[]      the files, what was in each
 */
#ifndef HPM_STUDY_VENDOR_VENDOR_H
#define HPM_STUDY_VENDOR_VENDOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/names.h"
#include "base/string.h"
#include "host/arena.h"

#define HPM_NO_EVENT SIZE_MAX

/* The fields of a counter's code; 0 and NULL are not given. */
struct hpm_vendor_code {
    const char *pmu; /* NULL: the core's */
    uint64_t event, umask, cmask;
    bool is_inverted, is_edge, is_any, is_equal;
    bool is_config;  /* `event` is all of it */
    const char *msr; /* the name of the field with msr_value */
    uint64_t msr_value;
    bool is_of_node;   /* counted by a unit that programs share */
    const char *terms; /* of such a unit, beside those above: "ch_mask=0x1" */
};

struct hpm_vendor_event {
    const char *name; /* as the vendor has it */
    const char *ours; /* as definitions have it */
    const char *why;  /* it has no code; NULL: it has */
    const char *info; /* the vendor's words */
    struct hpm_vendor_code code;
    bool is_variant; /* of another one, with fields changed */
};

/* The vendor's formula says a, and means EVENT. */
struct hpm_vendor_alias {
    const char *alias, *name;
};

/* As the vendor has it, but for `ours`. */
struct hpm_vendor_metric {
    const char *name, *ours;
    const char *other_name; /* that limits of other metrics use */
    const char *formula;
    struct hpm_vendor_alias *aliases;
    size_t n_aliases, aliases_capacity;
    const char *unit;
    double factor; /* what is shown is the value times this */
    const char *parent, *sample, *info;
    const char *threshold; /* a formula of metrics' names */
    struct hpm_vendor_alias *limit_aliases;
    size_t n_limit_aliases, limit_aliases_capacity;
    bool is_limit_shown; /* limits are in the unit shown */
    size_t source;
    bool is_renamed; /* its name means something else here */
    bool is_of_node; /* a unit that programs share counts some of it */
    /* what became of it: */
    const char *text,
        *text_smt;   /* our formula; of cores with several threads */
    const char *why; /* there is none */
    const char *why_no_limit;
    double limit; /* in the unit shown */
    bool has_limit, is_limit_above;
};

struct hpm_vendor_latency {
    const char *event;
    double cycles;
};

struct hpm_vendor_processor {
    const char *key; /* what the files' names have in common */
    const char *name;
    const char *others; /* more words for arch; "" */
    const char *ids;    /* for the statement "processor"; NULL: none */
    const char *title;
    const char *pmu; /* NULL: "cpu" */
    const char
        *kind;      /* of a hybrid's cores, before the names of what is counted
                         there: "P_"; "": the processor has one kind */
    double n_slots; /* a cycle; 0: not said */
    bool is_shared; /* its events are those of others, too: hpm_vendor_share */

    struct hpm_vendor_event *events;
    size_t n_events, events_capacity;
    struct hpm_names event_names; /* in small letters */
    size_t *event_of;             /* by name */
    size_t event_of_capacity;

    struct hpm_vendor_metric *metrics;
    size_t n_metrics, metrics_capacity;

    struct hpm_vendor_latency *latencies;
    size_t n_latencies, latencies_capacity;
};

struct hpm_vendor_map {
    const char *key;
    const char *ids;   /* "ID, ID" */
    const char *title; /* NULL: not said */
    const char *pmu;
};

struct hpm_vendor_source {
    const char *path; /* as the user gave it */
    const char *form; /* "Intel's list of events" */
    const char *copyright;
    const char *version;
    size_t n_events, n_uncoded; /* of these have no code */
    size_t n_skipped;           /* elements or lines that are broken */
};

/* What a file has wrong, though the rest of it is good. */
struct hpm_vendor_fault {
    const char *path, *text;
};

struct hpm_vendor {
    struct hpm_arena arena;
    struct hpm_names names;
    const char *name; /* of the processor, as the user says; NULL: not said */
    const char *ids;
    bool lacks_memory; /* for something: what is here is not all */

    struct hpm_vendor_map *maps;
    size_t n_maps, maps_capacity;
    struct hpm_vendor_processor *processors;
    size_t n_processors, processors_capacity;
    struct hpm_vendor_source *sources;
    size_t n_sources, sources_capacity;
    struct hpm_vendor_fault *faults;
    size_t n_faults, faults_capacity;
    const char *path; /* of the file that is read */
    size_t n_skipped; /* of its elements or lines */
    /* of the architecture, for lists that only name events */
    struct hpm_vendor_processor common;
};

void hpm_vendor_free(struct hpm_vendor *vendor);

/* A kept copy of a text; NULL of NULL, and when there is no memory. */
const char *hpm_vendor_keep(struct hpm_vendor *vendor, const char *text);

/* Where `why` is a lack of memory, note it. */
void hpm_vendor_note_lack(struct hpm_vendor *vendor,
                          const struct hpm_error *why);

/* Why something is not there, kept; a lack of memory is no such reason and noted. */
const char *hpm_vendor_keep_reason(struct hpm_vendor *vendor,
                                   const struct hpm_error *why);

/* The text of a string, kept; the string is freed. */
const char *hpm_vendor_keep_string(struct hpm_vendor *vendor,
                                   struct hpm_string *string);

/* What is left of a file's name without its folder and what tells its form:
 * "skylakex" of "a/skylakex_core.json.gz". */
const char *hpm_vendor_key(struct hpm_vendor *vendor, const char *path);

/* The processor a file of that name is for; NULL, and why, where nothing says
 * which. */
struct hpm_vendor_processor *hpm_vendor_processor_of(struct hpm_vendor *vendor,
                                                     const char *path,
                                                     struct hpm_error *err);

/* The processor of that name and with these ids, new if it is not there.  With the
 * `pmu` of one kind of cores it is that kind of the processor, whose name is the part
 * of the key before the last _. */
struct hpm_vendor_processor *
hpm_vendor_add_processor(struct hpm_vendor *vendor, const char *key,
                         const char *ids, const char *title, const char *pmu,
                         struct hpm_error *err);

/* The cores of a processor that have this PMU, cpu_core, new if it is not there. */
struct hpm_vendor_processor *
hpm_vendor_kind_of(struct hpm_vendor *vendor,
                   const struct hpm_vendor_processor *processor,
                   const char *pmu, struct hpm_error *err);

/* Note what a file has wrong, for whoever imports it; of one file the first ten.
 * False when there is no memory. */
bool hpm_vendor_add_fault(struct hpm_vendor *vendor,
                          const struct hpm_error *fault);

/* Add an event, whose texts are kept, in place of one of its name; NULL when
 * there is no memory. */
struct hpm_vendor_event *
hpm_vendor_add_event(struct hpm_vendor *vendor,
                     struct hpm_vendor_processor *processor,
                     const struct hpm_vendor_event *event);

/* The event of that name, in whatever case; NULL: none. */
struct hpm_vendor_event *
hpm_vendor_find_event(const struct hpm_vendor_processor *processor,
                      const char *name);

/* Add a metric, whose texts are kept, unless one of its name has the same formula;
 * NULL when there is no memory. */
struct hpm_vendor_metric *
hpm_vendor_add_metric(struct hpm_vendor *vendor,
                      struct hpm_vendor_processor *processor,
                      const struct hpm_vendor_metric *metric);

/* The metric of that name, or other name; NULL: none. */
struct hpm_vendor_metric *
hpm_vendor_find_metric(const struct hpm_vendor_processor *processor,
                       const char *name);

/* After all files: what units count that kinds of cores share, in a list of its own
 * ("alderlake"), becomes an event of each kind ("alderlake_goldencove").  False when
 * there is no memory. */
bool hpm_vendor_share(struct hpm_vendor *vendor);

bool hpm_vendor_add_alias(struct hpm_vendor *vendor,
                          struct hpm_vendor_alias **aliases, size_t *n,
                          size_t *capacity, const char *alias,
                          const char *name);

bool hpm_vendor_add_latency(struct hpm_vendor *vendor,
                            struct hpm_vendor_processor *processor,
                            const char *event, double cycles);

bool hpm_vendor_add_map(struct hpm_vendor *vendor, const char *key,
                        const char *ids, const char *title, const char *pmu);

/* ---- reading files --------------------------------------------------- */

/* Read a file of any form.  Files that say which processors others are for, and
 * those of an architecture, must come first: hpm_vendor_is_map.  False, and why,
 * with file and line, where it is of no known form or broken. */
bool hpm_vendor_read(struct hpm_vendor *vendor, const char *path,
                     const char *text, size_t length, struct hpm_error *err);

/* Does the file only say what others are for? */
bool hpm_vendor_is_map(const char *path, const char *text);

#endif
