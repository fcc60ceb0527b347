/* SPDX-License-Identifier: BSD-3-Clause
 * hpm plan: the runs that measure the wanted metrics. */
#include "config.h"

#include <getopt.h>
#include <string.h>

#include "hpm/campaign/planning.h"
#include "hpm/frame/subcommand.h"
#include "study/report/format.h"
#include "study/tool/option.h"
#include "study/words/words.h"

enum form { FORM_TEXT, FORM_LISTS, FORM_JSON };

struct options {
    struct planning_options planning;
    unsigned form;
};

static const struct hpm_option table[] = {
    {'e', "events", HPM_OPTION_WORD(struct options, planning.events)},
    {'m', "metrics", HPM_OPTION_WORD(struct options, planning.metrics)},
    {0, "on", HPM_OPTION_WORD(struct options, planning.pmu)},
    {0, "counters",
     HPM_OPTION_NUMBER(struct options, planning.n_counters, 1,
                       HPM_MAX_MODEL_COUNTERS)},
    {0, "parts", HPM_OPTION_FLAG(struct options, planning.has_parts)},
    {0, "lists", HPM_OPTION_CHOICE(struct options, form, FORM_LISTS)},
    {0, "json", HPM_OPTION_CHOICE(struct options, form, FORM_JSON)},
};

static bool
parse(struct options *options, int argc, char **argv, struct hpm_error *err)
{
    if (!hpm_options_read("hpm plan", table, sizeof table / sizeof table[0],
                          false, argc, argv, options, err))
        return false;
    if (optind < argc)
        return hpm_error_set(err,
                             "'%.40s' is not expected; metrics are named "
                             "by -m, with commas between them",
                             argv[optind]);
    if (options->planning.n_counters > 0 && options->planning.pmu == NULL)
        return hpm_error_set(err, "--counters goes with --on PMU only; the "
                                  "counters of this machine are tried out");
    return true;
}

/* ---- text ------------------------------------------------------------ */

/* Does the set contain all events of this metric?  With HPM_NO_SET: does no set
 * contain all of them? */
static bool
is_metric_of(const struct hpm_schedule *schedule, size_t planned, size_t set)
{
    const struct hpm_planned *one = &schedule->planned[planned];

    if (one->metric == HPM_NO_METRIC)
        return false;
    if (set == HPM_NO_SET)
        return schedule->packing.set_of[planned] == HPM_NO_SET;
    return hpm_eventmask_contains(&schedule->packing.sets[set], &one->events);
}

/* Append the names of metrics whose events are all in the set, or in no set
 * (HPM_NO_SET). */
static size_t
add_metrics(const struct hpm_schedule *schedule, size_t set,
            struct hpm_string *names)
{
    size_t n = 0;

    for (size_t i = 0; i < schedule->n_planned; i++) {
        const struct hpm_planned *planned = &schedule->planned[i];

        if (!is_metric_of(schedule, i, set))
            continue;
        hpm_string_add_format(
            names, "%s%s", n++ > 0 ? ", " : "",
            schedule->metrics->metrics[planned->metric].shown);
    }
    return n;
}

/* Append a comma-separated list under its heading, in lines of at most 79
 * columns. */
static void
add_list(struct hpm_string *text, const char *heading, const char *list)
{
    enum { INDENT = 11, WIDTH = 79 };
    size_t column = INDENT;

    hpm_string_add_format(text, "  %-*s", INDENT - 2, _(heading));
    while (*list != '\0') {
        size_t length = strcspn(list, ",");

        length += list[length] == ',';
        if (column > INDENT && column + length > WIDTH) {
            hpm_string_add_format(text, "\n%*s", INDENT, "");
            column = INDENT;
        }
        hpm_string_add_bytes(text, list, length);
        column += length;
        list += length;
        if (*list == ' ' && column + 1 + strcspn(list + 1, ",") < WIDTH) {
            hpm_string_add_char(text, ' ');
            column++;
        }
        list += *list == ' ';
    }
    hpm_string_add_char(text, '\n');
}

static void
add_run(struct hpm_string *text, const struct hpm_schedule *schedule,
        size_t set)
{
    struct hpm_string events = {0}, metrics = {0};

    hpm_schedule_add_events(schedule, &schedule->packing.sets[set], &events);
    add_metrics(schedule, set, &metrics);
    hpm_string_add_format(text, _("\nrun %zu: %zu events\n"), set + 1,
                          hpm_eventmask_count(&schedule->packing.sets[set]));
    add_list(text, N_("events"), hpm_string_text(&events));
    if (metrics.length > 0)
        add_list(text, N_("metrics"), metrics.text);
    if (schedule->packing.is_lonely[set])
        hpm_string_add(text, _("  alone    no other of the events wanted fits "
                               "in here\n"));
    text->failed |= events.failed || metrics.failed;
    hpm_string_free(&events);
    hpm_string_free(&metrics);
}

/* Report formulas whose events are in different runs: they do not fit into one
 * run, or would need one run more. */
static void
add_split(struct hpm_string *text, const struct hpm_schedule *schedule)
{
    for (size_t i = 0; i < schedule->n_planned; i++) {
        const struct hpm_planned *planned = &schedule->planned[i];
        struct hpm_string events = {0};

        if (schedule->packing.set_of[i] != HPM_NO_SET ||
            planned->metric == HPM_NO_METRIC)
            continue;
        hpm_schedule_add_events(schedule, &planned->events, &events);
        hpm_string_add_format(
            text,
            _("\n%s: its %zu events are in several runs; its value combines "
              "them\n"),
            schedule->metrics->metrics[planned->metric].shown,
            hpm_eventmask_count(&planned->events));
        add_list(text, N_("events"), hpm_string_text(&events));
        text->failed |= events.failed;
        hpm_string_free(&events);
    }
}

static void
add_text(struct hpm_string *text, const struct planning *planning,
         const struct hpm_schedule *schedule)
{
    size_t n_sets = schedule->packing.n_sets;

    hpm_string_add_format(
        text, hpm_words_of("%zu event", "%zu events", schedule->n_events),
        schedule->n_events);
    hpm_string_add_format(
        text, hpm_words_of(" in %zu run", " in %zu runs", n_sets), n_sets);
    if (planning->options.pmu != NULL)
        hpm_string_add_format(text,
                              _(" on %s, as its definitions say (%zu "
                                "general counters)\n"),
                              planning->options.pmu,
                              planning->processor.n_counters);
    else
        hpm_string_add(text, _(" on this machine, tried out\n"));
    for (size_t i = 0; i < n_sets; i++)
        add_run(text, schedule, i);
    add_split(text, schedule);
}

/* ---- for programs ---------------------------------------------------- */

static void
add_lists(struct hpm_string *text, const struct hpm_schedule *schedule)
{
    for (size_t i = 0; i < schedule->packing.n_sets; i++) {
        hpm_schedule_add_events(schedule, &schedule->packing.sets[i], text);
        hpm_string_add_char(text, '\n');
    }
}

static void
add_json_events(struct hpm_string *text, const struct hpm_schedule *schedule,
                const struct hpm_eventmask *events)
{
    bool is_first = true;

    hpm_string_add_char(text, '[');
    for (size_t i = 0; i < schedule->n_events; i++) {
        if (!hpm_eventmask_has(events, i))
            continue;
        hpm_string_add(text, is_first ? "" : ", ");
        hpm_json_add_text(text, schedule->events[i]);
        is_first = false;
    }
    hpm_string_add_char(text, ']');
}

/* Append the names of metrics whose events are all in the set; HPM_NO_SET: in
 * no set. */
static void
add_json_metrics(struct hpm_string *text, const struct hpm_schedule *schedule,
                 size_t set)
{
    bool is_first = true;

    hpm_string_add_char(text, '[');
    for (size_t i = 0; i < schedule->n_planned; i++) {
        const struct hpm_planned *planned = &schedule->planned[i];

        if (!is_metric_of(schedule, i, set))
            continue;
        hpm_string_add(text, is_first ? "" : ", ");
        hpm_json_add_text(text,
                          schedule->metrics->metrics[planned->metric].shown);
        is_first = false;
    }
    hpm_string_add_char(text, ']');
}

static void
add_json(struct hpm_string *text, const struct planning *planning,
         const struct hpm_schedule *schedule)
{
    const char *pmu = planning->options.pmu;

    hpm_string_add(text, "{\"tool\": \"hpm plan\",\n"
                         " \"version\": \"" PACKAGE_VERSION "\",\n"
                         " \"format\": 1,\n \"pmu\": ");
    if (pmu != NULL)
        hpm_json_add_text(text, pmu);
    else
        hpm_string_add(text, "null");
    if (pmu != NULL)
        hpm_string_add_format(text, ",\n \"counters\": %zu",
                              planning->processor.n_counters);
    hpm_string_add(text, ",\n \"runs\": [");
    for (size_t i = 0; i < schedule->packing.n_sets; i++) {
        hpm_string_add(text,
                       i > 0 ? ",\n  {\"events\": " : "\n  {\"events\": ");
        add_json_events(text, schedule, &schedule->packing.sets[i]);
        hpm_string_add(text, ",\n   \"metrics\": ");
        add_json_metrics(text, schedule, i);
        hpm_string_add_format(text, ",\n   \"alone\": %s}",
                              schedule->packing.is_lonely[i] ? "true"
                                                             : "false");
    }
    hpm_string_add(text, "],\n \"combined\": ");
    add_json_metrics(text, schedule, HPM_NO_SET);
    hpm_string_add(text, "}\n");
}

/* ---- the command ----------------------------------------------------- */

static enum status
print(const struct planning *planning, unsigned form)
{
    const struct hpm_schedule *schedule = &planning->schedule;
    struct hpm_string text = {0};

    if (!planning_has_runs(planning))
        return NOTHING;
    switch (form) {
    case FORM_TEXT:
        add_text(&text, planning, schedule);
        break;
    case FORM_LISTS:
        add_lists(&text, schedule);
        break;
    case FORM_JSON:
        add_json(&text, planning, schedule);
        break;
    }
    return subcommand_print("plan", &text,
                            planning_lacks_events(planning) ? SOME_BAD : GOOD);
}

static enum status
run(int argc, char **argv)
{
    struct options options = {.planning.command = "plan"};
    struct planning planning;
    struct hpm_error err;
    enum status status = USAGE;

    if (!parse(&options, argc, argv, &err))
        return subcommand_fail("plan", &err, USAGE);
    if (planning_make(&planning, &options.planning, &err))
        status = print(&planning, options.form);
    else if (err.text[0] != '\0')
        subcommand_say("plan", "%s", err.text);
    planning_close(&planning);
    return status;
}

const struct subcommand subcommand_plan = {
    .name = "plan",
    .summary = N_("the fewest runs that measure the metrics wanted"),
    .help =
        "Usage: hpm plan [-e LIST] [-m LIST] [--parts] [--on PMU [--counters "
        "N]]\n"
        "                [--lists | --json]\n"
        "\n"
        "Put the events of metrics into as few runs as possible.  The events "
        "of a difference\n"
        "are counted in one run where the counters can hold them, those of a "
        "ratio where that\n"
        "takes no run more; metrics whose events are in several runs are "
        "listed.  Cycles and\n"
        "instructions are added to every run that has room for them: they "
        "tell whether two\n"
        "runs did the same.\n"
        "\n"
        "  -e, --events LIST   these events\n"
        "  -m, --metrics LIST  metrics, sets of the definitions, or all "
        "(default without -e)\n"
        "      --parts         with all parts of their hierarchies, as all "
        "has them\n"
        "      --on PMU        for the processor of that name, as its "
        "definitions describe\n"
        "                      it; without: for this machine, tried out\n"
        "      --counters N    with --on: so many general counters, whatever "
        "the definitions\n"
        "                      say\n"
        "      --lists         a line a run: its events, as hpmcount -e and "
        "HPM_EVENTS\n"
        "                      expect them\n"
        "      --json          as JSON\n"
        "\n"
        "Exit status: 0 planned, 1 planned without events that cannot be "
        "counted here,\n"
        "2 wrong usage, 3 nothing of it can be counted, 4 the plan cannot be "
        "written.\n",
    .run = run,
};
