/* SPDX-License-Identifier: BSD-3-Clause
 * What a statement of Fortran is. */
#ifndef HPMVIZ_INSTRUMENT_FKINDS_H
#define HPMVIZ_INSTRUMENT_FKINDS_H

#include <glib.h>

enum hpmviz_fkind {
    HPMVIZ_F_EXECUTABLE,
    HPMVIZ_F_DO,
    HPMVIZ_F_BLOCK,  /* if, select, where ... with an end of their own */
    HPMVIZ_F_MIDDLE, /* else, case ... */
    HPMVIZ_F_END_BLOCK,
    HPMVIZ_F_UNIT, /* a program, a module, a procedure */
    HPMVIZ_F_END_UNIT,
    HPMVIZ_F_CONTAINS,
    HPMVIZ_F_DECLARATION,
    HPMVIZ_F_DECLARATIONS, /* an interface, a type, which have an end */
    HPMVIZ_F_ANYWHERE,     /* format, include */
};

/* Of the words of a statement, as fcode.h has them. */
enum hpmviz_fkind hpmviz_fkinds_of(const char *words);

/* Where the parentheses that begin at `open` end; NULL where they do not. */
const char *hpmviz_fkinds_close(const char *open);

#endif
