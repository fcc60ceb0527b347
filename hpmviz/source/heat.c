/* SPDX-License-Identifier: BSD-3-Clause
 * Which lines of a source file cost how much. */
#include "hpmviz/source/heat.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdlib.h>

#include "base/string.h"
#include "hpmviz/data/change.h"
#include "hpmviz/widgets/safetext.h"

static int
compare_stretches(const void *a, const void *b)
{
    const struct hpmviz_stretch *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->last != y->last)
        return x->last > y->last ? -1 : 1;
    return (x->subject > y->subject) - (x->subject < y->subject);
}

void
hpmviz_heat_init(struct hpmviz_heat *heat, const struct hpm_survey *survey,
                 const char *file, int scope)
{
    *heat = (struct hpmviz_heat){
        .stretches = g_new0(struct hpmviz_stretch, survey->n_subjects + 1)};
    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];
        const struct hpm_study_section *section =
            &survey->study->sections[subject->section];
        int last = subject->line_end;

        if (section->scope != scope || section->line <= 0 ||
            g_strcmp0(section->file, file) != 0)
            continue;
        heat->stretches[heat->n_stretches++] =
            (struct hpmviz_stretch){.subject = i,
                                    .recorded_first = section->line,
                                    .recorded_last = MAX(last, section->line),
                                    .first = section->line,
                                    .last = MAX(last, section->line),
                                    .share = subject->share};
        heat->most = MAX(heat->most, subject->share);
    }
    qsort(heat->stretches, heat->n_stretches, sizeof *heat->stretches,
          compare_stretches);
}

void
hpmviz_heat_take_changes(struct hpmviz_heat *heat, const HpmvizSession *session)
{
    size_t quantity = hpmviz_session_metric(session);
    const char *a, *b;
    g_autofree char *name = NULL;

    if (!hpmviz_change_is_shown(session) || quantity == HPM_NO_QUANTITY)
        return;
    hpmviz_change_letters(session, &a, &b);
    heat->is_change = TRUE;
    heat->palette = hpmviz_session_view(session)->palette;
    name = hpmviz_safe_line(
        hpmviz_session_survey(session)->quantities[quantity].name);
    heat->meaning = g_strdup_printf("%s, %s − %s", name, b, a);
    heat->most = 0;
    for (guint i = 0; i < heat->n_stretches; i++) {
        struct hpmviz_stretch *stretch = &heat->stretches[i];
        struct hpmviz_change change;

        hpmviz_change_find(session, stretch->subject, quantity, &change);
        stretch->change = change.difference;
        stretch->verdict = change.verdict;
        stretch->is_partial =
            change.figure != NULL && change.figure->is_partial;
        stretch->is_doubtful =
            change.figure != NULL && change.figure->doubt != HPM_DOUBT_NONE;
        stretch->share = isnan(change.difference) ? 0 : fabs(change.difference);
        heat->most = MAX(heat->most, stretch->share);
    }
}

void
hpmviz_heat_clear(struct hpmviz_heat *heat)
{
    g_clear_pointer(&heat->meaning, g_free);
    g_clear_pointer(&heat->stretches, g_free);
    heat->n_stretches = 0;
}

void
hpmviz_heat_cut(struct hpmviz_heat *heat, int n_lines)
{
    guint n = 0;

    heat->most = 0;
    for (guint i = 0; i < heat->n_stretches; i++) {
        if (heat->stretches[i].recorded_first > n_lines)
            continue;
        heat->stretches[n++] = heat->stretches[i];
        heat->most = MAX(heat->most, heat->stretches[i].share);
    }
    heat->n_stretches = n;
}

void
hpmviz_heat_move(struct hpmviz_heat *heat, int (*now)(int line, gpointer data),
                 gpointer data)
{
    for (guint i = 0; i < heat->n_stretches; i++) {
        struct hpmviz_stretch *stretch = &heat->stretches[i];

        stretch->first = now(stretch->recorded_first, data);
        stretch->last = MAX(stretch->first, now(stretch->recorded_last, data));
    }
}

int *
hpmviz_heat_lines(const struct hpm_survey *survey, const char *file,
                  guint *ret_n)
{
    int *lines = g_new(int, 2 * survey->n_subjects + 1);
    guint n = 0;

    for (size_t i = 0; i < survey->n_subjects; i++) {
        const struct hpm_study_section *section =
            &survey->study->sections[survey->subjects[i].section];

        if (g_strcmp0(section->file, file) != 0)
            continue;
        lines[n++] = section->line;
        lines[n++] = survey->subjects[i].line_end;
    }
    *ret_n = n;
    return lines;
}

/* Does a come before b in falling order? */
static gboolean
is_before(const double *values, size_t a, size_t b)
{
    return values[a] > values[b] || (values[a] == values[b] && a < b);
}

size_t
hpmviz_heat_step(const double *values, size_t n, size_t from, int by)
{
    size_t best = SIZE_MAX;
    gboolean is_from = from < n && !isnan(values[from]);

    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]) || i == from)
            continue;
        if (is_from && is_before(values, from, i) != (by > 0))
            continue;
        if (best == SIZE_MAX ||
            is_before(values, i, best) == (by > 0 || !is_from))
            best = i;
    }
    return best;
}

static gboolean
covers(const struct hpmviz_stretch *stretch, int line)
{
    return stretch->first <= line && line <= stretch->last;
}

const struct hpmviz_stretch *
hpmviz_heat_at(const struct hpmviz_heat *heat, int line)
{
    const struct hpmviz_stretch *best = NULL;

    for (guint i = 0; i < heat->n_stretches; i++) {
        const struct hpmviz_stretch *here = &heat->stretches[i];

        if (covers(here, line) &&
            (best == NULL ||
             here->last - here->first <= best->last - best->first))
            best = here;
    }
    return best;
}

/* "-180", "+1.5"; the buffer. */
static const char *
number_in_digits(double number, char text[32], int n_digits)
{
    g_snprintf(text, 32, "%+.*g", n_digits, number);
    return text;
}

static char *
marked(const struct hpmviz_stretch *stretch, const char *number)
{
    return g_strdup_printf("%s%s%s", stretch->is_partial ? "~" : "", number,
                           stretch->is_doubtful ? " ?" : "");
}

/* Three digits of 999.6 would be 1000: rounded before the prefix is chosen. */
char *
hpmviz_heat_short_change(const struct hpmviz_stretch *stretch)
{
    static const char prefixes[] = "afpnum kMGTPE";
    double number = g_ascii_strtod(
        number_in_digits(stretch->change, (char[32]){0}, 3), NULL);
    int at = 6;
    char text[32];

    while (fabs(number) >= 1000 && prefixes[at + 1] != '\0') {
        number /= 1000;
        at++;
    }
    while (fabs(number) < 1 && number != 0 && at > 0) {
        number *= 1000;
        at--;
    }
    number_in_digits(number, text, 3);
    if (prefixes[at] != ' ')
        g_strlcat(text, (char[]){prefixes[at], '\0'}, sizeof text);
    return marked(stretch, text);
}

static void
add_value(const struct hpmviz_heat *heat, const struct hpmviz_stretch *here,
          GString *text)
{
    char number[32];
    g_autofree char *change =
        marked(here, number_in_digits(here->change, number, 6));

    if (!heat->is_change)
        g_string_append_printf(text, _("%.1f %% exclusive"), 100 * here->share);
    else if (isnan(here->change))
        g_string_append_printf(text, _("n/a of %s"), heat->meaning);
    else
        g_string_append_printf(text, "%s (%s)", change, heat->meaning);
}

char *
hpmviz_heat_describe(const struct hpmviz_heat *heat,
                     const struct hpm_survey *survey, int line)
{
    GString *text = g_string_new(NULL);

    for (guint i = heat->n_stretches; i-- > 0;) {
        const struct hpmviz_stretch *here = &heat->stretches[i];
        struct hpm_string label = {0}, safe = {0};

        if (!covers(here, line))
            continue;
        hpm_survey_add_label(survey, here->subject, &label);
        hpm_string_add_safe(&safe, hpm_string_text(&label));
        g_string_append_printf(text, _("%s%s, lines %d to %d: "),
                               text->len > 0 ? "\n" : "",
                               hpm_string_text(&safe), here->first, here->last);
        add_value(heat, here, text);
        hpm_string_free(&label);
        hpm_string_free(&safe);
    }
    return g_string_free(text, text->len == 0);
}
