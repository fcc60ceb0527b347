/* SPDX-License-Identifier: BSD-3-Clause
 * The one sentence about kinds of threads. */
#include "study/analysis/kindsentence.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "study/analysis/clusters.h"
#include "study/analysis/membership.h"
#include "study/multivariate/separation.h"
#include "study/multivariate/kmeans.h"

/* Of threads this is for a report, which is not to wait for it: so many values of
 * so many take about a second.  Who asks for calls has asked for no more than
 * that. */
enum {
    LEAST_POINTS = 12,
    MOST_POINTS = 600,
    MOST_VALUES = 30000,
    MOST_COLUMNS = 400, /* components take as long as their number cubed */
    MOST_KINDS = 4,
    MOST_NAMED = 2
};

/* What is beyond doubt is found from nearly everywhere; hundreds of starts are for
 * what is not. */
enum { FEW_STARTS = 10 };

/* ---- is it so? -------------------------------------------------------- */

/* What cannot be grouped has no sentence; what there was no memory for was not
 * looked at. */
static void
note(struct hpm_string *string, const struct hpm_error *err)
{
    struct hpm_error no_memory;

    hpm_error_no_memory(&no_memory);
    string->failed |= strcmp(err->text, no_memory.text) == 0;
}

/* What has no name may be chance; one kind may be "the others". */
static bool
have_names(const struct hpm_clusters *clusters, bool *failed)
{
    size_t n_nameless = 0;

    for (size_t c = 0; c < clusters->groups.k; c++) {
        struct hpm_string name = {0};

        n_nameless += !hpm_membership_add(clusters->observations,
                                          clusters->groups.labels, c, &name);
        hpm_string_finish(&name, failed);
    }
    return n_nameless <= 1;
}

static bool
is_beyond_doubt(const struct hpm_clusters *clusters, bool *failed)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    struct hpm_separation separation;

    if (clusters->groups.k < 2 || clusters->groups.k > MOST_KINDS ||
        clusters->silhouette < 0.5 || !have_names(clusters, failed))
        return false;
    for (size_t c = 0; c < clusters->groups.k; c++) {
        if (clusters->groups.sizes[c] < 2)
            return false;
    }
    if (hpm_separation_find(&clusters->groups, matrix, HPM_KMEANS_SEED,
                            &separation))
        return hpm_separation_is_clear(&separation);
    *failed = true;
    return false;
}

/* ---- in words
 * -------------------------------------------------------------------- */

static void
add_kinds(const struct hpm_clusters *clusters, struct hpm_string *string)
{
    for (size_t c = 0; c < clusters->groups.k; c++) {
        struct hpm_string name = {0};
        bool is_named = hpm_membership_add(clusters->observations,
                                           clusters->groups.labels, c, &name);

        hpm_string_add_format(string, "%s%zu",
                              c == 0                       ? ""
                              : c + 1 < clusters->groups.k ? ", "
                                                           : " and ",
                              clusters->groups.sizes[c]);
        if (is_named)
            hpm_string_add_format(string, " (%s)", hpm_string_text(&name));
        else
            hpm_string_add(string, " others");
        hpm_string_finish(&name, &string->failed);
    }
}

/* The columns with the largest F. */
static void
add_differences(const struct hpm_clusters *clusters, struct hpm_string *string)
{
    const struct hpm_matrix *matrix =
        &clusters->observations->preparation.matrix;
    struct hpm_f_ratio *ratios =
        hpm_memory_new(matrix->n_columns, sizeof *ratios);
    double before = INFINITY;
    size_t last = 0;

    if (ratios == NULL) {
        string->failed = true;
        return;
    }
    hpm_grouping_f_ratios(&clusters->groups, matrix, ratios);
    for (size_t i = 0; i < MOST_NAMED && i < matrix->n_columns; i++) {
        size_t best = SIZE_MAX;

        for (size_t j = 0; j < matrix->n_columns; j++) {
            if ((i == 0 || ratios[j].f < before ||
                 (ratios[j].f == before && j > last)) &&
                (best == SIZE_MAX || ratios[j].f > ratios[best].f))
                best = j;
        }
        if (best == SIZE_MAX)
            break;
        hpm_string_add_format(
            string, "%s%s (F ", i == 0 ? "" : " and ",
            hpm_observations_column(clusters->observations, best)->name);
        if (isfinite(ratios[best].f))
            hpm_string_add_fixed(string, ratios[best].f, 0);
        else
            hpm_string_add(string, "infinite");
        hpm_string_add_char(string, ')');
        before = ratios[best].f;
        last = best;
    }
    hpm_memory_free(ratios);
}

static void
add_sentence(const struct hpm_clusters *clusters, struct hpm_string *string)
{
    static const char *const numbers[] = {"Two", "Three", "Four"};
    const struct hpm_points *points = clusters->observations->points;
    bool are_threads = false;

    for (size_t i = 1; i < points->n; i++)
        are_threads |= points->all[i].thread != points->all[0].thread;
    hpm_string_add_format(string, "%s kinds of %s in ",
                          numbers[clusters->groups.k - 2],
                          points->calls != NULL ? "calls"
                          : are_threads         ? "threads"
                                                : "tasks");
    hpm_survey_add_name(points->survey, points->all[0].subject, string);
    hpm_string_add(string, ": ");
    add_kinds(clusters, string);
    hpm_string_add(string, "; they differ most in ");
    add_differences(clusters, string);
    hpm_string_add_format(string, ". %s says more.",
                          points->calls != NULL ? "hpm cluster --calls"
                                                : "hpm cluster");
}

/* ---- what would take too long -------------------------------------------- */

/* Silence would be taken for "there are none". */
static void
add_too_many(struct hpm_string *string, const struct hpm_survey *survey,
             size_t subject, const char *what, size_t n, int most)
{
    hpm_string_add(string, "Kinds of threads were not looked for in ");
    hpm_survey_add_name(survey, subject, string);
    hpm_string_add_format(string,
                          ": %zu %s are more than %d; hpm cluster makes "
                          "groups of threads.",
                          n, what, most);
}

/* Who asks for calls has been told by their number. */
static bool
are_too_many(const struct hpm_observations *observations,
             struct hpm_string *string)
{
    const struct hpm_points *points = observations->points;
    size_t n_columns = observations->preparation.matrix.n_columns;
    size_t n = observations->preparation.matrix.n_rows * n_columns;

    if (points->calls != NULL ||
        (n <= MOST_VALUES && n_columns <= MOST_COLUMNS))
        return false;
    if (n_columns > MOST_COLUMNS)
        add_too_many(string, points->survey, points->all[0].subject,
                     "metrics and counters", n_columns, MOST_COLUMNS);
    else
        add_too_many(string, points->survey, points->all[0].subject,
                     "values of their metrics", n, MOST_VALUES);
    return true;
}

/* ---- from the survey -------------------------------------------------- */

/* pictures may be NULL. */
static void
look(struct hpm_string *string, const struct hpm_points *points,
     struct hpm_kindpictures *pictures)
{
    const struct hpm_cluster_options options = {.linkage = HPM_LINKAGE_WARD,
                                                .seed = HPM_KMEANS_SEED,
                                                .n_starts = FEW_STARTS};
    struct hpm_observations observations;
    struct hpm_clusters clusters;
    struct hpm_error err = {""};

    if (points->n >
        (points->calls != NULL ? HPM_KINDSENTENCE_MOST_CALLS : MOST_POINTS))
        return;
    if (!hpm_observations_init(&observations, points, HPM_SCALING_Z,
                               LEAST_POINTS, 2, &err)) {
        note(string, &err);
        return;
    }
    if (!are_too_many(&observations, string) &&
        hpm_clusters_init(&clusters, &observations, &options, &err)) {
        if (is_beyond_doubt(&clusters, &string->failed))
            add_sentence(&clusters, string);
        if (pictures != NULL && !hpm_kindpictures_draw(pictures, &clusters))
            string->failed = true;
        hpm_clusters_clear(&clusters);
    }
    note(string, &err);
    hpm_observations_clear(&observations);
}

void
hpm_kindsentence_add_points(struct hpm_string *string,
                            const struct hpm_points *points)
{
    look(string, points, NULL);
}

void
hpm_kindsentence_add(struct hpm_string *string, struct hpm_survey *survey)
{
    hpm_kindsentence_draw(string, survey, NULL);
}

void
hpm_kindsentence_draw(struct hpm_string *string, struct hpm_survey *survey,
                      struct hpm_kindpictures *pictures)
{
    struct hpm_points_options which = {.is_of_one = true};
    struct hpm_points points;
    struct hpm_error err;
    size_t n;

    if (hpm_survey_is_difference(survey))
        return;
    which.subject = hpm_points_longest(survey, NULL, &n);
    if (n == 0 || survey->subjects[which.subject].n_threads < LEAST_POINTS)
        return;
    if (survey->subjects[which.subject].n_threads > MOST_POINTS) {
        add_too_many(string, survey, which.subject, "threads",
                     survey->subjects[which.subject].n_threads, MOST_POINTS);
        return;
    }
    if (!hpm_points_init(&points, survey, &which, &err)) {
        note(string, &err);
        return;
    }
    look(string, &points, pictures);
    hpm_points_clear(&points);
}
