/* SPDX-License-Identifier: BSD-3-Clause
 * Which sections are shown. */
#include "hpmviz/sections/sectionfilter.h"

#include <string.h>

#include "study/report/filter.h"

struct hpmviz_sectionfilter {
    char **folded; /* per subject: its label in one case */
    const struct hpm_survey *survey;
    size_t n;
};

struct hpmviz_sectionfilter *
hpmviz_sectionfilter_new(void)
{
    return g_new0(struct hpmviz_sectionfilter, 1);
}

void
hpmviz_sectionfilter_clear(struct hpmviz_sectionfilter *filter)
{
    for (size_t i = 0; i < filter->n; i++)
        g_free(filter->folded[i]);
    g_clear_pointer(&filter->folded, g_free);
    filter->n = 0;
    filter->survey = NULL;
}

void
hpmviz_sectionfilter_free(struct hpmviz_sectionfilter *filter)
{
    hpmviz_sectionfilter_clear(filter);
    g_free(filter);
}

/* ---- labels ---------------------------------------------------------- */

/* Labels may hold any bytes. */
static char *
fold(const char *text)
{
    char *valid = g_utf8_make_valid(text, -1);
    char *folded = g_utf8_casefold(valid, -1);

    g_free(valid);
    return folded;
}

static void
fold_labels(struct hpmviz_sectionfilter *filter,
            const struct hpm_survey *survey)
{
    if (filter->survey == survey)
        return;
    hpmviz_sectionfilter_clear(filter);
    filter->survey = survey;
    filter->n = survey->n_subjects;
    filter->folded = g_new(char *, filter->n + 1);
    for (size_t i = 0; i < filter->n; i++) {
        struct hpm_string label = {0};

        hpm_survey_add_label(survey, i, &label);
        filter->folded[i] = fold(hpm_string_text(&label));
        hpm_string_free(&label);
    }
}

/* ---- choosing -------------------------------------------------------- */

struct choosing {
    const struct hpm_survey *survey;
    const struct hpm_line_filter *expression; /* or NULL */
    char *part;
    gboolean *is_shown;
    gboolean is_met; /* some label has the part, or nothing is asked for */
};

static gboolean
is_wanted(const struct hpmviz_sectionfilter *filter, struct choosing *choosing,
          size_t subject)
{
    struct hpm_line line = {
        .survey = choosing->survey, .subject = subject, .task = -2, .tid = -2};

    if (strstr(filter->folded[subject], choosing->part) != NULL) {
        choosing->is_met = TRUE;
        return TRUE;
    }
    return choosing->expression != NULL &&
           hpm_line_filter_wants(choosing->expression, &line);
}

static void
choose(const struct hpmviz_sectionfilter *filter, struct choosing *choosing,
       int scope)
{
    const struct hpm_survey *survey = choosing->survey;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];

        if (survey->study->sections[subject->section].scope != scope ||
            !is_wanted(filter, choosing, i))
            continue;
        for (size_t above = i;
             above != HPM_NO_SUBJECT && !choosing->is_shown[above];
             above = survey->subjects[above].parent)
            choosing->is_shown[above] = TRUE;
    }
}

gboolean *
hpmviz_sectionfilter_choose(struct hpmviz_sectionfilter *filter,
                            const HpmvizSession *session, const char *text,
                            struct hpm_error *err)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    struct hpm_line_filter *expression =
        *text != '\0' ? hpm_line_filter_new(survey, text, err) : NULL;
    struct choosing choosing = {.survey = survey,
                                .expression = expression,
                                .part = fold(text),
                                .is_shown =
                                    g_new0(gboolean, survey->n_subjects + 1)};

    fold_labels(filter, survey);
    choose(filter, &choosing, hpmviz_session_view(session)->scope);
    if (expression == NULL && !choosing.is_met &&
        strpbrk(text, "<>=!&|()") != NULL)
        g_clear_pointer(&choosing.is_shown, g_free);
    hpm_line_filter_free(expression);
    g_free(choosing.part);
    return choosing.is_shown;
}

/* ---- the part that matches ------------------------------------------- */

/* How many bytes from here on are the part in some case; 0 when none are. */
static gsize
match_here(const char *text, const char *part)
{
    gsize length = strlen(part);
    char *all = g_utf8_casefold(text, -1);
    gboolean is_here = strncmp(all, part, length) == 0;
    const char *end = text;

    g_free(all);
    while (is_here && *end != '\0') {
        char *folded;
        gboolean is_enough;

        end = g_utf8_next_char(end);
        folded = g_utf8_casefold(text, end - text);
        is_enough = strlen(folded) >= length;
        g_free(folded);
        if (is_enough)
            break;
    }
    return is_here ? (gsize)(end - text) : 0;
}

gboolean
hpmviz_sectionfilter_find(const char *text, const char *part, guint *ret_start,
                          guint *ret_end)
{
    char *folded = fold(part), *all;
    gboolean is_found = FALSE;

    all = fold(text);
    if (*folded != '\0' && strstr(all, folded) != NULL &&
        g_utf8_validate(text, -1, NULL)) {
        for (const char *at = text; *at != '\0' && !is_found;
             at = g_utf8_next_char(at)) {
            gsize length = match_here(at, folded);

            is_found = length > 0;
            *ret_start = (guint)(at - text);
            *ret_end = (guint)(at - text + length);
        }
    }
    g_free(folded);
    g_free(all);
    return is_found;
}
