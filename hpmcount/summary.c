/* SPDX-License-Identifier: BSD-3-Clause
 * The text report of a run. */
#include "hpmcount/summary.h"

#include <math.h>
#include <string.h>

#include "hpmcount/hinting.h"
#include "hpmcount/screen.h"
#include "model/estimate.h"
#include "report/sections.h"
#include "report/text.h"
#include "study/report/paragraph.h"
#include "study/words/words.h"

enum { LABEL_WIDTH = 32, VALUE_WIDTH = 18, UNIT_WIDTH = 4 };

/* Add "  label ............ value unit  remark". */
static void
add_line(struct hpm_string *string, const char *label, const char *value,
         const char *unit, const char *remark)
{
    struct hpm_string safe = {0};

    hpm_string_add_safe(&safe, label);
    hpm_string_add(string, "  ");
    hpm_string_add(string, hpm_string_text(&safe));
    hpm_string_add_blanks(string, hpm_text_width(hpm_string_text(&safe)),
                          LABEL_WIDTH);
    hpm_string_add_blanks(string, strlen(value), VALUE_WIDTH);
    hpm_string_add(string, value);
    if (unit[0] != '\0' || remark != NULL) {
        hpm_string_add_format(string, " %s", unit);
        if (remark != NULL) {
            hpm_string_add_blanks(string, strlen(unit), UNIT_WIDTH);
            hpm_string_add_format(string, "  %s", _(remark));
        }
    }
    hpm_string_add_char(string, '\n');
    hpm_string_finish(&safe, &string->failed);
}

/* Nanoseconds are shown as seconds. */
static void
add_amount(struct hpm_string *string, const char *label, uint64_t amount,
           const char *unit, const char *remark)
{
    struct hpm_string value = {0};

    if (strcmp(unit, "ns") == 0) {
        hpm_string_add_fixed(&value, (double)amount / 1e9, 6);
        unit = "s";
    } else {
        hpm_string_add_grouped(&value, amount);
    }
    add_line(string, label, hpm_string_text(&value), unit, remark);
    hpm_string_finish(&value, &string->failed);
}

static bool
has_counter_of(const struct hpm_experiment *experiment, const char *what)
{
    for (size_t i = 0; i < experiment->n_counters; i++) {
        if (strcasestr(experiment->counters[i].name, what) != NULL)
            return true;
    }
    return false;
}

/* Counters begin in the middle of exec (launch.c), and end before a process
 * gives up its processor for the last time.  Page faults and switches are so
 * few that this difference is visible. */
static const char *
remark_on(const struct hpm_resource *resource,
          const struct hpm_experiment *experiment)
{
    if (strcmp(resource->name, "ru::minflt") == 0 &&
        has_counter_of(experiment, "faults"))
        return N_("with its start, before counters begin");
    if (strcmp(resource->name, "ru::nvcsw") == 0 &&
        has_counter_of(experiment, "context-switches"))
        return N_("with the end of each process, which context-switches lacks");
    if (strcmp(resource->name, "ru::nivcsw") == 0 &&
        has_counter_of(experiment, "context-switches"))
        return N_("in context-switches, too");
    return NULL;
}

static void
add_bound(struct hpm_string *string, const struct hpm_resource *resource)
{
    struct hpm_string remark = {0};

    hpm_string_add(&remark, _("at most "));
    hpm_string_add_grouped(&remark, resource->value);
    hpm_string_add(&remark, _(", as hpmcount's child before it"));
    add_line(string, _(resource->description), "n/a", resource->unit,
             hpm_string_text(&remark));
    hpm_string_finish(&remark, &string->failed);
}

/* Fields of struct rusage that Linux leaves 0. */
static bool
is_kept(const char *name)
{
    static const char *const never[] = {
        "ru::ixrss",  "ru::idrss",  "ru::isrss",   "ru::nswap",
        "ru::msgsnd", "ru::msgrcv", "ru::nsignals"};

    for (size_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        if (strcmp(name, never[i]) == 0)
            return false;
    }
    return true;
}

static void
add_word(struct hpm_string *list, const char *word)
{
    hpm_string_add(list, list->length > 0 ? ", " : "");
    hpm_string_add(list, word);
}

static void
add_missing(struct hpm_string *string, const char *word,
            struct hpm_string *missing)
{
    if (missing->length > 0)
        hpm_paragraph_add_entry(string, 2, word, 4, hpm_string_text(missing));
    hpm_string_finish(missing, &string->failed);
}

/* Unknown values, and values that the kernel does not keep, are listed in a
 * line each at the end. */
static void
add_resources(struct hpm_string *string,
              const struct hpm_experiment *experiment)
{
    struct hpm_string missing[2] = {{0}, {0}}; /* not kept, kept */

    if (experiment->n_resources == 0) /* a replayed file of samples has none */
        return;
    hpm_string_add(string, _("\nresource usage\n"));
    for (size_t i = 0; i < experiment->n_resources; i++) {
        const struct hpm_resource *resource = &experiment->resources[i];

        if (resource->is_known)
            add_amount(string, _(resource->description), resource->value,
                       resource->unit, remark_on(resource, experiment));
        else if (resource->value > 0)
            add_bound(string, resource);
        else
            add_word(&missing[is_kept(resource->name)],
                     _(resource->description));
    }
    add_missing(string, _("Linux does not keep:"), &missing[false]);
    add_missing(string, _("not known:"), &missing[true]);
}

static void
add_turns(struct hpm_string *remark, const struct hpm_value *value)
{
    double reach = value->freedom > 0
                       ? value->error * hpm_estimate_reach(value->freedom)
                       : NAN;
    struct hpm_string share = {0};

    hpm_string_add(remark, isnan(reach) ? _("error not known") : "95 %:");
    if (!isnan(reach))
        hpm_text_add_reach(remark, (double)value->total, reach);
    hpm_string_add_fixed(&share, 100.0 * value->share, 1);
    hpm_string_add_format(remark, _("; counted %s %% of the time and scaled; "),
                          hpm_string_text(&share));
    hpm_string_finish(&share, &remark->failed);
}

static void
add_counter(struct hpm_string *string, const struct hpm_counter *counter,
            const struct hpm_value *value)
{
    struct hpm_string remark = {0};

    if (value->state == HPM_STATE_BRIEF) {
        hpm_string_add(&remark, _(HPM_REASON_BRIEF));
        add_line(string, counter->name, "-", "", hpm_string_text(&remark));
    } else if (!hpm_state_has_value(value->state)) {
        hpm_string_add(&remark, _(hpm_state_name(value->state)));
        add_line(string, counter->name, "-", "", hpm_string_text(&remark));
    } else {
        if (value->state == HPM_STATE_SHARED) {
            add_turns(&remark, value);
        }
        hpm_string_add_format(&remark, "%s (%s)", _(counter->description),
                              counter->domain);
        add_amount(string, counter->name, value->total, counter->unit,
                   hpm_string_text(&remark));
    }
    hpm_string_finish(&remark, &string->failed);
}

static void
add_counters(struct hpm_string *string, const struct hpm_experiment *experiment)
{
    const char *title = _("\ncounters\n");

    for (size_t i = 0; i < experiment->n_counters; i++) {
        const struct hpm_counter *counter = &experiment->counters[i];

        if (counter->is_hidden)
            continue;
        hpm_string_add(string, title);
        title = "";
        add_counter(string, counter, hpm_experiment_value(experiment, 0, i));
    }
}

static void
add_metrics(struct hpm_string *string, struct hpm_derived *derived,
            const struct hpm_tree_style *style)
{
    size_t before;

    hpm_string_add(string, _("\nmetrics\n"));
    before = string->length;
    hpm_tree_add_text(string, derived->metrics,
                      hpm_derived_values(derived, 0, HPM_SPAN_INCLUSIVE),
                      style);
    if (string->length == before)
        hpm_string_add(string, _("  none of these counts\n"));
}

static void
add_hints(struct hpm_string *string, struct hpm_derived *derived,
          const struct look *look)
{
    struct hpm_ranking ranking;

    if (!hinting_is_worth(derived))
        return;
    if (!hinting_rank(&ranking, derived, look)) {
        string->failed = true;
        return;
    }
    hpm_hints_add_text(string, &ranking, false, NULL, NULL);
    hpm_ranking_clear(&ranking);
}

static void
add_all_resources(struct hpm_string *string,
                  const struct hpm_experiment *experiment)
{
    screen_add_title(string, &experiment->run);
    hpm_string_add_char(string, '\n');
    add_amount(string, _("wall clock time"), experiment->records[0].time.total,
               "ns", NULL);
    add_resources(string, experiment);
}

static void
add_notes(struct hpm_string *string, const struct hpm_experiment *experiment,
          const struct look *look)
{
    struct hpm_string notes = {0};

    hpm_string_add_char(string, '\n');
    if (experiment->run.reason != NULL)
        hpm_string_add_format(&notes, N_("note: %s") "\n",
                              experiment->run.reason);
    hpm_sections_add_notes(&notes, experiment, "note: ");
    screen_add_notes(string, &notes, look->is_on_terminal ? look->width : 0);
    hpm_string_finish(&notes, &string->failed);
}

void
summary_add_text(struct hpm_string *string,
                 const struct hpm_experiment *experiment,
                 struct hpm_derived *derived, const struct look *look)
{
    if (look->extent == EXTENT_SCREEN) {
        screen_add_text(string, experiment, derived, look);
        return;
    }
    if (look->extent == EXTENT_ALL)
        add_all_resources(string, experiment);
    else
        screen_add_head(string, experiment, derived, look);
    add_counters(string, experiment);
    add_metrics(string, derived, &look->tree);
    add_notes(string, experiment, look);
    add_hints(string, derived, look);
}
