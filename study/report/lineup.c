/* SPDX-License-Identifier: BSD-3-Clause
 * Which subjects a report shows, and in which order. */
#include "study/report/lineup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/memory.h"

/* ---- keys ------------------------------------------------------------ */

bool
hpm_sort_read(const struct hpm_survey *survey, const char *key,
              struct hpm_sort *ret_sort, struct hpm_error *err)
{
    struct hpm_error cause;

    *ret_sort = (struct hpm_sort){.field = {.kind = HPM_LINE_EXCLUSIVE}};
    if (survey->options.grouping == HPM_GROUP_PATHS)
        ret_sort->field.kind = HPM_LINE_INCLUSIVE;
    if (key == NULL)
        return true;
    ret_sort->is_reversed = key[0] == '-';
    return hpm_line_find_field(survey, key + (key[0] == '-'), &ret_sort->field,
                               &cause) ||
           hpm_error_set(err, "in --sort: %.450s", cause.text);
}

static int
compare_texts(const struct hpm_line *a, const struct hpm_line *b,
              enum hpm_field_kind kind)
{
    struct hpm_line_field field = {.kind = kind};
    struct hpm_string x = {0}, y = {0};
    int order;

    hpm_line_add_text(a, &field, &x);
    hpm_line_add_text(b, &field, &y);
    *a->survey->lacks_memory |= x.failed || y.failed;
    order = strcmp(hpm_string_text(&x), hpm_string_text(&y));
    hpm_string_free(&x);
    hpm_string_free(&y);
    return order;
}

/* Large numbers first, missing ones last. */
static int
compare_numbers(const struct hpm_line *a, const struct hpm_line *b,
                const struct hpm_line_field *field, bool is_reversed)
{
    double x = hpm_line_number(a, field), y = hpm_line_number(b, field);

    if (isnan(x) || isnan(y))
        return isnan(x) - isnan(y);
    if (x == y)
        return 0;
    return (x > y) != is_reversed ? -1 : 1;
}

int
hpm_sort_compare(const struct hpm_sort *sort, const struct hpm_line *a,
                 const struct hpm_line *b)
{
    int order;

    if (!hpm_line_field_is_text(&sort->field))
        return compare_numbers(a, b, &sort->field, sort->is_reversed);
    order = compare_texts(a, b, sort->field.kind);
    return sort->is_reversed ? -order : order;
}

/* ---- the order ------------------------------------------------------- */

struct sorted {
    const struct hpm_sort *sort;
    struct hpm_line line;
};

/* The order of lines with equal keys. */
static int
compare_ties(const struct hpm_line *a, const struct hpm_line *b)
{
    static const struct hpm_line_field exclusive = {.kind = HPM_LINE_EXCLUSIVE};
    static const struct hpm_line_field line = {.kind = HPM_LINE_LINE};
    static const struct hpm_line_field id = {.kind = HPM_LINE_ID};
    int order = compare_numbers(a, b, &exclusive, false);

    if (order == 0)
        order = compare_texts(a, b, HPM_LINE_LABEL);
    if (order == 0)
        order = compare_texts(a, b, HPM_LINE_FILE);
    if (order == 0)
        order = compare_numbers(a, b, &line, true);
    if (order == 0)
        order = compare_numbers(a, b, &id, true);
    if (order == 0)
        order = a->subject < b->subject ? -1 : 1;
    return order;
}

/* What no section covers always comes last. */
static int
compare(const void *x, const void *y)
{
    const struct sorted *a = x, *b = y;
    int order = hpm_survey_is_outside(a->line.survey, a->line.subject) -
                hpm_survey_is_outside(b->line.survey, b->line.subject);

    if (order == 0)
        order = hpm_sort_compare(a->sort, &a->line, &b->line);
    return order != 0 ? order : compare_ties(&a->line, &b->line);
}

/* ---- trees ----------------------------------------------------------- */

/* Put the children of each subject after it; siblings keep their order.  Links
 * are indices of `sorted`.  Without recursion, because paths may be deep. */
static bool
nest(struct hpm_lineup *lineup, const struct hpm_survey *survey,
     const struct sorted *sorted, size_t n)
{
    size_t none = SIZE_MAX, at = 0;
    size_t *room = hpm_memory_new(3 * (survey->n_subjects + 1), sizeof *room);
    size_t *first = room, *next, *up;

    if (room == NULL)
        return false;
    next = room + survey->n_subjects + 1;
    up = next + survey->n_subjects + 1;
    for (size_t i = 0; i <= survey->n_subjects; i++)
        first[i] = next[i] = none;
    /* by parent: a list of its children; the last list is that of the roots */
    for (size_t i = n; i > 0; i--) {
        size_t subject = sorted[i - 1].line.subject;
        size_t parent = survey->subjects[subject].parent;

        if (parent == HPM_NO_SUBJECT)
            parent = survey->n_subjects;
        up[subject] = parent;
        next[subject] = first[parent];
        first[parent] = subject;
    }
    for (size_t here = first[survey->n_subjects]; here != none;) {
        lineup->subjects[at++] = here;
        if (first[here] != none) {
            here = first[here];
            continue;
        }
        while (next[here] == none && up[here] != survey->n_subjects)
            here = up[here];
        here = next[here];
    }
    lineup->n = at;
    hpm_memory_free(room);
    return true;
}

/* ---- which subjects -------------------------------------------------- */

/* Subjects that the filter accepts; with call paths also all paths around
 * these. */
static bool *
find_wanted(const struct hpm_survey *survey, int scope,
            const struct hpm_line_filter *filter)
{
    bool *is_wanted = hpm_memory_new(survey->n_subjects + 1, sizeof(bool));

    for (size_t i = 0; i < survey->n_subjects && is_wanted != NULL; i++) {
        const struct hpm_subject *subject = &survey->subjects[i];
        struct hpm_line line = {.survey = survey, .subject = i};

        if (survey->study->sections[subject->section].scope != scope ||
            subject->count == 0 || is_wanted[i] ||
            !hpm_line_filter_wants(filter, &line))
            continue;
        for (size_t at = i; at != HPM_NO_SUBJECT && !is_wanted[at];
             at = survey->subjects[at].parent)
            is_wanted[at] = true;
    }
    return is_wanted;
}

bool
hpm_lineup_init(struct hpm_lineup *lineup, const struct hpm_survey *survey,
                int scope, const struct hpm_sort *sort,
                const struct hpm_line_filter *filter, struct hpm_error *err)
{
    size_t n = survey->n_subjects, n_wanted = 0;
    bool *is_wanted = find_wanted(survey, scope, filter);
    struct sorted *sorted = hpm_memory_new(n + 1, sizeof *sorted);
    bool is_good;

    *lineup = (struct hpm_lineup){
        .subjects = hpm_memory_new(n + 1, sizeof *lineup->subjects)};
    is_good = is_wanted != NULL && sorted != NULL && lineup->subjects != NULL;
    for (size_t i = 0; i < n && is_good; i++) {
        if (is_wanted[i])
            sorted[n_wanted++] =
                (struct sorted){sort, {.survey = survey, .subject = i}};
    }
    if (is_good)
        qsort(sorted, n_wanted, sizeof *sorted, compare);
    for (size_t i = 0; i < n_wanted; i++)
        lineup->subjects[lineup->n++] = sorted[i].line.subject;
    if (is_good && survey->options.grouping == HPM_GROUP_PATHS)
        is_good = nest(lineup, survey, sorted, n_wanted);
    hpm_memory_free(is_wanted);
    hpm_memory_free(sorted);
    return is_good || hpm_error_no_memory(err);
}

void
hpm_lineup_clear(struct hpm_lineup *lineup)
{
    hpm_memory_free(lineup->subjects);
    *lineup = (struct hpm_lineup){0};
}
