/* SPDX-License-Identifier: BSD-3-Clause
 * A bar that says what is the matter, and has a button for each thing that can
 * be done about it. */
#ifndef HPMVIZ_WIDGETS_NOTICE_H
#define HPMVIZ_WIDGETS_NOTICE_H

#include <gtk/gtk.h>

#define HPMVIZ_TYPE_NOTICE (hpmviz_notice_get_type())
G_DECLARE_FINAL_TYPE(HpmvizNotice, hpmviz_notice, HPMVIZ, NOTICE, GtkInfoBar)

struct hpmviz_remedy {
    const char *label; /* marked for translation; NULL ends a list */
    void (*apply)(gpointer data);
};

/* Show the sentence, which may hold names from files, and the remedies, a list
 * that stays, or NULL.  A remedy hides the bar first. */
void hpmviz_notice_tell(HpmvizNotice *notice, GtkMessageType type,
                        const char *sentence,
                        const struct hpmviz_remedy *remedies, gpointer data);
void hpmviz_notice_hide(HpmvizNotice *notice);

#endif
