/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer shows, as a file and without a display: the sections, and the
 * metrics of the costliest of each scope.
 */
#ifndef HPMVIZ_SHELL_PICTURE_H
#define HPMVIZ_SHELL_PICTURE_H

#include "hpmviz/data/session.h"

/* Draw what is open in the session, by its view but for the scope: the bytes of
 * a file of that name (hpmviz/shell/drawing.h). */
GBytes *hpmviz_picture_draw(HpmvizSession *session, gboolean is_dark,
                            const char *name, GError **error);

#endif
