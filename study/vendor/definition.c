/* SPDX-License-Identifier: BSD-3-Clause
 * Definitions of events and metrics, written as text. */
#include "study/vendor/definition.h"

#include <string.h>

#include "study/vendor/notation.h"
#include "study/vendor/translate.h"
#include "study/vendor/variant.h"

enum { WIDTH = 79, INDENT = 4 };

static bool
has_text(const char *text)
{
    return text != NULL && text[0] != '\0';
}

/* ---- lines ----------------------------------------------------------- */

/* Break a text at blanks; each further line begins with `begin`. */
static void
add_wrapped(struct hpm_string *string, size_t column, const char *begin,
            const char *text)
{
    while (*text != '\0') {
        size_t length = strcspn(text, " ");

        if (column + 1 + length > WIDTH && column > INDENT) {
            hpm_string_add_format(string, "\n%s", begin);
            column = strlen(begin);
        } else {
            hpm_string_add_char(string, ' ');
            column++;
        }
        hpm_string_add_bytes(string, text, length);
        column += length;
        text += length + strspn(text + length, " ");
    }
    hpm_string_add_char(string, '\n');
}

static void
add_quoted(struct hpm_string *string, const char *word, const char *text)
{
    hpm_string_add_format(string, "    %s \"", word);
    hpm_notation_add_quoted(string, text);
    hpm_string_add(string, "\"\n");
}

static void
add_refusal(struct hpm_string *string, const char *what, const char *name,
            const char *why)
{
    struct hpm_string line = {0};

    hpm_string_add_format(&line, "%s %s: %s", what, name, why);
    hpm_string_add_char(string, '#');
    add_wrapped(string, 1, "#  ", hpm_string_text(&line));
    hpm_string_finish(&line, &string->failed);
}

/* ---- the head -------------------------------------------------------- */

static void
add_source(struct hpm_string *text, const struct hpm_vendor_source *source,
           bool has_words)
{
    hpm_string_add(text, "#   ");
    hpm_notation_add_quoted(text, source->path);
    if (has_text(source->version))
        hpm_string_add_format(text, " %s", source->version);
    hpm_string_add_format(text, " (%s)\n", source->form);
    if (has_words && has_text(source->copyright)) {
        hpm_string_add(text, "#     ");
        hpm_notation_add_quoted(text, source->copyright);
        hpm_string_add_char(text, '\n');
    }
}

static void
add_head(struct hpm_string *text, const struct hpm_vendor *vendor,
         bool has_words)
{
    hpm_string_add(text, "# Made by hpm import-definitions of\n");
    for (size_t i = 0; i < vendor->n_sources; i++)
        add_source(text, &vendor->sources[i], has_words);
}

/* Ids in lines of one quoted text each. */
static void
add_ids(struct hpm_string *text, const char *ids)
{
    while (*ids != '\0') {
        size_t length = 0;

        while (ids[length] != '\0' &&
               length + strcspn(ids + length, ",") + 1 < WIDTH - INDENT) {
            length += strcspn(ids + length, ",");
            length += ids[length] == ',';
        }
        if (length == 0)
            length = strlen(ids);
        hpm_string_add(text, "\n    \"");
        hpm_string_add_bytes(text, ids, length);
        hpm_string_add_char(text, '"');
        ids += length;
    }
    hpm_string_add_char(text, '\n');
}

/* The first kind of cores of the same processor that is after `last` and before
 * `processor`; NULL: none. */
static const struct hpm_vendor_processor *
find_earlier(const struct hpm_vendor *vendor,
             const struct hpm_vendor_processor *last,
             const struct hpm_vendor_processor *processor)
{
    for (const struct hpm_vendor_processor *other =
             last != NULL ? last + 1 : vendor->processors;
         other < processor; other++) {
        if (!other->is_shared && strcmp(other->name, processor->name) == 0)
            return other;
    }
    return NULL;
}

static void
add_processor(struct hpm_string *text, const struct hpm_vendor *vendor,
              const struct hpm_vendor_processor *processor)
{
    const struct hpm_vendor_processor *other =
        find_earlier(vendor, NULL, processor);

    if (processor->kind[0] != '\0')
        hpm_string_add_format(text,
                              "\n# One kind of its cores: what %s counts "
                              "has names that begin with %s.",
                              processor->pmu, processor->kind);
    if (has_text(processor->ids) && (other == NULL || !has_text(other->ids) ||
                                     strcmp(other->ids, processor->ids) != 0)) {
        hpm_string_add_format(text, "\nprocessor %s =", processor->name);
        add_ids(text, processor->ids);
        if (has_text(processor->title))
            add_quoted(text, "label", processor->title);
    }
    hpm_string_add_format(text, "\narch %s%s%s", processor->name,
                          processor->others[0] != '\0' ? " " : "",
                          processor->others);
    if (has_text(processor->title)) {
        hpm_string_add(text, " \"");
        hpm_notation_add_quoted(text, processor->title);
        hpm_string_add_char(text, '"');
    }
    hpm_string_add(text, "\n\n");
}

/* ---- constants and events -------------------------------------------- */

static void
add_constants(struct hpm_string *text,
              const struct hpm_vendor_processor *processor)
{
    if (processor->n_slots > 0.0) {
        hpm_string_add(text, "const WIDTH = ");
        hpm_string_add_real(text, processor->n_slots);
        hpm_string_add(text, "  source \"the vendor's slots a cycle\"\n");
    }
    for (size_t i = 0; i < processor->n_latencies; i++) {
        hpm_string_add(text, "const ");
        hpm_translate_add_latency(text, processor,
                                  processor->latencies[i].event);
        hpm_string_add(text, " = ");
        hpm_string_add_real(text, processor->latencies[i].cycles);
        hpm_string_add(text, "  unit \"cycles\"\n    source \"mean that the "
                             "vendor measured; replace it by your own\"\n");
    }
}

/* Kinds of cores share some units: does an earlier kind, or the processor's own
 * list, already have this event? */
static bool
is_given(const struct hpm_vendor *vendor,
         const struct hpm_vendor_processor *processor,
         const struct hpm_vendor_event *event)
{
    const struct hpm_vendor_processor *other =
        event->code.is_of_node ? find_earlier(vendor, NULL, processor) : NULL;

    for (; other != NULL; other = find_earlier(vendor, other, processor)) {
        const struct hpm_vendor_event *there =
            hpm_vendor_find_event(other, event->name);

        if (there != NULL && there->why == NULL)
            return true;
    }
    return false;
}

static void
add_events(struct hpm_string *text, const struct hpm_vendor *vendor,
           const struct hpm_vendor_processor *processor, bool has_words)
{
    for (size_t i = 0; i < processor->n_events; i++) {
        const struct hpm_vendor_event *event = &processor->events[i];

        if (event->why != NULL || is_given(vendor, processor, event))
            continue;
        hpm_string_add_format(text, "event %s = ", event->ours);
        hpm_variant_add_code(text, processor, &event->code);
        hpm_string_add_char(text, '\n');
        if (has_words && has_text(event->info) && !event->is_variant)
            add_quoted(text, "info", event->info);
    }
}

/* ---- metrics --------------------------------------------------------- */

static void
add_limit(struct hpm_string *text, const struct hpm_vendor_metric *metric)
{
    if (!metric->has_limit)
        return;
    hpm_string_add_format(text, "    bad %c ",
                          metric->is_limit_above ? '>' : '<');
    hpm_string_add_real(text, metric->limit);
    hpm_string_add(text, "  source \"the vendor's limit\"\n");
}

/* The first event of "A;B" that has a code; NULL: none. */
static const struct hpm_vendor_event *
find_sample(const struct hpm_vendor_processor *processor, const char *names)
{
    while (has_text(names)) {
        size_t length = strcspn(names, ";, ");
        char name[256] = "";
        const struct hpm_vendor_event *event;

        if (length < sizeof name)
            memcpy(name, names, length);
        event = hpm_vendor_find_event(processor, name);
        if (event != NULL && event->why == NULL && !event->code.is_of_node)
            return event;
        names += length + strspn(names + length, ";, ");
    }
    return NULL;
}

/* Add the vendor's name to show, unless it has colons: it could be confused
 * with a time or an event. */
static void
add_shown_name(struct hpm_string *text,
               const struct hpm_vendor_processor *processor,
               const struct hpm_vendor_metric *metric)
{
    struct hpm_string name = {0};

    hpm_string_add_format(&name, "%s%s", processor->kind, metric->name);
    if (strstr(metric->name, "::") == NULL)
        add_quoted(text, "as", hpm_string_text(&name));
    hpm_string_finish(&name, &text->failed);
}

static void
add_attributes(struct hpm_string *text,
               const struct hpm_vendor_processor *processor,
               const struct hpm_vendor_metric *metric, bool has_words)
{
    const struct hpm_vendor_metric *parent =
        has_text(metric->parent)
            ? hpm_vendor_find_metric(processor, metric->parent)
            : NULL;
    const struct hpm_vendor_event *sample =
        find_sample(processor, metric->sample);

    if (metric->is_renamed)
        hpm_string_add_format(text, "    label \"the vendor's %s%s\"\n",
                              metric->name,
                              metric->is_of_node ? ", of the whole node" : "");
    else if (strcmp(metric->ours + strlen(processor->kind), metric->name) != 0)
        add_shown_name(text, processor, metric);
    if (has_text(metric->unit))
        add_quoted(text, "unit", metric->unit);
    if (metric->factor != 1.0) {
        hpm_string_add(text, "    scale 1 / ");
        hpm_string_add_real(text, metric->factor);
        hpm_string_add_char(text, '\n');
    }
    if (parent != NULL && parent != metric && parent->text != NULL)
        hpm_string_add_format(text, "    under %s\n", parent->ours);
    add_limit(text, metric);
    if (sample != NULL)
        hpm_string_add_format(text, "    sample %s\n", sample->ours);
    if (has_words && has_text(metric->info))
        add_quoted(text, "info", metric->info);
}

static void
add_formula(struct hpm_string *text, const struct hpm_vendor_metric *metric,
            const char *formula, const char *guard)
{
    size_t begin = text->length;

    hpm_string_add_format(text, "ratio %s =", metric->ours);
    add_wrapped(text, text->length - begin, "    ", formula);
    if (guard != NULL)
        hpm_string_add_format(text, "    %s\n", guard);
}

/* A metric of shared units alone is the same for each kind of cores: is it already
 * there? */
static bool
is_metric_given(const struct hpm_vendor *vendor,
                const struct hpm_vendor_processor *processor, const char *ours)
{
    const struct hpm_vendor_processor *other =
        find_earlier(vendor, NULL, processor);

    for (; other != NULL; other = find_earlier(vendor, other, processor)) {
        for (size_t i = 0; i < other->n_metrics; i++) {
            if (other->metrics[i].text != NULL &&
                strcmp(other->metrics[i].ours, ours) == 0)
                return true;
        }
    }
    return false;
}

static void
add_metrics(struct hpm_string *text, const struct hpm_vendor *vendor,
            const struct hpm_vendor_processor *processor, bool has_words)
{
    for (size_t i = 0; i < processor->n_metrics; i++) {
        const struct hpm_vendor_metric *metric = &processor->metrics[i];
        bool has_two = metric->text_smt != NULL;

        if (metric->text == NULL ||
            is_metric_given(vendor, processor, metric->ours))
            continue;
        hpm_string_add_char(text, '\n');
        if (has_two)
            add_formula(text, metric, metric->text_smt, "if SMT");
        add_formula(text, metric, metric->text, has_two ? "if no SMT" : NULL);
        add_attributes(text, processor, metric, has_words);
    }
}

static void
add_refusals(struct hpm_string *text,
             const struct hpm_vendor_processor *processor)
{
    hpm_string_add_char(text, '\n');
    for (size_t i = 0; i < processor->n_metrics; i++) {
        const struct hpm_vendor_metric *metric = &processor->metrics[i];

        if (metric->why != NULL)
            add_refusal(text, "no metric", metric->name, metric->why);
        else if (metric->why_no_limit != NULL)
            add_refusal(text, "no limit of", metric->name,
                        metric->why_no_limit);
    }
    for (size_t i = 0; i < processor->n_events; i++) {
        const struct hpm_vendor_event *event = &processor->events[i];

        if (event->why != NULL)
            add_refusal(text, "no event", event->name, event->why);
    }
}

void
hpm_definition_add(struct hpm_string *text, const struct hpm_vendor *vendor,
                   bool has_words)
{
    add_head(text, vendor, has_words);
    for (size_t i = 0; i < vendor->n_processors; i++) {
        const struct hpm_vendor_processor *processor = &vendor->processors[i];

        if (processor->is_shared)
            continue;
        add_processor(text, vendor, processor);
        add_constants(text, processor);
        add_events(text, vendor, processor, has_words);
        add_metrics(text, vendor, processor, has_words);
        add_refusals(text, processor);
    }
}
