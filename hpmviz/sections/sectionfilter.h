/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections are shown: those a text asks for.  It is part of a label in
 * either case, or a filter as hpm report has it (study/report/filter.h).
 */
#ifndef HPMVIZ_SECTIONS_SECTIONFILTER_H
#define HPMVIZ_SECTIONS_SECTIONFILTER_H

#include "hpmviz/data/session.h"

struct hpmviz_sectionfilter;

struct hpmviz_sectionfilter *hpmviz_sectionfilter_new(void);
void hpmviz_sectionfilter_free(struct hpmviz_sectionfilter *filter);

/* Forget what is kept of the survey: there is another one. */
void hpmviz_sectionfilter_clear(struct hpmviz_sectionfilter *filter);

/* Per subject of the session's survey whether it is shown with this text in the
 * view's scope; of call paths those around it are, too.  For g_free.  NULL when
 * no label has the text and it looks like a filter, but is none: the error says
 * what is wrong. */
gboolean *hpmviz_sectionfilter_choose(struct hpmviz_sectionfilter *filter,
                                      const HpmvizSession *session,
                                      const char *text, struct hpm_error *err);

/* Where `part` is in a text in either case: bytes; FALSE for nowhere. */
gboolean hpmviz_sectionfilter_find(const char *text, const char *part,
                                   guint *ret_start, guint *ret_end);

#endif
