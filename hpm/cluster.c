/* SPDX-License-Identifier: BSD-3-Clause
 * hpm cluster: which threads of a section behave alike. */
#include <getopt.h>

#include "hpm/analysis/analysing.h"
#include "hpm/frame/result.h"
#include "hpm/frame/subcommand.h"
#include "study/analysis/clusters.h"
#include "study/analysis/kindpictures.h"
#include "study/multivariate/kmeans.h"

static const char command[] = "cluster";

enum { SVG = ANALYSING_JSON + 1, NEWICK };

static const char *const formats[] = {ANALYSING_FORMATS, "svg", "newick", NULL};

static const char *const linkages[] = {[HPM_LINKAGE_SINGLE] = "single",
                                       [HPM_LINKAGE_COMPLETE] = "complete",
                                       [HPM_LINKAGE_AVERAGE] = "average",
                                       [HPM_LINKAGE_WARD] = "ward",
                                       NULL};

static const char *const pictures[] = {[HPM_KINDPICTURE_RATIOS] = "ratios",
                                       [HPM_KINDPICTURE_POINTS] = "points",
                                       [HPM_KINDPICTURE_WEIGHTS] = "weights",
                                       [HPM_KINDPICTURE_TREE] = "tree",
                                       NULL};

enum { MOST_GROUPS = 1000 };

struct options {
    struct analysing_options analysing;
    unsigned linkage, picture;
    bool is_cut, is_by_gap;
    uint64_t k, seed;
};

static const struct hpm_option table[] = {
    ANALYSING_OPTIONS(struct options, analysing),
    ANALYSING_SCALE(struct options, analysing),
    {0, "format", HPM_OPTION_NAME(struct options, analysing.format, formats)},
    {0, "picture", HPM_OPTION_NAME(struct options, picture, pictures)},
    {0, "linkage", HPM_OPTION_NAME(struct options, linkage, linkages)},
    {0, "groups", HPM_OPTION_NUMBER(struct options, k, 1, MOST_GROUPS)},
    {0, "gap", HPM_OPTION_FLAG(struct options, is_by_gap)},
    {0, "cut", HPM_OPTION_FLAG(struct options, is_cut)},
    {0, "seed", HPM_OPTION_NUMBER(struct options, seed, 0, UINT64_MAX)},
};

static bool
add_picture(const struct hpm_clusters *clusters, unsigned which,
            struct hpm_string *text, struct hpm_error *err)
{
    struct hpm_kindpictures drawn = {0};
    bool is_there;

    if (which == HPM_KINDPICTURE_TREE || which == HPM_N_KINDPICTURES)
        return hpm_clusters_add_svg(clusters, text, err);
    if (!hpm_kindpictures_draw(&drawn, clusters))
        return hpm_error_no_memory(err);
    is_there = drawn.all[which].n > 0;
    if (is_there)
        hpm_picture_add_svg(&drawn.all[which], text);
    hpm_kindpictures_clear(&drawn);
    return is_there ||
           hpm_error_set(err, "there is no picture '%s': %s", pictures[which],
                         which == HPM_KINDPICTURE_RATIOS
                             ? "there are no groups; --groups makes some"
                             : "it takes two metrics");
}

static enum status
put_clusters(const struct options *options, const struct hpm_clusters *clusters,
             enum status otherwise)
{
    struct hpm_account account = {0};
    struct hpm_string text = {0};
    struct hpm_error err;
    enum status status;

    if (options->analysing.format == SVG ||
        options->analysing.format == NEWICK) {
        if (options->analysing.format == SVG
                ? add_picture(clusters, options->picture, &text, &err)
                : hpm_clusters_add_newick(clusters, &text, &err))
            return result_put(command, options->analysing.points.output, &text,
                              otherwise);
        hpm_string_free(&text);
        return subcommand_fail(command, &err, NOTHING);
    }
    hpm_clusters_describe(clusters, analysing_width(), &account);
    status = analysing_put(command, &options->analysing, &account, "members",
                           otherwise);
    hpm_account_clear(&account);
    return status;
}

static enum status
cluster(const struct options *options, const struct hpm_points *points,
        enum status otherwise)
{
    const struct hpm_cluster_options how = {
        .linkage = (enum hpm_linkage)options->linkage,
        .k = (size_t)options->k,
        .is_cut = options->is_cut,
        .is_by_gap = options->is_by_gap,
        .seed = options->seed,
        .most_bytes = options->analysing.points.most_bytes};
    struct hpm_observations observations;
    struct hpm_clusters clusters;
    struct hpm_error err;
    enum status status;

    if (!hpm_observations_init(&observations, points,
                               (enum hpm_scaling)options->analysing.scaling, 2,
                               1, &err))
        return subcommand_fail(command, &err, NOTHING);
    if (hpm_clusters_init(&clusters, &observations, &how, &err)) {
        status = put_clusters(options, &clusters, otherwise);
        hpm_clusters_clear(&clusters);
    } else {
        status = subcommand_fail(command, &err, NOTHING);
    }
    hpm_observations_clear(&observations);
    return status;
}

static bool
check(const struct options *options, struct hpm_error *err)
{
    if (options->is_by_gap && options->k > 0)
        return hpm_error_set(err, "--gap does not go with --groups, which says "
                                  "how many there are; leave one out");
    return analysing_check(&options->analysing, err) &&
           (options->picture == HPM_N_KINDPICTURES ||
            options->analysing.format == SVG ||
            hpm_error_set(err, "--picture needs --format svg"));
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.linkage = HPM_LINKAGE_WARD,
                              .picture = HPM_N_KINDPICTURES,
                              .seed = HPM_KMEANS_SEED};
    struct pointing pointing;
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm cluster", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err) ||
        !check(&options, &err))
        return subcommand_fail(command, &err, USAGE);
    status = pointing_open_one(&pointing, command, &options.analysing.points,
                               argv + optind, (size_t)(argc - optind));
    if (status == GOOD || status == SOME_BAD)
        status = cluster(&options, &pointing.points, status);
    pointing_close(&pointing);
    return status;
}

const struct subcommand subcommand_cluster = {
    .name = "cluster",
    .summary = N_("which threads of a section behave alike, and what tells it"),
    .help =
        "Usage: hpm cluster [options] FILE...\n"
        "\n"
        "Find groups of threads that behave alike in a section, and say which "
        "metrics tell\n"
        "the groups apart. Several files are merged first. A FILE may be a "
        "folder, a pattern\n"
        "in quotes, or - for standard input.\n"
        "\n" ANALYSING_HELP ANALYSING_SCALE_HELP
        "      --groups K        make K groups (as many as tell most, if they "
        "are natural)\n"
        "      --gap             as many as the gap statistic says, which may "
        "be "
        "one: none\n"
        "      --cut             groups by a cut of the tree, not by k-means\n"
        "      --linkage HOW     of the tree: ward (the default), average, "
        "complete, single\n"
        "      --seed N          of k-means, which starts by chance\n"
        "      --picture NAME    svg: tree (the default), points, weights, "
        "ratios\n"
        "      --format FORMAT   text (the default), csv, json; the tree: svg, "
        "newick\n" POINTING_FILES_HELP,
    .run = run,
};
