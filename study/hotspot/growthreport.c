/* SPDX-License-Identifier: BSD-3-Clause
 * Which places of a program take more samples, as a report. */
#include "config.h"

#include "study/hotspot/growth.h"

#include <string.h>

#include "study/report/format.h"
#include "study/report/paragraph.h"
#include "study/report/tablewords.h"
#include "study/words/words.h"

static const char *const namings[] = {[HPM_NAMING_FUNCTION] = "function",
                                      [HPM_NAMING_LINE] = "line",
                                      [HPM_NAMING_MODULE] = "module"};

/* ---- text ------------------------------------------------------------ */

static bool
is_clock(const struct hpm_study_sampled *sampled)
{
    return sampled->unit != NULL && strcmp(sampled->unit, "ns") == 0;
}

/* Clocks are shown in milliseconds. */
static double
shown(const struct hpm_growth *growth, double amount)
{
    return is_clock(growth->before_sampled) ? amount / 1e6 : amount;
}

static void
add_side(struct hpm_string *line, const struct hpm_hotspots_part *part,
         const struct hpm_study_sampled *sampled, const char *side)
{
    hpm_string_add_grouped(line, part->n_taken);
    hpm_string_add_format(line, _(" samples %s, one each "), side);
    if (is_clock(sampled))
        hpm_string_add_format(line, "%.6g us", (double)sampled->period / 1e3);
    else
        hpm_string_add_grouped(line, sampled->period);
    if (part->n_lost > 0) {
        hpm_string_add(line, _(", and "));
        hpm_string_add_grouped(line, part->n_lost);
        hpm_string_add(line, _(" lost"));
    }
}

static void
add_head(struct hpm_string *string, const struct hpm_growth *growth,
         size_t width)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "%s: ", growth->before_sampled->name);
    add_side(&line, growth->before, growth->before_sampled, _("before"));
    hpm_string_add(&line, "; ");
    add_side(&line, growth->after, growth->after_sampled, _("after"));
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
}

/* Where the interval contains 0, the change may be random. */
static const char *
word_of(const struct hpm_growth_place *place)
{
    if (place->low <= 0.0 && place->high >= 0.0)
        return N_("as before, or chance");
    return place->low > 0.0 ? N_("more") : N_("less");
}

static void
add_interval(struct hpm_table *table, const struct hpm_growth *growth,
             const struct hpm_growth_place *place)
{
    struct hpm_string interval = {0};

    hpm_string_add_format(&interval, _("%+.1f to %+.1f"),
                          shown(growth, place->low),
                          shown(growth, place->high));
    hpm_table_add_string(table, &interval);
}

static void
add_places(struct hpm_string *string, const struct hpm_growths *growths,
           const struct hpm_growth *growth, size_t n_most,
           const struct hpm_text_style *style)
{
    size_t n = growth->n_places < n_most ? growth->n_places : n_most;
    bool is_time = is_clock(growth->before_sampled);
    struct hpm_table table = {0};

    hpm_table_add_column(&table, namings[growths->naming], NULL, 0);
    hpm_table_add_column(&table, is_time ? N_("before ms") : "before", NULL, 1);
    hpm_table_add_column(&table, is_time ? N_("after ms") : "after", NULL, 1);
    hpm_table_add_column(&table, is_time ? N_("change ms") : "change", NULL, 1);
    hpm_table_add_column(&table, N_("interval"), NULL, 0);
    hpm_table_align_column(&table);
    hpm_table_add_column(&table, N_("so it is"), NULL, 0);
    if (growths->naming != HPM_NAMING_MODULE)
        hpm_table_add_column(&table, "module", NULL, 0);
    for (size_t i = 0; i < n; i++) {
        const struct hpm_growth_place *place = &growth->places[i];

        hpm_table_add_text(&table, place->name);
        hpm_table_add_real(&table, shown(growth, place->before));
        hpm_table_add_real(&table, shown(growth, place->after));
        hpm_table_add_real(&table, shown(growth, place->after - place->before));
        add_interval(&table, growth, place);
        hpm_table_add_text(&table, word_of(place));
        if (growths->naming != HPM_NAMING_MODULE)
            hpm_table_add_text_or_none(&table, place->module);
    }
    hpm_tablewords_add_in(string, &table, NULL, style);
    hpm_table_finish(&table, &string->failed);
    if (growth->n_places > n)
        hpm_string_add_format(string, _("and %zu more\n"),
                              growth->n_places - n);
}

void
hpm_growths_add_text(struct hpm_string *string,
                     const struct hpm_growths *growths, size_t n_most,
                     const struct hpm_text_style *style)
{
    struct hpm_string line = {0};

    for (size_t i = 0; i < growths->n_growths; i++) {
        add_head(string, &growths->growths[i], style->width);
        hpm_string_add_char(string, '\n');
        add_places(string, growths, &growths->growths[i], n_most, style);
        hpm_string_add_char(string, '\n');
    }
    hpm_string_add(
        &line,
        _("Each sample stands for a period of the event, in a run. The "
          "interval is that of the change with 95 %, as far as samples are by "
          "chance; what differs from run to run is not in it: for that make "
          "means of several runs, and see whether the next ones say the "
          "same."));
    hpm_paragraph_add_line(string, &line, style->width);
    hpm_string_free(&line);
}

/* ---- tables for programs --------------------------------------------- */

static void
add_rows(struct hpm_table *table, const struct hpm_growth *growth)
{
    for (size_t i = 0; i < growth->n_places; i++) {
        const struct hpm_growth_place *place = &growth->places[i];

        hpm_table_add_text(table, growth->before_sampled->name);
        hpm_table_add_text_or_none(table, growth->before_sampled->domain);
        hpm_table_add_text_or_none(table, growth->before_sampled->unit);
        hpm_table_add_text(table, place->name);
        hpm_table_add_text_or_none(table, place->module);
        hpm_table_add_count(table, place->n_before);
        hpm_table_add_count(table, place->n_after);
        hpm_table_add_real(table, place->before);
        hpm_table_add_real(table, place->after);
        hpm_table_add_real(table, place->after - place->before);
        hpm_table_add_real(table, place->low);
        hpm_table_add_real(table, place->high);
    }
}

static void
make_table(struct hpm_table *table, const struct hpm_growths *growths)
{
    static const char *const names[] = {
        "event",  "domain",         "unit",          "name",
        "module", "samples_before", "samples_after", "before",
        "after",  "change",         "low",           "high"};

    hpm_table_add_columns(table, names, sizeof names / sizeof names[0], 5);
    for (size_t i = 0; i < growths->n_growths; i++)
        add_rows(table, &growths->growths[i]);
}

void
hpm_growths_add_csv(struct hpm_string *string,
                    const struct hpm_growths *growths)
{
    struct hpm_table table = {0};

    make_table(&table, growths);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

/* Append the events sampled on both sides. */
static void
add_events(struct hpm_string *string, const struct hpm_growths *growths)
{
    static const char *const names[] = {
        "event",         "domain",       "unit",
        "period_before", "period_after", "taken_before",
        "taken_after",   "lost_before",  "lost_after"};
    struct hpm_table table = {0};

    hpm_table_add_columns(&table, names, sizeof names / sizeof names[0], 0);
    for (size_t i = 0; i < growths->n_growths; i++) {
        const struct hpm_growth *growth = &growths->growths[i];

        hpm_table_add_text(&table, growth->before_sampled->name);
        hpm_table_add_text_or_none(&table, growth->before_sampled->domain);
        hpm_table_add_text_or_none(&table, growth->before_sampled->unit);
        hpm_table_add_count(&table, growth->before_sampled->period);
        hpm_table_add_count(&table, growth->after_sampled->period);
        hpm_table_add_count(&table, growth->before->n_taken);
        hpm_table_add_count(&table, growth->after->n_taken);
        hpm_table_add_count(&table, growth->before->n_lost);
        hpm_table_add_count(&table, growth->after->n_lost);
    }
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

void
hpm_growths_add_json(struct hpm_string *string,
                     const struct hpm_growths *growths)
{
    struct hpm_table table = {0};

    hpm_string_add_format(string,
                          "{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                          "\",\n \"version\": 1,\n"
                          " \"by\": \"%s\",\n \"sampled\": ",
                          namings[growths->naming]);
    add_events(string, growths);
    hpm_string_add(string, ",\n \"data\": ");
    make_table(&table, growths);
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
    hpm_string_add(string, "}\n");
}
