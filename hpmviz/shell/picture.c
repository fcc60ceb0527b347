/* SPDX-License-Identifier: BSD-3-Clause
 * What the viewer shows, as a file. */
#include "hpmviz/shell/picture.h"

#include <glib/gi18n.h>
#include <math.h>

#include "base/string.h"
#include "hpmviz/data/change.h"
#include "hpmviz/data/metriclist.h"
#include "hpmviz/sections/sectiontable.h"
#include "study/report/overview.h"
#include "study/report/shown.h"

/* A picture of thousands of rows is none. */
enum { MOST_SECTIONS = 40, MOST_METRICS = 40 };

struct picture {
    HpmvizSession *session;
    struct hpm_survey *survey;
    struct hpmviz_drawing *drawing;
    gboolean is_dark;
};

/* ---- texts ----------------------------------------------------------- */

/* What it holds, for g_free; the string is empty again. */
static char *
take(struct hpm_string *string)
{
    char *text = g_strdup(hpm_string_text(string));

    hpm_string_free(string);
    *string = (struct hpm_string){0};
    return text;
}

/* Labels come from files: what is not to be printed shows as \xHH. */
static char *
take_safe(struct hpm_string *string)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, hpm_string_text(string));
    hpm_string_free(string);
    *string = (struct hpm_string){0};
    return take(&safe);
}

static void
add_line(const struct picture *picture, enum hpmviz_script script, char *text)
{
    if (*text != '\0')
        hpmviz_drawing_add_text(picture->drawing, script, text);
    g_free(text);
}

/* ---- sections -------------------------------------------------------- */

static void
add_title(const struct picture *picture, guint column, struct hpm_string *text)
{
    char *title = hpmviz_section_title(picture->session, column);

    hpm_string_add(text, title);
    g_free(title);
}

enum { N_SECTION_COLUMNS = 8, N_CHANGE_COLUMNS = 7, N_SECTION_TEXTS = 2 };

static const enum hpmviz_section_column section_columns[N_SECTION_COLUMNS] = {
    HPMVIZ_SECTION_LABEL,     HPMVIZ_SECTION_PLACE,
    HPMVIZ_SECTION_EXCLUSIVE, HPMVIZ_SECTION_SHARE,
    HPMVIZ_SECTION_INCLUSIVE, HPMVIZ_SECTION_CALLS,
    HPMVIZ_SECTION_IMBALANCE, HPMVIZ_SECTION_BAD};
static const enum hpmviz_section_column change_columns[N_CHANGE_COLUMNS] = {
    HPMVIZ_SECTION_LABEL, HPMVIZ_SECTION_PLACE,      HPMVIZ_SECTION_A,
    HPMVIZ_SECTION_B,     HPMVIZ_SECTION_DIFFERENCE, HPMVIZ_SECTION_RATIO,
    HPMVIZ_SECTION_ONLY};

/* A cell with the glyph and the colours of its verdict; `text` is freed. */
static struct hpmviz_drawn_cell *
add_cell(const struct picture *picture, struct hpmviz_drawn_table *table,
         enum hpm_verdict verdict, struct hpm_string *text)
{
    const struct hpmviz_colours *colours =
        hpmviz_palette_colours(hpmviz_session_view(picture->session)->palette,
                               picture->is_dark, verdict);
    const char *glyph = hpmviz_verdict_glyph(verdict);
    g_autofree char *words = take(text);
    struct hpmviz_drawn_cell *cell = hpmviz_drawn_table_add(
        table, g_strconcat(glyph, *glyph != '\0' ? " " : "", words, NULL));

    if (verdict != HPM_VERDICT_NONE) {
        cell->background = colours->background;
        cell->colour = colours->text;
    }
    return cell;
}

static void
add_section_cell(const struct picture *picture,
                 struct hpmviz_drawn_table *table, guint row, guint column)
{
    enum hpm_verdict verdict =
        row != HPMVIZ_NO_ROW
            ? hpmviz_section_verdict(picture->session, row, column)
            : HPM_VERDICT_NONE;
    struct hpm_string text = {0};
    struct hpmviz_drawn_cell *cell;

    if (row == HPMVIZ_NO_ROW)
        add_title(picture, column, &text);
    else
        hpmviz_section_add_text(picture->session, row, column, &text);
    cell = add_cell(picture, table, verdict, &text);
    if (row != HPMVIZ_NO_ROW && column == HPMVIZ_SECTION_SHARE)
        cell->share = picture->survey->subjects[row].share;
}

static void
add_section_row(const struct picture *picture, struct hpmviz_drawn_table *table,
                guint row)
{
    gboolean is_change = hpmviz_change_is_shown(picture->session);
    guint n = is_change ? N_CHANGE_COLUMNS : N_SECTION_COLUMNS;

    for (guint i = 0; i < n; i++)
        add_section_cell(picture, table, row,
                         is_change ? change_columns[i] : section_columns[i]);
}

/* The subjects of a scope, the costliest first, as numbers of rows. */
static GArray *
order_sections(const struct picture *picture, int scope)
{
    const struct hpm_survey *survey = picture->survey;
    char *no_names[] = {NULL};
    const struct hpmviz_section_order order =
        hpmviz_section_order_of_names(picture->session, no_names);
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(guint));
    HpmvizRowmodel *model = hpmviz_rowmodel_new();
    GtkTreeIter iter;
    gboolean is_there;

    for (guint i = 0; i < survey->n_subjects; i++) {
        if (survey->study->sections[survey->subjects[i].section].scope == scope)
            g_array_append_val(rows, i);
    }
    hpmviz_rowmodel_set(model, (const guint *)(void *)rows->data, NULL,
                        rows->len);
    hpmviz_section_sort(picture->session, model, &order);
    g_array_set_size(rows, 0);
    for (is_there = gtk_tree_model_get_iter_first(GTK_TREE_MODEL(model), &iter);
         is_there;
         is_there = gtk_tree_model_iter_next(GTK_TREE_MODEL(model), &iter)) {
        guint row = hpmviz_rowmodel_get(model, &iter);

        g_array_append_val(rows, row);
    }
    g_object_unref(model);
    return rows;
}

static void
add_sections(const struct picture *picture, const GArray *rows)
{
    guint n = MIN(rows->len, MOST_SECTIONS);
    struct hpmviz_drawn_table *table = hpmviz_drawn_table_new(
        hpmviz_change_is_shown(picture->session) ? N_CHANGE_COLUMNS
                                                 : N_SECTION_COLUMNS,
        N_SECTION_TEXTS);

    add_section_row(picture, table, HPMVIZ_NO_ROW);
    for (guint i = 0; i < n; i++)
        add_section_row(picture, table, g_array_index(rows, guint, i));
    hpmviz_drawing_add_table(picture->drawing, table);
    hpmviz_drawn_table_free(table);
    if (n < rows->len)
        add_line(
            picture, HPMVIZ_FAINT,
            g_strdup_printf(_("and %u more: --print has all"), rows->len - n));
}

/* ---- metrics --------------------------------------------------------- */

static void
add_verdict(const struct picture *picture, struct hpmviz_drawn_table *table,
            const struct hpm_quantity *quantity,
            const struct hpm_figure *figure)
{
    struct hpm_string text = {0};

    hpm_string_add(&text, figure->is_partial ? "~" : "");
    hpm_shown_add_number(&text, quantity, figure->value);
    hpm_string_add(&text, figure->doubt != HPM_DOUBT_NONE ? " ?" : "");
    hpm_shown_add_count(&text, figure);
    add_cell(picture, table, figure->verdict, &text);
}

/* To the last digit, which a double may not have. */
static void
add_number(struct hpmviz_drawn_table *table,
           const struct hpm_quantity *quantity, struct hpm_number number)
{
    struct hpm_string text = {0};

    hpm_shown_add_number(&text, quantity, number);
    hpmviz_drawn_table_add(table, take_safe(&text));
}

static void
add_real(struct hpmviz_drawn_table *table, const struct hpm_quantity *quantity,
         double value)
{
    struct hpm_string text = {0};

    hpm_shown_add_real(&text, quantity, value);
    hpmviz_drawn_table_add(table, take_safe(&text));
}

static void
add_metric(const struct picture *picture, struct hpmviz_drawn_table *table,
           const struct hpm_entry *entry)
{
    const struct hpm_quantity *quantity =
        &picture->survey->quantities[entry->quantity];
    const struct hpm_summary *threads = &entry->threads;
    struct hpm_string text = {0};

    hpm_string_add(&text, quantity->name);
    hpmviz_drawn_table_add(table, take_safe(&text));
    hpm_string_add(&text,
                   quantity->description != NULL ? quantity->description : "");
    hpmviz_drawn_table_add(table, take_safe(&text));
    add_verdict(picture, table, quantity, &entry->figure);
    hpm_string_add(&text, hpm_shown_unit(quantity));
    hpmviz_drawn_table_add(table, take_safe(&text));
    add_number(table, quantity, entry->least[0]);
    add_real(table, quantity, threads->n > 0 ? threads->mean : NAN);
    add_number(table, quantity, entry->most[0]);
}

/* Raw counts are not shown where there are metrics, as in the window. */
static gboolean
is_wanted(const struct picture *picture, const struct hpm_subject *subject,
          size_t entry)
{
    const struct hpm_survey *survey = picture->survey;
    size_t quantity = subject->entries[entry].quantity;

    if (survey->quantities[quantity].kind < HPM_QUANTITY_COUNTER ||
        !hpm_shown_is_wanted(survey, quantity))
        return FALSE;
    if (survey->quantities[quantity].kind != HPM_QUANTITY_COUNTER)
        return TRUE;
    for (size_t i = 0; i < subject->n_entries; i++) {
        quantity = subject->entries[i].quantity;
        if (survey->quantities[quantity].kind > HPM_QUANTITY_COUNTER)
            return FALSE;
    }
    return TRUE;
}

enum { N_METRIC_COLUMNS = 7, N_METRIC_TEXTS = 2 };

/* Rows of metrics; how many. */
static guint
add_figures(const struct picture *picture, guint row,
            struct hpmviz_drawn_table *table)
{
    const struct hpm_subject *subject = &picture->survey->subjects[row];
    const char *const titles[N_METRIC_COLUMNS] = {
        _("Metric"), "", _("Value"), "", _("Min"), _("Mean"), _("Max")};
    guint n = 0;

    for (guint i = 0; i < N_METRIC_COLUMNS; i++)
        hpmviz_drawn_table_add(table, g_strdup(titles[i]));
    for (size_t i = 0; i < subject->n_entries && n < MOST_METRICS; i++) {
        if (!is_wanted(picture, subject, i))
            continue;
        add_metric(picture, table, &subject->entries[i]);
        n++;
    }
    return n;
}

/* Of two runs as the window has them, times, too. */
static const enum hpmviz_metriclist_column metric_columns[N_METRIC_COLUMNS] = {
    HPMVIZ_METRICLIST_NAME,  HPMVIZ_METRICLIST_N_COLUMNS, /* what it means */
    HPMVIZ_METRICLIST_WHOLE, HPMVIZ_METRICLIST_WORST,     HPMVIZ_METRICLIST_BAD,
    HPMVIZ_METRICLIST_RATIO, HPMVIZ_METRICLIST_UNIT};

static void
add_change_title(const struct hpmviz_metriclist *list,
                 struct hpmviz_drawn_table *table,
                 enum hpmviz_metriclist_column column)
{
    hpmviz_drawn_table_add(table, column == HPMVIZ_METRICLIST_N_COLUMNS
                                      ? g_strdup("")
                                      : hpmviz_metriclist_title(list, column));
}

static void
add_change_cell(const struct picture *picture,
                const struct hpmviz_metriclist *list,
                struct hpmviz_drawn_table *table, guint line,
                enum hpmviz_metriclist_column column)
{
    const char *meaning =
        picture->survey->quantities[list->lines[line].quantity].description;
    struct hpm_string text = {0};

    if (column == HPMVIZ_METRICLIST_N_COLUMNS)
        hpm_string_add_safe(&text, meaning != NULL ? meaning : "");
    else
        hpmviz_metriclist_add_text(list, line, column, &text);
    add_cell(picture, table, hpmviz_metriclist_verdict(list, line, column),
             &text);
}

static guint
add_changes(const struct picture *picture, guint row,
            struct hpmviz_drawn_table *table)
{
    struct hpmviz_metriclist *list =
        hpmviz_metriclist_new(picture->session, row);
    guint n = MIN(list->n, MOST_METRICS);

    for (guint i = 0; i < N_METRIC_COLUMNS; i++)
        add_change_title(list, table, metric_columns[i]);
    for (guint i = 0; i < n * N_METRIC_COLUMNS; i++)
        add_change_cell(picture, list, table, i / N_METRIC_COLUMNS,
                        metric_columns[i % N_METRIC_COLUMNS]);
    hpmviz_metriclist_free(list);
    return n;
}

static void
add_metrics(const struct picture *picture, guint row)
{
    struct hpmviz_drawn_table *table =
        hpmviz_drawn_table_new(N_METRIC_COLUMNS, N_METRIC_TEXTS);
    guint n = hpmviz_change_is_shown(picture->session)
                  ? add_changes(picture, row, table)
                  : add_figures(picture, row, table);
    struct hpm_string label = {0};

    if (n > 0) {
        g_autofree char *name = NULL;

        hpm_survey_add_label(picture->survey, row, &label);
        name = take_safe(&label);
        add_line(picture, HPMVIZ_HEADING,
                 g_strdup_printf(_("%s Metrics"), name));
        hpmviz_drawing_add_table(picture->drawing, table);
    }
    hpmviz_drawn_table_free(table);
}

/* ---- the whole ------------------------------------------------------- */

/* Of two runs the columns are of one quantity, which is named. */
static char *
heading_of(const struct picture *picture, const char *sections)
{
    size_t at = hpmviz_session_metric(picture->session);
    struct hpm_string text = {0};

    hpm_string_add(&text, sections);
    if (hpmviz_change_is_shown(picture->session) && at != HPM_NO_QUANTITY) {
        const struct hpm_quantity *quantity = &picture->survey->quantities[at];
        const char *unit = hpm_shown_unit(quantity);

        hpm_string_add_format(&text, ": %s%s%s", quantity->name,
                              unit[0] != '\0' ? ", " : "", unit);
    }
    return take_safe(&text);
}

static const char *
legend_of(const struct picture *picture)
{
    return hpmviz_change_is_shown(picture->session)
               ? _("✗ worse   ✓ better: no run of one side reaches those of "
                   "the other, in enough runs   no sign: not judged (see hpm "
                   "compare)   ~ parts are missing   ? too uncertain")
               : _("✗ beyond the limit \"bad\"   ✓ beyond the limit "
                   "\"good\"   ~ parts are missing   ? too uncertain for a "
                   "verdict   hints, not verdicts");
}

static void
add_scope(const struct picture *picture, int scope, const char *heading)
{
    GArray *rows = order_sections(picture, scope);

    if (rows->len > 0) {
        add_line(picture, HPMVIZ_HEADING, heading_of(picture, heading));
        add_sections(picture, rows);
        add_metrics(picture, g_array_index(rows, guint, 0));
    }
    g_array_unref(rows);
}

struct hpmviz_drawing *
hpmviz_picture_draw(HpmvizSession *session, gboolean is_dark)
{
    struct picture picture = {session, hpmviz_session_survey(session),
                              hpmviz_drawing_new(is_dark), is_dark};
    struct hpm_string head = {0};

    hpm_overview_add_head(&head, picture.survey, 0);
    add_line(&picture, HPMVIZ_BODY, g_strchomp(take(&head)));
    add_scope(&picture, HPM_SCOPE_THREAD, _("Sections of threads"));
    add_scope(&picture, HPM_SCOPE_PROCESS, _("Sections of the whole process"));
    add_line(&picture, HPMVIZ_FAINT, g_strdup(legend_of(&picture)));
    return picture.drawing;
}
