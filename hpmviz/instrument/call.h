/* SPDX-License-Identifier: BSD-3-Clause
 * One call of libhpm in a source. */
#ifndef HPMVIZ_INSTRUMENT_CALL_H
#define HPMVIZ_INSTRUMENT_CALL_H

#include <glib.h>

enum hpmviz_callkind {
    HPMVIZ_CALL_START,
    HPMVIZ_CALL_STOP,
    HPMVIZ_CALL_SCOPE, /* HPM_SECTION and its like, which stop by themselves */
    HPMVIZ_CALL_WORK,  /* hpmWork: names an open section */
    HPMVIZ_CALL_OTHER, /* of the library, and of no section */
};

struct hpmviz_call {
    enum hpmviz_callkind kind;
    gboolean is_process;
    gboolean has_id;   /* as a number, which can be read and changed */
    gboolean knows_id; /* so, or by a name whose number the source tells */
    int id;
    gsize id_at, n_id;       /* bytes of the text; of a name 0 */
    gsize label_at, n_label; /* within its quotes; none: 0 */
    gsize at, n_bytes;       /* of the statement */
    guint line, last_line;   /* of the statement */
    gsize file_at, n_file;   /* Fortran: the file and the line that are */
    gsize line_at, n_line;   /* arguments; none: 0 */
    gboolean is_alone;       /* nothing else depends on the statement */
};

#endif
