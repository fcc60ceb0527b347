/* SPDX-License-Identifier: BSD-3-Clause
 * The calls of libhpm that a source has. */
#ifndef HPMVIZ_INSTRUMENT_CALLS_H
#define HPMVIZ_INSTRUMENT_CALLS_H

#include "hpmviz/instrument/call.h"
#include "hpmviz/instrument/language.h"

/* All calls of a text, in its order (struct hpmviz_call); for g_array_unref.
 * Calls in comments and strings are none. */
GArray *hpmviz_calls_find(const char *text, enum hpmviz_language language);

/* The next free id, at least this: one more than the largest of the calls.
 * -1 if there is none. */
int hpmviz_calls_next_id(const GArray *calls, int least);

/* The label as it is, or with a number behind that makes it one that no start
 * of the text has yet; for g_free. */
char *hpmviz_calls_free_label(const GArray *calls, const char *text,
                              const char *label);

/* The start (or section that stops by itself) a call belongs to: the last one
 * of its id and scope before it; itself for a start.  `len` for none. */
guint hpmviz_calls_start_of(const GArray *calls, guint i);

#endif
