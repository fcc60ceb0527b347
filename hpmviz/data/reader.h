/* SPDX-License-Identifier: BSD-3-Clause
 * Files that are to be read, one reading after the other, for the main thread.  A
 * reading begins when the files of the one before are read, and surveys of these
 * may still be made.
 */
#ifndef HPMVIZ_DATA_READER_H
#define HPMVIZ_DATA_READER_H

#include <gio/gio.h>

#include "hpmviz/data/loader.h"

#define HPMVIZ_TYPE_READER (hpmviz_reader_get_type())
G_DECLARE_FINAL_TYPE(HpmvizReader, hpmviz_reader, HPMVIZ, READER, GObject)

/* Signal, without arguments: "progress", when more files have been read. */

HpmvizReader *hpmviz_reader_new(void);

/* Called in the main loop for each reading that was not cancelled, after it has
 * left the queue: `loaded` is the callee's to free; NULL where nothing can be
 * used, and then `failure` says why, a sentence a line. */
typedef void hpmviz_reader_end(gpointer owner, char **words, guint tag,
                               struct hpmviz_loaded *loaded,
                               const char *failure);

/* Read what the words stand for after all that waits.  The owner must outlive
 * the reader; what the tag is for is the owner's. */
void hpmviz_reader_queue(HpmvizReader *reader, char *const *words,
                         enum hpm_precision precision, guint tag,
                         hpmviz_reader_end *end, gpointer owner);

/* Stop all readings, those that wait, too: their ends are not called. */
void hpmviz_reader_cancel(HpmvizReader *reader);

/* Is anything being read?  Then how far the reading is that began last. */
gboolean hpmviz_reader_is_busy(const HpmvizReader *reader, guint *ret_n_done,
                               guint *ret_n_files);

#endif
