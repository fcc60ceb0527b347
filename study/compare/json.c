/* SPDX-License-Identifier: BSD-3-Clause
 * A comparison for programs: JSON with the values of all runs. */
#include <math.h>
#include <string.h>

#include "study/compare/sweep.h"
#include "study/compare/words.h"
#include "study/report/format.h"

static const char *const units[] = {"s", "byte", ""};

/* ---- numbers and words --------------------------------------------------- */

static void
add_key(struct hpm_string *string, const char *key)
{
    hpm_string_add_format(string, "\"%s\": ", key);
}

static void
add_number(struct hpm_string *string, double value)
{
    if (isnan(value) || isinf(value))
        hpm_string_add(string, "null");
    else
        hpm_string_add_real(string, value);
}

static void
add_member(struct hpm_string *string, const char *key, double value)
{
    add_key(string, key);
    add_number(string, value);
    hpm_string_add(string, ", ");
}

static void
add_text(struct hpm_string *string, const char *key, const char *value)
{
    add_key(string, key);
    hpm_json_add_text(string, value);
    hpm_string_add(string, ", ");
}

static void
add_side(struct hpm_string *string, const char *key, size_t side)
{
    char letter[] = {(char)('A' + side), '\0'};

    add_text(string, key, letter);
}

/* The lines of a text as an array. */
static void
add_lines(struct hpm_string *string, const char *key, const char *lines)
{
    bool is_first = true;

    add_key(string, key);
    hpm_string_add_char(string, '[');
    while (*lines != '\0') {
        size_t length = strcspn(lines, "\n");
        struct hpm_string line = {0};

        hpm_string_add_bytes(&line, lines, length);
        hpm_string_add(string, is_first ? "" : ", ");
        hpm_json_add_text(string, hpm_string_text(&line));
        hpm_string_free(&line);
        lines += length + (lines[length] == '\n');
        is_first = false;
    }
    hpm_string_add_char(string, ']');
}

/* ---- JSON ---------------------------------------------------------------- */

static void
add_sides(struct hpm_string *string, const struct hpm_samples *samples)
{
    hpm_string_add(string, "\"sides\": [");
    for (size_t i = 0; i < samples->n_sides; i++) {
        hpm_string_add(string, i > 0 ? ",\n  {" : "\n  {");
        add_side(string, "side", i);
        add_text(string, "name", samples->sides[i].name);
        hpm_string_add_format(string, "\"runs\": %zu}",
                              samples->sides[i].n_runs);
    }
    hpm_string_add(string, "],\n");
}

static void
add_comparison(struct hpm_string *string, const struct hpm_samples *samples,
               const struct hpm_comparison *one)
{
    const struct hpm_samples_metric *metric = &samples->metrics[one->metric];

    add_text(string, "section", samples->subjects[one->subject].path);
    add_text(string, "metric", metric->name);
    add_text(string, "unit", units[metric->kind]);
    add_side(string, "side", one->side);
    add_member(string, "a", one->median_a);
    add_member(string, "b", one->median_b);
    add_member(string, "ratio", one->ratio);
    add_member(string, "low", one->low);
    add_member(string, "high", one->high);
    add_member(string, "noise", one->noise);
    add_member(string, "p", one->p);
    add_member(string, "adjusted", one->adjusted);
    add_member(string, "would_see", one->seen);
    add_text(string, "finding", hpm_words_finding(one->finding));
    add_key(string, "differs");
    hpm_string_add(string, hpm_finding_is_difference(one->finding) ? "true"
                           : one->finding == HPM_FINDING_SAME ||
                                   one->finding == HPM_FINDING_UNDECIDED
                               ? "false"
                               : "null");
}

static void
add_comparisons(struct hpm_string *string, const struct hpm_compare_view *view)
{
    hpm_string_add(string, "\"comparisons\": [");
    for (size_t i = 0; i < view->comparisons->n; i++) {
        hpm_string_add(string, i > 0 ? ",\n  {" : "\n  {");
        add_comparison(string, view->samples, &view->comparisons->all[i]);
        hpm_string_add_char(string, '}');
    }
    hpm_string_add(string, "],\n");
}

static void
add_series(struct hpm_string *string, const struct hpm_samples *samples,
           size_t subject, size_t metric, size_t side, bool *is_first)
{
    const struct hpm_samples_series *series =
        hpm_samples_get(samples, subject, metric, side);

    if (series == NULL)
        return;
    hpm_string_add(string, *is_first ? "\n  {" : ",\n  {");
    *is_first = false;
    add_text(string, "section", samples->subjects[subject].path);
    add_text(string, "metric", samples->metrics[metric].name);
    add_side(string, "side", side);
    hpm_string_add(string, "\"values\": [");
    for (size_t i = 0; i < samples->sides[side].n_runs; i++) {
        hpm_string_add(string, i > 0 ? ", " : "");
        add_number(string, hpm_samples_value(series, i));
    }
    hpm_string_add(string, "]}");
}

static void
add_runs(struct hpm_string *string, const struct hpm_samples *samples)
{
    bool is_first = true;

    hpm_string_add(string, "\"runs\": [");
    for (size_t i = 0; i < samples->n_subjects; i++) {
        for (size_t j = 0; j < samples->n_metrics; j++) {
            for (size_t k = 0; k < samples->n_sides; k++)
                add_series(string, samples, i, j, k, &is_first);
        }
    }
    hpm_string_add(string, "],\n");
}

static void
add_point(struct hpm_string *string, const struct hpm_sweep *sweep, size_t side)
{
    struct hpm_sweep_point point = hpm_sweep_point(sweep, side);

    add_side(string, "side", side);
    add_text(string, "value", sweep->values[side]);
    add_member(string, "time", point.time);
    add_member(string, "speed_up", point.speed_up);
    add_member(string, "low", point.low);
    add_member(string, "high", point.high);
    add_key(string, "efficiency");
    add_number(string, point.efficiency);
}

static void
add_sweep(struct hpm_string *string, const struct hpm_sweep *sweep)
{
    add_key(string, "sweep");
    if (sweep == NULL) {
        hpm_string_add(string, "null,\n");
        return;
    }
    hpm_string_add_char(string, '{');
    add_text(string, "parameter", sweep->name);
    add_text(string, "command", sweep->command);
    hpm_string_add(string, "\"points\": [");
    for (size_t i = 0; i < sweep->view->samples->n_sides; i++) {
        hpm_string_add(string, i > 0 ? ",\n  {" : "\n  {");
        add_point(string, sweep, i);
        hpm_string_add_char(string, '}');
    }
    hpm_string_add(string, "]},\n");
}

void
hpm_compare_add_json(struct hpm_string *string,
                     const struct hpm_compare_view *view)
{
    hpm_string_add(string, "{\"tool\": \"hpm compare\", \"version\": 1,\n");
    add_key(string, "seed");
    if (view->has_order)
        hpm_string_add_format(string, "%llu,\n",
                              (unsigned long long)view->seed);
    else
        hpm_string_add(string, "null,\n");
    hpm_string_add_format(string, "\"tests\": %zu, \"looks\": %zu,\n",
                          view->comparisons->n_tests,
                          view->comparisons->n_looks);
    add_sides(string, view->samples);
    add_sweep(string, view->sweep);
    add_comparisons(string, view);
    add_runs(string, view->samples);
    hpm_string_add_format(string, "\"crossed\": %zu,\n", view->n_crossed);
    add_lines(string, "limits", view->limits);
    hpm_string_add(string, ",\n");
    add_lines(string, "notes", view->notes);
    hpm_string_add(string, "}\n");
}
