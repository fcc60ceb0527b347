/* SPDX-License-Identifier: BSD-3-Clause
 * The language of a source, which its name tells, as compilers have it. */
#ifndef HPMVIZ_INSTRUMENT_LANGUAGE_H
#define HPMVIZ_INSTRUMENT_LANGUAGE_H

#include <glib.h>

enum hpmviz_language {
    HPMVIZ_LANGUAGE_UNKNOWN,
    HPMVIZ_LANGUAGE_C,
    HPMVIZ_LANGUAGE_CPP,
    HPMVIZ_LANGUAGE_FIXED, /* Fortran in fixed form */
    HPMVIZ_LANGUAGE_FREE,  /* Fortran in free form */
};

enum hpmviz_language hpmviz_language_of(const char *path);

/* Does the compiler run the C preprocessor over a Fortran source of this name?
 * It does if the ending is in capitals. */
gboolean hpmviz_language_is_preprocessed(const char *path);

#endif
