/* SPDX-License-Identifier: BSD-3-Clause
 * The commands on calls of a source, as the viewer has them, for tests. */
#ifndef TESTS_VIZ_INSTRUMENTER_H
#define TESTS_VIZ_INSTRUMENTER_H

#include <glib.h>

/* The text with calls around lines, and the numbers of lines that calls name put
 * right; or the reason why not, which is one line.  For g_free. */
char *instrumenter_add(const char *name, const char *text, guint first,
                       guint last);

/* Without the calls of the section there; of all sections where `first` is 0. */
char *instrumenter_take_away(const char *name, const char *text, guint first,
                             guint last);

/* With ids from 1. */
char *instrumenter_renumber(const char *name, const char *text);

#endif
