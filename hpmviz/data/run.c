/* SPDX-License-Identifier: BSD-3-Clause
 * One of the runs that are open. */
#include "hpmviz/data/run.h"

#include <glib/gi18n.h>
#include <string.h>

struct _HpmvizRun {
    GObject parent_instance;
    guint id;
    char letter[2];
    char *said, *derived; /* names: the user's, or NULL, and ours */
    char **words;
    struct hpmviz_loaded *loaded;
    gboolean is_stale; /* it could not be read again */
};

G_DEFINE_TYPE(HpmvizRun, hpmviz_run, G_TYPE_OBJECT)

enum { LETTER = 1, NAME, N_PROPERTIES };

static GParamSpec *properties[N_PROPERTIES];

static void
get_property(GObject *object, guint id, GValue *value, GParamSpec *spec)
{
    const HpmvizRun *run = HPMVIZ_RUN(object);

    if (id == LETTER)
        g_value_set_string(value, run->letter);
    else if (id == NAME)
        g_value_set_string(value, hpmviz_run_name(run));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
set_property(GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
    if (id == NAME)
        hpmviz_run_set_name(HPMVIZ_RUN(object), g_value_get_string(value));
    else
        G_OBJECT_WARN_INVALID_PROPERTY_ID(object, id, spec);
}

static void
finalize(GObject *object)
{
    HpmvizRun *run = HPMVIZ_RUN(object);

    g_free(run->said);
    g_free(run->derived);
    g_strfreev(run->words);
    hpmviz_loaded_free(run->loaded);
    G_OBJECT_CLASS(hpmviz_run_parent_class)->finalize(object);
}

static void
hpmviz_run_class_init(HpmvizRunClass *class)
{
    GObjectClass *object_class = G_OBJECT_CLASS(class);

    object_class->get_property = get_property;
    object_class->set_property = set_property;
    object_class->finalize = finalize;
    properties[LETTER] = g_param_spec_string(
        "letter", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
    properties[NAME] = g_param_spec_string(
        "name", NULL, NULL, NULL,
        G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
    g_object_class_install_properties(object_class, N_PROPERTIES, properties);
}

static void
hpmviz_run_init(HpmvizRun *run)
{
    (void)run;
}

/* "swim, 16 tasks": two runs of a program differ in their files' names first. */
static char *
derive_name(const HpmvizRun *run)
{
    g_autofree char *base = g_filename_display_basename(run->words[0]);
    const struct hpm_study *study = run->loaded->study;
    gboolean is_one = run->words[1] == NULL;

    if (g_str_has_suffix(base, ".gz"))
        base[strlen(base) - strlen(".gz")] = '\0';
    if (g_str_has_suffix(base, ".hpm.xml"))
        base[strlen(base) - strlen(".hpm.xml")] = '\0';
    if (study->n_tasks <= 1)
        return g_strdup_printf("%s%s", base, is_one ? "" : " ...");
    return g_strdup_printf(_("%s%s, %zu tasks"), base, is_one ? "" : " ...",
                           study->n_tasks);
}

HpmvizRun *
hpmviz_run_new(guint id, char letter, char *const *words,
               struct hpmviz_loaded *loaded)
{
    HpmvizRun *run = g_object_new(HPMVIZ_TYPE_RUN, NULL);

    run->id = id;
    run->letter[0] = letter;
    run->words = g_strdupv((char **)words);
    run->loaded = hpmviz_loaded_ref(loaded);
    run->derived = derive_name(run);
    return run;
}

guint
hpmviz_run_id(const HpmvizRun *run)
{
    return run->id;
}

const char *
hpmviz_run_letter(const HpmvizRun *run)
{
    return run->letter;
}

const char *
hpmviz_run_name(const HpmvizRun *run)
{
    return run->said != NULL ? run->said : run->derived;
}

void
hpmviz_run_set_name(HpmvizRun *run, const char *name)
{
    if (name != NULL && *name == '\0')
        name = NULL;
    if (g_strcmp0(run->said, name) == 0)
        return;
    g_free(run->said);
    run->said = g_strdup(name);
    g_object_notify_by_pspec(G_OBJECT(run), properties[NAME]);
}

const char *const *
hpmviz_run_words(const HpmvizRun *run)
{
    return (const char *const *)run->words;
}

struct hpmviz_loaded *
hpmviz_run_loaded(const HpmvizRun *run)
{
    return run->loaded;
}

gboolean
hpmviz_run_is_stale(const HpmvizRun *run)
{
    return run->is_stale;
}

void
hpmviz_run_set_stale(HpmvizRun *run)
{
    run->is_stale = TRUE;
}

void
hpmviz_run_renew(HpmvizRun *run, char *const *words,
                 struct hpmviz_loaded *loaded)
{
    struct hpmviz_loaded *before = run->loaded;
    char **words_before = run->words;

    run->is_stale = FALSE;
    run->words = g_strdupv((char **)words);
    g_strfreev(words_before);
    run->loaded = hpmviz_loaded_ref(loaded);
    hpmviz_loaded_free(before);
    g_free(run->derived);
    run->derived = derive_name(run);
    if (run->said == NULL)
        g_object_notify_by_pspec(G_OBJECT(run), properties[NAME]);
}
