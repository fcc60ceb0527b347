/* SPDX-License-Identifier: BSD-3-Clause
 * A text in Fortran as statements, in fixed or free form. */
#ifndef HPMVIZ_INSTRUMENT_FCODE_H
#define HPMVIZ_INSTRUMENT_FCODE_H

#include "hpmviz/instrument/textlines.h"

enum { HPMVIZ_LAST_COLUMN = 72 }; /* of a statement in fixed form */

struct hpmviz_fstatement {
    guint first, last; /* lines */
    guint label;       /* its number; 0 for none */
    GString *words; /* in small letters, without blanks and without what is in
                       strings, of which the quotes stay */
    GArray *places; /* gsize: where each byte of `words` is in the text */
    gboolean is_shared; /* another statement is in one of its lines */
};

/* Whose a directive is: "#if", "!$omp do", "!$acc loop", "!dir$ ivdep". */
enum hpmviz_fsentinel {
    HPMVIZ_F_PREPROCESSOR,
    HPMVIZ_F_OPENMP,
    HPMVIZ_F_OPENACC,
    HPMVIZ_F_COMPILER,
};

struct hpmviz_fdirective {
    enum hpmviz_fsentinel of;
    guint line, last; /* a directive may go on in further lines */
    char *sign;       /* "#", "!$omp", "!dir$" */
    char *words;      /* behind that, in small letters */
};

struct hpmviz_fcode {
    struct hpmviz_textlines lines;
    gboolean is_fixed;
    GArray *statements; /* struct hpmviz_fstatement */
    GArray *directives; /* struct hpmviz_fdirective */
};

void hpmviz_fcode_init(struct hpmviz_fcode *code, const char *text,
                       gboolean is_fixed);
void hpmviz_fcode_clear(struct hpmviz_fcode *code);

const struct hpmviz_fstatement *
hpmviz_fcode_nth(const struct hpmviz_fcode *code, guint i);

/* The text of a byte of `words`, and where it is. */
gsize hpmviz_fcode_place(const struct hpmviz_fstatement *statement, gsize word);

#endif
