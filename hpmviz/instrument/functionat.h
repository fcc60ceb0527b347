/* SPDX-License-Identifier: BSD-3-Clause
 * The function of a source that a line is in, by the text alone. */
#ifndef HPMVIZ_INSTRUMENT_FUNCTIONAT_H
#define HPMVIZ_INSTRUMENT_FUNCTIONAT_H

#include <glib.h>

#include "hpmviz/instrument/language.h"

struct hpmviz_function {
    char *name;        /* without classes, namespaces, modules; in Fortran in
                          small letters; for hpmviz_function_clear */
    guint first, last; /* its lines, the declaration with them */
    enum hpmviz_language language;
    gboolean
        is_program; /* Fortran's main program, whose name compilers change */
};

/* FALSE, with a reason for the user, where the line is in no function that has a
 * name.  Of a C++ lambda it is the function around. */
gboolean hpmviz_function_at(const char *text, enum hpmviz_language language,
                            guint line, struct hpmviz_function *ret_function,
                            GError **error);
void hpmviz_function_clear(struct hpmviz_function *function);

#endif
