/* SPDX-License-Identifier: BSD-3-Clause
 * hpmcount -l: what can be counted here. */
#include "hpmcount/listing.h"

#include <stdio.h>
#include <string.h>

#include "base/string.h"
#include "host/memory.h"
#include "report/table.h"
#include "report/text.h"
#include "source/eventset.h"
#include "study/report/tablewords.h"
#include "study/tool/catalogue.h"
#include "study/words/sentence.h"
#include "study/words/words.h"

/* The events that cannot be counted for one reason. */
struct failure {
    char *reason;
    struct hpm_string names;
};

struct listing {
    const struct hpm_source *const *sources;
    enum hpm_domain domain;
    struct hpm_inquiry *inquiry;
    struct hpm_table events;
    struct failure *failures;
    size_t n_failures;
    size_t capacity;
};

static void
add_failure(struct listing *listing, const char *name, const char *reason)
{
    size_t i = 0;

    while (i < listing->n_failures &&
           strcmp(listing->failures[i].reason, reason) != 0)
        i++;
    if (i == listing->n_failures) {
        if (!hpm_memory_grow(&listing->failures, &listing->capacity, i + 1,
                             sizeof *listing->failures))
            return;
        listing->failures[i].reason = hpm_memory_copy_text(reason);
        if (listing->failures[i].reason == NULL)
            return;
        listing->n_failures++;
    }
    hpm_string_add_format(&listing->failures[i].names, " %s", name);
}

static void
visit_event(const char *name, void *context)
{
    struct listing *listing = context;
    struct hpm_eventset set = {0};
    const struct hpm_event *event;
    struct hpm_error err;

    if (!hpm_eventset_add(&set, name, listing->domain, listing->sources, &err))
        return;
    event = &set.events[0];
    if (event->source != NULL) {
        hpm_table_add_text(&listing->events, name);
        hpm_table_add_text(&listing->events, event->unit);
        hpm_table_add_text(&listing->events, event->description);
    } else {
        add_failure(listing, name, event->reason);
    }
    hpm_eventset_clear(&set);
}

/* The reason of the first event that cannot be counted; NULL when all can. */
static const char *
first_reason(const struct hpm_eventset *set)
{
    for (size_t i = 0; i < set->n_events; i++) {
        if (set->events[i].source == NULL)
            return set->events[i].reason;
    }
    return NULL;
}

static void
add_sets(const struct listing *listing, struct hpm_table *table)
{
    for (const struct hpm_named_set *named = hpm_named_sets; named->name;
         named++) {
        struct hpm_eventset set = {0};
        struct hpm_error err;

        if (!hpm_inquiry_lists_set(listing->inquiry, named))
            continue;
        if (!hpm_eventset_add(&set, named->events, listing->domain,
                              listing->sources, &err))
            continue;
        hpm_table_add_text(table, named->name);
        hpm_table_add_text(table,
                           first_reason(&set) == NULL ? N_("yes") : N_("no"));
        hpm_table_add_text(table, named->events);
        hpm_eventset_clear(&set);
    }
}

/* Append the words of a blank-separated list in lines of at most 78 columns. */
static void
add_wrapped(struct hpm_string *text, const char *words)
{
    size_t column = 0;

    while (*words != '\0') {
        size_t length = strcspn(words + 1, " ") + 1;

        if (column > 0 && column + length > 76) {
            hpm_string_add_char(text, '\n');
            column = 0;
        }
        if (column == 0)
            hpm_string_add_char(text, ' ');
        hpm_string_add_bytes(text, words, length);
        column += length;
        words += length;
    }
    hpm_string_add_char(text, '\n');
}

static void
add_listing(struct hpm_string *text, struct listing *listing)
{
    struct hpm_table sets = {0}, metrics = {0};

    if (listing->sources[0] == NULL)
        hpm_string_add(text, _("HPM_SOURCE=none: only the time is measured\n"));
    hpm_tablewords_translate(&listing->events, NULL);
    hpm_text_add_table(text, &listing->events);
    hpm_catalogue_fill_sets(&sets, &listing->inquiry->request);
    add_sets(listing, &sets);
    hpm_string_add_char(text, '\n');
    hpm_tablewords_translate(&sets, "members");
    hpm_text_add_table(text, &sets);
    hpm_catalogue_fill(&metrics, &listing->inquiry->request, false);
    hpm_string_add_char(text, '\n');
    hpm_tablewords_translate(&metrics, NULL);
    hpm_text_add_table(text, &metrics);
    text->failed |= sets.failed || metrics.failed || listing->events.failed;
    hpm_table_clear(&sets);
    hpm_table_clear(&metrics);
    for (size_t i = 0; i < listing->n_failures; i++) {
        struct hpm_string reason = {0};

        hpm_sentence_add(&reason, listing->failures[i].reason);
        hpm_string_add_format(text, _("\nnot here: %s\n"),
                              hpm_string_text(&reason));
        hpm_string_finish(&reason, &text->failed);
        add_wrapped(text, hpm_string_text(&listing->failures[i].names));
    }
}

int
listing_print(struct hpm_inquiry *inquiry)
{
    struct listing listing = {.sources = inquiry->sources,
                              .domain = inquiry->domain,
                              .inquiry = inquiry};
    struct hpm_string text = {0};
    bool is_good;

    hpm_table_add_column(&listing.events, "event", N_("event (-e)"), 0);
    hpm_table_add_column(&listing.events, N_("unit"), NULL, 0);
    hpm_table_add_column(&listing.events, N_("description"), NULL, 0);
    for (size_t i = 0; inquiry->sources[i] != NULL; i++)
        inquiry->sources[i]->list(visit_event, &listing);
    add_listing(&text, &listing);
    is_good = !text.failed && fputs(hpm_string_text(&text), stdout) >= 0 &&
              fflush(stdout) == 0;
    if (!is_good)
        fputs(_("hpmcount: cannot write the list to standard output\n"),
              stderr);
    for (size_t i = 0; i < listing.n_failures; i++) {
        hpm_memory_free(listing.failures[i].reason);
        hpm_string_free(&listing.failures[i].names);
    }
    hpm_memory_free(listing.failures);
    hpm_table_clear(&listing.events);
    hpm_string_free(&text);
    return is_good ? 0 : 125;
}
