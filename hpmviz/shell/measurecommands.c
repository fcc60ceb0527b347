/* SPDX-License-Identifier: BSD-3-Clause
 * Commands from a section to its next measurement. */
#include "hpmviz/shell/measurecommands.h"

#include <glib/gi18n.h>

#include "hpmviz/source/instrumenting.h"

/* ---- calls in the source --------------------------------------------- */

/* Other sources of the program may have sections, too: the run knows them. */
static int
least_id(const struct hpmviz_parts *parts)
{
    const struct hpmviz_loaded *loaded = hpmviz_session_loaded(parts->session);
    int least = 1;

    for (size_t i = 0; loaded != NULL && i < loaded->study->n_sections; i++) {
        const struct hpm_study_section *section = &loaded->study->sections[i];

        if (!section->is_outside && section->instance >= least &&
            section->instance < G_MAXINT)
            least = section->instance + 1;
    }
    return least;
}

static void
tell(HpmvizSourcetab *tab, gboolean is_done, GError *error)
{
    if (is_done)
        gtk_widget_grab_focus(GTK_WIDGET(hpmviz_sourcetab_view(tab)));
    else
        hpmviz_sourcetab_tell(tab, error->message);
    g_clear_error(&error);
}

static void
instrument(struct hpmviz_parts *parts)
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    GError *error = NULL;
    gboolean is_done = hpmviz_instrumenting_add(hpmviz_sourcetab_document(tab),
                                                least_id(parts), &error);

    tell(tab, is_done, error);
}

/* Commands that need nothing but the source. */
static void
change(struct hpmviz_parts *parts,
       gboolean (*act)(HpmvizDocument *document, GError **error))
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    GError *error = NULL;
    gboolean is_done = act(hpmviz_sourcetab_document(tab), &error);

    tell(tab, is_done, error);
}

static void
uninstrument(struct hpmviz_parts *parts)
{
    change(parts, hpmviz_instrumenting_remove);
}

static void
uninstrument_all(struct hpmviz_parts *parts)
{
    change(parts, hpmviz_instrumenting_remove_all);
}

static void
renumber(struct hpmviz_parts *parts)
{
    change(parts, hpmviz_instrumenting_renumber);
}

/* ---- building and measuring ------------------------------------------ */

/* Without a source the folder of the performance file is the project's. */
static char *
find_source(const struct hpmviz_parts *parts)
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    const char *path =
        tab != NULL ? hpmviz_document_path(hpmviz_sourcetab_document(tab))
                    : NULL;

    return path != NULL ? g_strdup(path)
                        : g_build_filename(
                              hpmviz_session_folder(parts->session), "-", NULL);
}

static void
build(struct hpmviz_parts *parts)
{
    g_autofree char *source = find_source(parts);

    hpmviz_measurepane_open(parts->measure, source, NULL, TRUE);
}

/* The function is found in the text as it is shown: what is not saved is saved
 * before the program is built. */
static void
measure_function(struct hpmviz_parts *parts)
{
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    HpmvizDocument *document = hpmviz_sourcetab_document(tab);
    GError *error = NULL;
    struct hpmviz_function function;

    if (hpmviz_instrumenting_function(document, &function, &error))
        hpmviz_measurepane_open(parts->measure, hpmviz_document_path(document),
                                &function, TRUE);
    else
        hpmviz_sourcetab_tell(tab, error->message);
    hpmviz_function_clear(&function);
    g_clear_error(&error);
}

static void
stop(struct hpmviz_parts *parts)
{
    hpmviz_measurepane_stop(parts->measure);
}

static void
run_if_saved(gboolean are_saved, gpointer data)
{
    g_autoptr(HpmvizMeasurepane) pane = data;

    if (are_saved && gtk_widget_get_parent(GTK_WIDGET(pane)) != NULL)
        hpmviz_measurepane_run(pane);
}

static void
save_and_run(gpointer data)
{
    struct hpmviz_parts *parts = data;

    hpmviz_sourcepane_save_all(parts->source, run_if_saved,
                               g_object_ref(parts->measure));
}

/* What is not saved would not be measured. */
static void
on_asked(struct hpmviz_parts *parts)
{
    g_autofree char *names = NULL;

    if (!hpmviz_sourcepane_is_modified(parts->source)) {
        hpmviz_measurepane_run(parts->measure);
        return;
    }
    names = hpmviz_sourcepane_modified_names(parts->source);
    hpmviz_measurepane_ask_to_save(parts->measure, names, save_and_run, parts);
}

/* A compiler names lines of the text as it is now. */
static void
on_chosen(struct hpmviz_parts *parts, const char *file, int line)
{
    hpmviz_sourcepane_show_line(parts->source, file, line);
    hpmviz_sourcepane_go_to(parts->source, line);
    hpmviz_sourcepane_focus(parts->source);
}

static void
on_changed(struct hpmviz_parts *parts)
{
    hpmviz_measurecommands_update(parts);
}

static const struct hpmviz_command commands[] = {
    {"instrument", instrument},
    {"uninstrument", uninstrument},
    {"uninstrument-all", uninstrument_all},
    {"renumber", renumber},
    {"build", build},
    {"measure-function", measure_function},
    {"stop-build", stop},
};

void
hpmviz_measurecommands_update(const struct hpmviz_parts *parts)
{
    static const char *const of_source[] = {"instrument", "uninstrument",
                                            "uninstrument-all", "renumber"};
    HpmvizSourcetab *tab = hpmviz_sourcepane_tab(parts->source);
    gboolean is_editable = tab != NULL && hpmviz_document_is_editable(
                                              hpmviz_sourcetab_document(tab));

    gboolean is_running = hpmviz_measurepane_is_running(parts->measure);

    for (size_t i = 0; i < G_N_ELEMENTS(of_source); i++)
        hpmviz_parts_enable(parts, of_source[i], is_editable);
    hpmviz_parts_enable(parts, "build",
                        hpmviz_session_loaded(parts->session) != NULL &&
                            !is_running);
    hpmviz_parts_enable(parts, "measure-function", is_editable && !is_running);
    hpmviz_parts_enable(parts, "stop-build", is_running);
}

void
hpmviz_measurecommands_add(struct hpmviz_parts *parts)
{
    hpmviz_parts_add(parts, commands, G_N_ELEMENTS(commands));
    g_signal_connect_swapped(parts->measure, "asked", G_CALLBACK(on_asked),
                             parts);
    g_signal_connect_swapped(parts->measure, "chosen", G_CALLBACK(on_chosen),
                             parts);
    hpmviz_parts_watch(parts, parts->measure, "changed", on_changed);
}
