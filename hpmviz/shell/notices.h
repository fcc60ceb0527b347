/* SPDX-License-Identifier: BSD-3-Clause
 * What is to be said of the files: what is wrong with them, why they cannot be
 * opened, that they have changed.  Bars above the panes, which the user closes.
 */
#ifndef HPMVIZ_SHELL_NOTICES_H
#define HPMVIZ_SHELL_NOTICES_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_NOTICES (hpmviz_notices_get_type())
G_DECLARE_FINAL_TYPE(HpmvizNotices, hpmviz_notices, HPMVIZ, NOTICES, GtkBox)

GtkWidget *hpmviz_notices_new(HpmvizSession *session);

#endif
