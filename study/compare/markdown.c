/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison as Markdown, for the pages where changes are discussed. */
#include <math.h>
#include <string.h>

#include "study/compare/view.h"
#include "study/compare/words.h"

/* What would end a cell of a table, or begin markup, does not. */
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

/* Each line a paragraph. */
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
    add_plain_lines(string, view->notes);
}
