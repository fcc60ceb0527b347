/* SPDX-License-Identifier: BSD-3-Clause
 * Counts of consecutive time intervals. */
#include "hpmcount/intervals.h"

#include <math.h>
#include <string.h>

#include "host/memory.h"
#include "hpmcount/say.h"
#include "report/text.h"
#include "source/clock.h"
#include "study/node/nodesource.h"
#include "study/report/format.h"
#include "study/words/words.h"

static const struct watch_part whole = {.name = N_("all"), .number = -1};

void
intervals_prepare(struct intervals *ret_intervals,
                  const struct options *options, const struct outputs *outputs)
{
    *ret_intervals = (struct intervals){
        .options = options, .outputs = outputs, .next_ns = UINT64_MAX};
}

void
intervals_clear(struct intervals *intervals)
{
    hpm_memory_free(intervals->first);
    hpm_memory_free(intervals->before);
    intervals->first = intervals->before = NULL;
    intervals->is_open = false;
}

bool
intervals_are_due(const struct intervals *intervals)
{
    return intervals->is_open && hpm_clock_instant().ns >= intervals->next_ns;
}

/* ---- one value ------------------------------------------------------- */

/* The data of one row of a table. */
struct tally {
    const char *kind; /* "interval", "sum" */
    const struct watch_part *part;
    const struct hpm_event *event;
    double end_s, length_s; /* since the begin; of the interval */
    struct hpm_count count;
};

/* Is the source readable during the run?  The usage of a child is only known
 * when the child has ended, so it has no intervals. */
static bool
is_read_meanwhile(const struct hpm_source *source)
{
    return source == &hpm_source_kernel || source == &hpm_source_node;
}

static void
find_count(const struct intervals *intervals, size_t event,
           const uint64_t *difference, struct hpm_count *ret_count)
{
    *ret_count = hpm_meter_count(intervals->meter, event, difference);
    if (hpm_state_has_value(ret_count->state) &&
        !is_read_meanwhile(intervals->meter->set->events[event].source))
        ret_count->state = HPM_STATE_UNSUPPORTED;
}

static bool
has_value(const struct tally *tally)
{
    return hpm_state_has_value(tally->count.state);
}

static double
rate_of(const struct tally *tally)
{
    return tally->length_s > 0.0 ? (double)tally->count.value / tally->length_s
                                 : NAN;
}

static const char *
unit_of(const struct tally *tally)
{
    return tally->event->unit != NULL ? tally->event->unit : "";
}

/* ---- text ------------------------------------------------------------ */

enum { TIME_WIDTH = 12, PART_WIDTH = 18, VALUE_WIDTH = 18 };

static void
add_right(struct hpm_string *string, struct hpm_string *text, size_t width)
{
    hpm_string_add_blanks(string, hpm_text_width(hpm_string_text(text)), width);
    hpm_string_add(string, hpm_string_text(text));
    hpm_string_finish(text, &string->failed);
    *text = (struct hpm_string){0};
}

/* A part with a number has a name of its own, such as a thread's program name;
 * the others have names to be translated. */
static void
add_part_name(struct hpm_string *text, const struct watch_part *part)
{
    if (part->number >= 0)
        hpm_string_add_format(text, "%d ", part->number);
    hpm_string_add_safe(text, part->number >= 0 ? part->name : _(part->name));
}

/* A unit as shown in text, also in rates. */
struct scale {
    const char *unit, *shown;
    double size; /* 1: the count itself */
};

static struct scale
scale_of(const struct tally *tally)
{
    static const struct scale scales[] = {{"ns", "s", 1e9}, {"uJ", "J", 1e6}};
    const char *unit = unit_of(tally);

    for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
        if (strcmp(scales[i].unit, unit) == 0)
            return scales[i];
    }
    return (struct scale){unit, unit, 1.0};
}

static void
add_values(struct hpm_string *string, const struct tally *tally, double size)
{
    bool is_scaled = size > 1.0;
    double rate = rate_of(tally);
    struct hpm_string text = {0};

    if (!has_value(tally))
        hpm_string_add(&text, "-");
    else if (is_scaled)
        hpm_string_add_fixed(&text, (double)tally->count.value / size, 6);
    else
        hpm_string_add_grouped(&text, tally->count.value);
    add_right(string, &text, VALUE_WIDTH);
    if (!has_value(tally) || isnan(rate))
        hpm_string_add(&text, "-");
    else
        hpm_string_add_fixed(&text, rate / size, is_scaled ? 6 : 1);
    add_right(string, &text, VALUE_WIDTH);
}

static void
add_text(struct hpm_string *string, const struct tally *tally)
{
    struct scale scale = scale_of(tally);
    struct hpm_string text = {0};

    if (strcmp(tally->kind, "sum") == 0)
        hpm_string_add(&text, _("sum"));
    else
        hpm_string_add_fixed(&text, tally->end_s, 3);
    add_right(string, &text, TIME_WIDTH);
    hpm_string_add(string, "  ");
    add_part_name(&text, tally->part);
    hpm_string_add(string, hpm_string_text(&text));
    hpm_string_add_blanks(string, hpm_text_width(hpm_string_text(&text)),
                          PART_WIDTH);
    hpm_string_finish(&text, &string->failed);
    add_values(string, tally, scale.size);
    hpm_string_add_format(string, "  %s%s%s", tally->event->name,
                          scale.shown[0] != '\0' ? " " : "", scale.shown);
    if (tally->count.state != HPM_STATE_COUNTED)
        hpm_string_add_format(string, "  (%s)",
                              _(hpm_state_name(tally->count.state)));
    hpm_string_add_char(string, '\n');
}

static const char text_heading[] =
    N_("     seconds  part                          count        per second  "
       "event\n");

/* ---- CSV and JSON Lines ------------------------------------------------ */

static const char csv_heading[] =
    "kind,seconds,interval,part,number,event,unit,count,rate,state\n";

static const char *const keys[] = {"kind",   "seconds", "interval", "part",
                                   "number", "event",   "unit",     "count",
                                   "rate",   "state"};

enum { N_KEYS = sizeof keys / sizeof *keys };

static void
fill_table(struct hpm_table *table, const struct tally *tally)
{
    double rate = rate_of(tally);

    hpm_table_add_text(table, tally->kind);
    hpm_table_add_real(table, tally->end_s);
    hpm_table_add_real(table, tally->length_s);
    hpm_table_add_text(table, tally->part->name);
    hpm_table_add_integer(table, tally->part->number);
    hpm_table_add_text(table, tally->event->name);
    hpm_table_add_text(table, unit_of(tally));
    if (has_value(tally))
        hpm_table_add_count(table, tally->count.value);
    else
        hpm_table_add_none(table);
    if (has_value(tally) && !isnan(rate))
        hpm_table_add_real(table, rate);
    else
        hpm_table_add_none(table);
    hpm_table_add_text(table, hpm_state_name(tally->count.state));
}

/* One row; a JSON object is on a line of its own. */
static void
add_row(struct hpm_string *string, const struct tally *tally, bool is_json)
{
    struct hpm_table table = {0};
    struct hpm_string row = {0};

    hpm_table_add_columns(&table, keys, N_KEYS, 9);
    fill_table(&table, tally);
    if (is_json)
        hpm_json_add_rows(&row, &table, true);
    else
        hpm_csv_add_rows(&row, &table);
    hpm_string_trim(&row);
    hpm_string_add(string, hpm_string_text(&row) +
                               strspn(hpm_string_text(&row), " \n"));
    if (is_json)
        hpm_string_add_char(string, '\n');
    hpm_string_finish(&row, &string->failed);
    hpm_table_finish(&table, &string->failed);
}

/* ---- all intervals ----------------------------------------------------- */

static void
add_rows(const struct intervals *intervals, struct hpm_string *string,
         const char *kind, const uint64_t *from, uint64_t from_ns,
         const uint64_t *to, uint64_t to_ns)
{
    const struct hpm_meter *meter = intervals->meter;
    const struct format *format = intervals->options->format;
    struct tally tally = {.kind = kind,
                          .end_s = (double)(to_ns - intervals->first_ns) / 1e9,
                          .length_s = (double)(to_ns - from_ns) / 1e9};

    for (size_t part = 0; part < intervals->n_parts; part++) {
        uint64_t difference[HPM_MAX_SLOTS] = {0};

        for (size_t i = 0; i < meter->n_slots; i++)
            difference[i] =
                to[part * meter->n_slots + i] - from[part * meter->n_slots + i];
        tally.part = &intervals->parts[part];
        for (size_t event = 0; event < meter->n_events; event++) {
            tally.event = &meter->set->events[event];
            if (tally.event->is_hidden)
                continue;
            find_count(intervals, event, difference, &tally.count);
            if (format->add_messages == NULL)
                add_text(string, &tally);
            else
                add_row(string, &tally, format->is_json);
        }
    }
}

static void
tell(struct intervals *intervals, struct hpm_string *text, size_t heading)
{
    if (text->failed)
        say("out of memory; an interval is missing");
    else
        outputs_stream(intervals->outputs, text, heading);
    hpm_string_free(text);
}

static void
tell_heading(struct intervals *intervals)
{
    const struct format *format = intervals->options->format;
    struct hpm_string text = {0};

    if (format->is_json)
        return;
    outputs_stream_messages(intervals->outputs);
    hpm_string_add(&text, format->add_messages == NULL ? _(text_heading)
                                                       : csv_heading);
    tell(intervals, &text, text.length);
}

bool
intervals_begin(struct intervals *intervals, const struct hpm_meter *meter,
                const struct watch_part *parts, size_t n_parts,
                const uint64_t *rows, uint64_t ns, struct hpm_error *err)
{
    size_t n = n_parts * meter->n_slots;

    if (intervals->options->interval_ms == 0)
        return true;
    intervals->meter = meter;
    intervals->parts = parts != NULL ? parts : &whole;
    intervals->n_parts = n_parts;
    intervals->first = hpm_memory_new(n, sizeof *intervals->first);
    intervals->before = hpm_memory_new(n, sizeof *intervals->before);
    if (intervals->first == NULL || intervals->before == NULL)
        return hpm_error_no_memory(err);
    memcpy(intervals->first, rows, n * sizeof *rows);
    memcpy(intervals->before, rows, n * sizeof *rows);
    intervals->first_ns = intervals->before_ns = ns;
    intervals->next_ns = ns + intervals->options->interval_ms * 1000000u;
    intervals->is_open = true;
    tell_heading(intervals);
    return true;
}

static void
take(struct intervals *intervals, struct hpm_string *text, const uint64_t *rows,
     uint64_t ns)
{
    size_t n = intervals->n_parts * intervals->meter->n_slots;

    add_rows(intervals, text, "interval", intervals->before,
             intervals->before_ns, rows, ns);
    memcpy(intervals->before, rows, n * sizeof *rows);
    intervals->before_ns = ns;
}

/* Intervals that were not read in time are combined into one longer
 * interval. */
void
intervals_add(struct intervals *intervals, const uint64_t *rows, uint64_t ns)
{
    uint64_t period_ns = intervals->options->interval_ms * 1000000u;
    struct hpm_string text = {0};

    take(intervals, &text, rows, ns);
    intervals->next_ns +=
        ((ns - intervals->next_ns) / period_ns + 1) * period_ns;
    tell(intervals, &text, 0);
}

void
intervals_end(struct intervals *intervals, const uint64_t *rows, uint64_t ns)
{
    struct hpm_string text = {0};

    if (!intervals->is_open)
        return;
    take(intervals, &text, rows, ns);
    add_rows(intervals, &text, "sum", intervals->first, intervals->first_ns,
             rows, ns);
    tell(intervals, &text, 0);
}
