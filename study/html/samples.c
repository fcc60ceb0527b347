/* SPDX-License-Identifier: BSD-3-Clause
 * The samples of an experiment on a page. */
#include "study/html/samples.h"

#include <stdlib.h>
#include <string.h>

#include "host/memory.h"
#include "host/path.h"
#include "study/hotspot/hotspotreport.h"
#include "study/html/block.h"
#include "study/html/facts.h"
#include "study/report/format.h"
#include "study/statistics/proportion.h"

enum { MOST_FUNCTIONS = 50, MOST_LINES = 20 };

/* The addresses of one function: consecutive elements of the part. */
struct function {
    const struct hpm_hotspot *places;
    size_t n_places;
    uint64_t n;
};

/* ---- functions ------------------------------------------------------- */

/* By function; the address with most samples of a function first. */
static int
compare_places(const void *first, const void *second)
{
    const struct hpm_hotspot *a = first, *b = second;
    int order = strcmp(a->name, b->name);

    if (order == 0)
        order = strcmp(a->module, b->module);
    if (order == 0)
        order = (b->n > a->n) - (b->n < a->n);
    return order != 0 ? order : strcmp(a->line, b->line);
}

static int
compare_functions(const void *first, const void *second)
{
    const struct function *a = first, *b = second;
    int order = (b->n > a->n) - (b->n < a->n);

    return order != 0 ? order : compare_places(a->places, b->places);
}

static bool
is_same_function(const struct hpm_hotspot *a, const struct hpm_hotspot *b)
{
    return a->name == b->name && a->module == b->module;
}

/* The functions of a part, most samples first; the caller frees them. */
static struct function *
find_functions(struct hpm_hotspots_part *part, size_t *ret_n)
{
    struct function *functions =
        hpm_memory_new(part->n_spots + 1, sizeof *functions);
    size_t n = 0;

    if (functions == NULL)
        return NULL;
    qsort(part->spots, part->n_spots, sizeof *part->spots, compare_places);
    for (size_t i = 0; i < part->n_spots; i++) {
        const struct hpm_hotspot *place = &part->spots[i];

        if (n == 0 || !is_same_function(functions[n - 1].places, place))
            functions[n++] = (struct function){.places = place};
        functions[n - 1].n_places++;
        functions[n - 1].n += place->n;
    }
    qsort(functions, n, sizeof *functions, compare_functions);
    *ret_n = n;
    return functions;
}

/* ---- JSON ------------------------------------------------------------ */

static void
add_count(struct hpm_string *json, uint64_t n)
{
    hpm_number_add(json, hpm_number_count(n));
}

static void
add_lines(struct hpm_string *json, const struct function *function)
{
    size_t n_more = 0, n = 0;

    hpm_string_add(json, ",\"lines\":[");
    for (size_t i = 0; i < function->n_places; i++) {
        if (function->places[i].line[0] == '\0')
            continue;
        if (n == MOST_LINES) {
            n_more++;
            continue;
        }
        hpm_string_add(json, n++ > 0 ? ",[" : "[");
        hpm_json_add_text(json, hpm_path_base_name(function->places[i].line));
        hpm_string_add_char(json, ',');
        add_count(json, function->places[i].n);
        hpm_string_add_char(json, ']');
    }
    hpm_string_add_format(json, "],\"more\":%zu", n_more);
}

static void
add_function(struct hpm_string *json, const struct function *function,
             uint64_t n_all)
{
    hpm_string_add(json, "{\"name\":");
    hpm_json_add_text(json, function->places[0].name);
    hpm_string_add(json, ",\"module\":");
    hpm_json_add_text(json, function->places[0].module);
    hpm_string_add(json, ",\"n\":");
    add_count(json, function->n);
    if (n_all < HPM_HOTSPOTS_LEAST) {
        hpm_string_add(json, ",\"low\":null,\"high\":null");
    } else {
        double low, high;

        hpm_proportion_interval(function->n, n_all, &low, &high);
        hpm_string_add(json, ",\"low\":");
        hpm_html_add_real(json, low);
        hpm_string_add(json, ",\"high\":");
        hpm_html_add_real(json, high);
    }
    add_lines(json, function);
    hpm_string_add_char(json, '}');
}

/* Append which of the page's sections this is. */
static void
add_row(struct hpm_string *json, const struct hpm_survey *survey,
        uint32_t section)
{
    const struct hpm_study_section *sections = survey->study->sections;
    size_t i = 0;

    while (section != HPM_NO_INDEX && i < survey->n_subjects &&
           !hpm_hotspots_is_same_section(&sections[survey->subjects[i].section],
                                         &sections[section]))
        i++;
    if (section == HPM_NO_INDEX || i == survey->n_subjects)
        hpm_string_add(json, "null");
    else
        add_count(json, i);
}

static void
add_head(struct hpm_string *json, const struct hpm_hotspots *hotspots,
         const struct hpm_hotspots_part *part)
{
    struct hpm_string head = {0}, event = {0};

    hpm_string_add(json, "{\"head\":");
    if (part->section == HPM_NO_INDEX) {
        hpm_hotspotreport_add_head(&head, hotspots, part, SIZE_MAX);
        hpm_string_trim(&head);
        hpm_json_add_text(json, hpm_string_text(&head));
    } else {
        hpm_string_add(json, "null");
    }
    hpm_string_add(json, ",\"event\":");
    hpm_hotspotreport_add_event(&event, hotspots->study, part->sampled);
    hpm_json_add_text(json, hpm_string_text(&event));
    hpm_string_add_format(json, ",\"sampled\":%u", (unsigned)part->sampled);
    hpm_string_finish(&head, &json->failed);
    hpm_string_finish(&event, &json->failed);
}

static bool
add_part(struct hpm_string *json, const struct hpm_survey *survey,
         const struct hpm_hotspots *hotspots, struct hpm_hotspots_part *part)
{
    size_t n, n_shown;
    struct function *functions = find_functions(part, &n);

    if (functions == NULL)
        return false;
    n_shown = n < MOST_FUNCTIONS ? n : MOST_FUNCTIONS;
    add_head(json, hotspots, part);
    hpm_string_add(json, ",\"row\":");
    add_row(json, survey, part->section);
    hpm_string_add(json, ",\"taken\":");
    add_count(json, part->n_taken);
    hpm_string_add(json, ",\"lost\":");
    add_count(json, part->n_lost);
    hpm_string_add_format(json, ",\"more\":%zu,\"functions\":[", n - n_shown);
    for (size_t i = 0; i < n_shown; i++) {
        hpm_string_add(json, i > 0 ? ",\n" : "\n");
        add_function(json, &functions[i], part->n_taken);
    }
    hpm_string_add(json, "]}");
    hpm_memory_free(functions);
    return true;
}

static void
add_notes(struct hpm_string *json, const struct hpm_hotspots *hotspots)
{
    struct hpm_string notes = {0};

    hpm_hotspotreport_add_notes(&notes, hotspots, SIZE_MAX);
    hpm_string_trim(&notes);
    hpm_json_add_text(json, hpm_string_text(&notes));
    hpm_string_finish(&notes, &json->failed);
}

bool
hpm_html_add_samples(struct hpm_string *page, const struct hpm_survey *survey)
{
    struct hpm_error ignored;
    struct hpm_hotspots *hotspots =
        hpm_hotspots_new(survey->study, HPM_NAMING_PLACE, &ignored);
    struct hpm_string json = {0};
    bool is_good = hotspots != NULL;

    hpm_string_add(&json, "{\"parts\":[");
    for (size_t i = 0; is_good && i < hotspots->n_parts; i++) {
        hpm_string_add(&json, i > 0 ? ",\n" : "\n");
        is_good = add_part(&json, survey, hotspots, &hotspots->parts[i]);
    }
    hpm_string_add(&json, "],\n\"notes\":");
    if (is_good)
        add_notes(&json, hotspots);
    hpm_string_add_char(&json, '}');
    hpm_block_add_packed(page, hpm_string_text(&json), json.length);
    hpm_hotspots_free(hotspots);
    hpm_string_finish(&json, &page->failed);
    return is_good;
}
