/* SPDX-License-Identifier: BSD-3-Clause
 * One of the runs that are open: known by its id as long as the session lives,
 * whatever is added or removed around it, and to people by letter and name.
 */
#ifndef HPMVIZ_DATA_RUN_H
#define HPMVIZ_DATA_RUN_H

#include <glib-object.h>

#include "hpmviz/data/loaded.h"

#define HPMVIZ_TYPE_RUN (hpmviz_run_get_type())
G_DECLARE_FINAL_TYPE(HpmvizRun, hpmviz_run, HPMVIZ, RUN, GObject)

/* In place of an id: no run. */
enum { HPMVIZ_NO_RUN = 0 };

/* Properties:
 *
 *   "letter"  "A" to "Z", fixed
 *   "name"    what people call it; as long as nobody has said so, or after NULL
 *             or "", it is derived from the program and the words
 */

/* It has a reference of its own to what was loaded. */
HpmvizRun *hpmviz_run_new(guint id, char letter, char *const *words,
                          struct hpmviz_loaded *loaded);

guint hpmviz_run_id(const HpmvizRun *run);
const char *hpmviz_run_letter(const HpmvizRun *run);
const char *hpmviz_run_name(const HpmvizRun *run);
void hpmviz_run_set_name(HpmvizRun *run, const char *name);

/* What it was read from, and what was read. */
const char *const *hpmviz_run_words(const HpmvizRun *run);
struct hpmviz_loaded *hpmviz_run_loaded(const HpmvizRun *run);

/* The same run, read again, or from more files. */
void hpmviz_run_renew(HpmvizRun *run, char *const *words,
                      struct hpmviz_loaded *loaded);

/* It could not be read again: what is loaded is of the time before. */
gboolean hpmviz_run_is_stale(const HpmvizRun *run);
void hpmviz_run_set_stale(HpmvizRun *run);

#endif
