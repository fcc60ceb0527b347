/* SPDX-License-Identifier: BSD-3-Clause
 * What a section is known by. */
#include "hpmviz/data/identity.h"

#include <stdlib.h>

struct step {
    int scope, line, instance;
    char *label, *base;
};

/* From the section outwards; one step where there are no call paths. */
struct hpmviz_identity {
    struct step *steps;
    guint n;
};

static const struct hpm_study_section *
section_of(const struct hpm_survey *survey, size_t subject)
{
    return &survey->study->sections[survey->subjects[subject].section];
}

struct hpmviz_identity *
hpmviz_identity_new(const struct hpm_survey *survey, size_t subject)
{
    struct hpmviz_identity *identity = g_new0(struct hpmviz_identity, 1);

    for (size_t at = subject; at != HPM_NO_SUBJECT;
         at = survey->subjects[at].parent) {
        const struct hpm_study_section *section = section_of(survey, at);

        identity->steps =
            g_renew(struct step, identity->steps, identity->n + 1);
        identity->steps[identity->n++] =
            (struct step){section->scope, section->line, section->instance,
                          g_strdup(section->label), g_strdup(section->base)};
    }
    return identity;
}

void
hpmviz_identity_free(struct hpmviz_identity *identity)
{
    if (identity == NULL)
        return;
    for (guint i = 0; i < identity->n; i++) {
        g_free(identity->steps[i].label);
        g_free(identity->steps[i].base);
    }
    g_free(identity->steps);
    g_free(identity);
}

static gboolean
is_same(const struct step *step, const struct hpm_study_section *section)
{
    return step->scope == section->scope &&
           step->instance == section->instance &&
           g_strcmp0(step->label, section->label) == 0 &&
           g_strcmp0(step->base, section->base) == 0;
}

/* How far lines are apart along the path; -1 for another section or path. */
static long
distance(const struct hpmviz_identity *identity,
         const struct hpm_survey *survey, size_t subject)
{
    long lines = 0;
    guint i = 0;

    for (; i < identity->n && subject != HPM_NO_SUBJECT; i++) {
        const struct hpm_study_section *section = section_of(survey, subject);

        if (!is_same(&identity->steps[i], section))
            return -1;
        lines += labs((long)identity->steps[i].line - section->line);
        subject = survey->subjects[subject].parent;
    }
    return i == identity->n && subject == HPM_NO_SUBJECT ? lines : -1;
}

/* The nearest one so far. */
struct nearest {
    size_t subject;
    long lines;
};

static void
look_at(struct nearest *nearest, const struct hpmviz_identity *identity,
        const struct hpm_survey *survey, size_t subject)
{
    long lines = distance(identity, survey, subject);

    if (lines >= 0 && (nearest->lines < 0 || lines < nearest->lines))
        *nearest = (struct nearest){subject, lines};
}

size_t
hpmviz_identity_find(const struct hpmviz_identity *identity,
                     const struct hpm_survey *survey)
{
    struct nearest nearest = {HPM_NO_SUBJECT, -1};

    for (size_t i = 0; i < survey->n_subjects; i++)
        look_at(&nearest, identity, survey, i);
    return nearest.subject;
}

/* ---- many ------------------------------------------------------------ */

/* Subjects in their order, by a hash of all but the lines. */
struct hpmviz_identities {
    const struct hpm_survey *survey;
    GHashTable *subjects; /* GArray of size_t */
};

static guint
hash_step(guint hash, int scope, int instance, const char *label,
          const char *base)
{
    hash = 31 * hash + (guint)scope;
    hash = 31 * hash + (guint)instance;
    hash = 31 * hash + (label != NULL ? g_str_hash(label) : 0);
    return 31 * hash + (base != NULL ? g_str_hash(base) : 0);
}

static guint
hash_subject(const struct hpm_survey *survey, size_t subject)
{
    guint hash = 0;

    for (; subject != HPM_NO_SUBJECT;
         subject = survey->subjects[subject].parent) {
        const struct hpm_study_section *section = section_of(survey, subject);

        hash = hash_step(hash, section->scope, section->instance,
                         section->label, section->base);
    }
    return hash;
}

static guint
hash_identity(const struct hpmviz_identity *identity)
{
    guint hash = 0;

    for (guint i = 0; i < identity->n; i++) {
        const struct step *step = &identity->steps[i];

        hash = hash_step(hash, step->scope, step->instance, step->label,
                         step->base);
    }
    return hash;
}

static void
free_array(gpointer array)
{
    g_array_unref(array);
}

struct hpmviz_identities *
hpmviz_identities_new(const struct hpm_survey *survey)
{
    struct hpmviz_identities *identities = g_new0(struct hpmviz_identities, 1);

    identities->survey = survey;
    identities->subjects = g_hash_table_new_full(NULL, NULL, NULL, free_array);
    for (size_t i = 0; i < survey->n_subjects; i++) {
        gpointer key = GUINT_TO_POINTER(hash_subject(survey, i));
        GArray *same = g_hash_table_lookup(identities->subjects, key);

        if (same == NULL) {
            same = g_array_new(FALSE, FALSE, sizeof(size_t));
            g_hash_table_insert(identities->subjects, key, same);
        }
        g_array_append_val(same, i);
    }
    return identities;
}

void
hpmviz_identities_free(struct hpmviz_identities *identities)
{
    if (identities == NULL)
        return;
    g_hash_table_unref(identities->subjects);
    g_free(identities);
}

size_t
hpmviz_identities_find(const struct hpmviz_identities *identities,
                       const struct hpmviz_identity *identity)
{
    const GArray *same = g_hash_table_lookup(
        identities->subjects, GUINT_TO_POINTER(hash_identity(identity)));
    struct nearest nearest = {HPM_NO_SUBJECT, -1};

    for (guint i = 0; same != NULL && i < same->len; i++)
        look_at(&nearest, identity, identities->survey,
                g_array_index(same, size_t, i));
    return nearest.subject;
}
