/* SPDX-License-Identifier: BSD-3-Clause
 * How a function of a program can be measured, as the program's file is. */
#ifndef HPMVIZ_MEASURE_MEASURABLE_H
#define HPMVIZ_MEASURE_MEASURABLE_H

#include <glib.h>

#include "hpmviz/instrument/functionat.h"

enum hpmviz_measuring {
    HPMVIZ_BY_HOOKS,  /* hpmcount --functions */
    HPMVIZ_BY_PROBES, /* hpmcount --section */
};

/* What is asked: a function of a source, in a program. */
struct hpmviz_question {
    const char *program; /* its file */
    const char *source;  /* the file of the function, with folders */
    const struct hpmviz_function *function;
    gboolean may_probe; /* may this user set probes? */
};

/* Find out how, and by which list of patterns for hpmcount (for g_free): a
 * function may be several in a program (a template's, or clones that the compiler
 * made).  FALSE, with a reason and what the user can do, where it cannot be
 * measured.  Reads the program and its debug information: not for the main loop. */
gboolean hpmviz_measurable_find(const struct hpmviz_question *question,
                                enum hpmviz_measuring *ret_way,
                                char **ret_patterns, GError **error);

#endif
