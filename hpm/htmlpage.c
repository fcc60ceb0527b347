/* SPDX-License-Identifier: BSD-3-Clause
 * The HTML page of hpm report. */
#include "hpm/htmlpage.h"

#include "host/memory.h"
#include "study/analysis/kindsentence.h"
#include "study/columns/placecut.h"
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

/* What is on the page: runs, and where there is only one, groups of its threads,
 * with the studies that these are. */
struct content {
    struct hpm_html_experiment *experiments;
    size_t n_runs, n_groups;
    struct hpm_kindpictures pictures; /* of the last run */
    struct hpm_study *groups[HPM_CLUSTERS_MOST];
};

static void
find_kinds(struct content *content, struct hpm_html_experiment *experiment)
{
    hpm_kindpictures_clear(&content->pictures);
    hpm_kindsentence_draw(&experiment->kinds, experiment->sections,
                          &content->pictures);
    hpm_kindpictures_add_json(&content->pictures, &experiment->pictures);
}

static bool
make_surveys(struct hpm_html_experiment *ret_experiment,
             const struct htmlpage *page, const struct hpm_study *study,
             const char *name, struct hpm_error *err)
{
    ret_experiment->name = name != NULL ? name : name_of(study);
    ret_experiment->sections = survey(page, study, HPM_GROUP_SECTIONS, err);
    if (ret_experiment->sections == NULL)
        return false;
    if (!hpm_html_has_paths(study))
        return true;
    ret_experiment->paths = survey(page, study, HPM_GROUP_PATHS, err);
    return ret_experiment->paths != NULL;
}

static struct hpm_study *
cut_group(const struct hpm_kindmembers *members, const struct hpm_study *study,
          size_t group, struct hpm_error *err)
{
    bool *are_kept = hpm_memory_new(study->n_places + 1, sizeof *are_kept);
    struct hpm_study *cut;

    if (are_kept == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    for (size_t i = 0; i < members->n; i++)
        are_kept[members->places[i]] |= members->labels[i] == group;
    cut = hpm_placecut_new(study, are_kept, 0, err);
    hpm_memory_free(are_kept);
    return cut;
}

/* What each group of threads of the only run measured. */
static bool
make_groups(struct content *content, const struct htmlpage *page,
            const struct hpm_study *study, struct hpm_error *err)
{
    const struct hpm_kindmembers *members = &content->pictures.members;

    for (size_t c = 0; c < members->n_groups; c++) {
        struct hpm_html_experiment *experiment =
            &content->experiments[content->n_runs + c];

        content->groups[c] = cut_group(members, study, c, err);
        if (content->groups[c] == NULL)
            return false;
        content->n_groups++;
        experiment->group = hpm_string_text(&members->groups[c].name);
        experiment->n_members = members->groups[c].n;
        if (!make_surveys(experiment, page, content->groups[c],
                          content->experiments[0].name, err))
            return false;
    }
    return true;
}

static bool
make_content(struct content *content, const struct htmlpage *page,
             struct hpm_study *const *studies, const char *const *names,
             struct hpm_error *err)
{
    content->experiments = hpm_memory_new(content->n_runs + HPM_CLUSTERS_MOST,
                                          sizeof *content->experiments);
    if (content->experiments == NULL)
        return hpm_error_no_memory(err);
    for (size_t i = 0; i < content->n_runs; i++) {
        if (!make_surveys(&content->experiments[i], page, studies[i],
                          names != NULL ? names[i] : NULL, err))
            return false;
        find_kinds(content, &content->experiments[i]);
    }
    return content->n_runs > 1 || make_groups(content, page, studies[0], err);
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

/* What was found to complain about in the runs is said. */
static void
clear_content(struct content *content, const struct htmlpage *page,
              bool *failed)
{
    size_t n = content->n_runs + content->n_groups;

    for (size_t i = 0; i < n && content->experiments != NULL; i++) {
        const struct hpm_survey *sections = content->experiments[i].sections;

        if (sections != NULL && i < content->n_runs)
            subcommand_say_lines(page->command,
                                 hpm_string_text(&sections->complaints));
        clear_experiment(&content->experiments[i], failed);
    }
    for (size_t c = 0; c < content->n_groups; c++)
        hpm_study_free(content->groups[c]);
    hpm_kindpictures_clear(&content->pictures);
    hpm_memory_free(content->experiments);
}

bool
htmlpage_add(struct hpm_string *text, const struct htmlpage *page,
             struct hpm_study *const *studies, const char *const *names,
             size_t n, struct hpm_error *err)
{
    struct content content = {.n_runs = n};
    struct hpm_html_options options = {0};
    struct hpm_string sources = {0};
    struct hpm_html_found found = {0};
    size_t n_bytes;
    bool is_good;

    hpm_words_pause(true); /* all of the page is in English */
    is_good = make_content(&content, page, studies, names, err);
    if (is_good && page->has_sources) {
        found = hpm_html_add_sources(&sources, studies, n);
        options.sources = hpm_string_text(&sources);
    }
    options.n_groups = content.n_groups;
    if (is_good)
        hpm_html_add_page(text, content.experiments, n + content.n_groups,
                          &options);
    hpm_words_pause(false);
    clear_content(&content, page, &text->failed);
    n_bytes = sources.length;
    hpm_string_finish(&sources, &text->failed);
    if (is_good && page->has_sources && !text->failed)
        say_sources(page, &found, n_bytes);
    return is_good;
}
