/* SPDX-License-Identifier: BSD-3-Clause
 * A list of the preferences that the user edits: a row per string. */
#ifndef HPMVIZ_SHELL_WORDLIST_H
#define HPMVIZ_SHELL_WORDLIST_H

#include <gtk/gtk.h>

#include "hpmviz/data/preferences.h"

#define HPMVIZ_TYPE_WORDLIST (hpmviz_wordlist_get_type())
G_DECLARE_FINAL_TYPE(HpmvizWordlist, hpmviz_wordlist, HPMVIZ, WORDLIST, GtkBox)

enum hpmviz_word {
    HPMVIZ_WORD_SUBSTITUTION, /* "from=to" */
    HPMVIZ_WORD_FOLDER,       /* chosen with a dialog */
};

/* Shows the strings under the key, and changes them with what the user does.  A
 * row that is not what it should be says so, and is not kept. */
GtkWidget *hpmviz_wordlist_new(HpmvizPreferences *preferences,
                               const char *group, const char *key,
                               enum hpmviz_word kind, const char *name);

#endif
