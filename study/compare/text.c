/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as text: first the answer, then what it is based on. */
#include <math.h>
#include <string.h>

#include "report/text.h"
#include "study/compare/basis.h"
#include "study/compare/intake.h"
#include "study/compare/stopping.h"
#include "study/compare/view.h"
#include "study/compare/words.h"
#include "study/report/tablewords.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* The largest number of sections shown: those with the largest differences. */
enum { MOST_SECTIONS = 20 };

static char
letter(size_t side)
{
    return (char)('A' + side);
}

/* ---- the answer -------------------------------------------------------- */

/* Add " (+2.5 % to +3.8 %, 95 %)"; ratios where the value is at least
 * double. */
static void
add_interval(struct hpm_string *string, const struct hpm_comparison *found)
{
    bool is_ratio = found->ratio >= 2.0;

    if (isnan(found->low))
        return;
    hpm_string_add(string, " (");
    if (is_ratio)
        hpm_words_add_ratio(string, found->low);
    else
        hpm_words_add_change(string, found->low - 1.0);
    hpm_string_add(string, " to ");
    if (is_ratio)
        hpm_words_add_ratio(string, found->high);
    else
        hpm_words_add_change(string, found->high - 1.0);
    hpm_string_add(string, ", 95 %)");
}

static void
add_longer(struct hpm_string *string, const struct hpm_comparison *found)
{
    double ratio = found->ratio;

    hpm_string_add_format(string, "%c takes ", letter(found->side));
    if (ratio >= 2.0) {
        hpm_words_add_ratio(string, ratio);
        hpm_string_add(string, " times as long as A");
    } else {
        hpm_words_add_part(string, ratio - 1.0);
        hpm_string_add_format(string, " %s time than A",
                              ratio > 1.0 ? "more" : "less");
    }
    if (ratio <= 0.5) {
        hpm_string_add(string, ", 1/");
        hpm_words_add_ratio(string, 1.0 / ratio);
        hpm_string_add(string, " of it");
    }
    add_interval(string, found);
    hpm_string_add(string, ".\n");
}

static void
add_too_few(struct hpm_string *string, const struct hpm_compare_view *view,
            const struct hpm_comparison *found)
{
    bool is_wide = view->samples->n_subjects > 1;

    hpm_string_add_format(string, "%c and A: ", letter(found->side));
    if (found->n_a == found->n_b)
        hpm_string_add_format(string, "%zu run%s of each", found->n_b,
                              found->n_b == 1 ? "" : "s");
    else
        hpm_string_add_format(string, "%zu run%s beside %zu of A", found->n_b,
                              found->n_b == 1 ? "" : "s", found->n_a);
    hpm_string_add_format(
        string, " cannot show a difference in time%s; %zu of each can%s.\n",
        is_wide ? " among so many tests" : "",
        hpm_stopping_least(hpm_comparisons_level(view->comparisons),
                           view->samples->block),
        is_wide ? ", or fewer tests (hpm compare --only, --section)" : "");
}

static void
add_time_answer(struct hpm_string *string, const struct hpm_compare_view *view,
                const struct hpm_comparison *found)
{
    switch (found->finding) {
    case HPM_FINDING_DIFFERS:
        add_longer(string, found);
        break;
    case HPM_FINDING_TOO_FEW:
        add_too_few(string, view, found);
        break;
    case HPM_FINDING_UNDECIDED:
        hpm_string_add_format(string,
                              "%c and A: no difference in time was found; one "
                              "of ",
                              letter(found->side));
        hpm_words_add_part(string, found->seen);
        hpm_string_add(string, " would have been.\n");
        break;
    default:
        break;
    }
}

/* A count that is exact shows a difference even where times do not. */
static void
add_exact_answer(struct hpm_string *string, const struct hpm_samples *samples,
                 const struct hpm_comparison *found)
{
    const struct hpm_samples_metric *metric = &samples->metrics[found->metric];

    hpm_string_add_format(string, "%c has ", letter(found->side));
    hpm_words_add_value(string, metric->kind,
                        fabs(found->median_b - found->median_a));
    hpm_string_add_format(string, " %s %s than A (",
                          found->median_b > found->median_a ? "more" : "fewer",
                          metric->name);
    hpm_words_add_change(string, found->ratio - 1.0);
    hpm_string_add(string, "), the same in every run.\n");
}

/* Other metrics may show a difference that the time does not show. */
static void
add_other_answer(struct hpm_string *string, const struct hpm_samples *samples,
                 const struct hpm_comparison *found)
{
    const struct hpm_samples_metric *metric = &samples->metrics[found->metric];

    hpm_string_add_format(string, "%c has ", letter(found->side));
    if (found->ratio >= 2.0) {
        hpm_words_add_ratio(string, found->ratio);
        hpm_string_add_format(string, " times the %s of A", metric->name);
    } else {
        hpm_words_add_part(string, found->ratio - 1.0);
        hpm_string_add_format(string, " %s %s than A",
                              found->ratio > 1.0                  ? "more"
                              : metric->kind == HPM_SAMPLES_COUNT ? "fewer"
                                                                  : "less",
                              metric->name);
    }
    add_interval(string, found);
    hpm_string_add(string, ".\n");
}

static void
add_answers(struct hpm_string *string, const struct hpm_compare_view *view,
            size_t side)
{
    const struct hpm_comparisons *comparisons = view->comparisons;
    const struct hpm_comparison *time = hpm_comparisons_find(
        comparisons, 0, hpm_samples_find_metric(view->samples, HPM_INTAKE_TIME),
        side);
    bool is_decided = time != NULL && hpm_finding_is_difference(time->finding);

    if (is_decided)
        add_time_answer(string, view, time);
    for (size_t i = 0; i < comparisons->n; i++) {
        const struct hpm_comparison *one = &comparisons->all[i];

        if (one->subject != 0 || one->side != side || one == time)
            continue;
        if (one->finding == HPM_FINDING_EXACT)
            add_exact_answer(string, view->samples, one);
        else if (one->finding == HPM_FINDING_DIFFERS)
            add_other_answer(string, view->samples, one);
    }
    if (!is_decided && time != NULL)
        add_time_answer(string, view, time);
}

/* ---- the table --------------------------------------------------------- */

static void
add_value_cell(struct hpm_table *table, enum hpm_samples_kind kind,
               double value)
{
    struct hpm_string text = {0};

    hpm_words_add_value(&text, kind, value);
    hpm_table_add_string(table, &text);
}

static void
add_ratio_cell(struct hpm_table *table, double ratio)
{
    struct hpm_string text = {0};

    hpm_words_add_ratio(&text, ratio);
    hpm_table_add_string(table, &text);
}

static void
add_interval_cell(struct hpm_table *table, const struct hpm_comparison *found)
{
    struct hpm_string text = {0};

    if (found->finding == HPM_FINDING_SAME ||
        found->finding == HPM_FINDING_EXACT) {
        hpm_string_add(&text, "exact");
    } else if (isnan(found->low)) {
        hpm_string_add(&text, "-");
    } else {
        hpm_words_add_ratio(&text, found->low);
        hpm_string_add(&text, "..");
        hpm_words_add_ratio(&text, found->high);
    }
    hpm_table_add_string(table, &text);
}

static void
add_seen_cell(struct hpm_table *table, const struct hpm_comparison *found)
{
    struct hpm_string text = {0};

    if (found->finding == HPM_FINDING_SAME ||
        found->finding == HPM_FINDING_EXACT)
        hpm_string_add(&text, "any");
    else
        hpm_words_add_part(&text, found->seen);
    hpm_table_add_string(table, &text);
}

static void
add_row(struct hpm_table *table, const struct hpm_samples *samples,
        const struct hpm_comparison *found, bool has_sections)
{
    const struct hpm_samples_metric *metric = &samples->metrics[found->metric];
    bool differs = hpm_finding_is_difference(found->finding);

    if (has_sections)
        hpm_table_add_text(table, found->subject == 0
                                      ? "(run)"
                                      : samples->subjects[found->subject].path);
    hpm_table_add_text(table, metric->name);
    add_value_cell(table, metric->kind, found->median_a);
    add_value_cell(table, metric->kind, found->median_b);
    add_ratio_cell(table, found->ratio);
    if (differs)
        hpm_table_emphasise(table, found->ratio > 1.0 ? HPM_EMPHASIS_BAD
                                                      : HPM_EMPHASIS_GOOD);
    add_interval_cell(table, found);
    hpm_table_add_text(table, hpm_words_finding(found->finding));
    add_seen_cell(table, found);
}

static void
add_columns(struct hpm_table *table, size_t side, bool has_sections)
{
    char b[] = {letter(side), '\0'}, ratio[] = {letter(side), '/', 'A', '\0'};

    if (has_sections)
        hpm_table_add_column(table, "section", NULL, 0);
    hpm_table_add_column(table, "metric", NULL, 0);
    hpm_table_add_column(table, "a", "A", 0);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "b", b, 0);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "ratio", ratio, 0);
    hpm_table_align_column(table);
    hpm_table_add_column(table, "interval", "95 % interval", 0);
    hpm_table_align_column(table);
    hpm_table_rank_column(table, 1);
    hpm_table_add_column(table, "differs", NULL, 0);
    hpm_table_add_column(table, "seen", "would see", 0);
    hpm_table_align_column(table);
    hpm_table_rank_column(table, 2);
}

/* The weight of a section: its largest relative difference, multiplied by its
 * time; 0 without a difference. */
static double
gravity(const struct hpm_compare_view *view, size_t subject, size_t side)
{
    double gravest = 0.0, time = 1e-9;
    size_t n;
    const struct hpm_comparison *all =
        hpm_comparisons_of(view->comparisons, subject, &n);

    for (size_t i = 0; i < n; i++) {
        const struct hpm_comparison *one = &all[i];

        if (one->side != side)
            continue;
        if (view->samples->metrics[one->metric].kind == HPM_SAMPLES_TIME)
            time = fmax(time, fmax(one->median_a, one->median_b));
        if (hpm_finding_is_difference(one->finding))
            gravest =
                fmax(gravest, isnan(one->ratio) ? 1.0 : fabs(one->ratio - 1.0));
    }
    return gravest * time;
}

/* The section with the next smaller weight after `before`; n_subjects for
 * none. */
static size_t
next_gravest(const struct hpm_compare_view *view, size_t side, double before,
             size_t last)
{
    size_t n = view->samples->n_subjects, found = n;
    double best = 0.0;

    for (size_t i = 1; i < n; i++) {
        double here = gravity(view, i, side);
        bool comes_after = here < before || (here == before && i > last);

        if (here > best && comes_after) {
            best = here;
            found = i;
        }
    }
    return found;
}

static void
add_subject(struct hpm_table *table, const struct hpm_compare_view *view,
            size_t subject, size_t side, bool has_sections)
{
    size_t n;
    const struct hpm_comparison *all =
        hpm_comparisons_of(view->comparisons, subject, &n);

    for (size_t i = 0; i < n; i++) {
        const struct hpm_comparison *one = &all[i];

        if (one->side == side && one->finding != HPM_FINDING_NONE &&
            (subject == 0 || hpm_finding_is_difference(one->finding)))
            add_row(table, view->samples, one, has_sections);
    }
}

static void
add_table(struct hpm_string *string, const struct hpm_compare_view *view,
          size_t side)
{
    struct hpm_text_style style = {view->width, view->is_coloured};
    bool has_sections = view->samples->n_subjects > 1;
    struct hpm_table table = {0};
    size_t n_shown = 0, last = 0, n_differ = 0;
    double before = INFINITY;

    add_columns(&table, side, has_sections);
    add_subject(&table, view, 0, side, has_sections);
    while (n_shown < MOST_SECTIONS) {
        last = next_gravest(view, side, before, last);
        if (last >= view->samples->n_subjects)
            break;
        before = gravity(view, last, side);
        add_subject(&table, view, last, side, has_sections);
        n_shown++;
    }
    hpm_tablewords_add_in(string, &table, "section", &style);
    hpm_table_finish(&table, &string->failed);
    for (size_t i = 1; i < view->samples->n_subjects; i++)
        n_differ += gravity(view, i, side) > 0.0;
    if (n_differ > n_shown)
        hpm_string_add_format(
            string, _("%zu more; hpm compare --format json has all.\n"),
            n_differ - n_shown);
    if (has_sections)
        hpm_string_add_format(string, _("%zu of %zu sections differ.\n"),
                              n_differ, view->samples->n_subjects - 1);
}

/* ---- what it is based on ----------------------------------------------- */

static void
add_sides(struct hpm_string *string, const struct hpm_samples *samples)
{
    for (size_t i = 0; i < samples->n_sides; i++) {
        hpm_string_add_format(string, "%c  ", letter(i));
        hpm_string_add_safe(string, samples->sides[i].name);
        hpm_string_add_format(string,
                              hpm_words_of("  (%zu run)\n", "  (%zu runs)\n",
                                           samples->sides[i].n_runs),
                              samples->sides[i].n_runs);
    }
}

static void
add_gravest(struct hpm_string *string, const struct hpm_compare_view *view,
            size_t side)
{
    size_t gravest = next_gravest(view, side, INFINITY, 0);

    if (gravest >= view->samples->n_subjects)
        return;
    hpm_string_add_format(string, "%c: most of the difference is in ",
                          letter(side));
    hpm_string_add_safe(string, view->samples->subjects[gravest].path);
    hpm_string_add(string, ".\n");
}

/* Append sentences in the reader's language; frees them. */
static void
add_said(struct hpm_string *string, struct hpm_string *said)
{
    hpm_sentence_add_lines(string, hpm_string_text(said), "");
    hpm_string_finish(said, &string->failed);
}

void
hpm_compare_add_text(struct hpm_string *string,
                     const struct hpm_compare_view *view)
{
    struct hpm_string said = {0}, basis = {0};

    add_sides(string, view->samples);
    hpm_string_add_char(string, '\n');
    for (size_t i = 1; i < view->samples->n_sides; i++)
        add_answers(&said, view, i);
    for (size_t i = 1; i < view->samples->n_sides; i++)
        add_gravest(&said, view, i);
    add_said(string, &said);
    for (size_t i = 1; i < view->samples->n_sides; i++) {
        hpm_string_add_char(string, '\n');
        add_table(string, view, i);
    }
    hpm_string_add_char(string, '\n');
    hpm_string_add(&basis, view->limits);
    hpm_string_add(&basis, view->notes);
    hpm_basis_add(&basis, view);
    add_said(string, &basis);
}
