/* SPDX-License-Identifier: BSD-3-Clause
 * hpm explain: what a metric is. */
#include <getopt.h>
#include <string.h>

#include "hpm/frame/machine.h"
#include "hpm/frame/subcommand.h"
#include "report/text.h"
#include "study/report/tablewords.h"
#include "study/tool/catalogue.h"
#include "study/tool/explanation.h"
#include "study/tool/option.h"

/* ---- what the name is ------------------------------------------------ */

static bool
is_constant(const struct hpm_metrics *metrics, const char *name)
{
    uint32_t number = hpm_names_find(&metrics->spec->names, name);

    return number != HPM_NO_NAME && metrics->is_constant[number];
}

static bool
is_event(const struct hpm_metrics *metrics, const char *name)
{
    return hpm_metrics_find_leaf(metrics, name) != SIZE_MAX;
}

static bool
is_known(const struct hpm_metrics *metrics, const char *name)
{
    return hpm_metrics_find(metrics, name) != HPM_NO_METRIC ||
           hpm_metrics_find_set(metrics, name) != NULL ||
           is_constant(metrics, name) || hpm_explanation_is_given(name) ||
           is_event(metrics, name);
}

static bool
explain(struct hpm_string *text, struct hpm_request *request, const char *name)
{
    const struct hpm_metrics *metrics = request->metrics;
    const struct hpm_metric_set *set = hpm_metrics_find_set(metrics, name);
    size_t metric = hpm_metrics_find(metrics, name);

    if (!is_known(metrics, name))
        return false;
    hpm_string_add(text, text->length > 0 ? "\n" : "");
    if (metric != HPM_NO_METRIC)
        hpm_explanation_add(text, request, metric);
    else if (set != NULL)
        hpm_explanation_add_set(text, request, set);
    else if (is_constant(metrics, name))
        hpm_explanation_add_constant(text, metrics, name);
    else if (hpm_explanation_is_given(name))
        hpm_explanation_add_given(text, metrics, name);
    else
        hpm_explanation_add_event(text, request, name);
    return true;
}

/* ---- names that are unknown ------------------------------------------ */

static char
small(char c)
{
    return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/* Does the word occur in the text, in any case? */
static bool
contains(const char *text, const char *word)
{
    for (; text != NULL && *text != '\0'; text++) {
        size_t n = 0;

        while (word[n] != '\0' && small(text[n]) == small(word[n]))
            n++;
        if (word[n] == '\0')
            return true;
    }
    return false;
}

enum { MAX_NAMED = 10 };

/* Append the metrics about a word, separated by commas. */
static void
add_about(struct hpm_string *names, const struct hpm_metrics *metrics,
          const char *word)
{
    size_t n = 0;

    for (size_t i = 0; i < metrics->n_metrics && strlen(word) > 2; i++) {
        const struct hpm_metric *here = &metrics->metrics[i];

        if (here->rules.count == 0 ||
            (!contains(here->name, word) &&
             !contains(here->texts[HPM_TEXT_LABEL], word)))
            continue;
        if (n++ < MAX_NAMED)
            hpm_string_add_format(names, "%s%s", n > 1 ? ", " : "", here->name);
    }
    if (n > MAX_NAMED)
        hpm_string_add_format(names, " and %zu more", n - MAX_NAMED);
}

static void
say_unknown(const struct hpm_metrics *metrics, const char *name)
{
    const char *nearest = hpm_metrics_nearest(metrics, name);
    struct hpm_string about = {0}, sentence = {0};

    add_about(&about, metrics, name);
    hpm_string_add_format(&sentence, "there is no metric '%.60s'; ", name);
    if (nearest != NULL)
        hpm_string_add_format(&sentence, "did you mean '%s'?", nearest);
    else if (about.length > 0)
        hpm_string_add_format(&sentence, "these are about it: %s", about.text);
    else
        hpm_string_add(&sentence, "'hpm metrics --all' lists them");
    subcommand_say("explain", "%s", hpm_string_text(&sentence));
    hpm_string_free(&about);
    hpm_string_free(&sentence);
}

static enum status
refuse(void)
{
    subcommand_say("explain", "expected names of metrics, such as 'hpm explain "
                              "UTILISATION IPC'");
    subcommand_say("explain", "'hpm metrics' lists those that can be measured "
                              "here, 'hpm metrics --all' all of them");
    return USAGE;
}

static enum status
explain_all(struct hpm_request *request, char **names, int n)
{
    struct hpm_string text = {0};
    enum status status;
    int n_told = 0;

    for (int i = 0; i < n; i++) {
        if (explain(&text, request, names[i]))
            n_told++;
        else
            say_unknown(request->metrics, names[i]);
    }
    status = n_told == n ? GOOD : (n_told > 0 ? SOME_BAD : NOTHING);
    if (n_told > 0) {
        hpm_explanation_add_legend(&text);
        status = subcommand_print("explain", &text, status);
    }
    hpm_string_free(&text);
    return status;
}

static enum status
list_hints(struct hpm_request *request)
{
    struct hpm_table hints = {0};
    struct hpm_string text = {0};
    enum status status;

    hpm_catalogue_fill_hints(&hints, request);
    hpm_tablewords_add(&text, &hints, NULL);
    hpm_table_finish(&hints, &text.failed);
    status = subcommand_print("explain", &text, GOOD);
    hpm_string_free(&text);
    return status;
}

struct options {
    bool has_hints;
    const char *arch;
};

static const struct hpm_option table[] = {
    {0, "hints", HPM_OPTION_FLAG(struct options, has_hints)},
    {0, "arch", HPM_OPTION_WORD(struct options, arch)},
};

/* Answer by the definitions for this machine or another one. */
static enum status
answer(const struct options *options, struct hpm_request *request, char **names,
       int n)
{
    return options->has_hints ? list_hints(request)
                              : explain_all(request, names, n);
}

static enum status
explain_model(const struct options *options, char **names, int n)
{
    struct machine_model model;
    enum status status;

    if (!machine_open_model("explain", &model, options->arch))
        return USAGE;
    status = answer(options, &model.processor.request, names, n);
    machine_close_model(&model);
    return status;
}

static enum status
run(int argc, char **argv)
{
    struct options options = {0};
    struct hpm_inquiry inquiry;
    struct hpm_error err;
    enum status status;

    if (!hpm_options_read("hpm explain", table, sizeof table / sizeof table[0],
                          false, argc, argv, &options, &err))
        return subcommand_fail("explain", &err, USAGE);
    if (options.has_hints && optind < argc) {
        subcommand_say("explain",
                       "'%.40s' is not expected after --hints, "
                       "which lists all of them; leave out one of "
                       "the two",
                       argv[optind]);
        return USAGE;
    }
    if (optind == argc && !options.has_hints)
        return refuse();
    if (options.arch != NULL)
        return explain_model(&options, argv + optind, argc - optind);
    if (!machine_inquire("explain", &inquiry))
        return USAGE;
    status = answer(&options, &inquiry.request, argv + optind, argc - optind);
    hpm_inquiry_close(&inquiry);
    return status;
}

const struct subcommand subcommand_explain = {
    .name = "explain",
    .summary = N_("what a metric is, and what to do about it"),
    .help = "Usage: hpm explain [--arch PMU] NAME...\n"
            "       hpm explain [--arch PMU] --hints\n"
            "\n"
            "Print of each metric what it means, how it is computed and where "
            "that is\n"
            "defined, its unit and range, its limits and where they come from, "
            "what raises and\n"
            "lowers it, whether and by which events it can be measured here, "
            "what to do where\n"
            "it is bad, and what it is made of.  Names of sets, constants and "
            "events are\n"
            "explained, too, and those that need no counter, such as "
            "time::wall.\n"
            "\n"
            "  --hints     list the metrics that give a hint where they are "
            "bad\n"
            "  --arch PMU  on another processor, as its definitions describe "
            "it\n"
            "\n"
            "Exit status: 0 all explained, 1 some are unknown, 2 wrong usage, "
            "3 all are\n"
            "unknown, 4 it cannot be written.\n",
    .run = run,
};
