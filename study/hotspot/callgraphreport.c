/* SPDX-License-Identifier: BSD-3-Clause
 * The call graph as a report. */
#include "config.h"

#include "study/hotspot/callgraphreport.h"

#include "study/hotspot/hotspotreport.h"
#include "study/report/format.h"
#include "study/report/paragraph.h"
#include "study/report/tablewords.h"
#include "study/statistics/proportion.h"
#include "study/words/words.h"

static const char *
text_of(const struct hpm_callgraph *graph, uint32_t name)
{
    return hpm_names_text(&graph->stacks.names, name);
}

/* ---- text ------------------------------------------------------------ */

static void
add_entry(struct hpm_table *table, const struct hpm_callgraph *graph,
          const struct hpm_callgraph_entry *entry, uint64_t n_all)
{
    hpm_table_add_text(table, text_of(graph, entry->function.name));
    if (hpm_callgraph_is_call(entry))
        hpm_table_add_text(table, text_of(graph, entry->caller.name));
    else
        hpm_table_add_count(table, entry->n_self);
    hpm_table_add_count(table, entry->n);
    hpm_hotspotreport_add_share(table, entry->n, n_all);
    hpm_table_add_text_or_none(table, text_of(graph, entry->function.module));
}

/* Add at most n_most of the entries from `first` to `end` (not included). */
static void
add_entries(struct hpm_string *string, const struct hpm_callgraph *graph,
            size_t first, size_t end, uint64_t n_all, size_t n_most,
            const struct hpm_text_style *style)
{
    bool are_calls =
        first < end && hpm_callgraph_is_call(&graph->entries[first]);
    struct hpm_table table = {0};
    size_t shown_end = end - first < n_most ? end : first + n_most;

    if (first == end)
        return;
    hpm_table_add_column(&table, "function", NULL, 0);
    hpm_table_add_column(&table, are_calls ? N_("called by") : N_("in it"),
                         NULL, 0);
    hpm_table_add_column(&table, are_calls ? "samples" : N_("with calls"), NULL,
                         0);
    hpm_table_add_column(&table, "share %", NULL, 1);
    hpm_table_add_column(&table, "interval %", NULL, 0);
    hpm_table_align_column(&table);
    hpm_table_add_column(&table, "module", NULL, 0);
    for (size_t i = first; i < shown_end; i++)
        add_entry(&table, graph, &graph->entries[i], n_all);
    hpm_string_add_char(string, '\n');
    hpm_tablewords_add_in(string, &table, "called by", style);
    hpm_table_finish(&table, &string->failed);
    if (shown_end < end)
        hpm_string_add_format(string, _("and %zu more\n"), end - shown_end);
}

/* The end of the consecutive entries of this event that are calls, or that are
 * functions. */
static size_t
find_end(const struct hpm_callgraph *graph, size_t from, uint32_t sampled,
         bool are_calls)
{
    while (from < graph->n_entries && graph->entries[from].sampled == sampled &&
           hpm_callgraph_is_call(&graph->entries[from]) == are_calls)
        from++;
    return from;
}

static void
add_callers_known(struct hpm_string *string, uint64_t n, uint64_t n_called,
                  size_t width)
{
    struct hpm_string line = {0}, called = {0}, all = {0};

    hpm_string_add_grouped(&called, n_called);
    hpm_string_add_grouped(&all, n);
    hpm_string_add_format(&line,
                          hpm_words_of("Callers are known of %s of %s sample",
                                       "Callers are known of %s of %s samples",
                                       n),
                          hpm_string_text(&called), hpm_string_text(&all));
    if (2 * n_called < n)
        hpm_string_add(&line, _(": most of the program has no frame pointers; "
                                "compile it, and its libraries, with "
                                "-fno-omit-frame-pointer"));
    hpm_string_add(&line, _(". A function without frame pointer hides its "
                            "caller, which is left out."));
    hpm_paragraph_add_line(string, &line, width);
    hpm_string_free(&line);
    hpm_string_free(&called);
    hpm_string_free(&all);
}

void
hpm_callgraphreport_add_text(struct hpm_string *string,
                             const struct hpm_callgraph *graph,
                             const struct hpm_hotspots *hotspots, size_t n_most,
                             const struct hpm_text_style *style)
{
    size_t first = 0, end;

    for (size_t i = 0; i < hotspots->n_parts; i++) {
        const struct hpm_hotspots_part *part = &hotspots->parts[i];
        uint64_t n, n_called;

        if (part->section != HPM_NO_INDEX)
            continue;
        if (i > 0)
            hpm_string_add_char(string, '\n');
        hpm_hotspotreport_add_head(string, hotspots, part, style->width);
        hpm_stacks_count(&graph->stacks, part->sampled, &n, &n_called);
        add_callers_known(string, n, n_called, style->width);
        end = find_end(graph, first, part->sampled, false);
        add_entries(string, graph, first, end, n, n_most, style);
        first = find_end(graph, end, part->sampled, true);
        add_entries(string, graph, end, first, n, n_most, style);
    }
}

/* ---- tables for programs --------------------------------------------- */

static void
add_row(struct hpm_table *table, const struct hpm_callgraph *graph,
        const struct hpm_callgraph_entry *entry, uint64_t n_all)
{
    const struct hpm_study_sampled *sampled =
        &graph->stacks.study->sampled[entry->sampled];
    double low, high;

    hpm_table_add_text(table, sampled->name);
    hpm_table_add_text_or_none(table, sampled->domain);
    hpm_table_add_text_or_none(table, sampled->unit);
    hpm_table_add_count(table, sampled->period);
    hpm_table_add_text(table, text_of(graph, entry->function.name));
    hpm_table_add_text_or_none(table, text_of(graph, entry->function.module));
    if (hpm_callgraph_is_call(entry)) {
        hpm_table_add_text(table, text_of(graph, entry->caller.name));
        hpm_table_add_text_or_none(table, text_of(graph, entry->caller.module));
        hpm_table_add_none(table);
    } else {
        hpm_table_add_nones(table, 2);
        hpm_table_add_count(table, entry->n_self);
    }
    hpm_table_add_count(table, entry->n);
    if (n_all < HPM_HOTSPOTS_LEAST) {
        hpm_table_add_nones(table, 3);
    } else {
        hpm_proportion_interval(entry->n, n_all, &low, &high);
        hpm_table_add_real(table, (double)entry->n / (double)n_all);
        hpm_table_add_real(table, low);
        hpm_table_add_real(table, high);
    }
    hpm_table_add_count(table, n_all);
}

static void
make_table(struct hpm_table *table, const struct hpm_callgraph *graph)
{
    static const char *const names[] = {
        "event",  "domain", "unit",          "period", "function",
        "module", "caller", "caller_module", "self",   "samples",
        "share",  "low",    "high",          "of"};
    uint64_t n_all = 0, n_called;

    hpm_table_add_columns(table, names, sizeof names / sizeof names[0], 6);
    for (size_t i = 0; i < graph->n_entries; i++) {
        const struct hpm_callgraph_entry *entry = &graph->entries[i];

        if (i == 0 || entry->sampled != entry[-1].sampled)
            hpm_stacks_count(&graph->stacks, entry->sampled, &n_all, &n_called);
        add_row(table, graph, entry, n_all);
    }
}

void
hpm_callgraphreport_add_csv(struct hpm_string *string,
                            const struct hpm_callgraph *graph)
{
    struct hpm_table table = {0};

    make_table(&table, graph);
    hpm_csv_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
}

void
hpm_callgraphreport_add_json(struct hpm_string *string,
                             const struct hpm_callgraph *graph)
{
    struct hpm_table table = {0};

    hpm_string_add(string,
                   "{\"tool\": \"" PACKAGE_TARNAME " " PACKAGE_VERSION
                   "\",\n \"version\": 1,\n \"by\": \"call\",\n \"data\": ");
    make_table(&table, graph);
    hpm_json_add_table(string, &table);
    hpm_table_finish(&table, &string->failed);
    hpm_string_add(string, "}\n");
}
