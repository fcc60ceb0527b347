/* SPDX-License-Identifier: BSD-3-Clause
 * Which threads behave alike, in the sentence of hpm report: nothing is seen where
 * nothing can be said. */
#ifndef HPMVIZ_KINDS_KINDSLINE_H
#define HPMVIZ_KINDS_KINDSLINE_H

#include <gtk/gtk.h>

#include "hpmviz/data/session.h"

/* It follows the session. */
GtkWidget *hpmviz_kindsline_new(HpmvizSession *session);

#endif
