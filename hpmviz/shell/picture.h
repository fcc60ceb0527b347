/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer shows, as a file and without a display: the sections, and the
 * metrics of the costliest of each scope.
 */
#ifndef HPMVIZ_SHELL_PICTURE_H
#define HPMVIZ_SHELL_PICTURE_H

#include "hpmviz/data/session.h"
#include "hpmviz/shell/drawing.h"

/* Draw what is open in the session, by its view but for the scope. */
struct hpmviz_drawing *hpmviz_picture_draw(HpmvizSession *session,
                                           gboolean is_dark);

#endif
