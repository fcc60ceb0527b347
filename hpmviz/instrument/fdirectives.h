/* SPDX-License-Identifier: BSD-3-Clause
 * Directives of compilers, OpenMP and OpenACC around lines of Fortran. */
#ifndef HPMVIZ_INSTRUMENT_FDIRECTIVES_H
#define HPMVIZ_INSTRUMENT_FDIRECTIVES_H

#include "hpmviz/instrument/fcode.h"

/* What one directive is about. */
gboolean hpmviz_fdirective_is_end(const struct hpmviz_fdirective *directive);

/* The statement below, mostly a loop: an end of its own may be left out. */
gboolean
hpmviz_fdirective_is_of_statement(const struct hpmviz_fdirective *directive);

/* A region, which has an end; also that end. */
gboolean
hpmviz_fdirective_is_of_region(const struct hpmviz_fdirective *directive);

/* Has the name of the directive this word in it? */
gboolean hpmviz_fdirective_has_word(const struct hpmviz_fdirective *directive,
                                    const char *word);

/* As it stands in a source: "!$omp parallel do"; for g_free. */
char *hpmviz_fdirective_text(const struct hpmviz_fdirective *directive);

/* Make the lines (*first, *last) begin above the directives that belong to the
 * first statement, and end below their ends.  `code_first` and `code_last` are
 * the lines of the statements.  FALSE, with a reason, where a region would be
 * begun or ended alone in the lines, or a directive parted from its statement. */
gboolean hpmviz_fdirectives_include(const struct hpmviz_fcode *code,
                                    guint code_first, guint code_last,
                                    guint *first, guint *last,
                                    gboolean *ret_has_parallel, GError **error);

#endif
