/* SPDX-License-Identifier: BSD-3-Clause
 * What a session takes over from the one before: how things are looked at,
 * where sources are, what was open.
 */
#ifndef HPMVIZ_DATA_REMEMBERED_H
#define HPMVIZ_DATA_REMEMBERED_H

#include "hpmviz/data/session.h"

/* Take the view and what is known of sources from the preferences, and put
 * there from now on what becomes of the view, of its choice of sources, and
 * what is opened. */
void hpmviz_remembered_follow(HpmvizSession *session);

/* Open what was open the last time, and select the section that was selected;
 * FALSE where there is nothing, or the user does not want it. */
gboolean hpmviz_remembered_open_last(HpmvizSession *session);

/* The user has said that files recorded beneath `from` are beneath `to`: before
 * all that was said earlier. */
void hpmviz_remembered_add_substitution(HpmvizPreferences *preferences,
                                        const char *from, const char *to);

/* The two folders of a substitution as it is written, "from=to", for g_free;
 * FALSE, and nothing, where it is none. */
gboolean hpmviz_remembered_split(const char *substitution, char **ret_from,
                                 char **ret_to);

#endif
