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

size_t
hpmviz_identity_find(const struct hpmviz_identity *identity,
                     const struct hpm_survey *survey)
{
    size_t nearest = HPM_NO_SUBJECT;
    long least = -1;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        long lines = distance(identity, survey, i);

        if (lines >= 0 && (least < 0 || lines < least)) {
            least = lines;
            nearest = i;
        }
    }
    return nearest;
}
