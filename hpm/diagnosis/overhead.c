/* SPDX-License-Identifier: BSD-3-Clause
 * hpm doctor --overhead: what measuring costs on this machine, and how much of
 * this cost is left in the results. */
#include "config.h"

#include "hpm/diagnosis/overhead.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "hpm/diagnosis/calls.h"
#include "hpm/frame/helper.h"
#include "report/table.h"
#include "report/text.h"
#include "source/hardware.h"
#include "study/report/format.h"
#include "study/report/tablewords.h"
#include "study/statistics/summary.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

enum { N_CALLS = 1000, WARM_UP = 5, MOST_VARIABLES = 64 };

/* Sections whose calls are examined. */
struct scenario {
    const char *scope;
    const char *section;
    const char *pattern; /* argument of the helper */
    enum {
        SINGLE, /* one call each, after others left out */
        FIRST,  /* one call each, the first */
        MANY,   /* all calls in one section: only sums are known */
    } way;
    bool has_costs; /* its calibrations are in the table */
};

/* A section inside is a call path of its own: with single calls its first call
 * would always be the one measured. */
static const struct scenario scenarios[] = {
    {"thread", "empty", "empty", SINGLE, true},
    {"thread", "around an empty one", "around", MANY, false},
    {"thread", "the clock read twice", "clock", SINGLE, false},
    {"thread", "empty, first call", "empty", FIRST, false},
    {"thread", "around a first call", "around", FIRST, false},
    {"process", "empty", "process-empty", SINGLE, true},
    {"process", "around an empty one", "process-around", MANY, false},
};

enum { N_SCENARIOS = sizeof scenarios / sizeof scenarios[0] };

/* Few events at a time, as the counters allow: those of the paper's tables.
 * The time is taken from the first line. */
static const char *const paper_events[] = {
    "cycles,instructions",
    "L1-dcache-loads,L1-dcache-stores",
    "L1-icache-load-misses,L1-dcache-load-misses,dTLB-load-misses",
};

enum { N_PAPER_EVENTS = sizeof paper_events / sizeof paper_events[0] };

struct overhead {
    struct hpm_string helper;
    char folder[64]; /* for its performance files */
    struct hpm_table costs, before, after;
    struct hpm_string notes; /* one note a line */
    bool has_hardware;
    struct hpm_error no_hardware;
};

/* ---- tables ---------------------------------------------------------- */

static void
add_columns(struct overhead *overhead)
{
    static const char *const of_costs[] = {"scope", "where",  "when",
                                           "what",  "unit",   "calls",
                                           "min",   "median", "max"};
    static const char *const of_calls[] = {"scope", "section", "what",   "unit",
                                           "calls", "min",     "median", "max"};
    struct hpm_table *tables[] = {&overhead->before, &overhead->after};

    hpm_table_add_columns(&overhead->costs, of_costs, 9, 0);
    for (size_t i = 0; i < 2; i++) {
        hpm_table_add_columns(tables[i], of_calls, 8, 0);
        hpm_table_add_column(tables[i], "mean", NULL, 1);
        hpm_table_add_column(tables[i], "sdev", NULL, 1);
    }
}

static void
add_cost(struct hpm_table *table, const struct cost *cost, const char *where,
         const int64_t *three, const char *unit)
{
    hpm_table_add_text(table, cost->scope);
    hpm_table_add_text(table, where);
    hpm_table_add_text(table, cost->when);
    hpm_table_add_text(table, cost->name);
    hpm_table_add_text(table, unit);
    hpm_table_add_count(table, cost->n_calls);
    for (int i = 0; i < 3; i++)
        hpm_table_add_integer(table, three[i]);
}

/* Add the costs of the scenario's scope only: process sections calibrate
 * threads, too. */
static void
add_costs(struct overhead *overhead, const struct scenario *scenario,
          const struct calls *calls, bool has_time)
{
    for (size_t i = 0; i < calls->n_costs; i++) {
        const struct cost *cost = &calls->costs[i];
        const struct measure *measure = calls_find(calls, cost->name);

        if (strcmp(cost->scope, scenario->scope) != 0 || measure == NULL ||
            (!has_time && strcmp(cost->name, "time") == 0))
            continue;
        add_cost(&overhead->costs, cost, "in the section", cost->self,
                 measure->unit);
        add_cost(&overhead->costs, cost, "around it", cost->pair,
                 measure->unit);
    }
}

static int
compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

    return (a > b) - (a < b);
}

/* The median of an even number is the upper one of the two middle values, as in
 * a calibration (record/calibration.h): a value that was really read. */
static void
add_spread(struct hpm_table *table, uint64_t *values, size_t n)
{
    struct hpm_summary summary = {0};

    qsort(values, n, sizeof *values, compare);
    for (size_t i = 0; i < n; i++)
        hpm_summary_add(&summary, (double)values[i], 0);
    hpm_table_add_count(table, values[0]);
    hpm_table_add_count(table, values[n / 2]);
    hpm_table_add_count(table, values[n - 1]);
    hpm_table_add_real(table, summary.mean);
    hpm_table_add_real(table, hpm_summary_sample_deviation(&summary));
}

/* Add values of single calls, or the sum over all calls of a section. */
static void
add_values(struct hpm_table *table, const struct measure *measure,
           uint64_t *values)
{
    if (measure->n_calls == measure->n_sections) {
        add_spread(table, values, measure->n_sections);
        return;
    }
    hpm_table_add_nones(table, 3);
    hpm_table_add_real(table, (double)values[0] / (double)measure->n_calls);
    hpm_table_add_real(table, measure->deviation);
}

static void
add_row(struct hpm_table *table, const struct scenario *scenario,
        const struct measure *measure, uint64_t *values)
{
    hpm_table_add_text(table, scenario->scope);
    hpm_table_add_text(table, scenario->section);
    hpm_table_add_text(table, measure->name);
    hpm_table_add_text(table, measure->unit);
    hpm_table_add_count(table, measure->n_calls);
    add_values(table, measure, values);
}

static void
add_note(struct overhead *overhead, const struct scenario *scenario,
         const char *name, const char *sentence)
{
    hpm_string_add_format(&overhead->notes, "%s (%s, %s): %s\n", name,
                          scenario->scope, scenario->section, sentence);
}

static void
add_rows(struct overhead *overhead, const struct scenario *scenario,
         const struct calls *calls, bool has_time)
{
    for (size_t i = 0; i < calls->n_measures; i++) {
        const struct measure *measure = &calls->measures[i];

        if (!has_time && strcmp(measure->name, "time") == 0)
            continue;
        if (measure->is_shared)
            add_note(overhead, scenario, measure->name,
                     "shared a counter with other events, so single calls "
                     "are not known; name fewer events with -e");
        if (measure->n_sections == 0)
            continue;
        add_row(&overhead->before, scenario, measure, measure->read);
        if (measure->is_corrected)
            add_row(&overhead->after, scenario, measure, measure->left);
    }
}

/* ---- measuring ------------------------------------------------------- */

/* The helper measures what was asked for, without the user's other settings for
 * programs. */
static void
choose_variables(const char *events, const char *output, const char *n_skipped,
                 struct helper_variable *variables)
{
    static const enum hpm_variable kept[] = {
        HPM_VARIABLE_DOMAIN, HPM_VARIABLE_EVENTS, HPM_VARIABLE_EVENT_SET,
        HPM_VARIABLE_SET, HPM_VARIABLE_SOURCE};
    size_t n = 0;

    for (int i = 0; i < HPM_N_VARIABLES && n < MOST_VARIABLES - 5; i++) {
        bool is_kept = false;

        for (size_t j = 0; j < sizeof kept / sizeof kept[0]; j++)
            is_kept |= kept[j] == (enum hpm_variable)i;
        if (!is_kept)
            variables[n++] = (struct helper_variable){
                hpm_env_name((enum hpm_variable)i), NULL};
    }
    variables[n++] = (struct helper_variable){"HPM_OUTPUT_NAME", output};
    variables[n++] = (struct helper_variable){"HPM_FSYNC", "no"};
    variables[n++] = (struct helper_variable){"HPM_SKIP", n_skipped};
    if (events != NULL)
        variables[n++] = (struct helper_variable){"HPM_EVENTS", events};
    variables[n] = (struct helper_variable){NULL, NULL};
}

/* Run the helper for a scenario; it writes a file below `output`. */
static bool
run_helper(struct overhead *overhead, const struct scenario *scenario,
           const char *events, const char *output, bool is_silent,
           struct hpm_error *err)
{
    struct helper_variable variables[MOST_VARIABLES];
    char n_sections[16], n_rounds[16], n_skipped[16];
    char *arguments[] = {overhead->helper.text, (char *)scenario->pattern,
                         n_sections, n_rounds, NULL};
    int warm_up = scenario->way == SINGLE ? WARM_UP : 0;
    bool is_one = scenario->way == MANY;

    snprintf(n_sections, sizeof n_sections, "%d", is_one ? 1 : N_CALLS);
    snprintf(n_rounds, sizeof n_rounds, "%d", is_one ? N_CALLS : warm_up + 1);
    snprintf(n_skipped, sizeof n_skipped, "%d", warm_up);
    choose_variables(events, output, n_skipped, variables);
    return helper_run(arguments, variables, is_silent, err);
}

static bool
run_scenario(struct overhead *overhead, const struct scenario *scenario,
             const char *events, bool is_silent, struct calls *calls,
             struct hpm_error *err)
{
    char output[128];
    bool is_good;

    snprintf(output, sizeof output, "%s/calls.hpm.xml", overhead->folder);
    is_good = run_helper(overhead, scenario, events, output, is_silent, err) &&
              calls_read(calls, output, err);
    unlink(output);
    return is_good;
}

/* The library reports problems with events at each run: let it do so once. */
static bool
run_pass(struct overhead *overhead, const char *events, bool is_first,
         struct hpm_error *err)
{
    for (size_t i = 0; i < N_SCENARIOS; i++) {
        struct calls calls = {0};
        bool is_good =
            run_scenario(overhead, &scenarios[i], events, i > 0, &calls, err);

        if (is_good)
            add_rows(overhead, &scenarios[i], &calls, is_first);
        if (is_good && scenarios[i].has_costs)
            add_costs(overhead, &scenarios[i], &calls, is_first);
        calls_clear(&calls);
        if (!is_good)
            return false;
    }
    return true;
}

static bool
are_events_chosen(const char *events)
{
    return events != NULL || hpm_env_get(HPM_VARIABLE_EVENTS) != NULL ||
           hpm_env_get(HPM_VARIABLE_SET) != NULL ||
           hpm_env_get(HPM_VARIABLE_EVENT_SET) != NULL;
}

static bool
run_passes(struct overhead *overhead, const char *events, struct hpm_error *err)
{
    if (are_events_chosen(events) || !overhead->has_hardware)
        return run_pass(overhead, events, true, err);
    for (size_t i = 0; i < N_PAPER_EVENTS; i++) {
        if (!run_pass(overhead, paper_events[i], i == 0, err))
            return false;
    }
    return true;
}

static bool
make_folder(struct overhead *overhead, struct hpm_error *err)
{
    const char *parent = getenv("TMPDIR");

    if (parent == NULL || parent[0] != '/' ||
        strlen(parent) > sizeof overhead->folder - sizeof "/hpm-XXXXXX")
        parent = "/tmp";
    snprintf(overhead->folder, sizeof overhead->folder, "%s/hpm-XXXXXX",
             parent);
    if (mkdtemp(overhead->folder) != NULL)
        return true;
    return hpm_error_set(err,
                         "cannot make a folder in '%s': %s; name another "
                         "in TMPDIR",
                         parent, strerror(errno));
}

static bool
measure(struct overhead *overhead, const char *events, struct hpm_error *err)
{
    bool is_good;

    if (!helper_find("hpm-empty-sections", &overhead->helper, err) ||
        !make_folder(overhead, err))
        return false;
    is_good = run_passes(overhead, events, err);
    rmdir(overhead->folder);
    return is_good;
}

/* ---- printing -------------------------------------------------------- */

static void
add_notes(struct hpm_string *text, const struct overhead *overhead)
{
    const char *line = hpm_string_text(&overhead->notes);

    if (line[0] != '\0')
        hpm_string_add(text, "\n");
    for (; *line != '\0'; line += strcspn(line, "\n") + 1) {
        struct hpm_string note = {0};

        hpm_string_add_bytes(&note, line, strcspn(line, "\n"));
        hpm_string_add(text, _("note: "));
        hpm_sentence_add(text, hpm_string_text(&note));
        hpm_string_add_char(text, '\n');
        hpm_string_finish(&note, &text->failed);
    }
}

static void
add_text(struct hpm_string *text, struct overhead *overhead)
{
    hpm_string_add(text, _("What measuring costs on this machine\n"));
    if (overhead->has_hardware) {
        hpm_string_add(text, _("counters: hardware\n"));
    } else {
        hpm_string_add(text, _("counters: software only; "));
        hpm_sentence_add(text, overhead->no_hardware.text);
        hpm_string_add_char(text, '\n');
    }
    hpm_string_add(text,
                   _("\nTable 2. A pair of start and stop: what the empty "
                     "section reads, and what it\nadds to one around it. "
                     "Of counts the smaller min is taken off results, of "
                     "times\nwhat a pair of 32 took in the middle\n\n"));
    hpm_tablewords_add(text, &overhead->costs, "what");
    hpm_string_add_format(
        text, _("\nTable 3. %d calls of a section, as it was read\n\n"),
        N_CALLS);
    hpm_tablewords_add(text, &overhead->before, "what");
    hpm_string_add(text,
                   _("\nTable 3, continued. What is left in results\n\n"));
    hpm_tablewords_add(text, &overhead->after, "what");
    add_notes(text, overhead);
}

static void
add_json(struct hpm_string *text, const struct overhead *overhead)
{
    hpm_string_add(text, "{\"tool\": \"hpm doctor --overhead\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n"
                         " \"counters\": ");
    hpm_json_add_text(text,
                      overhead->has_hardware ? "hardware" : "software only");
    hpm_string_add(text, ",\n \"reason\": ");
    if (overhead->has_hardware)
        hpm_string_add(text, "null");
    else
        hpm_json_add_text(text, overhead->no_hardware.text);
    hpm_string_add(text, ",\n \"costs\": ");
    hpm_json_add_table(text, &overhead->costs);
    hpm_string_add(text, ",\n \"before\": ");
    hpm_json_add_table(text, &overhead->before);
    hpm_string_add(text, ",\n \"after\": ");
    hpm_json_add_table(text, &overhead->after);
    hpm_string_add(text, "}\n");
}

static enum status
print(struct overhead *overhead, bool is_json)
{
    struct hpm_string text = {0};

    if (is_json)
        add_json(&text, overhead);
    else
        add_text(&text, overhead);
    text.failed |= overhead->costs.failed || overhead->before.failed ||
                   overhead->after.failed || overhead->notes.failed;
    return subcommand_print("doctor", &text, GOOD);
}

enum status
overhead_run(const char *events, bool is_json)
{
    struct overhead overhead = {0};
    struct hpm_error err;
    enum status status = NOTHING;

    overhead.has_hardware = hpm_hardware_is_usable(&overhead.no_hardware);
    add_columns(&overhead);
    if (measure(&overhead, events, &err))
        status = print(&overhead, is_json);
    else
        subcommand_say("doctor", "%s", err.text);
    hpm_table_clear(&overhead.costs);
    hpm_table_clear(&overhead.before);
    hpm_table_clear(&overhead.after);
    hpm_string_free(&overhead.notes);
    hpm_string_free(&overhead.helper);
    return status;
}
