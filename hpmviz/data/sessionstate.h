/* SPDX-License-Identifier: BSD-3-Clause
 * What the session's own sources (session*.c) share, and nobody else.
 */
#ifndef HPMVIZ_DATA_SESSIONSTATE_H
#define HPMVIZ_DATA_SESSIONSTATE_H

#include "hpmviz/data/reader.h"
#include "hpmviz/data/session.h"
#include "hpmviz/data/watcher.h"

struct _HpmvizSession {
    GObject parent_instance;
    struct hpmviz_loaded *loaded;
    GCancellable *survey_stop;   /* of what is being surveyed, or NULL */
    GCancellable *restrict_stop; /* of what is being taken out, or NULL */
    GCancellable *compare_stop;  /* of what is being compared, or NULL */
    struct hpmviz_view view;
    struct hpmviz_selection selection;
    char *metric; /* the selection's */
    char *topology;
    struct {
        guint run;
        gboolean is_compared;
    } wanted; /* to be shown: as the selection, or what is still compared */

    HpmvizRuns *runs;
    HpmvizReader *reader;
    char **words; /* what could not be opened, as long as no run is open */
    HpmvizWatcher *watcher;
    char *folder, *failure;

    struct hpmviz_sources *sources;
    HpmvizPreferences *preferences;
};

/* Its signals. */
enum hpmviz_tell {
    HPMVIZ_TELL_PROGRESS,
    HPMVIZ_TELL_LOADED,
    HPMVIZ_TELL_SURVEYED,
    HPMVIZ_TELL_FAILED,
    HPMVIZ_TELL_OUTDATED,
    HPMVIZ_TELL_VIEWED,
    HPMVIZ_TELL_SELECTED,
    HPMVIZ_TELL_METRIC,
    HPMVIZ_TELL_PLACE,
    HPMVIZ_N_TELLS
};

void hpmviz_session_tell(HpmvizSession *session, enum hpmviz_tell tell);

/* Why something could not be done; tells. */
void hpmviz_session_fail(HpmvizSession *session, const char *failure);

/* Show that from now on, which is the session's then; the section that was
 * selected stays so, by what it is called. */
void hpmviz_session_take(HpmvizSession *session, struct hpmviz_loaded *loaded);

/* Watch the files of all runs. */
void hpmviz_session_watch(HpmvizSession *session);

/* Survey with metrics what is looked at first, if it is brief; then the others.
 * Nothing happens while files are read or runs compared, nor while a survey is
 * made. */
void hpmviz_session_survey_next(HpmvizSession *session);

/* Nobody hears any more of what goes on in a thread. */
void hpmviz_session_stop_surveying(HpmvizSession *session);
void hpmviz_session_stop_restricting(HpmvizSession *session);
void hpmviz_session_stop_comparing(HpmvizSession *session);

/* What goes on in a thread.  It does not keep the session: nobody may want what
 * comes of it any more. */
struct hpmviz_work {
    GWeakRef session;
    GCancellable *stop;
};

struct hpmviz_work *hpmviz_work_new(HpmvizSession *session, GCancellable *stop);
void hpmviz_work_free(struct hpmviz_work *work);

#endif
