/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of hpm report. */
#include "hpm/htmlpage.h"

#include "host/memory.h"
#include "study/analysis/kindsentence.h"
#include "study/html/page.h"
#include "study/html/sources.h"
#include "study/survey/surveying.h"
#include "study/words/words.h"

/* Metrics shown first in the table, as in the CMSSW report, even where they
 * only rename a counter. */
static const char first_columns[] = "CYCLES STALLED INSTRUCTION";

static struct hpm_survey *
survey(const struct htmlpage *page, const struct hpm_study *study,
       enum hpm_grouping grouping, struct hpm_error *err)
{
    struct hpm_survey_options options = {.grouping = grouping,
                                         .precision = page->precision,
                                         .named = first_columns,
                                         .has_all_metrics = true,
                                         .pmu = page->arch};

    return hpm_survey_new(study, &options, err);
}

static const char *
name_of(const struct hpm_study *study)
{
    const char *program = study->n_tasks > 0 ? study->tasks[0].program : NULL;

    return program != NULL && program[0] != '\0' ? program : "performance";
}

static void
find_kinds(struct hpm_html_experiment *experiment)
{
    struct hpm_kindpictures pictures = {0};

    hpm_kindsentence_draw(&experiment->kinds, experiment->sections, &pictures);
    hpm_kindpictures_add_json(&pictures, &experiment->pictures);
    hpm_kindpictures_clear(&pictures);
}

static bool
make_experiment(struct hpm_html_experiment *ret_experiment,
                const struct htmlpage *page, const struct hpm_study *study,
                const char *name, struct hpm_error *err)
{
    ret_experiment->name = name != NULL ? name : name_of(study);
    ret_experiment->sections = survey(page, study, HPM_GROUP_SECTIONS, err);
    if (ret_experiment->sections == NULL)
        return false;
    find_kinds(ret_experiment);
    if (!hpm_html_has_paths(study))
        return true;
    ret_experiment->paths = survey(page, study, HPM_GROUP_PATHS, err);
    return ret_experiment->paths != NULL;
}

/* Pages may be sent to others: tell how many source lines are inside. */
static void
say_sources(const struct htmlpage *page, const struct hpm_html_found *found,
            size_t n_bytes)
{
    subcommand_say(
        page->command, "lines of %zu source file%s, %zu bytes, are in the page",
        found->n, found->n == 1 ? "" : "s", found->n > 0 ? n_bytes : 0);
    if (found->n_missing > 0)
        subcommand_say(
            page->command,
            "%zu source file%s not found, such as '%s': run hpm "
            "report in the folder where the program was compiled, or "
            "put the file beside the performance file",
            found->n_missing, found->n_missing == 1 ? "" : "s", found->missing);
}

static void
clear_experiment(struct hpm_html_experiment *experiment, bool *failed)
{
    hpm_survey_free(experiment->sections);
    hpm_survey_free(experiment->paths);
    hpm_string_finish(&experiment->kinds, failed);
    hpm_string_finish(&experiment->pictures, failed);
}

bool
htmlpage_add(struct hpm_string *text, const struct htmlpage *page,
             struct hpm_study *const *studies, const char *const *names,
             size_t n, struct hpm_error *err)
{
    struct hpm_html_experiment *experiments =
        hpm_memory_new(n + 1, sizeof *experiments);
    struct hpm_html_options options = {0};
    struct hpm_string sources = {0};
    struct hpm_html_found found = {0};
    size_t n_bytes;
    bool is_good = experiments != NULL || hpm_error_no_memory(err);

    hpm_words_pause(true); /* all of the page is in English */
    for (size_t i = 0; i < n && is_good; i++)
        is_good = make_experiment(&experiments[i], page, studies[i],
                                  names != NULL ? names[i] : NULL, err);
    if (is_good && page->has_sources) {
        found = hpm_html_add_sources(&sources, studies, n);
        options.sources = hpm_string_text(&sources);
    }
    if (is_good)
        hpm_html_add_page(text, experiments, n, &options);
    hpm_words_pause(false);
    for (size_t i = 0; i < n && experiments != NULL; i++) {
        if (experiments[i].sections != NULL)
            subcommand_say_lines(
                page->command,
                hpm_string_text(&experiments[i].sections->complaints));
        clear_experiment(&experiments[i], &text->failed);
    }
    n_bytes = sources.length;
    hpm_memory_free(experiments);
    hpm_string_finish(&sources, &text->failed);
    if (is_good && page->has_sources && !text->failed)
        say_sources(page, &found, n_bytes);
    return is_good;
}
