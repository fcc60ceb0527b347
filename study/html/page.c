/* SPDX-License-Identifier: BSD-3-Clause
 * Surveys as one HTML file. */
#include "config.h"

#include "study/html/page.h"

#include <string.h>

#include "study/html/base64.h"
#include "study/html/facts.h"
#include "study/html/parts.h"
#include "study/html/samples.h"
#include "study/html/sha256.h"
#include "study/html/tables.h"
#include "study/report/format.h"
#include "study/report/overview.h"

/* A usual limit of mail attachments; data of a million records fit. */
static const size_t usual_most_bytes = 20 * 1000 * 1000;

enum { AROUND = 500 }; /* bytes of tags around the data, at most */

/* ---- text in HTML ---------------------------------------------------- */

static void
add_escaped(struct hpm_string *page, const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '&')
            hpm_string_add(page, "&amp;");
        else if (*text == '<')
            hpm_string_add(page, "&lt;");
        else if (*text == '>')
            hpm_string_add(page, "&gt;");
        else if (*text == '"')
            hpm_string_add(page, "&quot;");
        else
            hpm_string_add_char(page, *text);
    }
}

/* JSON inside a script element: "<" is escaped, so that nothing ends the
 * element or begins a comment, and so are two line ends that only JavaScript
 * knows. */
static void
add_json(struct hpm_string *page, const char *json)
{
    while (*json != '\0') {
        size_t length = strcspn(json, "<\xe2");

        hpm_string_add_bytes(page, json, length);
        json += length;
        if (*json == '<') {
            hpm_string_add(page, "\\u003c");
            json++;
        } else if (strncmp(json, "\xe2\x80\xa8", 3) == 0 ||
                   strncmp(json, "\xe2\x80\xa9", 3) == 0) {
            hpm_string_add(page, json[2] == '\xa8' ? "\\u2028" : "\\u2029");
            json += 3;
        } else if (*json != '\0') {
            hpm_string_add_char(page, *json++);
        }
    }
}

/* ---- elements with data ---------------------------------------------- */

static void
begin_block(struct hpm_string *page, size_t experiment, char what, size_t which)
{
    hpm_string_add_format(page, "<script type=\"text/plain\" id=\"e%zu%c",
                          experiment, what);
    if (which != SIZE_MAX)
        hpm_string_add_format(page, "%zu", which);
    hpm_string_add(page, "\">");
}

static void
end_block(struct hpm_string *page)
{
    hpm_string_add(page, "</script>\n");
}

static void
add_quantities(struct hpm_string *page, size_t experiment, char what,
               const struct hpm_survey *survey)
{
    for (size_t i = 0; i < survey->n_quantities; i++) {
        begin_block(page, experiment, what, i);
        page->failed |= !hpm_html_add_quantity(page, survey, i);
        end_block(page);
    }
}

/* Of the experiments from `first` up to before `end`. */
static void
add_threads(struct hpm_string *page,
            const struct hpm_html_experiment *experiments, size_t first,
            size_t end, enum hpm_html_detail detail)
{
    for (size_t i = first; i < end && detail < HPM_HTML_NOTHING; i++) {
        struct hpm_survey *survey = experiments[i].sections;

        for (size_t j = 0; j < survey->n_subjects && !page->failed; j++) {
            begin_block(page, i, 't', j);
            page->failed |= !hpm_html_add_threads(page, survey, j, detail);
            end_block(page);
        }
    }
}

/* An estimate of the bytes that the threads' values take in base64: the digits
 * of metrics are random, the upper half of a count mostly equals its
 * neighbour's. */
static double
guess_bytes(const struct hpm_html_experiment *experiments, size_t n,
            enum hpm_html_detail detail)
{
    double bytes = 0.0;

    for (size_t i = 0; i < n; i++) {
        const struct hpm_survey *survey = experiments[i].sections;
        double metrics = 0.0, counters = 0.0;

        for (size_t j = 0; j < survey->n_live; j++) {
            enum hpm_quantity_kind kind =
                survey->quantities[survey->live[j]].kind;

            metrics += kind == HPM_QUANTITY_METRIC;
            counters += kind == HPM_QUANTITY_COUNTER;
        }
        bytes += (double)survey->study->n_rows *
                 ((detail == HPM_HTML_ALL ? 7.0 * metrics : 0.0) +
                  (detail <= HPM_HTML_INCLUSIVE ? 3.0 * counters : 0.0) + 4.0);
    }
    return bytes * 4.0 / 3.0;
}

/* As much detail of single threads as the page has room for. */
static enum hpm_html_detail
fit_threads(struct hpm_string *threads,
            const struct hpm_html_experiment *experiments, size_t n,
            size_t room)
{
    enum hpm_html_detail detail = HPM_HTML_ALL;

    while (detail < HPM_HTML_NOTHING &&
           guess_bytes(experiments, n, detail) > 2.0 * (double)room)
        detail++;
    add_threads(threads, experiments, 0, n, detail);
    while (detail < HPM_HTML_NOTHING && threads->length > room) {
        hpm_string_clear(threads);
        detail++;
        add_threads(threads, experiments, 0, n, detail);
    }
    return detail;
}

/* ---- the page -------------------------------------------------------- */

static void
add_digest(struct hpm_string *page, const char *text)
{
    unsigned char digest[HPM_SHA256_BYTES];

    hpm_sha256(text, strlen(text), digest);
    hpm_string_add(page, "'sha256-");
    hpm_base64_add(page, digest, sizeof digest);
    hpm_string_add_char(page, '\'');
}

static void
add_head(struct hpm_string *page, const struct hpm_html_experiment *experiment)
{
    struct hpm_string name = {0};

    hpm_string_add_safe(&name, experiment->name);
    hpm_string_add(page, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                         "<meta charset=\"utf-8\">\n"
                         "<meta http-equiv=\"Content-Security-Policy\" "
                         "content=\"default-src 'none'; script-src ");
    add_digest(page, hpm_html_script);
    hpm_string_add(page, "; style-src ");
    add_digest(page, hpm_html_style);
    hpm_string_add(page, "; base-uri 'none'; form-action 'none'\">\n"
                         "<meta name=\"viewport\" "
                         "content=\"width=device-width, initial-scale=1\">\n"
                         "<meta name=\"color-scheme\" content=\"light dark\">\n"
                         "<meta name=\"generator\" content=\"hpm-toolkit "
                         "" PACKAGE_VERSION "\">\n<title>");
    add_escaped(page, hpm_string_text(&name));
    hpm_string_add(page, "</title>\n<style>");
    hpm_string_add(page, hpm_html_style);
    hpm_string_add(page, "</style>\n</head>\n");
    hpm_string_finish(&name, &page->failed);
}

/* For readers who block scripts: what ran, and where the numbers are. */
static void
add_plain(struct hpm_string *page, const struct hpm_html_experiment *experiment)
{
    struct hpm_string head = {0};

    hpm_overview_add_head(&head, experiment->sections, 0);
    hpm_string_add(page, "<noscript><p>The tables of this page need "
                         "JavaScript; 'hpm report' prints the same numbers "
                         "as text.</p><pre>");
    add_escaped(page, hpm_string_text(&head));
    hpm_string_add(page, "</pre></noscript>\n");
    hpm_string_finish(&head, &page->failed);
}

/* What the page's script reads first, up to the experiments. */
static void
add_facts(struct hpm_string *page,
          const struct hpm_html_experiment *experiments,
          enum hpm_html_detail detail, const char *sources)
{
    static const char *const details[] = {
        [HPM_HTML_ALL] = "all",
        [HPM_HTML_COUNTS] = "counts",
        [HPM_HTML_INCLUSIVE] = "inclusive",
        [HPM_HTML_TIMES] = "times",
        [HPM_HTML_EXCLUSIVE] = "exclusive",
        [HPM_HTML_NOTHING] = "nothing",
    };

    hpm_string_add(page, "<script type=\"application/json\" id=\"page\">");
    hpm_string_add_format(page,
                          "{\"tool\":\"" PACKAGE_TARNAME " " PACKAGE_VERSION
                          "\",\"version\":1,\"precision\":\"%s\","
                          "\"threads\":\"%s\",",
                          experiments[0].sections->options.precision ==
                                  HPM_PRECISION_SINGLE
                              ? "single"
                              : "double",
                          details[detail]);
    hpm_string_add(page, "\"sources\":");
    add_json(page, sources);
    hpm_string_add(page, ",\"experiments\":");
}

/* A list of the experiments from `first` up to before `end`. */
static void
add_experiments(struct hpm_string *facts,
                const struct hpm_html_experiment *experiments, size_t first,
                size_t end)
{
    struct hpm_string json = {0};

    hpm_string_add_char(&json, '[');
    for (size_t i = first; i < end; i++) {
        hpm_string_add(&json, i > first ? ",\n" : "");
        hpm_html_add_experiment(&json, &experiments[i]);
    }
    hpm_string_add_char(&json, ']');
    add_json(facts, hpm_string_text(&json));
    hpm_string_finish(&json, &facts->failed);
}

static void
add_summaries(struct hpm_string *page, size_t i,
              const struct hpm_html_experiment *experiment)
{
    page->failed |= *experiment->sections->lacks_memory;
    add_quantities(page, i, 'q', experiment->sections);
    if (experiment->paths != NULL)
        add_quantities(page, i, 'p', experiment->paths);
    begin_block(page, i, 'w', SIZE_MAX);
    page->failed |= !hpm_html_add_places(page, experiment->sections->study);
    end_block(page);
    begin_block(page, i, 'f', SIZE_MAX);
    hpm_html_add_details(page, experiment->sections);
    end_block(page);
    if (experiment->sections->study->n_hits > 0) {
        begin_block(page, i, 's', SIZE_MAX);
        page->failed |= !hpm_html_add_samples(page, experiment->sections);
        end_block(page);
    }
}

/* What a page has of some experiments. */
struct content {
    struct hpm_string facts, summaries, threads;
};

static size_t
length_of(const struct content *content)
{
    return content->facts.length + content->summaries.length +
           content->threads.length;
}

static void
add_content(struct content *content,
            const struct hpm_html_experiment *experiments, size_t first,
            size_t end)
{
    add_experiments(&content->facts, experiments, first, end);
    for (size_t i = first; i < end; i++)
        add_summaries(&content->summaries, i, &experiments[i]);
}

/* Groups of threads are there in the detail of the run, which must lose none for
 * them, or not at all. */
static void
add_groups(struct content *groups,
           const struct hpm_html_experiment *experiments, size_t first,
           size_t end, enum hpm_html_detail detail, size_t room)
{
    add_content(groups, experiments, first, end);
    if (length_of(groups) <= room)
        add_threads(&groups->threads, experiments, first, end, detail);
    if (first == end || length_of(groups) <= room)
        return;
    hpm_string_clear(&groups->facts);
    hpm_string_clear(&groups->summaries);
    hpm_string_clear(&groups->threads);
    hpm_string_add(&groups->facts, "[],\"groups_have_no_room\":true");
}

static void
add_all(struct hpm_string *page, struct content *runs, struct content *groups)
{
    hpm_string_add_bytes(page, hpm_string_text(&runs->facts),
                         runs->facts.length);
    hpm_string_add(page, ",\"groups\":");
    hpm_string_add_bytes(page, hpm_string_text(&groups->facts),
                         groups->facts.length);
    hpm_string_add_char(page, '}');
    end_block(page);
    hpm_string_add_bytes(page, hpm_string_text(&runs->summaries),
                         runs->summaries.length);
    hpm_string_add_bytes(page, hpm_string_text(&groups->summaries),
                         groups->summaries.length);
    hpm_string_add_bytes(page, hpm_string_text(&runs->threads),
                         runs->threads.length);
    hpm_string_add_bytes(page, hpm_string_text(&groups->threads),
                         groups->threads.length);
}

static void
clear_content(struct content *content, bool *failed)
{
    hpm_string_finish(&content->facts, failed);
    hpm_string_finish(&content->summaries, failed);
    hpm_string_finish(&content->threads, failed);
}

void
hpm_html_add_page(struct hpm_string *string,
                  const struct hpm_html_experiment *experiments, size_t n,
                  const struct hpm_html_options *options)
{
    size_t room =
        options->most_bytes > 0 ? options->most_bytes : usual_most_bytes;
    size_t n_runs = n - options->n_groups, begin = string->length, fixed;
    const char *sources = options->sources != NULL ? options->sources : "{}";
    struct content runs = {.facts = {0}}, groups = {.facts = {0}};
    enum hpm_html_detail detail;

    add_head(string, &experiments[0]);
    hpm_string_add(string, hpm_html_body);
    add_plain(string, &experiments[0]);
    add_content(&runs, experiments, 0, n_runs);
    fixed = string->length - begin + strlen(sources) + strlen(hpm_html_script) +
            AROUND + length_of(&runs);
    room = room > fixed ? room - fixed : 0;
    detail = fit_threads(&runs.threads, experiments, n_runs, room);
    room = room > runs.threads.length ? room - runs.threads.length : 0;
    add_groups(&groups, experiments, n_runs, n, detail, room);
    add_facts(string, experiments, detail, sources);
    add_all(string, &runs, &groups);
    hpm_string_add(string, "<script>");
    hpm_string_add(string, hpm_html_script);
    hpm_string_add(string, "</script>\n</body>\n</html>\n");
    clear_content(&runs, &string->failed);
    clear_content(&groups, &string->failed);
}

bool
hpm_html_has_paths(const struct hpm_study *study)
{
    for (size_t i = 0; i < study->n_sections; i++) {
        if (study->sections[i].parent != HPM_NO_INDEX)
            return true;
    }
    return false;
}
