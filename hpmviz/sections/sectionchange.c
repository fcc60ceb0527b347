/* SPDX-License-Identifier: BSD-3-Clause
 * What stands in the list of sections of two runs that are compared. */
#include "hpmviz/sections/sectionchange.h"

#include <glib/gi18n.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "hpmviz/widgets/safetext.h"
#include "study/report/shown.h"

static const struct hpm_quantity *
quantity_of(const HpmvizSession *session)
{
    return &hpmviz_session_survey(session)
                ->quantities[hpmviz_session_metric(session)];
}

/* FALSE where nothing is compared. */
static gboolean
find_all(const HpmvizSession *session, guint row,
         struct hpmviz_change *ret_change)
{
    size_t quantity = hpmviz_session_metric(session);

    if (!hpmviz_change_is_shown(session) || quantity == HPM_NO_QUANTITY)
        return FALSE;
    hpmviz_change_find_all(session, row, quantity, ret_change);
    return TRUE;
}

static gboolean
find(const HpmvizSession *session, guint row, struct hpmviz_change *ret_change)
{
    size_t quantity = hpmviz_session_metric(session);

    if (!hpmviz_change_is_shown(session) || quantity == HPM_NO_QUANTITY)
        return FALSE;
    hpmviz_change_find(session, row, quantity, ret_change);
    return TRUE;
}

/* ---- headings -------------------------------------------------------- */

char *
hpmviz_sectionchange_title(const HpmvizSession *session,
                           enum hpmviz_change_column column)
{
    const char *a, *b;

    hpmviz_change_letters(session, &a, &b);
    switch (column) {
    case HPMVIZ_CHANGE_A:
        return g_strdup(a);
    case HPMVIZ_CHANGE_B:
        return g_strdup(b);
    case HPMVIZ_CHANGE_DIFFERENCE:
        return g_strdup_printf("%s − %s", b, a);
    case HPMVIZ_CHANGE_RATIO:
        return g_strdup_printf("%s / %s", b, a);
    default:
        return g_strdup(_("Only in"));
    }
}

static const char *
words_of_direction(enum hpmviz_direction direction)
{
    switch (direction) {
    case HPMVIZ_LESS_IS_BETTER:
        return _("less is better");
    case HPMVIZ_MORE_IS_BETTER:
        return _("more is better");
    default:
        return _("whether more is better is not known");
    }
}

char *
hpmviz_sectionchange_meaning(const HpmvizSession *session,
                             enum hpmviz_change_column column)
{
    const struct hpm_quantity *quantity;
    const char *unit;
    g_autofree char *named = NULL, *safe = NULL;
    g_autofree char *title = hpmviz_sectionchange_title(session, column);

    if (column == HPMVIZ_CHANGE_ONLY)
        return g_strdup(_("the run that alone has the section"));
    if (!hpmviz_change_is_shown(session) ||
        hpmviz_session_metric(session) == HPM_NO_QUANTITY)
        return g_strdup(title);
    quantity = quantity_of(session);
    unit = hpm_shown_unit(quantity);
    named = g_strdup_printf(unit[0] != '\0' ? "%s (%s)" : "%s%s",
                            quantity->name, unit);
    safe = hpmviz_safe_line(named);
    return g_strdup_printf(
        _("%s of %s: of times the longest of all threads, counters added up, "
          "metrics worked out of these; %s"),
        title, safe,
        words_of_direction(
            hpmviz_change_direction(session, hpmviz_session_metric(session))));
}

/* ---- values ---------------------------------------------------------- */

static double
number_in(const struct hpmviz_change *change, enum hpmviz_change_column column)
{
    switch (column) {
    case HPMVIZ_CHANGE_A:
        return change->a;
    case HPMVIZ_CHANGE_B:
        return change->b;
    case HPMVIZ_CHANGE_DIFFERENCE:
        return change->difference;
    case HPMVIZ_CHANGE_RATIO:
        return change->ratio;
    default:
        return NAN;
    }
}

double
hpmviz_sectionchange_number(const HpmvizSession *session, guint row,
                            enum hpmviz_change_column column)
{
    struct hpmviz_change change;

    return find(session, row, &change) ? number_in(&change, column) : NAN;
}

enum hpm_verdict
hpmviz_sectionchange_verdict(const HpmvizSession *session, guint row,
                             enum hpmviz_change_column column)
{
    struct hpmviz_change change;

    return (column == HPMVIZ_CHANGE_DIFFERENCE ||
            column == HPMVIZ_CHANGE_RATIO) &&
                   find(session, row, &change)
               ? change.verdict
               : HPM_VERDICT_NONE;
}

/* ---- texts ----------------------------------------------------------- */

static void
add_side(const HpmvizSession *session, enum hpm_side side,
         struct hpm_string *text)
{
    const char *a, *b;

    hpmviz_change_letters(session, &a, &b);
    if (side != HPM_SIDE_BOTH)
        hpm_string_add(text, side == HPM_SIDE_A ? a : b);
}

/* With the marks of what it was worked out of. */
static void
add_number(const HpmvizSession *session, guint row,
           const struct hpmviz_change *change, enum hpmviz_change_column column,
           struct hpm_string *text)
{
    size_t quantity = hpmviz_session_metric(session);
    struct hpmviz_sheet sheet = {.survey = hpmviz_session_survey(session),
                                 .subject = row,
                                 .quantities = &quantity,
                                 .n_columns = 1};
    struct hpmviz_marks marks = column == HPMVIZ_CHANGE_A   ? change->marks_a
                                : column == HPMVIZ_CHANGE_B ? change->marks_b
                                                            : change->marks;
    enum hpmviz_form form = column == HPMVIZ_CHANGE_RATIO ? HPMVIZ_FORM_RATIO
                            : column == HPMVIZ_CHANGE_DIFFERENCE
                                ? HPMVIZ_FORM_SIGNED
                                : HPMVIZ_FORM_PLAIN;

    hpmviz_details_add_marked(&sheet, 0, marks, number_in(change, column), form,
                              text);
}

void
hpmviz_sectionchange_add_text(const HpmvizSession *session, guint row,
                              enum hpmviz_change_column column,
                              struct hpm_string *text)
{
    struct hpmviz_change change;

    if (!find_all(session, row, &change))
        return;
    if (column == HPMVIZ_CHANGE_ONLY)
        add_side(session, change.only, text);
    else
        add_number(session, row, &change, column, text);
}

static void
add_line(const HpmvizSession *session, guint row,
         const struct hpmviz_change *change, enum hpmviz_change_column column,
         struct hpm_string *text)
{
    g_autofree char *title = hpmviz_sectionchange_title(session, column);

    hpm_string_add_format(text, "%s: ", title);
    add_number(session, row, change, column, text);
    hpm_string_add(text, "\n");
}

/* Of a value that is not there the reason; of one that is not judged, why. */
static void
add_remark(const HpmvizSession *session, const struct hpmviz_change *change,
           struct hpm_string *text)
{
    const char *words = change->verdict == HPM_VERDICT_GOOD ? _("better")
                        : change->verdict == HPM_VERDICT_BAD
                            ? _("worse")
                            : hpmviz_change_doubt(change);

    if (change->only != HPM_SIDE_BOTH) {
        hpm_string_add(text, _("only in "));
        add_side(session, change->only, text);
    } else if (isnan(change->difference) && change->figure != NULL) {
        hpm_shown_add_reason(text, change->figure);
    } else if (words != NULL) {
        hpm_string_add(text, words);
    }
}

void
hpmviz_sectionchange_add_details(const HpmvizSession *session, guint row,
                                 struct hpm_string *text)
{
    struct hpmviz_change change;

    if (!find_all(session, row, &change))
        return;
    hpm_string_add_format(text, "%s\n", quantity_of(session)->name);
    for (int i = HPMVIZ_CHANGE_A; i < HPMVIZ_CHANGE_N_COLUMNS; i++) {
        enum hpmviz_change_column column = (enum hpmviz_change_column)i;

        add_line(session, row, &change, column, text);
    }
    if (change.figure != NULL && !isnan(change.difference))
        hpmviz_details_add_origin(quantity_of(session), change.figure, text);
    add_remark(session, &change, text);
}
