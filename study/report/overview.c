/* SPDX-License-Identifier: BSD-3-Clause
 * The head of a report. */
#include "study/report/overview.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "host/memory.h"
#include "study/report/bindings.h"
#include "study/report/neighbours.h"
#include "study/report/paragraph.h"
#include "study/report/tasklist.h"
#include "study/words/words.h"

enum { MOST_NAMES = 3, MOST_HOSTS = 4 };

static void
add_plural(struct hpm_string *line, size_t n, const char *noun)
{
    hpm_string_add_format(line, "%zu%s", n, noun);
}

/* ---- what ran -------------------------------------------------------- */

/* Append the different texts of a field of the tasks, at most a few. */
static void
add_texts(struct hpm_string *line, const struct hpm_study *study, size_t offset)
{
    const char *met[MOST_NAMES];
    size_t n = 0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        const char *text =
            *(const char *const *)((const char *)&study->tasks[i] + offset);
        size_t j = 0;

        while (j < n && text != NULL && strcmp(met[j], text) != 0)
            j++;
        if (text == NULL || text[0] == '\0' || j < n)
            continue;
        if (n == MOST_NAMES) {
            hpm_string_add(line, " ...");
            return;
        }
        hpm_string_add(line, n > 0 ? ", " : "");
        hpm_string_add(line, text);
        met[n++] = text;
    }
}

static void
add_kind(struct hpm_string *line, const struct hpm_study *study)
{
    char number[32] = "";
    double runs = 0.0;

    for (size_t i = 0; i < study->n_tasks; i++)
        runs = fmax(runs, hpm_number_to_real(study->tasks[i].n_runs));
    if (runs > 0.0)
        snprintf(number, sizeof number, "%lu ", (unsigned long)runs);
    if (study->kind == HPM_STUDY_MEAN)
        hpm_string_add_format(line, _("; the mean of %sruns"), number);
    else if (study->kind == HPM_STUDY_INTEGRATED)
        hpm_string_add_format(line, _("; %sruns integrated"), number);
    else if (study->kind == HPM_STUDY_DIFF)
        hpm_string_add(line, _("; the difference of two experiments, b - a"));
    else if (study->kind == HPM_STUDY_SUMMARY)
        hpm_string_add(line, _("; a summary: it has totals and how the values "
                               "lie, but no values of single tasks"));
}

static size_t
count_sections(const struct hpm_survey *survey)
{
    size_t n = 0;

    for (size_t i = 0; i < survey->n_subjects; i++)
        n += survey->subjects[i].count > 0 && !hpm_survey_is_outside(survey, i);
    return n;
}

static const char *
noun_of(enum hpm_grouping grouping, size_t n)
{
    if (grouping == HPM_GROUP_FILES)
        return hpm_words_of(" file", " files", n);
    return grouping == HPM_GROUP_PATHS
               ? hpm_words_of(" call path", " call paths", n)
               : hpm_words_of(" section", " sections", n);
}

static void
add_what(struct hpm_string *string, const struct hpm_survey *survey,
         size_t width)
{
    const struct hpm_study *study = survey->study;
    size_t n_threads = hpm_study_count_all_threads(study),
           n = count_sections(survey);
    size_t n_tasks = hpm_study_count_tasks(study);
    struct hpm_string line = {0};

    add_texts(&line, study, offsetof(struct hpm_task, program));
    if (line.length == 0)
        hpm_string_add(&line, _("(program not said)"));
    hpm_string_add(&line, ": ");
    add_plural(&line, n_tasks, hpm_words_of(" task", " tasks", n_tasks));
    if (n_threads > 0) {
        hpm_string_add(&line, ", ");
        add_plural(&line, n_threads,
                   hpm_words_of(" thread", " threads", n_threads));
    }
    hpm_string_add(&line, ", ");
    add_plural(&line, n, noun_of(survey->options.grouping, n));
    add_kind(&line, study);
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

/* ---- when ------------------------------------------------------------ */

/* Append "2026-11-20T11:30:00.123Z" as "2026-11-20 11:30:00 UTC". */
static void
add_time(struct hpm_string *line, const char *start)
{
    size_t length = strlen(start);

    if (length < 20 || start[10] != 'T' || start[length - 1] != 'Z') {
        hpm_string_add(line, start);
        return;
    }
    hpm_string_add_bytes(line, start, 10);
    hpm_string_add_char(line, ' ');
    hpm_string_add_bytes(line, start + 11, 8);
    hpm_string_add(line, " UTC");
}

static void
add_seconds(struct hpm_string *line, const struct hpm_study *study)
{
    double least = INFINITY, most = -INFINITY;

    for (size_t i = 0; i < study->n_tasks; i++) {
        double seconds = hpm_number_to_real(study->tasks[i].seconds);

        if (isnan(seconds))
            continue;
        least = fmin(least, seconds);
        most = fmax(most, seconds);
    }
    if (most < least)
        return;
    hpm_string_add(line, line->length > 0 ? ", " : "");
    if (most > least) {
        hpm_string_add_fixed(line, least, 3);
        hpm_string_add(line, _(" to "));
    }
    hpm_string_add_fixed(line, most, 3);
    hpm_string_add(line, _(" s wall clock"));
}

static void
add_when(struct hpm_string *string, const struct hpm_study *study, size_t width)
{
    struct hpm_string line = {0};
    const char *first = NULL;

    add_texts(&line, study, offsetof(struct hpm_task, job));
    if (line.length > 0) {
        struct hpm_string job = {0};

        hpm_string_add_format(&job, _("job %s"), hpm_string_text(&line));
        hpm_string_finish(&line, &string->failed);
        line = job;
    }
    for (size_t i = 0; i < study->n_tasks; i++) {
        const char *start = study->tasks[i].start;

        if (start != NULL && (first == NULL || strcmp(start, first) < 0))
            first = start;
    }
    if (first != NULL) {
        hpm_string_add(&line, line.length > 0 ? ", " : "");
        add_time(&line, first);
    }
    add_seconds(&line, study);
    if (line.length > 0 || line.failed)
        hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

/* ---- where ----------------------------------------------------------- */

static void
add_machine(struct hpm_string *line, const struct hpm_task_machine *machine)
{
    double mhz = hpm_number_to_real(machine->mhz);
    double n_cpus = hpm_number_to_real(machine->n_cpus);

    hpm_string_add(line, machine->cpu != NULL   ? machine->cpu
                         : machine->pmu != NULL ? machine->pmu
                                                : _("processor not said"));
    if (n_cpus > 0)
        hpm_string_add_format(line,
                              hpm_words_of(", %llu processor",
                                           ", %llu processors", (size_t)n_cpus),
                              (unsigned long long)n_cpus);
    if (mhz > 0 && mhz < 1e6) {
        hpm_string_add(line, _(" at "));
        hpm_string_add_fixed(line, mhz, 0);
        hpm_string_add(line, " MHz");
    }
    if (machine->is_virtual == HPM_YES)
        hpm_string_add(line, _(", virtual"));
    if (machine->system != NULL)
        hpm_string_add_format(line, "; %s", machine->system);
}

/* Tasks on machines that look the same. */
struct model {
    struct hpm_string text;  /* the machine without its host */
    struct hpm_string hosts; /* the first few */
    const char *met[MOST_NAMES];
    size_t n_hosts;
    bool *is_in; /* by task */
};

/* Mostly the tasks of a host follow each other, so only the last few hosts are
 * compared: a host that comes again later is counted again. */
static void
note_host(struct model *model, const char *host)
{
    size_t n = model->n_hosts;

    if (host == NULL ||
        (n > 0 && strcmp(model->met[(n - 1) % MOST_NAMES], host) == 0))
        return;
    for (size_t i = 0; i < n && i < MOST_NAMES; i++) {
        if (strcmp(model->met[i], host) == 0)
            return;
    }
    if (n < MOST_NAMES)
        hpm_string_add_format(&model->hosts, "%s%s", n > 0 ? ", " : "", host);
    model->met[n % MOST_NAMES] = host;
    model->n_hosts++;
}

static void
add_model(struct hpm_string *string, struct model *model,
          const struct hpm_study *study, size_t width)
{
    struct hpm_string line = {0};

    hpm_string_add(&line, hpm_string_text(&model->hosts));
    if (model->n_hosts > MOST_NAMES)
        hpm_string_add_format(&line, _(" and %zu more"),
                              model->n_hosts - MOST_NAMES);
    hpm_string_add(&line, line.length > 0 ? ": " : "");
    hpm_string_add(&line, hpm_string_text(&model->text));
    hpm_tasklist_add(&line, study, model->is_in, "; ");
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

/* Append a line for each different machine, at most a few. */
static void
add_where(struct hpm_string *string, const struct hpm_study *study,
          size_t width)
{
    struct model models[MOST_HOSTS] = {{.n_hosts = 0}};
    struct hpm_string line = {0};
    size_t n = 0, n_more = 0;

    for (size_t i = 0; i < study->n_tasks; i++) {
        size_t j = 0;

        if (!study->tasks[i].has_machine)
            continue;
        hpm_string_clear(&line);
        add_machine(&line, &study->tasks[i].machine);
        while (j < n && strcmp(hpm_string_text(&models[j].text),
                               hpm_string_text(&line)) != 0)
            j++;
        if (j == n && n < MOST_HOSTS) {
            models[n].is_in = hpm_memory_new(study->n_tasks + 1, sizeof(bool));
            string->failed |= models[n].is_in == NULL;
            hpm_string_add(&models[n++].text, hpm_string_text(&line));
        }
        n_more += j == MOST_HOSTS;
        if (j < n && models[j].is_in != NULL) {
            models[j].is_in[i] = true;
            note_host(&models[j], study->tasks[i].machine.host);
        }
    }
    for (size_t i = 0; i < n; i++) {
        if (models[i].is_in != NULL)
            add_model(string, &models[i], study, width);
        string->failed |= models[i].text.failed || models[i].hosts.failed;
        hpm_memory_free(models[i].is_in);
        hpm_string_free(&models[i].text);
        hpm_string_free(&models[i].hosts);
    }
    if (n_more > 0)
        hpm_string_add_format(string, _("and %zu tasks on other machines\n"),
                              n_more);
    hpm_string_finish(&line, &string->failed);
}

/* ---- what was compared ----------------------------------------------- */

/* Append "a: one.hpm.xml and 3 more". */
static void
add_side(struct hpm_string *string, const struct hpm_study *study,
         enum hpm_side side, size_t width)
{
    struct hpm_string line = {0};
    size_t n = 0;

    for (size_t i = 0; i < study->n_sources; i++) {
        if (study->sources[i].side != side)
            continue;
        if (n++ == 0)
            hpm_string_add_format(&line, "%s: %s",
                                  side == HPM_SIDE_A ? "a" : "b",
                                  study->sources[i].file);
    }
    if (n > 1)
        hpm_string_add_format(&line, _(" and %zu more"), n - 1);
    if (n > 0)
        hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

/* Name the sampled events; where the samples are is another report. */
static void
add_sampled(struct hpm_string *line, const struct hpm_study *study)
{
    for (size_t i = 0, k; i < study->n_sampled; i++) {
        const char *name = study->sampled[i].name;

        for (k = 0; study->sampled[k].name != name;)
            k++;
        if (k < i) /* named already, sampled in another way */
            continue;
        hpm_string_add(line, i > 0 ? ", " : _("sampled: "));
        hpm_string_add(line, name);
    }
    if (study->n_sampled > 0)
        hpm_string_add(line, _(" ('hpm report --by symbol' says where)"));
}

/* Name the number of single calls. */
static void
add_kept(struct hpm_string *line, const struct hpm_study *study)
{
    if (study->n_calls > 0)
        hpm_string_add_format(line,
                              _("single calls: %zu were kept ('hpm calls' "
                                "shows how they differ)"),
                              study->n_calls);
}

/* ---- what was counted ------------------------------------------------ */

static void
add_counted(struct hpm_string *string, const struct hpm_survey *survey,
            size_t width)
{
    struct hpm_string line = {0};
    size_t n_hidden = 0;

    for (size_t i = 0; i < survey->n_quantities; i++) {
        const struct hpm_quantity *quantity = &survey->quantities[i];

        if (quantity->kind != HPM_QUANTITY_COUNTER)
            continue;
        n_hidden += quantity->is_hidden;
        if (quantity->is_hidden)
            continue;
        hpm_string_add(&line, line.length > 0 ? ", " : _("counted: "));
        hpm_string_add(&line, quantity->name);
    }
    if (n_hidden > 0 && line.length > 0)
        hpm_string_add_format(&line, _(" and %zu more in CSV and JSON"),
                              n_hidden);
    if (line.length > 0)
        hpm_paragraph_add_line(string, &line, width);
    add_sampled(&line, survey->study);
    if (line.length > 0)
        hpm_paragraph_add_line(string, &line, width);
    add_kept(&line, survey->study);
    if (line.length > 0)
        hpm_paragraph_add_line(string, &line, width);
    for (size_t i = 0; i < survey->n_machines; i++) {
        if (!survey->machines[i].is_guessed)
            continue;
        hpm_string_add_format(&line,
                              _("metrics: those of %s, which knows all these "
                                "counters; the file does not name the "
                                "processor (--arch does)"),
                              survey->machines[i].pmu);
        hpm_paragraph_add_line(string, &line, width);
    }
    hpm_string_finish(&line, &string->failed);
}

void
hpm_overview_add_head(struct hpm_string *string,
                      const struct hpm_survey *survey, size_t width)
{
    add_what(string, survey, width);
    add_when(string, survey->study, width);
    add_where(string, survey->study, width);
    hpm_bindings_add(string, survey->study, width);
    hpm_neighbours_add(string, survey->study, width);
    add_side(string, survey->study, HPM_SIDE_A, width);
    add_side(string, survey->study, HPM_SIDE_B, width);
    add_counted(string, survey, width);
}
