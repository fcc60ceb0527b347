/* SPDX-License-Identifier: BSD-3-Clause
 * What is known of a section beside its values. */
#include "hpmviz/data/facts.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <math.h>

#include "hpmviz/data/details.h"
#include "study/columns/taskgraph.h"
#include "study/metric/formula.h"
#include "study/report/shown.h"
#include "study/words/words.h"

/* More tasks, or counters, nobody reads one after the other. */
enum { MOST = 64 };

static void
free_fact(gpointer data)
{
    struct hpmviz_fact *fact = data;

    g_free(fact->name);
    g_free(fact->value);
    g_free(fact);
}

/* The fact's number, for those below it. */
static guint
add(GPtrArray *facts, guint parent, const char *name, const char *value)
{
    struct hpmviz_fact *fact = g_new0(struct hpmviz_fact, 1);

    fact->name = g_strdup(name);
    fact->value = g_strdup(value != NULL ? value : "");
    fact->parent = parent;
    g_ptr_array_add(facts, fact);
    return facts->len - 1;
}

static void
add_known(GPtrArray *facts, guint parent, const char *name, const char *value)
{
    if (value != NULL && value[0] != '\0')
        add(facts, parent, name, value);
}

/* A text put together, which is freed. */
static void
add_pieces(GPtrArray *facts, guint parent, const char *name,
           struct hpm_string *text)
{
    add_known(facts, parent, name, hpm_string_text(text));
    hpm_string_free(text);
}

static void
add_more(GPtrArray *facts, guint parent, size_t n)
{
    char *text;

    if (n <= MOST)
        return;
    text = g_strdup_printf(_("and %zu more"), n - MOST);
    add(facts, parent, "", text);
    g_free(text);
}

/* ---- the section ----------------------------------------------------- */

static void
add_flags(const struct hpm_subject *subject, struct hpm_string *text)
{
    static const struct {
        unsigned flag;
        const char *words;
    } words[] = {
        {HPM_ROW_OPEN, N_("never stopped")},
        {HPM_ROW_SHORT, N_("short beside the cost of measuring it")},
        {HPM_ROW_OVERLAP, N_("overlaps another section")},
        {HPM_ROW_FIRST_CALLS,
         N_("too short: only the first calls are measured, the later ones "
            "belong to the sections around them")},
        {HPM_ROW_SIDE_A, N_("only in the first of two compared runs")},
        {HPM_ROW_SIDE_B, N_("only in the second of two compared runs")},
    };

    for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
        if (subject->flags & words[i].flag)
            hpm_string_add_format(text, "%s%s", text->length > 0 ? "; " : "",
                                  _(words[i].words));
    }
}

/* What measured the function, and where it is. */
static void
add_watched(GPtrArray *facts, guint top, const struct hpm_survey *survey,
            const struct hpm_subject *subject)
{
    struct hpm_watched_row watched = hpm_survey_watched(survey, subject);
    struct hpm_string text = {0};
    int64_t offset = 0;

    if (watched.via == HPM_VIA_CALL)
        return;
    add(facts, top, _("measured by"), _(hpm_watched_words(watched.via)));
    if (watched.module == NULL)
        return;
    hpm_string_add(&text, watched.module);
    if (hpm_number_to_integer(watched.offset, 0, INT64_MAX, &offset))
        hpm_string_add_format(&text, " + 0x%" PRIx64, (uint64_t)offset);
    add_pieces(facts, top, _("its code"), &text);
}

static void
add_section(GPtrArray *facts, const struct hpmviz_sheet *sheet)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_subject *subject = &survey->subjects[sheet->subject];
    const struct hpm_study_section *section =
        &survey->study->sections[subject->section];
    guint top = add(facts, HPMVIZ_NONE, _("Section"), "");
    struct hpm_string text = {0};

    hpm_survey_add_label(survey, sheet->subject, &text);
    add_pieces(facts, top, _("label"), &text);
    hpm_survey_add_path(survey, sheet->subject, &text);
    add_pieces(facts, top, _("call path"), &text);
    add_known(facts, top, _("file"), section->file);
    if (section->line > 0)
        hpm_string_add_format(&text, _("%d to %d"), section->line,
                              subject->line_end);
    add_pieces(facts, top, _("lines"), &text);
    hpm_string_add_format(&text, "%d", section->instance);
    add_pieces(facts, top, _("id"), &text);
    add(facts, top, _("scope"),
        section->scope == HPM_SCOPE_PROCESS ? _("the whole process")
                                            : _("each thread"));
    hpm_string_add_format(&text,
                          ngettext("%zu row", "%zu rows", subject->n_threads),
                          subject->n_threads);
    hpm_string_add_format(
        &text, ngettext(" in %zu task", " in %zu tasks", subject->n_tasks),
        subject->n_tasks);
    add_pieces(facts, top, _("entered by"), &text);
    hpm_string_add_fixed(&text, 100 * subject->share, 1);
    hpm_string_add(&text, " %");
    add_pieces(facts, top,
               hpm_survey_has_outside(survey, section->scope)
                   ? _("share of the run")
                   : _("share of the exclusive time"),
               &text);
    if (!isnan(subject->section_share)) {
        hpm_string_add_fixed(&text, 100 * subject->section_share, 1);
        hpm_string_add(&text, " %");
        add_pieces(facts, top, _("share of the time in sections"), &text);
    }
    add_watched(facts, top, survey, subject);
    add_flags(subject, &text);
    add_pieces(facts, top, _("remarks"), &text);
}

/* ---- where ----------------------------------------------------------- */

/* Indices of the tasks that have rows of it, in their order. */
static GArray *
tasks_of(const struct hpmviz_sheet *sheet)
{
    const struct hpm_survey *survey = sheet->survey;
    const struct hpm_subject *subject = &survey->subjects[sheet->subject];
    GArray *tasks = g_array_new(FALSE, FALSE, sizeof(guint32));

    for (size_t i = 0; i < subject->count; i++) {
        const struct hpm_row *row =
            hpm_study_row(survey->study, survey->rows[subject->first + i]);
        guint32 task = survey->study->places[row->place].task;

        if (tasks->len == 0 ||
            g_array_index(tasks, guint32, tasks->len - 1) != task)
            g_array_append_val(tasks, task);
    }
    return tasks;
}

/* "3: 0 2 5", or how many alone. */
static void
add_neighbours(GPtrArray *facts, guint here, const char *what, size_t n,
               const char *tasks)
{
    struct hpm_string text = {0};

    hpm_string_add_format(&text, "%zu", n);
    if (tasks != NULL && n > 0)
        hpm_string_add_format(&text, ": %s", tasks);
    add_pieces(facts, here, what, &text);
}

/* In the program's grid and graph of tasks, and in the machine. */
static void
add_task_place(GPtrArray *facts, guint here, const struct hpm_task *task)
{
    struct hpm_taskgraph_place graph;

    add_known(facts, here, _("bound to processors"), task->machine.binding);
    add_known(facts, here, _("NUMA nodes"), task->machine.numa_nodes);
    add_known(facts, here, _("tasks in each dimension of the grid"),
              task->dims);
    add_known(facts, here, _("coordinates in the grid"), task->coords);
    if (task->degrees == NULL ||
        !hpm_taskgraph_read(task->degrees, task->sources, task->destinations,
                            &graph, NULL))
        return;
    add_neighbours(facts, here, _("receives from tasks"), graph.n_sources,
                   task->sources);
    add_neighbours(facts, here, _("sends to tasks"), graph.n_destinations,
                   task->destinations);
}

static void
add_task(GPtrArray *facts, guint top, const struct hpm_survey *survey,
         guint32 index)
{
    const struct hpm_task *task = &survey->study->tasks[index];
    const struct hpm_survey_machine *machine =
        &survey->machines[survey->machine_of[index]];
    struct hpm_string text = {0};
    guint here;

    hpm_string_add_format(&text, _("task %d"), task->number);
    here = add(facts, top, hpm_string_text(&text), task->machine.host);
    hpm_string_free(&text);
    add_known(facts, here, _("program"), task->program);
    add_known(facts, here, _("job"), task->job);
    add_known(facts, here, _("start"), task->start);
    add_known(facts, here, _("performance file"), task->file);
    add_known(facts, here, _("processor"), task->machine.cpu);
    add_known(facts, here, _("counters of"), task->machine.pmu);
    add_known(facts, here, _("definitions for"), machine->pmu);
    add_known(facts, here, _("system"), task->machine.system);
    add_known(facts, here, _("no hardware counters"), task->machine.reason);
    add_task_place(facts, here, task);
}

static void
add_tasks(GPtrArray *facts, const struct hpmviz_sheet *sheet,
          const GArray *tasks)
{
    guint top = add(facts, HPMVIZ_NONE, _("Where it was counted"), "");

    for (guint i = 0; i < tasks->len && i < MOST; i++)
        add_task(facts, top, sheet->survey, g_array_index(tasks, guint32, i));
    add_more(facts, top, tasks->len);
}

/* ---- the event set --------------------------------------------------- */

static void
add_counter(GPtrArray *facts, guint top, const struct hpm_task_counter *counter)
{
    guint here = add(facts, top, counter->name, counter->description);

    add_known(facts, here, _("source"), counter->source);
    add_known(facts, here, _("domain"), counter->domain);
    add_known(facts, here, _("unit"), counter->unit);
    if (counter->said_state != 0)
        add_known(facts, here, _("state"),
                  hpm_state_name(hpm_said_state(counter->said_state)));
    add_known(facts, here, _("reason"), counter->reason);
}

/* Tasks may have counted different events: each is named once, as the first
 * task has it. */
static void
add_counters(GPtrArray *facts, const struct hpmviz_sheet *sheet,
             const GArray *tasks)
{
    guint top = add(facts, HPMVIZ_NONE, _("Event set"), "");
    GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
    size_t n = 0;

    for (guint i = 0; i < tasks->len; i++) {
        const struct hpm_task *task =
            &sheet->survey->study->tasks[g_array_index(tasks, guint32, i)];

        for (size_t j = 0; j < task->n_counters; j++) {
            if (g_hash_table_add(seen, (gpointer)task->counters[j].name) &&
                n++ < MOST)
                add_counter(facts, top, &task->counters[j]);
        }
    }
    add_more(facts, top, n);
    if (n == 0)
        add(facts, top, _("the files do not say"), "");
    g_hash_table_unref(seen);
}

/* ---- metrics --------------------------------------------------------- */

static void
add_definition(GPtrArray *facts, guint here, const struct hpmviz_sheet *sheet,
               guint column)
{
    const struct hpm_metrics *metrics;
    const struct hpm_metric *metric =
        hpmviz_details_find_metric(sheet, column, &metrics);
    struct hpm_string text = {0};

    hpmviz_details_add_formula(sheet, column, &text);
    add_pieces(facts, here, _("formula"), &text);
    if (metric == NULL)
        return;
    if (metric->rules.count > 0 &&
        metrics->rules[metric->rules.first].kind != HPM_STATEMENT_MEASURE)
        hpm_formula_add_words(&text, metrics, metric->rules.first);
    add_pieces(facts, here, _("in words"), &text);
    add_known(facts, here, _("source of the limits"),
              hpm_words_get(metric->texts[HPM_TEXT_SOURCE]));
    add_known(facts, here, _("rises"),
              hpm_words_get(metric->texts[HPM_TEXT_RISES]));
    add_known(facts, here, _("falls"),
              hpm_words_get(metric->texts[HPM_TEXT_FALLS]));
    add_known(facts, here, _("more"),
              hpm_words_get(metric->texts[HPM_TEXT_INFO]));
    add_known(facts, here, _("if it is bad"),
              hpm_words_get(metric->texts[HPM_TEXT_WHY]));
    add_known(facts, here, _("try"),
              hpm_words_get(metric->texts[HPM_TEXT_TRY]));
}

static void
add_column(GPtrArray *facts, guint top, const struct hpmviz_sheet *sheet,
           guint column)
{
    const struct hpm_quantity *quantity = hpmviz_sheet_quantity(sheet, column);
    guint here = add(facts, top, quantity->name, quantity->description);

    add_known(facts, here, _("unit"), hpm_shown_unit(quantity));
    for (int i = 0; i < 2; i++) {
        struct hpm_limits limits;
        struct hpm_string text = {0};

        if (!hpmviz_details_find_limits(sheet, column, (enum hpm_precision)i,
                                        &limits))
            continue;
        hpmviz_details_add_limits(&limits, &text);
        add_pieces(facts, here,
                   i == HPM_PRECISION_SINGLE ? _("limits, single precision")
                                             : _("limits, double precision"),
                   &text);
    }
    add_definition(facts, here, sheet, column);
}

GPtrArray *
hpmviz_facts_new(const struct hpmviz_sheet *sheet)
{
    GPtrArray *facts = g_ptr_array_new_with_free_func(free_fact);
    GArray *tasks = tasks_of(sheet);
    guint top;

    add_section(facts, sheet);
    add_tasks(facts, sheet, tasks);
    add_counters(facts, sheet, tasks);
    top = add(facts, HPMVIZ_NONE, _("Values and metrics"), "");
    for (guint i = 0; i < sheet->n_columns; i++)
        add_column(facts, top, sheet, i);
    g_array_unref(tasks);
    return facts;
}
