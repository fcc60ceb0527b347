/* SPDX-License-Identifier: BSD-3-Clause
 * The command line of hpmcount. */
#ifndef HPMCOUNT_OPTIONS_H
#define HPMCOUNT_OPTIONS_H

#include <stdbool.h>

#include "base/error.h"
#include "base/string.h"
#include "metric/derived.h"
#include "model/experiment.h"
#include "report/tree.h"

/* How a report looks. */
struct format {
    const char *name;
    void (*add)(struct hpm_string *string,
                const struct hpm_experiment *experiment,
                struct hpm_derived *derived,
                const struct hpm_tree_style *style);
};

enum task { TASK_RUN, TASK_LIST, TASK_HELP, TASK_VERSION };

struct options {
    enum task task;
    const char *events;   /* -e, NULL when not given */
    const char *set_name; /* -s */
    const char *metrics;  /* -m */
    bool has_formulas;    /* -x */
    enum hpm_precision precision;
    const char *output;   /* -o; a pattern */
    const char *log;      /* --log */
    const struct format *format;
    char **command; /* program and arguments, NULL-ended */
};

/* Read the command line.  False when it is wrong; err says how. */
bool options_parse(struct options *ret_options, int argc, char **argv,
                   struct hpm_error *err);

void options_print_help(void);
void options_print_version(void);

#endif
