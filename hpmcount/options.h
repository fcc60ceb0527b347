/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of hpmcount. */
#ifndef HPMCOUNT_OPTIONS_H
#define HPMCOUNT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/string.h"
#include "hpmcount/look.h"
#include "hpmcount/series.h"
#include "metric/derived.h"
#include "model/experiment.h"

/* A format of the report. */
struct format {
    const char *name;
    void (*add)(struct hpm_string *string,
                const struct hpm_experiment *experiment,
                struct hpm_derived *derived, const struct look *look);
    void (*add_series)(struct hpm_string *string, const struct series *series);
    bool may_have_colour;
    /* add messages to the report; NULL: print them at once */
    void (*add_messages)(struct hpm_string *document, const char *lines);
    bool is_json;
};

enum options_chains { OPTIONS_NO_CHAINS, OPTIONS_CHAINS_FP };

enum task { TASK_RUN, TASK_LIST, TASK_HELP, TASK_VERSION };

struct options {
    enum task task;
    const char *events;           /* -e, NULL when not given */
    const char *set_name;         /* -s */
    const char *metrics;          /* -m */
    const char *sampled;          /* --sample */
    const char *probed;           /* --section; globs */
    bool is_entry_only;           /* --entry-only */
    unsigned chains;              /* --chains: enum options_chains */
    uint64_t delay_ms;            /* --delay */
    bool takes_turns;             /* --share */
    bool is_audit;                /* --audit */
    bool takes_mpi;               /* --mpi */
    const char *functions;        /* --functions; globs */
    const char *libraries;        /* --library; names and globs */
    bool takes_openmp;            /* --openmp */
    bool has_libomp;              /* --openmp=libomp */
    bool has_regions;             /* --openmp=regions */
    const char *processes;        /* -p; a list of numbers, as the next two */
    const char *threads;          /* -t */
    const char *cpus;             /* -C */
    const char *cgroup;           /* --cgroup */
    bool has_all_cpus;            /* -A */
    bool has_thread_rows;         /* --per-thread */
    bool has_core_rows;           /* --per-core */
    uint64_t interval_ms;         /* --interval; 0 when not given */
    uint64_t timeout_ms;          /* --timeout; 0 when not given */
    uint64_t n_runs;              /* -r; 1 when not given */
    uint64_t n_warmups;           /* --warmup */
    bool has_formulas;            /* -x */
    bool is_verbose;              /* -v */
    enum hpm_precision precision; /* --precision; double when not given */
    bool is_aggregated;           /* -a */
    const char *output;           /* -o; a pattern */
    const char *page;             /* --html; a pattern */
    const char *log;              /* --log; a pattern */
    int log_fd;                   /* --log-fd, or what --log means; or -1 */
    bool is_unique;               /* -u */
    bool is_appended;             /* --append */
    bool is_quiet;                /* -n */
    bool allows_launcher;         /* --yes-launcher */
    const struct format *format;
    char **own;     /* hpmcount's own words, up to the program's */
    char **command; /* program and arguments; ends in NULL; for running targets:
                     * the program that sets the time, or none */
};

/* Read the command line.  False when it is wrong; err gives the reason. */
bool options_parse(struct options *ret_options, int argc, char **argv,
                   struct hpm_error *err);

/* Are running processes, threads or processors to be counted? */
bool options_attach(const struct options *options);

/* Is a library loaded into the program that writes a performance file? */
bool options_load_writer(const struct options *options);

/* Is the report appended to existing output?  Either the user wants it, or rows
 * of intervals were written before. */
bool options_append(const struct options *options);

void options_print_help(void);
void options_print_version(void);

#endif
