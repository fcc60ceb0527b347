/* SPDX-License-Identifier: BSD-3-Clause
 * A survey as text. */
#include "study/report/report.h"

#include <string.h>

#include "model/experiment.h"
#include "study/report/overview.h"
#include "study/report/page.h"
#include "study/report/paragraph.h"
#include "study/report/shown.h"
#include "study/report/surveyhints.h"
#include "study/words/words.h"

/* This many sections have all their metrics listed; the others are only in the
 * tables by metric. */
enum { N_IN_FULL = 5 };

static void
add_in_full(struct hpm_page *page, const struct hpm_lineup *lineup)
{
    size_t n = lineup->n < N_IN_FULL ? lineup->n : N_IN_FULL;

    for (size_t i = 0; i < n; i++)
        hpm_page_add_metrics(page, lineup->subjects[i]);
    if (n < lineup->n)
        hpm_string_add_format(
            page->string,
            hpm_words_of("\nMetrics of %zu more section: 'hpm report "
                         "--by metric', or --filter.\n",
                         "\nMetrics of %zu more sections: 'hpm report "
                         "--by metric', or --filter.\n",
                         lineup->n - n),
            lineup->n - n);
}

/* Add the tables of one scope. */
static void
add_scope(struct hpm_page *page, const struct hpm_lineup *lineup, int scope)
{
    if (lineup->n == 0)
        return;
    if (hpm_page_has_cells(page)) {
        for (size_t i = 0; i < lineup->n; i++)
            hpm_page_add_cells(page, lineup->subjects[i]);
    } else if (page->options->view == HPM_VIEW_METRIC) {
        for (size_t i = 0; i < page->survey->n_quantities; i++) {
            if (hpm_shown_is_wanted(page->survey, i))
                hpm_page_add_by_metric(page, lineup, i, scope);
        }
    } else {
        hpm_page_add_sections(page, lineup, scope);
    }
}

/* Add the tables of both scopes first, then their sections in full. */
static void
add_scopes(struct hpm_page *page)
{
    static const int scopes[] = {HPM_SCOPE_PROCESS, HPM_SCOPE_THREAD};
    const struct hpm_view_options *options = page->options;
    struct hpm_lineup lineups[2];
    struct hpm_error err;

    for (int i = 0; i < 2; i++) {
        /* in tables of tasks and threads the filter is applied to each line */
        if (!hpm_lineup_init(
                &lineups[i], page->survey, scopes[i], &options->sort,
                hpm_page_has_cells(page) ? NULL : options->filter, &err))
            page->string->failed = true;
    }
    for (int i = 0; i < 2; i++)
        add_scope(page, &lineups[i], scopes[i]);
    for (int i = 0; i < 2; i++) {
        if (options->view == HPM_VIEW_SECTION)
            add_in_full(page, &lineups[i]);
        hpm_lineup_clear(&lineups[i]);
    }
}

static void
add_nothing(struct hpm_page *page)
{
    hpm_string_add(page->string,
                   page->options->filter != NULL
                       ? _("\nno line is as the filter wants it\n")
                       : _("\nno sections\n"));
}

static const char *
share_legend(const struct hpm_survey *survey)
{
    if (hpm_survey_has_outside(survey, HPM_SCOPE_THREAD) ||
        hpm_survey_has_outside(survey, HPM_SCOPE_PROCESS))
        return _("Share: of the run, which is the time of all threads from "
                 "their first reading to their last; sect: of the time in "
                 "sections. ");
    return _("Share: of the exclusive time of all threads in sections; these "
             "files do not say what was outside. ");
}

/* Explain the numbers, and where other numbers are. */
static void
add_legend(struct hpm_page *page)
{
    const struct hpm_text_style *style = &page->options->style;
    struct hpm_string line = {0};

    if (hpm_page_has_several(page) && !hpm_page_is_difference(page) &&
        !hpm_page_has_cells(page))
        hpm_string_add_format(
            &line,
            _("Seconds are those of the %s, counts the sum over all; imbal: "
              "(max - mean) / max over threads. Together: the value of all "
              "threads together, which has no verdict; ! 3 of 8: so many of "
              "the threads, or processes, are bad, each by itself. "),
            page->has_runs ? _("thread that is the slowest in the mean of runs")
                           : _("slowest thread"));
    if (!hpm_page_is_difference(page) && !hpm_page_has_cells(page))
        hpm_string_add(&line, share_legend(page->survey));
    hpm_page_add_run_legend(page, &line);
    hpm_string_add(&line,
                   _("Marks: ! bad, + good, ~ parts are missing, ? too short, "
                     "or too uncertain for a verdict. They are hints, not "
                     "verdicts."));
    if (page->n_left_out > 0)
        hpm_string_add_format(
            &line,
            hpm_words_of(" In %zu characters a line up to %zu column is left "
                         "out: COLUMNS=200 shows more, 'hpm report --format "
                         "csv' all.",
                         " In %zu characters a line up to %zu columns are left "
                         "out: COLUMNS=200 shows more, 'hpm report --format "
                         "csv' all.",
                         page->n_left_out),
            style->width, page->n_left_out);
    hpm_string_add_char(page->string, '\n');
    hpm_string_add(page->string, style->is_coloured ? "\033[2m" : "");
    hpm_paragraph_add(page->string, hpm_string_text(&line), style->width, 0);
    hpm_string_add(page->string, style->is_coloured ? "\033[0m" : "");
    hpm_string_finish(&line, &page->string->failed);
}

/* ---- hints ----------------------------------------------------------- */

static void
add_hints(struct hpm_page *page)
{
    const struct hpm_survey *survey = page->survey;
    enum hpm_precision precision = survey->options.precision;

    for (size_t i = 0; i < survey->n_machines; i++)
        hpm_hints_add_text(page->string,
                           &survey->machines[i].rankings[precision], true,
                           hpm_surveyhints_name, page->survey);
}

void
hpm_report_add_text(struct hpm_string *string, struct hpm_survey *survey,
                    const struct hpm_view_options *options)
{
    struct hpm_page page = {
        .string = string,
        .survey = survey,
        .options = options,
        .calls = hpm_survey_find_kind(survey, HPM_QUANTITY_CALLS),
        .exclusive = hpm_survey_find_kind(survey, HPM_QUANTITY_EXCLUSIVE),
        .inclusive = hpm_survey_find_kind(survey, HPM_QUANTITY_INCLUSIVE),
        .has_runs = hpm_page_find_runs(survey->study)};

    hpm_overview_add_head(string, survey, options->style.width);
    add_scopes(&page);
    if (page.n_lines > 0)
        add_legend(&page);
    else
        add_nothing(&page);
    if (hpm_surveyhints_are_wanted(survey, options))
        add_hints(&page);
    hpm_overview_add_notes(string, survey, options->style.width);
    string->failed |= *survey->lacks_memory;
}
