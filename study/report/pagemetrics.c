/* SPDX-License-Identifier: BSD-3-Clause
 * Counters and metrics as text: of one section, and one in all sections. */
#include "study/report/page.h"

#include <math.h>
#include <string.h>

#include "model/experiment.h"
#include "study/report/paragraph.h"
#include "study/report/shown.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* ---- metrics of a section -------------------------------------------- */

/* A metric that only renames a counter is shown as the counter. */
static bool
is_of_table(const struct hpm_entry *entry)
{
    return entry != NULL && !entry->figure.is_renamed;
}

/* The depth of a metric in the tree, counting only metrics that the subject
 * has. */
static size_t
depth_of(const struct hpm_survey *survey, const struct hpm_subject *subject,
         size_t quantity)
{
    size_t depth = 0;

    while ((quantity = survey->quantities[quantity].parent) != HPM_NO_QUANTITY)
        depth += is_of_table(hpm_subject_entry(subject, quantity));
    return depth;
}

/* A counter that is in a tree, as the metric of its name, is shown only
 * there. */
static bool
is_told_as_metric(const struct hpm_survey *survey,
                  const struct hpm_subject *subject, size_t quantity)
{
    size_t twin = hpm_survey_find_twin(survey, quantity);

    return twin != HPM_NO_QUANTITY &&
           is_of_table(hpm_subject_entry(subject, twin));
}

/* The value of several threads or processes is their total. */
static const char *
value_heading(const struct hpm_page *page)
{
    if (hpm_page_is_difference(page))
        return "change";
    return hpm_page_has_several(page) ? "together" : "value";
}

static void
add_metric_columns(struct hpm_table *table, const struct hpm_page *page,
                   const char *title)
{
    hpm_table_add_column(table, "metric", title, 0);
    hpm_page_add_marked(table, value_heading(page), 0);
    hpm_table_add_column(table, "mark", "", 0);
    hpm_table_add_column(table, "unit", NULL, 0);
    hpm_table_add_column(table, "state", "", 0);
    if (hpm_page_is_difference(page)) {
        hpm_page_add_marked(table, "before", 0);
        hpm_page_add_column(table, "change %", 1, 0);
    } else {
        hpm_page_add_column(table, "% of root", 1, RANK_INCLUSIVE);
    }
    hpm_page_add_run_columns(table, page, "");
    if (hpm_page_has_several(page)) {
        hpm_page_add_marked(table, "min", RANK_THREADS);
        hpm_page_add_marked(table, "max", RANK_THREADS);
        hpm_page_add_marked(table, "mean", RANK_SPREAD);
        hpm_page_add_marked(table, "dev", RANK_SPREAD);
        hpm_page_add_column(table, "imbal %", 1, RANK_SPREAD);
    }
    if (page->survey->study->n_spreads > 0) {
        hpm_table_add_column(table, "min at", NULL, 0);
        hpm_table_rank_column(table, RANK_THREADS);
        hpm_table_add_column(table, "max at", NULL, 0);
        hpm_table_rank_column(table, RANK_THREADS);
    }
}

static void
add_real_cell(struct hpm_table *table, const struct hpm_quantity *quantity,
              double value, bool is_there)
{
    struct hpm_string text = {0};

    if (!is_there || isnan(value)) {
        hpm_table_add_none(table);
        return;
    }
    hpm_shown_add_real(&text, quantity, value);
    hpm_table_add_string(table, &text);
}

/* With all digits, which a double may not have. */
static void
add_number_cell(struct hpm_table *table, const struct hpm_quantity *quantity,
                struct hpm_number number, bool is_there)
{
    struct hpm_string text = {0};

    if (!is_there || number.kind == HPM_NUMBER_NONE) {
        hpm_table_add_none(table);
        return;
    }
    hpm_shown_add_number(&text, quantity, number);
    hpm_table_add_text(table, hpm_string_text(&text));
    table->failed |= text.failed;
    hpm_string_free(&text);
}

static void
add_spread_cells(struct hpm_table *table, const struct hpm_quantity *quantity,
                 const struct hpm_entry *entry)
{
    const struct hpm_summary *spread = &entry->threads;
    bool is_there = spread->n > 1;

    add_number_cell(table, quantity, entry->least[0], is_there);
    add_number_cell(table, quantity, entry->most[0], is_there);
    add_real_cell(table, quantity, spread->mean, is_there);
    add_real_cell(table, quantity, hpm_summary_deviation(spread), is_there);
    hpm_table_add_real(table, is_there && !quantity->is_ratio
                                  ? 100.0 * hpm_summary_imbalance(spread)
                                  : NAN);
}

static void
add_change_cells(struct hpm_table *table, const struct hpm_quantity *quantity,
                 const struct hpm_figure *figure)
{
    double base = hpm_number_to_real(figure->base);
    double change = hpm_number_to_real(figure->value);

    add_number_cell(table, quantity, figure->base, true);
    hpm_table_add_real(table, base != 0.0 ? 100.0 * change / fabs(base) : NAN);
}

static void
add_state_cell(struct hpm_table *table, const struct hpm_figure *figure)
{
    struct hpm_string text = {0};

    hpm_shown_add_state(&text, figure);
    hpm_table_add_string(table, &text);
}

/* Add all cells of a metric except its name. */
static void
add_metric_cells(struct hpm_table *table, const struct hpm_page *page,
                 const struct hpm_entry *entry)
{
    const struct hpm_quantity *quantity =
        &page->survey->quantities[entry->quantity];

    hpm_shown_add_cell(table, quantity, &entry->figure, false);
    hpm_shown_add_marks(table, &entry->figure);
    hpm_table_add_text(table, hpm_shown_unit(quantity));
    add_state_cell(table, &entry->figure);
    if (hpm_page_is_difference(page))
        add_change_cells(table, quantity, &entry->figure);
    else
        hpm_table_add_real(table, 100.0 * entry->figure.part);
    hpm_page_add_run_cells(table, page, &entry->figure, entry->quantity);
    if (hpm_page_has_several(page))
        add_spread_cells(table, quantity, entry);
    if (page->survey->study->n_spreads > 0) {
        hpm_page_add_extreme(table, entry->low);
        hpm_page_add_extreme(table, entry->high);
    }
}

static void
add_metric_row(struct hpm_table *table, const struct hpm_page *page,
               const struct hpm_subject *subject, const struct hpm_entry *entry)
{
    size_t depth = depth_of(page->survey, subject, entry->quantity);
    struct hpm_string name = {0};

    hpm_string_add(&name, "  ");
    while (depth-- > 0)
        hpm_string_add(&name, "  ");
    hpm_string_add(&name, page->survey->quantities[entry->quantity].name);
    hpm_table_add_text(table, hpm_string_text(&name));
    add_metric_cells(table, page, entry);
    hpm_table_add_text(table,
                       page->survey->quantities[entry->quantity].description);
    hpm_string_finish(&name, &table->failed);
}

/* Why the entry has no value, a partial one, or no verdict; nothing where all
 * is well, or the entry is not shown. */
static void
find_reason(const struct hpm_page *page, const struct hpm_entry *entry,
            struct hpm_string *reason)
{
    hpm_string_clear(reason);
    if (is_of_table(entry) &&
        (entry->quantity == page->inclusive ||
         hpm_shown_is_wanted(page->survey, entry->quantity)))
        hpm_shown_add_reason(reason, &entry->figure);
}

static bool
is_same(const struct hpm_string *a, const struct hpm_string *b)
{
    return strcmp(hpm_string_text(a), hpm_string_text(b)) == 0;
}

/* Why metrics have no value, or are in doubt: each reason once, after the names
 * of all metrics with this reason. */
static void
add_reasons(struct hpm_page *page, const struct hpm_subject *subject)
{
    struct hpm_string line = {0}, reason = {0}, other = {0};

    for (size_t i = 0; i < subject->n_entries; i++) {
        bool is_told = false;

        find_reason(page, &subject->entries[i], &reason);
        for (size_t j = 0; j < i && !is_told && reason.length > 0; j++) {
            find_reason(page, &subject->entries[j], &other);
            is_told = is_same(&reason, &other);
        }
        if (is_told || reason.length == 0)
            continue;
        hpm_string_clear(&line);
        for (size_t j = i; j < subject->n_entries; j++) {
            find_reason(page, &subject->entries[j], &other);
            if (is_same(&reason, &other))
                hpm_string_add_format(
                    &line, "%s%s", j == i ? "  " : ", ",
                    page->survey->quantities[subject->entries[j].quantity]
                        .name);
        }
        hpm_string_add(&line, ": ");
        hpm_sentence_add(&line, hpm_string_text(&reason));
        hpm_paragraph_add(page->string, hpm_string_text(&line),
                          page->options->style.width, 4);
    }
    page->string->failed |= line.failed || reason.failed || other.failed;
    hpm_string_free(&line);
    hpm_string_free(&reason);
    hpm_string_free(&other);
}

/* Say of what the share is a part; where there is time outside sections, give
 * both shares. */
static void
add_of_what(struct hpm_string *title, const struct hpm_survey *survey,
            const struct hpm_subject *subject)
{
    int scope = survey->study->sections[subject->section].scope;

    if (!hpm_survey_has_outside(survey, scope)) {
        /* xgettext:no-c-format */
        hpm_string_add(title, _(" % of the time"));
        return;
    }
    /* xgettext:no-c-format */
    hpm_string_add(title, _(" % of the run"));
    if (isnan(subject->section_share))
        return;
    hpm_string_add(title, ", ");
    hpm_string_add_fixed(title, 100.0 * subject->section_share, 1);
    /* xgettext:no-c-format */
    hpm_string_add(title, _(" % of the time in sections"));
}

void
hpm_page_add_metrics(struct hpm_page *page, size_t subject)
{
    const struct hpm_subject *here = &page->survey->subjects[subject];
    struct hpm_string title = {0};
    struct hpm_table table = {0};

    add_metric_columns(&table, page, "  metric");
    hpm_table_add_column(&table, "meaning", NULL, 0);
    hpm_table_rank_column(&table, RANK_MEANING);
    for (size_t i = 0; i < here->n_entries; i++) {
        if (is_of_table(&here->entries[i]) &&
            hpm_shown_is_wanted(page->survey, here->entries[i].quantity) &&
            !is_told_as_metric(page->survey, here, here->entries[i].quantity))
            add_metric_row(&table, page, here, &here->entries[i]);
    }
    if (hpm_table_rows(&table) == 0) {
        hpm_table_finish(&table, &page->string->failed);
        return;
    }
    hpm_survey_add_label(page->survey, subject, &title);
    if (!isnan(here->share) && !hpm_page_is_difference(page)) {
        hpm_string_add(&title, ", ");
        hpm_string_add_fixed(&title, 100.0 * here->share, 1);
        add_of_what(&title, page->survey, here);
    }
    if (page->survey->study->sections[here->section].scope == HPM_SCOPE_THREAD)
        hpm_string_add_format(&title,
                              hpm_words_of(", %zu thread in",
                                           ", %zu threads in", here->n_threads),
                              here->n_threads);
    else
        hpm_string_add(&title, ",");
    hpm_string_add_format(
        &title, hpm_words_of(" %zu task", " %zu tasks", here->n_tasks),
        here->n_tasks);
    hpm_page_add_title(page, hpm_string_text(&title));
    hpm_page_add_table(page, &table);
    add_reasons(page, here);
    hpm_string_finish(&title, &page->string->failed);
}

/* ---- metrics --------------------------------------------------------- */

static void
add_limit(struct hpm_string *title, const char *word,
          const struct hpm_limit *limit)
{
    if (!limit->is_given)
        return;
    hpm_string_add_format(title, "; %s %s ", word,
                          limit->is_above ? _("above") : _("below"));
    hpm_string_add_real(title, limit->value);
}

/* Add a title: "IPC: instructions per cycle; bad below 1; good above 2". */
static void
add_metric_title(struct hpm_page *page, size_t quantity)
{
    const struct hpm_quantity *here = &page->survey->quantities[quantity];
    struct hpm_string title = {0};

    hpm_string_add(&title, here->name);
    if (here->description != NULL)
        hpm_string_add_format(&title, ": %s", _(here->description));
    for (size_t i = 0; i < page->survey->n_machines; i++) {
        const struct hpm_metrics *metrics =
            page->survey->machines[i].library.metrics;
        const struct hpm_limits *limits;

        if (here->metrics[i] == HPM_NO_METRIC)
            continue;
        limits = &metrics->metrics[here->metrics[i]]
                      .limits[page->survey->options.precision];
        add_limit(&title, _("bad"), &limits->bad);
        add_limit(&title, _("good"), &limits->good);
        break;
    }
    hpm_page_add_title(page, hpm_string_text(&title));
    hpm_string_finish(&title, &page->string->failed);
}

void
hpm_page_add_by_metric(struct hpm_page *page, const struct hpm_lineup *lineup,
                       size_t quantity, int scope)
{
    struct hpm_table table = {0};

    add_metric_columns(&table, page,
                       scope == HPM_SCOPE_PROCESS ? "  process section"
                                                  : "  thread section");
    for (size_t i = 0; i < lineup->n; i++) {
        const struct hpm_subject *subject =
            &page->survey->subjects[lineup->subjects[i]];
        const struct hpm_entry *entry = hpm_subject_entry(subject, quantity);
        struct hpm_string label = {0};

        if (entry == NULL || is_told_as_metric(page->survey, subject, quantity))
            continue;
        hpm_string_add(&label, "  ");
        hpm_survey_add_label(page->survey, lineup->subjects[i], &label);
        hpm_table_add_text(&table, hpm_string_text(&label));
        add_metric_cells(&table, page, entry);
        hpm_string_finish(&label, &table.failed);
    }
    if (hpm_table_rows(&table) == 0) {
        hpm_table_finish(&table, &page->string->failed);
        return;
    }
    add_metric_title(page, quantity);
    hpm_page_add_table(page, &table);
}
