/* SPDX-License-Identifier: BSD-3-Clause
 * Places one has been to. */
#include "hpmviz/source/history.h"

struct hpmviz_history {
    GArray *places; /* struct hpmviz_visit */
    guint at;       /* where one is */
};

enum { MOST_PLACES = 100 };

static void
clear_place(gpointer data)
{
    g_free(((struct hpmviz_visit *)data)->file);
}

struct hpmviz_history *
hpmviz_history_new(void)
{
    struct hpmviz_history *history = g_new0(struct hpmviz_history, 1);

    history->places = g_array_new(FALSE, FALSE, sizeof(struct hpmviz_visit));
    g_array_set_clear_func(history->places, clear_place);
    return history;
}

void
hpmviz_history_free(struct hpmviz_history *history)
{
    if (history == NULL)
        return;
    g_array_unref(history->places);
    g_free(history);
}

void
hpmviz_history_visit(struct hpmviz_history *history, const char *file, int line)
{
    struct hpmviz_visit place = {NULL, line};

    if (history->places->len > 0) {
        const struct hpmviz_visit *here =
            &g_array_index(history->places, struct hpmviz_visit, history->at);

        if (here->line == line && g_strcmp0(here->file, file) == 0)
            return;
        g_array_set_size(history->places, history->at + 1);
    }
    place.file = g_strdup(file);
    g_array_append_val(history->places, place);
    if (history->places->len > MOST_PLACES)
        g_array_remove_index(history->places, 0);
    history->at = history->places->len - 1;
}

gboolean
hpmviz_history_can_go(const struct hpmviz_history *history, int by)
{
    gint64 to = (gint64)history->at + by;

    return to >= 0 && to < history->places->len;
}

const struct hpmviz_visit *
hpmviz_history_go(struct hpmviz_history *history, int by)
{
    if (!hpmviz_history_can_go(history, by))
        return NULL;
    history->at = (guint)((gint64)history->at + by);
    return &g_array_index(history->places, struct hpmviz_visit, history->at);
}
