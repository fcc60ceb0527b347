/* SPDX-License-Identifier: BSD-3-Clause
 * What a session takes over from the one before. */
#include "hpmviz/data/remembered.h"

#include <string.h>

/* The session's, while it opens what was open the last time. */
static const char opening_last[] = "opening last";

/* ---- the view -------------------------------------------------------- */

static gboolean
is_text(const HpmvizPreferences *preferences, const char *key,
        const char *expected)
{
    char *value = hpmviz_preferences_get_string(preferences, "view", key, NULL);
    gboolean is_same = g_strcmp0(value, expected) == 0;

    g_free(value);
    return is_same;
}

static void
take_view(HpmvizSession *session)
{
    const HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    struct hpmviz_view view = *hpmviz_session_view(session);
    char *palette =
        hpmviz_preferences_get_string(preferences, "view", "palette", NULL);
    char *statistic =
        hpmviz_preferences_get_string(preferences, "view", "statistic", NULL);

    view.palette = hpmviz_palette_find(palette);
    view.statistic = hpmviz_statistic_find(statistic);
    view.precision = is_text(preferences, "precision", "single")
                         ? HPM_PRECISION_SINGLE
                         : HPM_PRECISION_DOUBLE;
    view.scope = is_text(preferences, "scope", "process") ? HPM_SCOPE_PROCESS
                                                          : HPM_SCOPE_THREAD;
    view.is_tree =
        hpmviz_preferences_get_flag(preferences, "view", "tree", FALSE);
    hpmviz_session_set_view(session, &view);
    g_free(palette);
    g_free(statistic);
}

static void
keep_view(HpmvizSession *session)
{
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    const struct hpmviz_view *view = hpmviz_session_view(session);

    hpmviz_preferences_set_string(preferences, "view", "palette",
                                  hpmviz_palette_name(view->palette));
    hpmviz_preferences_set_string(preferences, "view", "statistic",
                                  hpmviz_statistic_name(view->statistic));
    hpmviz_preferences_set_string(
        preferences, "view", "precision",
        view->precision == HPM_PRECISION_SINGLE ? "single" : "double");
    hpmviz_preferences_set_string(preferences, "view", "scope",
                                  view->scope == HPM_SCOPE_PROCESS ? "process"
                                                                   : "thread");
    hpmviz_preferences_set_flag(preferences, "view", "tree", view->is_tree);
}

/* ---- sources --------------------------------------------------------- */

/* Folders may have "=" in their names; what follows is an absolute one, and the
 * first that is. */
gboolean
hpmviz_remembered_split(const char *substitution, char **ret_from,
                        char **ret_to)
{
    const char *middle = strstr(substitution, "=/");

    if (middle == NULL || middle == substitution)
        return FALSE;
    *ret_from = g_strndup(substitution, (gsize)(middle - substitution));
    *ret_to = g_strdup(middle + 1);
    return TRUE;
}

static void
take_substitutions(const HpmvizPreferences *preferences,
                   struct hpmviz_sources *sources)
{
    char **entries =
        hpmviz_preferences_get_strings(preferences, "sources", "substitutions");

    for (char **at = entries; *at != NULL; at++) {
        char *from, *to;

        if (!hpmviz_remembered_split(*at, &from, &to))
            continue;
        hpmviz_sources_add_substitution(sources, from, to);
        g_free(from);
        g_free(to);
    }
    g_strfreev(entries);
}

static void
take_folders(const HpmvizPreferences *preferences, const char *key,
             struct hpmviz_sources *sources,
             void (*add)(struct hpmviz_sources *, const char *))
{
    char **folders =
        hpmviz_preferences_get_strings(preferences, "sources", key);

    for (char **at = folders; *at != NULL; at++) {
        if (g_path_is_absolute(*at))
            add(sources, *at);
    }
    g_strfreev(folders);
}

static void
take_sources(HpmvizSession *session)
{
    const HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    struct hpmviz_sources *sources = hpmviz_session_sources(session);

    hpmviz_sources_forget(sources);
    take_folders(preferences, "roots", sources, hpmviz_sources_add_root);
    take_substitutions(preferences, sources);
    take_folders(preferences, "search", sources, hpmviz_sources_add_search);
}

void
hpmviz_remembered_add_substitution(HpmvizPreferences *preferences,
                                   const char *from, const char *to)
{
    char *entry = g_strdup_printf("%s=%s", from, to);
    char **before =
        hpmviz_preferences_get_strings(preferences, "sources", "substitutions");
    GPtrArray *entries = g_ptr_array_new();

    g_ptr_array_add(entries, entry);
    for (char **at = before; *at != NULL; at++) {
        if (strcmp(*at, entry) != 0)
            g_ptr_array_add(entries, *at);
    }
    g_ptr_array_add(entries, NULL);
    hpmviz_preferences_set_strings(preferences, "sources", "substitutions",
                                   (const char *const *)entries->pdata);
    g_ptr_array_unref(entries);
    g_strfreev(before);
    g_free(entry);
}

/* ---- what was open --------------------------------------------------- */

/* The next start may be in another folder. */
static void
keep_files(HpmvizSession *session)
{
    const char *const *words = hpmviz_session_words(session);
    GPtrArray *whole = g_ptr_array_new_with_free_func(g_free);

    for (; words != NULL && *words != NULL; words++)
        g_ptr_array_add(whole, g_canonicalize_filename(*words, NULL));
    g_ptr_array_add(whole, NULL);
    hpmviz_preferences_set_strings(hpmviz_session_preferences(session),
                                   "session", "files",
                                   (const char *const *)whole->pdata);
    g_ptr_array_unref(whole);
}

gboolean
hpmviz_remembered_open_last(HpmvizSession *session)
{
    const HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    char **files =
        hpmviz_preferences_get_strings(preferences, "session", "files");
    gboolean is_wanted =
        *files != NULL &&
        hpmviz_preferences_get_flag(preferences, "session", "restore", TRUE);

    if (is_wanted) {
        g_object_set_data(G_OBJECT(session), opening_last, session);
        hpmviz_session_open(session, files);
    }
    g_strfreev(files);
    return is_wanted;
}

static void
keep_selected(HpmvizSession *session)
{
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    const struct hpm_study_section *section =
        hpmviz_session_section(session, hpmviz_session_selected(session));

    if (section == NULL)
        return;
    hpmviz_preferences_set_string(preferences, "session", "label",
                                  section->label);
    hpmviz_preferences_set_string(preferences, "session", "file",
                                  section->base);
    hpmviz_preferences_set_int(preferences, "session", "line", section->line);
}

static size_t
find_last_selected(const HpmvizSession *session)
{
    const HpmvizPreferences *preferences = hpmviz_session_preferences(session);
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    char *label =
        hpmviz_preferences_get_string(preferences, "session", "label", NULL);
    char *file =
        hpmviz_preferences_get_string(preferences, "session", "file", NULL);
    int line = hpmviz_preferences_get_int(preferences, "session", "line", 0,
                                          G_MAXINT, 0);
    size_t found = HPM_NO_SUBJECT;

    for (size_t i = 0; survey != NULL && label != NULL &&
                       found == HPM_NO_SUBJECT && i < survey->n_subjects;
         i++) {
        const struct hpm_study_section *section =
            hpmviz_session_section(session, i);

        if (section->line == line && g_strcmp0(section->label, label) == 0 &&
            g_strcmp0(section->base, file) == 0 &&
            section->scope == hpmviz_session_view(session)->scope)
            found = i;
    }
    g_free(label);
    g_free(file);
    return found;
}

/* Before panes hear of what is open, and select something themselves. */
static void
on_loaded(HpmvizSession *session)
{
    size_t selected;

    keep_files(session);
    if (g_object_steal_data(G_OBJECT(session), opening_last) == NULL)
        return;
    selected = find_last_selected(session);
    if (selected != HPM_NO_SUBJECT)
        hpmviz_session_select(session, selected);
}

static void
on_failed(HpmvizSession *session)
{
    g_object_steal_data(G_OBJECT(session), opening_last);
}

/* ---- all of it ------------------------------------------------------- */

void
hpmviz_remembered_follow(HpmvizSession *session)
{
    HpmvizPreferences *preferences = hpmviz_session_preferences(session);

    take_view(session);
    take_sources(session);
    g_signal_connect_object(preferences, "changed::sources.substitutions",
                            G_CALLBACK(take_sources), session,
                            G_CONNECT_SWAPPED);
    g_signal_connect_object(preferences, "changed::sources.search",
                            G_CALLBACK(take_sources), session,
                            G_CONNECT_SWAPPED);
    g_signal_connect(session, "viewed", G_CALLBACK(keep_view), NULL);
    g_signal_connect(session, "loaded", G_CALLBACK(on_loaded), NULL);
    g_signal_connect(session, "failed", G_CALLBACK(on_failed), NULL);
    g_signal_connect(session, "selected", G_CALLBACK(keep_selected), NULL);
}
