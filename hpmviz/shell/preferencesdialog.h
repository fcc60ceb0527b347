/* SPDX-License-Identifier: BSD-3-Clause
 * Preferences, edited: what is chosen holds at once. */
#ifndef HPMVIZ_SHELL_PREFERENCESDIALOG_H
#define HPMVIZ_SHELL_PREFERENCESDIALOG_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

#define HPMVIZ_TYPE_PREFERENCESDIALOG (hpmviz_preferencesdialog_get_type())
G_DECLARE_FINAL_TYPE(HpmvizPreferencesdialog, hpmviz_preferencesdialog, HPMVIZ,
                     PREFERENCESDIALOG, GtkDialog)

/* The one of this window. */
void hpmviz_preferencesdialog_show(HpmvizSession *session, GtkWindow *parent);

#endif
