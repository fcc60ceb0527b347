/* SPDX-License-Identifier: BSD-3-Clause
 * Hints of a section and of the run: which hints, in what order, with whose
 * value. */
#include "hpmviz/data/hints.h"
#include "study/survey/surveying.h"

#include "study.h"

static const struct hpmviz_hint *
hint_at(const GPtrArray *hints, guint i)
{
    return hints->pdata[i];
}

static void
test_section(struct hpm_survey *survey)
{
    struct hpmviz_rankings *rankings = hpmviz_rankings_new(survey);
    const struct hpmviz_hint *hint;
    struct hpm_string text = {0};
    GPtrArray *hints;

    hpm_survey_visit_some(survey, 0, 0, 100, NULL, NULL, rankings->all);
    hints = hpmviz_hints_of_section(survey, 0, rankings);
    ok(hints->len > 0, "a section with bad values has hints");
    hint = hint_at(hints, 0);
    /* seconds x distance: process 9 x 0.8, 1.1 4 x 0.2, 0.0 1 x 0.5 */
    is_near(hint->weight, 7.2, 1e-9, "the worst costs most time");
    is_near(hint->own, 0.2, 1e-12, "it has the value there");
    is_text(hint->title,
            "IPC 0.200 in task 0, whole process and 2 more (bad: below 1)",
            "its title says where, and where else");
    ok(strcmp(survey->quantities[hint->quantity].name, "IPC") == 0 &&
           hint->subject == 0,
       "it leads to the metric of the section");
    ok(hint->why[0] != '\0' && hint->attempt[0] != '\0',
       "it says why and what to try");
    hpmviz_hint_add_text(hint, &text);
    ok(strncmp(hpm_string_text(&text), "why: ", 5) == 0 &&
           strstr(hpm_string_text(&text), "\ntry: ") != NULL,
       "its text has a line for each part");
    hpm_string_free(&text);
    g_ptr_array_unref(hints);
    hpmviz_rankings_free(rankings);
}

static void
test_run(struct hpm_survey *survey)
{
    GPtrArray *hints = hpmviz_hints_of_run(survey);
    const struct hpmviz_hint *hint = hint_at(hints, 0);
    gboolean is_ordered = TRUE;

    is_text(hint->title,
            "IPC 0.200 in the gravest of 5 threads (3 bad) of section 'calc' "
            "(a.c:10) (bad: below 1)",
            "hints of the run name sections, and how many are bad there");
    for (guint i = 1; i < hints->len; i++)
        is_ordered &=
            hint_at(hints, i - 1)->weight >= hint_at(hints, i)->weight;
    ok(is_ordered && hints->len <= HPM_MAX_HINTS,
       "the worst comes first, and there are few");
    g_ptr_array_unref(hints);
}

static void
expect_reason(const struct hpm_survey *survey, const char *word,
              const char *sentence)
{
    char *reason = hpmviz_hints_explain_none(survey);

    ok(strncmp(reason, "none: ", 6) == 0 && strstr(reason, word) != NULL,
       sentence);
    g_free(reason);
}

/* Cells of a short run get verdicts, too, and red ones have hints. */
static void
test_none(struct hpm_survey *survey)
{
    double totals[2] = {survey->totals[0], survey->totals[1]};
    GPtrArray *hints;

    expect_reason(survey, "own", "of a long run only what is bad has hints");
    survey->totals[0] = 0.01;
    survey->totals[1] = 0;
    hints = hpmviz_hints_of_run(survey);
    is_count(hints->len, 0, "a short run has no hints");
    g_ptr_array_unref(hints);
    expect_reason(survey, "0.01 s", "and that is why, not its values");
    memcpy(survey->totals, totals, sizeof totals);
}

static void
test_order_of_freeing(void)
{
    struct hpm_study *study = read_study_of("calc", 10);
    struct hpm_survey *survey = survey_of(study);
    struct hpmviz_sheet *sheet = hpmviz_sheet_new(survey, 0);

    hpmviz_sheet_fill(sheet, 2);
    hpm_survey_free(survey);
    hpm_study_free(study);
    hpmviz_sheet_free(sheet);
    ok(1, "a sheet can be freed after its survey");
}

int
main(void)
{
    struct hpm_study *study = read_study_of("calc", 10);
    struct hpm_survey *survey = survey_of(study);

    test_section(survey);
    test_run(survey);
    test_none(survey);
    test_order_of_freeing();
    hpm_survey_free(survey);
    hpm_study_free(study);
    return done();
}
