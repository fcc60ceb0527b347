/* SPDX-License-Identifier: BSD-3-Clause
 * The contents of vendors' files: events with their codes and metrics with
 * their formulas, by processor.  Files of any form are read into one struct
 * hpm_vendor; all its texts live as long as it does.
 *
 *     vendor
 *       maps[]         which files are for which processors (mapfile.csv)
 *       processors[]
 *         events[]       name, code
 *         metrics[]      name, formula, limits, as the vendor has them
 *         latencies[]    of events, as a vendor measured them
 *       sources[]      the files, and what was in each */
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

enum { HPM_VENDOR_MOST_FAULTS = 10 }; /* noted faults of a sort in one file */

/* The fields of a counter's code; 0 and NULL are not given. */
struct hpm_vendor_code {
    const char *pmu; /* NULL: the core's */
    uint64_t event, umask, cmask;
    bool is_inverted, is_edge, is_any, is_equal;
    bool is_config;  /* `event` is the whole code */
    const char *msr; /* the name of the field with msr_value */
    uint64_t msr_value;
    bool is_of_node;   /* counted by a unit that programs share */
    const char *terms; /* further fields of such a unit: "ch_mask=0x1" */
};

struct hpm_vendor_event {
    const char *name; /* the vendor's name */
    const char *ours; /* its name in definitions */
    const char *why;  /* the reason why it has no code; NULL: it has one */
    const char *info; /* the vendor's words */
    struct hpm_vendor_code code;
    bool is_variant; /* another event with fields changed */
};

/* The vendor's formula uses `alias` for `name`. */
struct hpm_vendor_alias {
    const char *alias, *name;
};

/* A metric in the vendor's words, except `ours`. */
struct hpm_vendor_metric {
    const char *name, *ours;
    const char *other_name; /* limits of other metrics use this name */
    const char *formula;
    struct hpm_vendor_alias *aliases;
    size_t n_aliases, aliases_capacity;
    const char *unit;
    double factor; /* the value is multiplied by this when it is shown */
    const char *parent, *sample, *info;
    const char *threshold; /* a formula of names of metrics */
    struct hpm_vendor_alias *limit_aliases;
    size_t n_limit_aliases, limit_aliases_capacity;
    bool is_limit_shown; /* limits are in the unit shown */
    size_t source;
    bool is_renamed;  /* its name has another meaning here */
    bool is_of_node;  /* a unit that programs share counts some of it */
    bool is_of_cores; /* cores count some of it */
    /* the results of the translation: */
    const char *text,
        *text_smt;   /* our formula; the formula for cores with several
                      * threads */
    const char *why; /* the reason why there is no formula */
    const char *why_no_limit;
    double limit; /* in the unit shown */
    bool has_limit, is_limit_above;
};

struct hpm_vendor_latency {
    const char *event;
    double cycles;
};

struct hpm_vendor_processor {
    const char *key; /* the common part of the files' names */
    const char *name;
    const char *others; /* more words for arch; "" */
    const char *ids;    /* for the statement "processor"; NULL: none */
    const char *title;
    const char *pmu;  /* NULL: "cpu" */
    const char *kind; /* prefix of names of events and metrics for one kind of a
                       * hybrid's cores: "P_"; "": the processor has one kind */
    double n_slots;   /* slots in a cycle; 0: not given */
    bool is_shared;   /* kinds of cores have all its events: hpm_vendor_share */
    bool is_copy;     /* of another with these files: hpm_vendor_share */

    struct hpm_vendor_event *events;
    size_t n_events, events_capacity;
    struct hpm_names event_names; /* in small letters */
    size_t *event_of;             /* index in `events`, by the name's number */
    size_t event_of_capacity;

    struct hpm_vendor_metric *metrics;
    size_t n_metrics, metrics_capacity;

    struct hpm_vendor_latency *latencies;
    size_t n_latencies, latencies_capacity;
};

struct hpm_vendor_map {
    const char *key;
    const char *ids;   /* "ID, ID" */
    const char *title; /* NULL: not given */
    const char *pmu;
};

struct hpm_vendor_source {
    const char *path; /* as the user gave it */
    const char *form; /* "Intel's list of events" */
    const char *copyright;
    const char *version;
    size_t n_events, n_uncoded; /* events, and those without a code */
    size_t n_skipped;           /* broken elements or lines */
    size_t n_replaced;          /* events that were there with another code */
};

/* A fault in a file whose other parts are good. */
struct hpm_vendor_fault {
    const char *path, *text;
};

struct hpm_vendor {
    struct hpm_arena arena;
    struct hpm_names names;
    const char *name; /* the processor's name, as the user gave it; NULL: not
                       * given */
    const char *ids;
    bool lacks_memory; /* memory was short: something is missing here */

    struct hpm_vendor_map *maps;
    size_t n_maps, maps_capacity;
    struct hpm_vendor_processor *processors;
    size_t n_processors, processors_capacity;
    struct hpm_vendor_source *sources;
    size_t n_sources, sources_capacity;
    struct hpm_vendor_fault *faults;
    size_t n_faults, faults_capacity;
    const char *path;             /* of the file being read */
    size_t n_skipped;             /* its broken elements or lines */
    size_t n_replaced, n_renamed; /* its events that were there with another
                                   * code, metrics with another formula */
    /* events of the architecture, for lists that only name events */
    struct hpm_vendor_processor common;
};

void hpm_vendor_free(struct hpm_vendor *vendor);

/* A kept copy of a text; NULL for NULL, and when there is no memory. */
const char *hpm_vendor_keep(struct hpm_vendor *vendor, const char *text);

/* If `why` is a lack of memory, note that. */
void hpm_vendor_note_lack(struct hpm_vendor *vendor,
                          const struct hpm_error *why);

/* Keep a reason why something is missing; if the reason is a lack of memory,
 * note that. */
const char *hpm_vendor_keep_reason(struct hpm_vendor *vendor,
                                   const struct hpm_error *why);

/* The text of a string, kept; the string is freed. */
const char *hpm_vendor_keep_string(struct hpm_vendor *vendor,
                                   struct hpm_string *string);

/* A file's name without its folder and the words for its form: "skylakex" of
 * "a/skylakex_core.json.gz". */
const char *hpm_vendor_key(struct hpm_vendor *vendor, const char *path);

/* The processor for which a file of that name is; NULL, with the reason, if
 * that is not known. */
struct hpm_vendor_processor *hpm_vendor_processor_of(struct hpm_vendor *vendor,
                                                     const char *path,
                                                     struct hpm_error *err);

/* Find or add the processor of that name, with these ids.  If `pmu` is the PMU
 * of one kind of cores, it is that kind; its processor's name is the part of
 * the key before the last _.  NULL, with the reason, if the processor has that
 * kind under another key. */
struct hpm_vendor_processor *
hpm_vendor_add_processor(struct hpm_vendor *vendor, const char *key,
                         const char *ids, const char *title, const char *pmu,
                         struct hpm_error *err);

/* Find or add the kind of a processor's cores with this PMU, such as
 * cpu_core. */
struct hpm_vendor_processor *
hpm_vendor_kind_of(struct hpm_vendor *vendor,
                   const struct hpm_vendor_processor *processor,
                   const char *pmu, struct hpm_error *err);

/* Count a fault of the file being read in *n_like_it, and note it for the user if
 * it is one of the first ten of its sort.  False when there is no memory. */
bool hpm_vendor_add_fault(struct hpm_vendor *vendor, size_t *n_like_it,
                          const struct hpm_error *fault);

/* Add an event and keep its texts; it replaces an event of the same name.  NULL
 * when there is no memory. */
struct hpm_vendor_event *
hpm_vendor_add_event(struct hpm_vendor *vendor,
                     struct hpm_vendor_processor *processor,
                     const struct hpm_vendor_event *event);

/* The event of that name, in upper or lower case; NULL: none. */
struct hpm_vendor_event *
hpm_vendor_find_event(const struct hpm_vendor_processor *processor,
                      const char *name);

/* Add a metric and keep its texts, unless a metric of the same name has the
 * same formula; NULL when there is no memory. */
struct hpm_vendor_metric *
hpm_vendor_add_metric(struct hpm_vendor *vendor,
                      struct hpm_vendor_processor *processor,
                      const struct hpm_vendor_metric *metric);

/* The metric with that name, as its name or its other name; NULL: none. */
struct hpm_vendor_metric *
hpm_vendor_find_metric(const struct hpm_vendor_processor *processor,
                       const char *name);

/* Call this after all files.  Files that a map names for two sorts of processors, one
 * hybrid, one with these cores alone, are for both.  Events of units that kinds of
 * cores share, in the list of the whole processor ("alderlake"), become events of
 * each kind ("alderlake_goldencove"), too.  False, with the reason, if that cannot be
 * done. */
bool hpm_vendor_share(struct hpm_vendor *vendor, struct hpm_error *err);

bool hpm_vendor_add_alias(struct hpm_vendor *vendor,
                          struct hpm_vendor_alias **aliases, size_t *n,
                          size_t *capacity, const char *alias,
                          const char *name);

bool hpm_vendor_add_latency(struct hpm_vendor *vendor,
                            struct hpm_vendor_processor *processor,
                            const char *event, double cycles);

/* Say which processors, by their ids, files of that key are for.  One key may have
 * several PMUs: E cores of a hybrid (cpu_atom) are all that other processors have
 * (NULL).  False when there is no memory. */
bool hpm_vendor_add_map(struct hpm_vendor *vendor, const char *key,
                        const char *ids, const char *title, const char *pmu);

/* ---- reading files --------------------------------------------------- */

/* Read a file of any form.  Files that tell which processors other files are
 * for, and files of an architecture, must come first: hpm_vendor_is_map.
 * False, with the reason, file and line, if the form is unknown or the file is
 * broken. */
bool hpm_vendor_read(struct hpm_vendor *vendor, const char *path,
                     const char *text, size_t length, struct hpm_error *err);

/* Is it a file that must be read before others? */
bool hpm_vendor_is_map(const char *path, const char *text);

#endif
