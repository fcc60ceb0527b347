/* SPDX-License-Identifier: BSD-3-Clause
 * hpm diff: what changed from one experiment to another. */
#include "study/columns/diff.h"

#include <unistd.h>

#include "hpm/frame/result.h"
#include "study/hotspot/growth.h"
#include "study/metric/unify.h"
#include "study/report/terminal.h"

struct side {
    struct inputs inputs;
    struct hpm_study *study;
};

static bool
find_sides(const struct result_options *options, struct side sides[2],
           struct hpm_error *err)
{
    if (options->n_words != 2)
        return hpm_error_set(err,
                             "expected two files, A and B, and got %zu; 'hpm "
                             "help diff' says more",
                             options->n_words);
    for (int i = 0; i < 2; i++) {
        if (!result_find(options, options->words + i, 1, &sides[i].inputs, err))
            return false;
    }
    if (sides[0].inputs.all.has_standard_input &&
        sides[1].inputs.all.has_standard_input)
        return hpm_error_set(err, "standard input can be one side only");
    return true;
}

static enum status
read_sides(struct side sides[2])
{
    enum status worst = GOOD;

    for (int i = 0; i < 2; i++) {
        enum status status =
            inputs_merge(&sides[i].inputs, false, &sides[i].study);

        if (status > worst)
            worst = status;
    }
    return worst;
}

static bool
unify(struct side sides[2], struct hpm_error *err)
{
    struct hpm_study *const studies[] = {sides[0].study, sides[1].study};

    return hpm_unify(studies, 2, err);
}

static enum status
subtract_and_write(const struct result_options *options, struct side sides[2])
{
    enum status status = read_sides(sides);
    struct inputs both = {
        .all.n_taken =
            sides[0].inputs.all.n_taken + sides[1].inputs.all.n_taken,
        .all.n_bad = sides[0].inputs.all.n_bad + sides[1].inputs.all.n_bad,
        .all.n_refusals =
            sides[0].inputs.all.n_refusals + sides[1].inputs.all.n_refusals};
    struct hpm_study *result;
    struct hpm_error err;

    if (status == NOTHING)
        return NOTHING;
    result = unify(sides, &err) ? hpm_diff(sides[0].study, sides[1].study,
                                           options->most_bytes, &err)
                                : NULL;
    if (result == NULL)
        return subcommand_fail("diff", &err, NOTHING);
    if (sides[0].study->n_hits > 0 || sides[1].study->n_hits > 0)
        subcommand_say("diff",
                       "samples are not subtracted, the result has none; "
                       "'hpm diff --by symbol' shows what they say");
    if (sides[0].study->n_kept > 0 || sides[1].study->n_kept > 0)
        subcommand_say("diff", "single calls (HPM_CALLS) are not subtracted, "
                               "the result has none: runs have no calls in "
                               "common");
    status = result_write(options, result, &both, status);
    hpm_study_free(result);
    return status;
}

/* ---- samples --------------------------------------------------------- */

static enum status
print_growths(const struct result_options *options,
              const struct hpm_growths *growths, enum status status)
{
    enum { MOST_IN_TEXT = 20 };
    const struct hpm_text_style style = {
        .width = hpm_terminal_width(STDOUT_FILENO),
        .is_coloured = hpm_terminal_has_colours(STDOUT_FILENO)};
    struct hpm_string text = {0};

    if (growths->n_growths == 0) {
        subcommand_say("diff", "there is no event of which both sides have "
                               "samples; run both with HPM_SAMPLE, or under "
                               "hpmcount --sample");
        return NOTHING;
    }
    if (options->format == RESULT_FORMAT_CSV)
        hpm_growths_add_csv(&text, growths);
    else if (options->format == RESULT_FORMAT_JSON)
        hpm_growths_add_json(&text, growths);
    else
        hpm_growths_add_text(&text, growths, MOST_IN_TEXT, &style);
    return subcommand_print("diff", &text, status);
}

static enum status
compare_samples(const struct result_options *options, struct side sides[2])
{
    enum hpm_naming_kind naming =
        (enum hpm_naming_kind)(options->by - RESULT_BY_FIRST_OF_SAMPLES);
    enum status status = read_sides(sides);
    struct hpm_hotspots *before, *after = NULL;
    struct hpm_growths growths = {0};
    struct hpm_error err;

    if (status == NOTHING)
        return NOTHING;
    before = hpm_hotspots_new(sides[0].study, naming, &err);
    if (before != NULL)
        after = hpm_hotspots_new(sides[1].study, naming, &err);
    if (after != NULL && hpm_growths_find(&growths, before, after, &err))
        status = print_growths(options, &growths, status);
    else
        status = subcommand_fail("diff", &err, NOTHING);
    hpm_growths_clear(&growths);
    hpm_hotspots_free(before);
    hpm_hotspots_free(after);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct result_options options;
    struct side sides[2] = {{.study = NULL}};
    struct hpm_error err;
    enum status status;

    if (result_parse(&options, "diff", RESULT_ARCH | RESULT_SAMPLES, argc, argv,
                     &err) &&
        find_sides(&options, sides, &err)) {
        status = options.by == RESULT_BY_SECTION
                     ? subtract_and_write(&options, sides)
                     : compare_samples(&options, sides);
    } else {
        status = subcommand_fail("diff", &err, USAGE);
    }
    for (int i = 0; i < 2; i++) {
        hpm_study_free(sides[i].study);
        inputs_clear(&sides[i].inputs);
    }
    return status;
}

const struct subcommand subcommand_diff = {
    .name = "diff",
    .summary = N_("what changed from one run to another"),
    .help =
        "Usage: hpm diff -o OUT [options] A B\n"
        "       hpm diff --by symbol|line|module [--format text|csv|json] A B\n"
        "\n"
        "Subtract A from B: each value with what it was in A. Sections that "
        "only one side\n"
        "has stay and say which. A side that is a folder or a pattern is "
        "merged first.\n"
        "\n"
        "      --by WHAT         of samples: which functions (symbol), lines "
        "or "
        "modules grew\n"
        "      --format FORMAT   of --by: text (default), csv or "
        "json\n" RESULT_OPTIONS_HELP RESULT_ARCH_HELP "\n" RESULT_STATUS_HELP,
    .run = run,
};
