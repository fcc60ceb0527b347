/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer shows: the files that are open, how they are looked at, what
 * is selected.  Panes know the session and no other pane.
 */
#ifndef HPMVIZ_DATA_SESSION_H
#define HPMVIZ_DATA_SESSION_H

#include <glib-object.h>

#include "hpmviz/data/loader.h"
#include "hpmviz/data/palette.h"
#include "hpmviz/data/preferences.h"
#include "hpmviz/data/runs.h"
#include "hpmviz/data/sources.h"

#define HPMVIZ_TYPE_SESSION (hpmviz_session_get_type())
G_DECLARE_FINAL_TYPE(HpmvizSession, hpmviz_session, HPMVIZ, SESSION, GObject)

/* Which value of a section stands for those of its threads. */
enum hpmviz_statistic {
    HPMVIZ_STATISTIC_MAX, /* the paper's */
    HPMVIZ_STATISTIC_MEAN,
    HPMVIZ_STATISTIC_SUM,
    HPMVIZ_STATISTIC_MIN,
    HPMVIZ_STATISTIC_TASK,  /* the largest of one task's threads */
    HPMVIZ_STATISTIC_WORST, /* of metrics the value farthest beyond its limit;
                             * of times and calls, which have no limits, the
                             * largest */
    HPMVIZ_N_STATISTICS
};

/* "max", "mean", "sum", "min", "task", "worst"; the first for any other name,
 * or NULL.
 */
const char *hpmviz_statistic_name(enum hpmviz_statistic statistic);
enum hpmviz_statistic hpmviz_statistic_find(const char *name);

struct hpmviz_view {
    gboolean is_tree; /* sections on their call paths, not each once */
    int scope;        /* enum hpm_scope */
    enum hpmviz_statistic statistic;
    int task; /* its number, for HPMVIZ_STATISTIC_TASK */
    enum hpm_precision precision;
    enum hpmviz_palette palette;
};

/* What every pane shows and may change. */
struct hpmviz_selection {
    guint run;       /* id of the run that is shown */
    guint reference; /* id of the run with which the shown run is compared, if
                      * is_compared; the session may have another reference
                      * already */
    gboolean
        is_compared;    /* what changed from the reference to it, not itself */
    size_t subject;     /* section on its call path, or HPM_NO_SUBJECT; of the
                           * survey of what is shown */
    const char *metric; /* name of a quantity; NULL: exclusive time */
    int task, tid;      /* the place, by its numbers; -1: all, and all of the
                           * task */
};

/* Signals, without arguments:
 *
 *   "progress"   more files have been read
 *   "loaded"     other files are open now: all subjects are other ones
 *   "surveyed"   there are metrics now, see hpmviz_session_has_metrics: the
 *                subjects are the same, quantities and entries are not
 *   "failed"     they cannot be opened, and the ones before are; see
 *                hpmviz_session_failure
 *   "outdated"   files that are open have changed, and are quiet again; see
 *                hpmviz_session_reload
 *   "viewed"     the view changed
 *   "selected"   the subject did
 *   "metric"     the selected metric did
 *   "place"      the selected place did
 *
 * Runs tell by themselves (hpmviz_session_runs).
 */

HpmvizSession *hpmviz_session_new(void);

/* What is remembered: nothing beyond its life, unless it is set, before panes
 * have the session. */
HpmvizPreferences *hpmviz_session_preferences(const HpmvizSession *session);
void hpmviz_session_set_preferences(HpmvizSession *session,
                                    HpmvizPreferences *preferences);

/* Open what the words stand for as the only run; ends with "loaded" or "failed".
 * What is still being read is cancelled. */
void hpmviz_session_open(HpmvizSession *session, char *const *words);

/* What the first run is read from, or was to be; NULL for nothing yet. */
const char *const *hpmviz_session_words(const HpmvizSession *session);

/* All runs again, as they are now. */
void hpmviz_session_reload(HpmvizSession *session);
void hpmviz_session_cancel(HpmvizSession *session);
gboolean hpmviz_session_is_loading(const HpmvizSession *session,
                                   guint *ret_n_done, guint *ret_n_files);

HpmvizRuns *hpmviz_session_runs(const HpmvizSession *session);

/* Read what the words stand for as one more run, after what is being read, and
 * show what changed from the reference to it; ends with "loaded", of that, or
 * "failed". */
void hpmviz_session_add_run(HpmvizSession *session, char *const *words);

/* Read the run that is shown, or compared, again with more files; where it is the
 * only one as if all were opened. */
void hpmviz_session_add_files(HpmvizSession *session, char *const *words);

/* Open each word as a run of its own, the first as the reference. */
void hpmviz_session_open_runs(HpmvizSession *session, char *const *words);

/* The last run stays. */
void hpmviz_session_remove_run(HpmvizSession *session, guint id);

/* What is compared is then compared with that run. */
void hpmviz_session_set_reference(HpmvizSession *session, guint id);

/* Show a run: itself, or what changed from the reference to it, which is worked
 * out first (hpmviz_session_is_comparing); ends with "loaded", or "failed".  The
 * reference is not compared with itself, but shown. */
void hpmviz_session_show(HpmvizSession *session, guint id,
                         gboolean is_compared);
gboolean hpmviz_session_is_comparing(const HpmvizSession *session);

/* Show only the threads of a group of the pictures of kinds, by its number, or with
 * HPMVIZ_NO_GROUP all again, wherever values are shown.  Ends with "loaded", or
 * "failed"; opening or reading files again ends it, too. */
void hpmviz_session_restrict(HpmvizSession *session, size_t group);

/* The same of some places that the user chose: those with are_kept[place of the study
 * of hpmviz_loaded_whole]; `name` says what they have in common.  Nothing happens where
 * none is kept; all places are shown, as without a choice, where each is. */
void hpmviz_session_choose_places(HpmvizSession *session, const bool *are_kept,
                                  const char *name);

/* The grid in which the user says that tasks stand ("8x8x4", data/topology.h), for all
 * files that are opened; NULL: as the files say.  The setter tells "viewed". */
const char *hpmviz_session_topology(const HpmvizSession *session);
void hpmviz_session_set_topology(HpmvizSession *session, const char *topology);

/* What is shown of what is open; NULL for nothing yet. */
const struct hpmviz_loaded *hpmviz_session_loaded(const HpmvizSession *session);

/* Why the last opening, or some of those that were asked for together, and what
 * was asked for since, failed: a sentence a line; NULL when nothing did. */
const char *hpmviz_session_failure(const HpmvizSession *session);

const struct hpmviz_view *hpmviz_session_view(const HpmvizSession *session);
void hpmviz_session_set_view(HpmvizSession *session,
                             const struct hpmviz_view *view);

/* The survey the view is of: sections or call paths; NULL for nothing. */
struct hpm_survey *hpmviz_session_survey(const HpmvizSession *session);

/* Are metrics among its quantities?  Those of many records come a while after
 * "loaded", with "surveyed"; until then a survey has calls and times. */
gboolean hpmviz_session_has_metrics(const HpmvizSession *session);

/* Are metrics of what is looked at still worked out, or those of another run that
 * is open?  Each survey that is ready is told with "surveyed". */
gboolean hpmviz_session_is_surveying(HpmvizSession *session);

/* The subject of that survey that is selected, or HPM_NO_SUBJECT.  It stays the
 * same section when the view changes. */
size_t hpmviz_session_selected(const HpmvizSession *session);
void hpmviz_session_select(HpmvizSession *session, size_t subject);

/* What is selected, in one; the others of it.  A metric that is not among the
 * quantities of what is shown stays selected, but exclusive time is looked at
 * meanwhile: hpmviz_session_metric has the quantity, HPM_NO_QUANTITY for none. */
const struct hpmviz_selection *
hpmviz_session_selection(const HpmvizSession *session);
void hpmviz_session_select_metric(HpmvizSession *session, const char *name);
void hpmviz_session_select_place(HpmvizSession *session, int task, int tid);
size_t hpmviz_session_metric(const HpmvizSession *session);

/* A subject's value of a quantity, by the view's statistic; NAN where it has
 * none.  One task has calls, times and counters, but no metrics; ratios have no
 * sum; what has no limits, or was not judged, has no worst value. */
double hpmviz_session_value(const HpmvizSession *session, size_t subject,
                            size_t quantity);

/* Its section, and the folder of the first performance file, for finding the
 * source. */
const struct hpm_study_section *
hpmviz_session_section(const HpmvizSession *session, size_t subject);
const char *hpmviz_session_folder(const HpmvizSession *session);

struct hpmviz_sources *hpmviz_session_sources(const HpmvizSession *session);

#endif
