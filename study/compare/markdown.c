/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as Markdown, for pages on which people discuss changes. */
#include <math.h>
#include <string.h>

#include "study/compare/basis.h"
#include "study/compare/intake.h"
#include "study/compare/sweep.h"
#include "study/compare/words.h"

/* Escape characters that would end a table's cell or begin markup. */
static void
add_plain(struct hpm_string *string, const char *text)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, text);
    for (const char *at = hpm_string_text(&safe); *at != '\0'; at++) {
        if (strchr("|\\`*_<>[]", *at) != NULL)
            hpm_string_add_char(string, '\\');
        hpm_string_add_char(string, *at);
    }
    hpm_string_finish(&safe, &string->failed);
}

/* Write each line as a paragraph. */
static void
add_plain_lines(struct hpm_string *string, const char *lines)
{
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        struct hpm_string line = {0};

        hpm_string_add_bytes(&line, lines, length);
        add_plain(string, hpm_string_text(&line));
        hpm_string_add(string, "\n\n");
        hpm_string_free(&line);
        lines += length + (lines[length] == '\n');
    }
}

static void
add_row(struct hpm_string *string, const struct hpm_samples *samples,
        const struct hpm_comparison *one)
{
    const struct hpm_samples_metric *metric = &samples->metrics[one->metric];
    bool differs = hpm_finding_is_difference(one->finding);

    hpm_string_add_format(string, "| %c | ", (int)('A' + one->side));
    add_plain(string, samples->subjects[one->subject].path);
    hpm_string_add(string, " | ");
    add_plain(string, metric->name);
    hpm_string_add(string, " | ");
    hpm_words_add_value(string, metric->kind, one->median_a);
    hpm_string_add(string, " | ");
    hpm_words_add_value(string, metric->kind, one->median_b);
    hpm_string_add(string, differs ? " | **" : " | ");
    hpm_words_add_change(string, one->ratio - 1.0);
    hpm_string_add(string, differs ? "** | " : " | ");
    hpm_words_add_change(string, one->low - 1.0);
    if (!isnan(one->low)) {
        hpm_string_add(string, " to ");
        hpm_words_add_change(string, one->high - 1.0);
    }
    hpm_string_add_format(string, " | %s | ", hpm_words_finding(one->finding));
    hpm_words_add_part(string, one->seen);
    hpm_string_add(string, " |\n");
}

static void
add_point(struct hpm_string *string, const struct hpm_sweep *sweep, size_t side)
{
    struct hpm_sweep_point point = hpm_sweep_point(sweep, side);

    hpm_string_add(string, "| ");
    add_plain(string, sweep->values[side]);
    hpm_string_add(string, " | ");
    hpm_words_add_value(string, HPM_SAMPLES_TIME, point.time);
    hpm_string_add(string, " | ");
    hpm_words_add_ratio(string, point.speed_up);
    hpm_string_add(string, " | ");
    if (!isnan(point.low)) {
        hpm_words_add_ratio(string, point.low);
        hpm_string_add(string, " to ");
        hpm_words_add_ratio(string, point.high);
    }
    hpm_string_add(string, " | ");
    hpm_words_add_part(string, point.efficiency);
    hpm_string_add(string, " |\n");
}

static void
add_sweep(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    const struct hpm_samples *samples = sweep->view->samples;

    if (hpm_samples_find_metric(samples, HPM_INTAKE_TIME) == samples->n_metrics)
        return;
    hpm_string_add(string, "| ");
    add_plain(string, sweep->name);
    hpm_string_add(string, " | time | speed-up | 95 % interval | efficiency |\n"
                           "|--:|--:|--:|--:|--:|\n");
    for (size_t i = 0; i < samples->n_sides; i++)
        add_point(string, sweep, i);
    hpm_string_add_char(string, '\n');
}

static void
add_basis(struct hpm_string *string, const struct hpm_compare_view *view)
{
    struct hpm_string basis = {0};

    hpm_string_add(&basis, view->notes);
    hpm_basis_add(&basis, view);
    add_plain_lines(string, hpm_string_text(&basis));
    hpm_string_finish(&basis, &string->failed);
}

void
hpm_compare_add_markdown(struct hpm_string *string,
                         const struct hpm_compare_view *view)
{
    const struct hpm_samples *samples = view->samples;

    for (size_t i = 0; i < samples->n_sides; i++) {
        hpm_string_add_format(string, "* %c: ", (int)('A' + i));
        add_plain(string, samples->sides[i].name);
        hpm_string_add_format(string, " (%zu run%s)\n",
                              samples->sides[i].n_runs,
                              samples->sides[i].n_runs == 1 ? "" : "s");
    }
    hpm_string_add_char(string, '\n');
    add_plain_lines(string, view->limits);
    if (view->sweep != NULL)
        add_sweep(string, view->sweep);
    hpm_string_add(string,
                   "| | section | metric | A | this | change | 95 % interval "
                   "| differs | would see |\n"
                   "|---|---|---|--:|--:|--:|--:|---|--:|\n");
    for (size_t i = 0; i < view->comparisons->n; i++) {
        const struct hpm_comparison *one = &view->comparisons->all[i];

        if (one->finding != HPM_FINDING_NONE &&
            (one->subject == 0 || hpm_finding_is_difference(one->finding)))
            add_row(string, samples, one);
    }
    hpm_string_add_char(string, '\n');
    add_basis(string, view);
}
