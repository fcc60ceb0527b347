/* SPDX-License-Identifier: BSD-3-Clause
 * The spread of a mean over runs, as text.  Headings begin with "run", because
 * threads and tasks have a spread, too. */
#include "study/report/page.h"

#include "study/report/shown.h"
#include "study/words/words.h"

bool
hpm_page_find_runs(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_columns; i++) {
        if (hpm_series_end(&study->columns[i].fields[HPM_FIELD_DEV]) > 0)
            return true;
    }
    return false;
}

void
hpm_page_add_run_columns(struct hpm_table *table, const struct hpm_page *page,
                         const char *unit)
{
    static const char *const headings[] = {"run dev", "run min", "run max"};

    for (int i = 0; i < 3 && page->has_runs; i++) {
        struct hpm_string heading = {0};

        hpm_string_add_format(&heading, "%s%s", headings[i], unit);
        hpm_page_add_marked(table, hpm_string_text(&heading),
                            i == 0 ? 0 : RANK_SPREAD);
        hpm_string_finish(&heading, &table->failed);
    }
}

static void
add_cell(struct hpm_table *table, const struct hpm_quantity *quantity,
         struct hpm_number number, const char *mark)
{
    struct hpm_string text = {0};

    if (number.kind == HPM_NUMBER_NONE) {
        hpm_table_add_none(table);
        return;
    }
    hpm_string_add(&text, mark);
    hpm_shown_add_number(&text, quantity, number);
    hpm_table_add_string(table, &text);
}

/* "<0.012" is an upper bound. */
void
hpm_page_add_run_cells(struct hpm_table *table, const struct hpm_page *page,
                       const struct hpm_figure *figure, size_t quantity)
{
    const struct hpm_quantity *of = &page->survey->quantities[quantity];
    bool is_bound = figure != NULL && figure->is_run_bound;

    if (!page->has_runs)
        return;
    if (figure == NULL) {
        hpm_table_add_nones(table, 3);
        return;
    }
    add_cell(table, of, figure->run_dev, is_bound ? "<" : "");
    add_cell(table, of, figure->run_min, is_bound ? ">" : "");
    add_cell(table, of, figure->run_max, is_bound ? "<" : "");
}

void
hpm_page_add_run_legend(const struct hpm_page *page, struct hpm_string *line)
{
    bool is_difference = hpm_page_is_difference(page);

    if (!page->has_runs) {
        hpm_string_add(line, is_difference
                                 ? _("No spread over runs: a or b is a single "
                                     "run (hpm mean averages several), or does "
                                     "not say how far its runs are apart. ")
                                 : "");
        return;
    }
    hpm_string_add(line, is_difference
                             ? _("run dev, min, max: of a run of b less a run "
                                 "of a; of a time - where another thread is "
                                 "the slowest in b than in a, of all - where a "
                                 "side is one run or does not say how far its "
                                 "runs are apart")
                             : _("run dev, min, max: over the runs of the "
                                 "mean, the deviation divided by n - 1"));
    hpm_string_add(
        line,
        _("; < and > where it is a sum of several records, whose runs lie "
          "within these bounds; all other min, max, mean and dev are over "
          "threads. "));
}
