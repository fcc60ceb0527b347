/* SPDX-License-Identifier: BSD-3-Clause
 * The table of sections without its widget. */
#include "hpmviz/sections/sectiontable.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "base/string.h"
#include "hpmviz/sections/sectionchange.h"
#include "hpmviz/sections/sectionmetric.h"
#include "hpmviz/widgets/safetext.h"
#include "study/report/shown.h"

struct heading {
    const char *name, *title, *meaning;
    gboolean is_text, has_statistic;
};

static const struct heading headings[HPMVIZ_SECTION_N_COLUMNS] = {
    [HPMVIZ_SECTION_LABEL] = {"section", N_("Section"),
                              N_("the label it was given"), TRUE, FALSE},
    [HPMVIZ_SECTION_EXCLUSIVE] = {"exclusive", N_("Exclusive s"),
                                  N_("seconds without the sections inside it"),
                                  FALSE, TRUE},
    [HPMVIZ_SECTION_SHARE] = {"share", N_("Share %"),
                              N_("of the run: of the time of all threads, "
                                 "outside sections too"),
                              FALSE, FALSE},
    [HPMVIZ_SECTION_INCLUSIVE] = {"inclusive", N_("Inclusive s"),
                                  N_("seconds with the sections inside it"),
                                  FALSE, TRUE},
    [HPMVIZ_SECTION_CALLS] = {"calls", N_("Calls"),
                              N_("how often it was entered"), FALSE, TRUE},
    [HPMVIZ_SECTION_IMBALANCE] = {"imbalance", N_("Imbalance %"),
                                  N_("the part of the slowest thread's time "
                                     "that the others wait on average: (max - "
                                     "mean) / max"),
                                  FALSE, FALSE},
    [HPMVIZ_SECTION_BAD] = {"bad", N_("Bad"), N_("values beyond their limits"),
                            FALSE, FALSE},
    [HPMVIZ_SECTION_PLACE] = {"place", N_("Place"),
                              N_("file and line where it starts"), TRUE, FALSE},
    [HPMVIZ_SECTION_FILE] = {"file", N_("File"),
                             N_("the file with its folders, as recorded"), TRUE,
                             FALSE},
    /* titles and meanings are of the runs (sections/sectionchange.h) */
    [HPMVIZ_SECTION_ONLY] = {"only", NULL, NULL, TRUE, FALSE},
    [HPMVIZ_SECTION_A] = {"a", NULL, NULL, FALSE, FALSE},
    [HPMVIZ_SECTION_B] = {"b", NULL, NULL, FALSE, FALSE},
    [HPMVIZ_SECTION_DIFFERENCE] = {"difference", NULL, NULL, FALSE, FALSE},
    [HPMVIZ_SECTION_RATIO] = {"ratio", NULL, NULL, FALSE, FALSE},
};

static enum hpmviz_change_column
change_column(guint column)
{
    return (enum hpmviz_change_column)(column - HPMVIZ_SECTION_ONLY);
}

/* Their names may be like those of other columns. */
static const char metric_prefix[] = "metric:";

static const struct hpm_quantity *
quantity_of(const HpmvizSession *session, guint column)
{
    return &hpmviz_session_survey(session)
                ->quantities[HPMVIZ_SECTION_QUANTITY(column)];
}

char *
hpmviz_section_name(const HpmvizSession *session, guint column)
{
    return HPMVIZ_SECTION_IS_METRIC(column)
               ? g_strconcat(metric_prefix, quantity_of(session, column)->name,
                             NULL)
               : g_strdup(headings[column].name);
}

/* The column of a name; FALSE where there is none now. */
static gboolean
find_column(const HpmvizSession *session, const char *name, guint *ret_column)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    gboolean is_metric = g_str_has_prefix(name, metric_prefix);
    size_t n = is_metric ? survey != NULL ? survey->n_quantities : 0
                         : HPMVIZ_SECTION_N_COLUMNS;

    for (size_t i = 0; i < n; i++) {
        if (!is_metric && HPMVIZ_SECTION_IS_CHANGE(i) &&
            !hpmviz_change_is_shown(session))
            continue;
        if (is_metric ? strcmp(name + strlen(metric_prefix),
                               survey->quantities[i].name) == 0 &&
                            hpmviz_sectionmetric_is_listed(session, i)
                      : strcmp(name, headings[i].name) == 0) {
            *ret_column = is_metric ? HPMVIZ_SECTION_METRIC(i) : (guint)i;
            return TRUE;
        }
    }
    return FALSE;
}

char *
hpmviz_section_title(const HpmvizSession *session, guint column)
{
    struct hpm_string title = {0};
    const char *unit;

    if (HPMVIZ_SECTION_IS_CHANGE(column))
        return hpmviz_sectionchange_title(session, change_column(column));
    if (!HPMVIZ_SECTION_IS_METRIC(column))
        return g_strdup(_(headings[column].title));
    unit = hpm_shown_unit(quantity_of(session, column));
    hpm_string_add_format(&title, "%s%s%s", quantity_of(session, column)->name,
                          unit[0] != '\0' ? " " : "", unit);
    return hpmviz_safe_take(&title);
}

gboolean
hpmviz_section_is_text(guint column)
{
    return !HPMVIZ_SECTION_IS_METRIC(column) && headings[column].is_text;
}

static const char *
whose(enum hpmviz_statistic statistic, gboolean is_metric)
{
    static const char *const words[HPMVIZ_N_STATISTICS] = {
        [HPMVIZ_STATISTIC_MAX] = N_("the largest of all threads"),
        [HPMVIZ_STATISTIC_MEAN] = N_("the mean of the threads that have it"),
        [HPMVIZ_STATISTIC_SUM] = N_("the sum of all threads"),
        [HPMVIZ_STATISTIC_MIN] = N_("the smallest of the threads that have it"),
        [HPMVIZ_STATISTIC_TASK] = N_("the largest of the threads of one task"),
        [HPMVIZ_STATISTIC_WORST] =
            N_("the largest of all threads, for it has no limits"),
    };

    return is_metric && statistic == HPMVIZ_STATISTIC_WORST
               ? _("the value of the thread, or process, that is farthest "
                   "beyond its limit")
               : _(words[statistic]);
}

static char *
meaning_of_metric(const HpmvizSession *session, guint column)
{
    struct hpm_string text = {0};

    hpmviz_sectionmetric_add_meaning(session, HPMVIZ_SECTION_QUANTITY(column),
                                     &text);
    hpm_string_add(&text, whose(hpmviz_session_view(session)->statistic, TRUE));
    return hpmviz_safe_take(&text);
}

char *
hpmviz_section_meaning(const HpmvizSession *session, guint column)
{
    const struct hpmviz_view *view = hpmviz_session_view(session);
    const char *meaning;

    if (HPMVIZ_SECTION_IS_METRIC(column))
        return meaning_of_metric(session, column);
    if (HPMVIZ_SECTION_IS_CHANGE(column))
        return hpmviz_sectionchange_meaning(session, change_column(column));
    meaning = _(headings[column].meaning);
    if (!headings[column].has_statistic)
        return g_strdup(meaning);
    if (view->statistic == HPMVIZ_STATISTIC_TASK)
        return g_strdup_printf(_("%s: the largest of the threads of task %d"),
                               meaning, view->task);
    return g_strdup_printf("%s: %s", meaning, whose(view->statistic, FALSE));
}

/* ---- values ---------------------------------------------------------- */

static const struct hpm_subject *
subject_of(const HpmvizSession *session, guint row)
{
    return &hpmviz_session_survey(session)->subjects[row];
}

static double
value_of_kind(const HpmvizSession *session, guint row,
              enum hpm_quantity_kind kind)
{
    size_t quantity =
        hpm_survey_find_kind(hpmviz_session_survey(session), kind);

    return quantity != HPM_NO_QUANTITY
               ? hpmviz_session_value(session, row, quantity)
               : NAN;
}

static const struct hpm_entry *
entry_of_kind(const HpmvizSession *session, guint row,
              enum hpm_quantity_kind kind)
{
    size_t quantity =
        hpm_survey_find_kind(hpmviz_session_survey(session), kind);

    return quantity != HPM_NO_QUANTITY
               ? hpm_subject_entry(subject_of(session, row), quantity)
               : NULL;
}

static double
imbalance_of(const HpmvizSession *session, guint row)
{
    const struct hpm_entry *entry =
        entry_of_kind(session, row, HPM_QUANTITY_EXCLUSIVE);

    return entry != NULL ? 100 * hpm_summary_imbalance(&entry->threads) : NAN;
}

double
hpmviz_section_number(const HpmvizSession *session, guint row, guint column)
{
    if (HPMVIZ_SECTION_IS_METRIC(column))
        return hpmviz_sectionmetric_number(session, row,
                                           HPMVIZ_SECTION_QUANTITY(column));
    if (HPMVIZ_SECTION_IS_CHANGE(column))
        return hpmviz_sectionchange_number(session, row, change_column(column));
    switch ((enum hpmviz_section_column)column) {
    case HPMVIZ_SECTION_EXCLUSIVE:
        return value_of_kind(session, row, HPM_QUANTITY_EXCLUSIVE);
    case HPMVIZ_SECTION_INCLUSIVE:
        return value_of_kind(session, row, HPM_QUANTITY_INCLUSIVE);
    case HPMVIZ_SECTION_CALLS:
        return value_of_kind(session, row, HPM_QUANTITY_CALLS);
    case HPMVIZ_SECTION_SHARE:
        return 100 * subject_of(session, row)->share;
    case HPMVIZ_SECTION_IMBALANCE:
        return imbalance_of(session, row);
    case HPMVIZ_SECTION_BAD:
        return hpmviz_session_has_metrics(session)
                   ? (double)subject_of(session, row)->n_bad
                   : NAN;
    default:
        return NAN;
    }
}

enum hpm_verdict
hpmviz_section_verdict(const HpmvizSession *session, guint row, guint column)
{
    if (HPMVIZ_SECTION_IS_METRIC(column))
        return hpmviz_sectionmetric_verdict(session, row,
                                            HPMVIZ_SECTION_QUANTITY(column));
    return HPMVIZ_SECTION_IS_CHANGE(column)
               ? hpmviz_sectionchange_verdict(session, row,
                                              change_column(column))
               : HPM_VERDICT_NONE;
}

gboolean
hpmviz_section_is_idle(const HpmvizSession *session, guint row)
{
    const struct hpm_entry *entry =
        entry_of_kind(session, row, HPM_QUANTITY_CALLS);

    if (hpmviz_change_is_shown(session)) /* 0: as often as before */
        return FALSE;
    return entry == NULL || !(entry->threads.max > 0);
}

/* ---- texts ----------------------------------------------------------- */

static void
add_place(const struct hpm_study_section *section, struct hpm_string *string)
{
    if (section->base != NULL)
        hpm_string_add(string, section->base);
    if (section->base != NULL && section->line > 0)
        hpm_string_add_format(string, ":%d", section->line);
}

/* Are parts of the number missing? */
static gboolean
is_partial(const HpmvizSession *session, guint row, guint column)
{
    static const enum hpm_quantity_kind kinds[] = {
        [HPMVIZ_SECTION_EXCLUSIVE] = HPM_QUANTITY_EXCLUSIVE,
        [HPMVIZ_SECTION_INCLUSIVE] = HPM_QUANTITY_INCLUSIVE,
        [HPMVIZ_SECTION_CALLS] = HPM_QUANTITY_CALLS};
    const struct hpm_entry *entry;

    if (column != HPMVIZ_SECTION_EXCLUSIVE &&
        column != HPMVIZ_SECTION_INCLUSIVE && column != HPMVIZ_SECTION_CALLS)
        return FALSE;
    entry = entry_of_kind(session, row, kinds[column]);
    return entry != NULL && entry->figure.is_partial;
}

static void
add_number(const HpmvizSession *session, guint row, guint column,
           struct hpm_string *string)
{
    double number = hpmviz_section_number(session, row, column);
    gboolean is_count =
        column == HPMVIZ_SECTION_CALLS || column == HPMVIZ_SECTION_BAD;

    if (isnan(number)) {
        hpm_string_add(string, column == HPMVIZ_SECTION_BAD ? "…" : "n/a");
        return;
    }
    if (column == HPMVIZ_SECTION_BAD && number == 0)
        return;
    if (is_partial(session, row, column))
        hpm_string_add(string, "~");
    if (is_count && number >= 0 && number == floor(number) && number < 9e15)
        hpm_string_add_grouped(string, (uint64_t)number);
    else
        hpm_string_add_fixed(string, number,
                             column == HPMVIZ_SECTION_EXCLUSIVE ||
                                     column == HPMVIZ_SECTION_INCLUSIVE
                                 ? 6
                                 : 1);
}

static void
add_raw(const HpmvizSession *session, guint row, guint column,
        struct hpm_string *string)
{
    const struct hpm_study_section *section =
        hpmviz_session_section(session, row);

    if (HPMVIZ_SECTION_IS_METRIC(column)) {
        hpmviz_sectionmetric_add_text(session, row,
                                      HPMVIZ_SECTION_QUANTITY(column), string);
        return;
    }
    if (HPMVIZ_SECTION_IS_CHANGE(column)) {
        hpmviz_sectionchange_add_text(session, row, change_column(column),
                                      string);
        return;
    }
    switch ((enum hpmviz_section_column)column) {
    case HPMVIZ_SECTION_LABEL:
        hpm_survey_add_label(hpmviz_session_survey(session), row, string);
        break;
    case HPMVIZ_SECTION_PLACE:
        add_place(section, string);
        break;
    case HPMVIZ_SECTION_FILE:
        hpm_string_add(string, section->file != NULL ? section->file : "");
        break;
    default:
        add_number(session, row, column, string);
        break;
    }
}

/* No label is to drive the text's direction: what is not to be printed shows
 * as \xHH. */
void
hpmviz_section_add_text(const HpmvizSession *session, guint row, guint column,
                        struct hpm_string *string)
{
    struct hpm_string raw = {0};

    add_raw(session, row, column, &raw);
    hpm_string_add_safe(string, hpm_string_text(&raw));
    hpm_string_free(&raw);
}

void
hpmviz_section_add_exact(const HpmvizSession *session, guint row, guint column,
                         struct hpm_string *string)
{
    double number = hpmviz_section_number(session, row, column);

    if (hpmviz_section_is_text(column))
        hpmviz_section_add_text(session, row, column, string);
    else if (!isnan(number))
        hpm_string_add_real(string, number);
}

/* ---- order ----------------------------------------------------------- */

void
hpmviz_section_order_turn(struct hpmviz_section_order *order, guint column)
{
    if (column == order->columns[0]) {
        order->is_rising[0] = !order->is_rising[0];
        return;
    }
    order->columns[1] = order->columns[0];
    order->is_rising[1] = order->is_rising[0];
    order->columns[0] = column;
    order->is_rising[0] = hpmviz_section_is_text(column);
}

static const char *const directions[] = {" falling", " rising"};

char **
hpmviz_section_order_get_names(const HpmvizSession *session,
                               const struct hpmviz_section_order *order)
{
    char **names = g_new0(char *, 3);

    for (int i = 0; i < 2; i++) {
        char *name = hpmviz_section_name(session, order->columns[i]);

        names[i] = g_strconcat(name, directions[order->is_rising[i]], NULL);
        g_free(name);
    }
    return names;
}

/* Put it before what the order is by, where it is one. */
static void
take_name(const HpmvizSession *session, const char *text,
          struct hpmviz_section_order *order)
{
    guint column;
    gboolean is_rising = g_str_has_suffix(text, directions[1]), is_there;
    char *name;

    if (!is_rising && !g_str_has_suffix(text, directions[0]))
        return;
    name = g_strndup(text, strlen(text) - strlen(directions[is_rising]));
    is_there = find_column(session, name, &column);
    g_free(name);
    if (!is_there)
        return;
    order->columns[1] = order->columns[0];
    order->is_rising[1] = order->is_rising[0];
    order->columns[0] = column;
    order->is_rising[0] = is_rising;
}

struct hpmviz_section_order
hpmviz_section_order_of_names(const HpmvizSession *session, char *const *names)
{
    struct hpmviz_section_order order = {{hpmviz_change_is_shown(session)
                                              ? HPMVIZ_SECTION_DIFFERENCE
                                              : HPMVIZ_SECTION_EXCLUSIVE,
                                          HPMVIZ_SECTION_LABEL},
                                         {FALSE, TRUE}};

    if (names[0] != NULL && names[1] != NULL)
        take_name(session, names[1], &order);
    if (names[0] != NULL)
        take_name(session, names[0], &order);
    return order;
}

/* Of a row; made once, for each is compared many times. */
struct key {
    double number; /* NAN for none */
    char *text;    /* goes before the number; NULL for none */
};

struct sorting {
    const struct hpmviz_section_order *order;
    struct key *keys[2]; /* per row */
};

static struct key
key_of(const HpmvizSession *session, guint row, guint column)
{
    const struct hpm_study_section *section =
        hpmviz_session_section(session, row);
    struct hpm_string text = {0};
    struct key key = {.number = 0.0};

    if (column == HPMVIZ_SECTION_PLACE) {
        key.text = g_strdup(section->base != NULL ? section->base : "");
        key.number = section->line;
    } else if (hpmviz_section_is_text(column)) {
        add_raw(session, row, column, &text);
        key.text = g_strdup(hpm_string_text(&text));
        hpm_string_free(&text);
    } else {
        key.number = hpmviz_section_number(session, row, column);
    }
    return key;
}

static int
compare_keys(const struct key *a, const struct key *b, gboolean is_rising)
{
    int order = 0;

    if (isnan(a->number) || isnan(b->number))
        return isnan(a->number) - isnan(b->number);
    if (a->text != NULL)
        order = strcmp(a->text, b->text);
    if (order == 0)
        order = (a->number > b->number) - (a->number < b->number);
    return is_rising ? order : -order;
}

static int
compare_rows(guint a, guint b, gpointer data)
{
    const struct sorting *sorting = data;

    for (int i = 0; i < 2; i++) {
        int order = compare_keys(&sorting->keys[i][a], &sorting->keys[i][b],
                                 sorting->order->is_rising[i]);

        if (order != 0)
            return order;
    }
    return (a > b) - (a < b);
}

void
hpmviz_section_sort(const HpmvizSession *session, HpmvizRowmodel *model,
                    const struct hpmviz_section_order *order)
{
    const struct hpm_survey *survey = hpmviz_session_survey(session);
    guint n = survey != NULL ? (guint)survey->n_subjects : 0;
    struct sorting sorting = {.order = order};

    for (int i = 0; i < 2; i++) {
        sorting.keys[i] = g_new(struct key, n + 1);
        for (guint row = 0; row < n; row++)
            sorting.keys[i][row] = key_of(session, row, order->columns[i]);
    }
    hpmviz_rowmodel_sort(model, compare_rows, &sorting);
    for (int i = 0; i < 2; i++) {
        for (guint row = 0; row < n; row++)
            g_free(sorting.keys[i][row].text);
        g_free(sorting.keys[i]);
    }
}
