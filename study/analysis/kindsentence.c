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

/* Could so many of n threads have a name by chance?  There are some 2 n names (ranges,
 * every n-th, parts of grids), up to 10 groups, and all ways to choose the threads:
 * of 16 threads 5 to 11 are enough, of 64 it takes 3. */
static bool
may_be_chance(size_t n_members, size_t n)
{
    double n_ways = 1.0, n_enough = 200.0 * (double)n;
    size_t n_chosen = n_members < n - n_members ? n_members : n - n_members;

    for (size_t i = 0; i < n_chosen && n_ways < n_enough; i++)
        n_ways *= (double)(n - i) / (double)(i + 1);
    return n_ways < n_enough;
}

/* How many tasks are in a group, of how many; false where it has only some threads
 * of a task.  Points stand by task. */
static bool
count_tasks(const struct hpm_observations *observations, const size_t *labels,
            size_t group, size_t *ret_n_members, size_t *ret_n)
{
    const struct hpm_preparation *preparation = &observations->preparation;
    const struct hpm_point *before = NULL;

    *ret_n_members = *ret_n = 0;
    for (size_t i = 0; i < preparation->matrix.n_rows; i++) {
        const struct hpm_point *point =
            &observations->points->all[preparation->rows[i]];
        bool is_member = labels[i] == group;

        if (before != NULL && before->task == point->task) {
            if (is_member != (labels[i - 1] == group))
                return false;
        } else {
            *ret_n_members += is_member;
            *ret_n += 1;
        }
        before = point;
    }
    return true;
}

struct naming {
    bool are_named[HPM_CLUSTERS_MOST];
    size_t n_named, n_nameless;
    bool may_be_chance;   /* one of the names */
    bool may_be_of_tasks; /* the same, of whole tasks */
    bool has_whole_task;  /* alone, and no host: it has a name by itself */
};

/* Threads of a task are not independent of each other: what disturbs the task is in
 * all of them. */
static void
weigh_name(struct naming *naming, const struct hpm_observations *observations,
           const struct hpm_grouping_of_points *groups, size_t group)
{
    size_t n_members = groups->sizes[group];
    size_t n = observations->preparation.matrix.n_rows, n_tasks, n_all;

    if (count_tasks(observations, groups->labels, group, &n_tasks, &n_all) &&
        n_all > 1) {
        naming->has_whole_task |=
            n_tasks == 1 && n_members > 1 &&
            !hpm_membership_is_host(observations, groups->labels, group);
        n_members = n_tasks;
        n = n_all;
    }
    if (n_members < groups->sizes[group])
        naming->may_be_of_tasks |= may_be_chance(n_members, n);
    else
        naming->may_be_chance |= may_be_chance(n_members, n);
}

static struct naming
name_groups(const struct hpm_observations *observations,
            const struct hpm_grouping_of_points *groups, bool *failed)
{
    struct naming naming = {0};

    for (size_t c = 0; c < groups->k; c++) {
        struct hpm_string name = {0};
        bool is_named =
            hpm_membership_add(observations, groups->labels, c, &name);

        naming.are_named[c] = is_named;
        naming.n_named += is_named;
        naming.n_nameless += !is_named;
        if (is_named)
            weigh_name(&naming, observations, groups, c);
        hpm_string_finish(&name, failed);
    }
    return naming;
}

/* The groups with those that have no name as one.  False when there is no
 * memory. */
static bool
merge_nameless(const struct hpm_matrix *matrix, const struct naming *naming,
               const struct hpm_grouping_of_points *groups,
               struct hpm_grouping_of_points *ret_merged)
{
    size_t *labels = hpm_memory_new(matrix->n_rows + 1, sizeof *labels);
    size_t others[HPM_CLUSTERS_MOST], n = 1;
    bool is_good;

    for (size_t c = 0; c < groups->k; c++)
        others[c] = naming->are_named[c] ? n++ : 0;
    for (size_t i = 0; i < matrix->n_rows && labels != NULL; i++)
        labels[i] = others[groups->labels[i]];
    is_good =
        labels != NULL && hpm_grouping_init(ret_merged, matrix, labels, n);
    hpm_memory_free(labels);
    return is_good;
}

/* To ask whether groups are apart takes the most time by far.  The same ones come
 * again where of fewer groups those are made that nameless ones were merged to. */
struct search {
    const struct hpm_observations *observations;
    size_t *refused; /* labels of groupings that are not apart */
    size_t n_refused;
    bool failed; /* there was no memory */
};

/* Of each number of groups those found, and those with the nameless as one. */
enum { MOST_REFUSED = 2 * MOST_KINDS };

static bool
begin_search(struct search *search, const struct hpm_observations *observations)
{
    size_t n_rows = observations->preparation.matrix.n_rows;

    *search = (struct search){
        .observations = observations,
        .refused = hpm_memory_new(MOST_REFUSED * n_rows + 1, sizeof(size_t))};
    search->failed = search->refused == NULL;
    return !search->failed;
}

/* Labels are numbered as they appear. */
static bool
was_refused(const struct search *search, const size_t *labels)
{
    size_t n_rows = search->observations->preparation.matrix.n_rows;

    for (size_t i = 0; i < search->n_refused; i++) {
        if (memcmp(&search->refused[i * n_rows], labels,
                   n_rows * sizeof *labels) == 0)
            return true;
    }
    return false;
}

static void
note_refused(struct search *search, const size_t *labels)
{
    size_t n_rows = search->observations->preparation.matrix.n_rows;

    if (search->n_refused < MOST_REFUSED)
        memcpy(&search->refused[search->n_refused++ * n_rows], labels,
               n_rows * sizeof *labels);
}

static bool
are_apart(struct search *search, const struct hpm_grouping_of_points *groups)
{
    struct hpm_separation separation;

    if (was_refused(search, groups->labels))
        return false;
    if (!hpm_separation_find(groups, &search->observations->preparation.matrix,
                             HPM_KMEANS_SEED, &separation)) {
        search->failed = true;
        return false;
    }
    if (hpm_separation_is_clear(&separation))
        return true;
    note_refused(search, groups->labels);
    return false;
}

static bool
are_few(const struct hpm_grouping_of_points *groups)
{
    if (groups->k < 2 || groups->k > MOST_KINDS)
        return false;
    for (size_t c = 0; c < groups->k; c++) {
        if (groups->sizes[c] < 2)
            return false;
    }
    return true;
}

/* The named ones and the others: the groups are changed. */
static bool
are_kinds_and_others(struct search *search, const struct naming *naming,
                     struct hpm_grouping_of_points *groups)
{
    struct hpm_grouping_of_points merged;
    bool are_good;

    if (!merge_nameless(&search->observations->preparation.matrix, naming,
                        groups, &merged)) {
        search->failed = true;
        return false;
    }
    are_good = are_few(&merged) &&
               (are_apart(search, &merged) || are_apart(search, groups));
    hpm_grouping_clear(groups);
    *groups = merged;
    return are_good;
}

/* Are these groups kinds beyond doubt?  No name may be chance; of whole tasks
 * it may where all groups have one.  Of several without one a kind is made, "the others":
 * what they are may be chance, but not that the named ones are another kind, where
 * either all groups are apart or these are.  The groups are changed. */
static bool
are_kinds(struct search *search, struct hpm_grouping_of_points *groups)
{
    struct naming naming =
        name_groups(search->observations, groups, &search->failed);

    if (naming.n_named == 0 || (naming.has_whole_task && groups->k > 2) ||
        naming.may_be_chance ||
        (naming.may_be_of_tasks && naming.n_nameless > 0))
        return false;
    if (naming.n_nameless <= 1)
        return are_few(groups) && are_apart(search, groups);
    return are_kinds_and_others(search, &naming, groups);
}

/* Where they are kinds these take the place of the clusters' groups, which were
 * theirs or others; else they are gone. */
static bool
take_if_kinds(struct search *search, struct hpm_clusters *clusters,
              struct hpm_grouping_of_points *groups)
{
    bool are_good = are_kinds(search, groups);

    if (are_good) {
        hpm_grouping_clear(&clusters->groups);
        clusters->groups = *groups;
    } else {
        hpm_grouping_clear(groups);
    }
    return are_good;
}

static bool
find_at_first(struct search *search, struct hpm_clusters *clusters)
{
    struct hpm_grouping_of_points groups;

    if (hpm_grouping_init(&groups, &search->observations->preparation.matrix,
                          clusters->groups.labels, clusters->groups.k))
        return take_if_kinds(search, clusters, &groups);
    search->failed = true;
    return false;
}

static bool
find_among_fewer(struct search *search, struct hpm_clusters *clusters)
{
    const struct hpm_matrix *matrix = &search->observations->preparation.matrix;
    struct hpm_grouping_of_points groups;
    size_t first = clusters->groups.k;

    for (size_t i = 0; i < clusters->n_choices; i++) {
        const struct hpm_kmeans_options how = {.k = clusters->choices[i].k,
                                               .seed = HPM_KMEANS_SEED,
                                               .n_starts = FEW_STARTS};

        if (how.k >= first || how.k > MOST_KINDS ||
            clusters->choices[i].silhouette < HPM_SEPARATION_SILHOUETTE)
            continue;
        if (!hpm_kmeans_run(&groups, matrix, &how)) {
            search->failed = true;
            return false;
        }
        if (take_if_kinds(search, clusters, &groups))
            return true;
    }
    return false;
}

/* Of the number that tells most; where these are parts of kinds, of fewer.  `failed`:
 * there was no memory. */
static bool
find_kinds(struct hpm_clusters *clusters, bool *failed)
{
    struct search search;
    bool are_there;

    if (clusters->groups.k < 2)
        return false;
    are_there = begin_search(&search, clusters->observations) &&
                (find_at_first(&search, clusters) ||
                 find_among_fewer(&search, clusters));
    hpm_memory_free(search.refused);
    *failed |= search.failed;
    return are_there;
}

/* ---- in words -------------------------------------------------------- */

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

static void
add_f(struct hpm_string *string, double f)
{
    if (isinf(f))
        hpm_string_add(string, "infinite");
    else if (hpm_f_is_only_large(f))
        hpm_string_add(string, HPM_F_LARGE);
    else
        hpm_string_add_fixed(string, f, 0);
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
        add_f(string, ratios[best].f);
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
        if (find_kinds(&clusters, &string->failed))
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
