/* SPDX-License-Identifier: BSD-3-Clause
 * A text in C or C++ without its comments, strings and directives. */
#ifndef HPMVIZ_INSTRUMENT_CCODE_H
#define HPMVIZ_INSTRUMENT_CCODE_H

#include "hpmviz/instrument/textlines.h"

enum hpmviz_directive {
    HPMVIZ_DIRECTIVE_IF,
    HPMVIZ_DIRECTIVE_ELSE, /* and #elif */
    HPMVIZ_DIRECTIVE_ENDIF,
    HPMVIZ_DIRECTIVE_INCLUDE,
    HPMVIZ_DIRECTIVE_PRAGMA,
    HPMVIZ_DIRECTIVE_OTHER,
};

struct hpmviz_directiveline {
    enum hpmviz_directive kind;
    guint first, last; /* lines */
    gsize at;          /* the "#" */
    char *words;       /* what follows the "#", a blank between words */
};

/* Inside of what a line begins, which cannot be divided there. */
enum hpmviz_inside {
    HPMVIZ_INSIDE_NOTHING,
    HPMVIZ_INSIDE_COMMENT,
    HPMVIZ_INSIDE_DIRECTIVE,
    HPMVIZ_INSIDE_STRING,
};

struct hpmviz_ccode {
    struct hpmviz_textlines lines;
    char *code;  /* as many bytes as the text has: blanks for what is no code */
    char *whole; /* the code of all branches, see hpmviz_ccode_choose */
    GArray *directives; /* struct hpmviz_directiveline */
    GArray *inside;     /* enum hpmviz_inside as guint8, of each line */
};

void hpmviz_ccode_init(struct hpmviz_ccode *code, const char *text);
void hpmviz_ccode_clear(struct hpmviz_ccode *code);

enum hpmviz_inside hpmviz_ccode_inside(const struct hpmviz_ccode *code,
                                       guint line);

/* Of each "#if ... #else ... #endif" keep the code of one branch: that of the
 * lines, if they are in one, else the first or the last.  "#if 0" is none. */
void hpmviz_ccode_choose(struct hpmviz_ccode *code, guint line,
                         gboolean wants_last);

/* Keep the code of all branches, as it is in the beginning. */
void hpmviz_ccode_choose_all(struct hpmviz_ccode *code);

#endif
