/* SPDX-License-Identifier: BSD-3-Clause
 * Events and metrics of processors, as read from vendors' files. */
#include "study/vendor/vendor.h"

#include <ctype.h>
#include <string.h>

#include "host/memory.h"
#include "host/path.h"
#include "study/vendor/notation.h"
#include "study/vendor/words.h"

static void
free_processor(struct hpm_vendor_processor *processor)
{
    hpm_names_free(&processor->event_names);
    hpm_memory_free(processor->event_of);
    hpm_memory_free(processor->events);
    hpm_memory_free(processor->metrics);
    hpm_memory_free(processor->latencies);
}

void
hpm_vendor_free(struct hpm_vendor *vendor)
{
    for (size_t i = 0; i < vendor->n_processors; i++)
        free_processor(&vendor->processors[i]);
    free_processor(&vendor->common);
    hpm_memory_free(vendor->processors);
    hpm_memory_free(vendor->maps);
    hpm_memory_free(vendor->sources);
    hpm_memory_free(vendor->faults);
    hpm_names_free(&vendor->names);
    hpm_arena_free(&vendor->arena);
}

/* ---- texts ----------------------------------------------------------- */

static bool
same_text(const char *a, const char *b)
{
    return strcmp(a != NULL ? a : "", b != NULL ? b : "") == 0;
}

const char *
hpm_vendor_keep(struct hpm_vendor *vendor, const char *text)
{
    const char *kept = hpm_names_keep_text(&vendor->names, text);

    vendor->lacks_memory |= text != NULL && kept == NULL;
    return kept;
}

void
hpm_vendor_note_lack(struct hpm_vendor *vendor, const struct hpm_error *why)
{
    struct hpm_error lack;

    hpm_error_no_memory(&lack);
    vendor->lacks_memory |= strcmp(why->text, lack.text) == 0;
}

const char *
hpm_vendor_keep_reason(struct hpm_vendor *vendor, const struct hpm_error *why)
{
    hpm_vendor_note_lack(vendor, why);
    return hpm_vendor_keep(vendor, why->text);
}

const char *
hpm_vendor_keep_string(struct hpm_vendor *vendor, struct hpm_string *string)
{
    const char *kept = string->failed
                           ? NULL
                           : hpm_vendor_keep(vendor, hpm_string_text(string));

    vendor->lacks_memory |= string->failed;
    hpm_string_free(string);
    return kept;
}

static const char *
in_small_letters(struct hpm_vendor *vendor, const char *text)
{
    struct hpm_string small = {0};

    for (; *text != '\0'; text++)
        hpm_string_add_char(&small, (char)tolower((unsigned char)*text));
    return hpm_vendor_keep_string(vendor, &small);
}

bool
hpm_vendor_add_fault(struct hpm_vendor *vendor, size_t *n_like_it,
                     const struct hpm_error *fault)
{
    const char *path = hpm_vendor_keep(vendor, vendor->path);

    if (++*n_like_it > HPM_VENDOR_MOST_FAULTS)
        return path != NULL;
    if (!hpm_memory_grow(&vendor->faults, &vendor->faults_capacity,
                         vendor->n_faults + 1, sizeof *vendor->faults)) {
        vendor->lacks_memory = true;
        return false;
    }
    vendor->faults[vendor->n_faults].path = path;
    vendor->faults[vendor->n_faults].text =
        hpm_vendor_keep(vendor, fault->text);
    vendor->n_faults += !vendor->lacks_memory;
    return !vendor->lacks_memory;
}

/* ---- the processor of a file ---------------------------------------- */

/* Remove from the key a word that only tells a form. */
static void
cut_word(char *key, const char *word)
{
    char *at = strstr(key, word);

    if (at != NULL)
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

const char *
hpm_vendor_key(struct hpm_vendor *vendor, const char *path)
{
    static const char *const words[] = {
        ".gz",           ".json", ".tsv",    "metrics-",        "_experimental",
        "_metrics",      "_core", "_uncore", "_retire_latency", "_matrix",
        "_fp_arith_inst"};
    const char *name = hpm_path_base_name(path);
    char key[256];

    if (strlen(name) >= sizeof key)
        return hpm_vendor_keep(vendor, name);
    strcpy(key, name);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        cut_word(key, words[i]);
    return in_small_letters(vendor, key);
}

/* Is the map for this key, or for the folders of the file: "arm/neoverse-n1"
 * for "arch/arm64/arm/neoverse-n1/bus.json"? */
static bool
is_for(const struct hpm_vendor_map *map, const char *key, const char *path)
{
    size_t length = strlen(map->key), before;
    const char *slash = strrchr(path, '/');
    const char *last = strrchr(map->key, '/');

    if (strcmp(map->key, key) == 0 ||
        (last != NULL && strcmp(last + 1, key) == 0))
        return true;
    if (slash == NULL || (size_t)(slash - path) < length)
        return false;
    before = (size_t)(slash - path) - length;
    return strncmp(path + before, map->key, length) == 0 &&
           (before == 0 || path[before - 1] == '/');
}

static const struct hpm_vendor_map *
find_map(const struct hpm_vendor *vendor, const char *key, const char *path)
{
    for (size_t i = 0; i < vendor->n_maps; i++) {
        if (is_for(&vendor->maps[i], key, path))
            return &vendor->maps[i];
    }
    return NULL;
}

/* "lunarlake" of "lunarlake_lioncove", which is one of its kinds of cores; the
 * key itself if no PMU is given. */
static const char *
before_kind(struct hpm_vendor *vendor, const char *key, const char *pmu)
{
    const char *end = pmu != NULL ? strrchr(key, '_') : NULL;
    struct hpm_string name = {0};

    if (end == NULL)
        return key;
    hpm_string_add_bytes(&name, key, (size_t)(end - key));
    key = hpm_vendor_keep_string(vendor, &name);
    return key != NULL ? key : "";
}

static struct hpm_vendor_processor *
add_kind(struct hpm_vendor *vendor, const char *key, const char *ids,
         const char *title, const char *pmu, struct hpm_error *err)
{
    struct hpm_string both = {0};
    const char *kind;

    hpm_string_add_format(&both, "%s_%s", key, pmu + strcspn(pmu, "_") + 1);
    kind = hpm_vendor_keep_string(vendor, &both);
    if (kind != NULL)
        return hpm_vendor_add_processor(vendor, kind, ids, title, pmu, err);
    hpm_error_no_memory(err);
    return NULL;
}

/* The processor that the user named; each kind of its cores is one of its
 * own. */
static struct hpm_vendor_processor *
add_named(struct hpm_vendor *vendor, const char *pmu, struct hpm_error *err)
{
    return pmu != NULL
               ? add_kind(vendor, vendor->name, vendor->ids, NULL, pmu, err)
               : hpm_vendor_add_processor(vendor, vendor->name, vendor->ids,
                                          NULL, NULL, err);
}

struct hpm_vendor_processor *
hpm_vendor_kind_of(struct hpm_vendor *vendor,
                   const struct hpm_vendor_processor *processor,
                   const char *pmu, struct hpm_error *err)
{
    return add_kind(vendor, processor->key, processor->ids, processor->title,
                    pmu, err);
}

struct hpm_vendor_processor *
hpm_vendor_processor_of(struct hpm_vendor *vendor, const char *path,
                        struct hpm_error *err)
{
    const char *key = hpm_vendor_key(vendor, path);
    const struct hpm_vendor_map *map =
        key != NULL ? find_map(vendor, key, path) : NULL;
    const char *pmu;

    if (key == NULL) {
        hpm_error_no_memory(err);
        return NULL;
    }
    pmu = map != NULL ? map->pmu : hpm_words_of_cores(key);
    if (vendor->name != NULL)
        return add_named(vendor, pmu, err);
    if (map != NULL)
        return hpm_vendor_add_processor(vendor, map->key, map->ids, map->title,
                                        map->pmu, err);
    if (hpm_words_of_pmu(before_kind(vendor, key, pmu)) != NULL)
        return hpm_vendor_add_processor(vendor, key, NULL, NULL, pmu, err);
    hpm_error_set(err,
                  "%.300s: which processor it is for is not said; give the "
                  "vendor's mapfile.csv with it, or hpm import-definitions "
                  "--arch NAME",
                  path);
    return NULL;
}

/* "arm/neoverse-n1" is called neoverse_n1. */
static const char *
name_of(struct hpm_vendor *vendor, const char *key)
{
    const char *last = strrchr(key, '/');
    struct hpm_string name = {0};

    hpm_notation_add_metric(&name, last != NULL ? last + 1 : key);
    return hpm_vendor_keep_string(vendor, &name);
}

/* Use libpfm4's name of the PMU; if there are several PMUs, use an own name,
 * and give the PMUs as `others`. */
static bool
describe(struct hpm_vendor *vendor, struct hpm_vendor_processor *processor,
         const char *key, const char *ids)
{
    const char *name = before_kind(vendor, key, processor->pmu);
    const char *last = strrchr(name, '/');
    const char *pmus = hpm_words_of_pmu(last != NULL ? last + 1 : name);
    bool is_one = pmus != NULL && strchr(pmus, ' ') == NULL;

    processor->key = hpm_vendor_keep(vendor, key);
    processor->name = is_one ? pmus : name_of(vendor, name);
    processor->kind = hpm_words_of_kind(processor->pmu);
    processor->ids = hpm_vendor_keep(vendor, ids);
    processor->others = pmus != NULL && !is_one ? pmus : "";
    return !vendor->lacks_memory;
}

/* Names of events tell kinds of cores apart only where each kind is there
 * once. */
static bool
is_first_of_kind(const struct hpm_vendor *vendor,
                 const struct hpm_vendor_processor *processor,
                 struct hpm_error *err)
{
    for (const struct hpm_vendor_processor *other = vendor->processors;
         other < processor; other++) {
        if (processor->kind[0] != '\0' &&
            strcmp(other->kind, processor->kind) == 0 &&
            strcmp(other->name, processor->name) == 0)
            return hpm_error_set(
                err,
                "%.300s: is for the cores %s of %s, as files of %.100s are, "
                "whose events have the same names; give the vendor's "
                "mapfile.csv with them, or leave one out",
                vendor->path, processor->pmu, processor->name, other->key);
    }
    return true;
}

struct hpm_vendor_processor *
hpm_vendor_add_processor(struct hpm_vendor *vendor, const char *key,
                         const char *ids, const char *title, const char *pmu,
                         struct hpm_error *err)
{
    struct hpm_vendor_processor *processor;

    for (size_t i = 0; i < vendor->n_processors; i++) {
        if (strcmp(vendor->processors[i].key, key) == 0 &&
            same_text(vendor->processors[i].pmu, pmu))
            return &vendor->processors[i];
    }
    if (!hpm_memory_grow(&vendor->processors, &vendor->processors_capacity,
                         vendor->n_processors + 1, sizeof *processor)) {
        hpm_error_no_memory(err);
        return NULL;
    }
    processor = &vendor->processors[vendor->n_processors];
    processor->title = hpm_vendor_keep(vendor, title);
    processor->pmu = hpm_vendor_keep(vendor, pmu);
    if (!describe(vendor, processor, key, ids)) {
        hpm_error_no_memory(err);
        return NULL;
    }
    if (!is_first_of_kind(vendor, processor, err))
        return NULL;
    vendor->n_processors++;
    return processor;
}

bool
hpm_vendor_add_map(struct hpm_vendor *vendor, const char *key, const char *ids,
                   const char *title, const char *pmu)
{
    struct hpm_string both = {0};
    struct hpm_vendor_map *map;

    for (size_t i = 0; i < vendor->n_maps; i++) {
        map = &vendor->maps[i];
        if (strcmp(map->key, key) != 0 || !same_text(map->pmu, pmu))
            continue;
        if (strstr(map->ids, ids) != NULL)
            return true;
        hpm_string_add_format(&both, "%s, %s", map->ids, ids);
        map->ids = hpm_vendor_keep_string(vendor, &both);
        return map->ids != NULL;
    }
    if (!hpm_memory_grow(&vendor->maps, &vendor->maps_capacity,
                         vendor->n_maps + 1, sizeof *map))
        return false;
    map = &vendor->maps[vendor->n_maps];
    map->key = hpm_vendor_keep(vendor, key);
    map->ids = hpm_vendor_keep(vendor, ids);
    map->title = hpm_vendor_keep(vendor, title);
    map->pmu = hpm_vendor_keep(vendor, pmu);
    if (vendor->lacks_memory)
        return false;
    vendor->n_maps++;
    return true;
}

/* ---- events ---------------------------------------------------------- */

static bool
is_same_code(const struct hpm_vendor_code *a, const struct hpm_vendor_code *b)
{
    return a->event == b->event && a->umask == b->umask &&
           a->cmask == b->cmask && a->is_inverted == b->is_inverted &&
           a->is_edge == b->is_edge && a->is_any == b->is_any &&
           a->is_equal == b->is_equal && a->is_config == b->is_config &&
           a->msr_value == b->msr_value && same_text(a->msr, b->msr) &&
           same_text(a->pmu, b->pmu) && same_text(a->terms, b->terms);
}

/* The later code is used; note that, so that the user knows. */
static bool
note_other_code(struct hpm_vendor *vendor,
                const struct hpm_vendor_event *before,
                const struct hpm_vendor_event *event)
{
    struct hpm_error fault;

    if (before->is_variant || before->why != NULL || event->why != NULL ||
        is_same_code(&before->code, &event->code))
        return true;
    hpm_error_set(&fault,
                  "%.300s: the event '%.100s' was there with another code; "
                  "this one, the later, is taken",
                  vendor->path, event->name);
    return hpm_vendor_add_fault(vendor, &vendor->n_replaced, &fault);
}

static uint32_t
find_name(const struct hpm_vendor_processor *processor, const char *name)
{
    char small[256];
    size_t n = 0;

    for (; name[n] != '\0' && n + 1 < sizeof small; n++)
        small[n] = (char)tolower((unsigned char)name[n]);
    small[n] = '\0';
    return hpm_names_find(&processor->event_names, small);
}

struct hpm_vendor_event *
hpm_vendor_find_event(const struct hpm_vendor_processor *processor,
                      const char *name)
{
    uint32_t number = find_name(processor, name);

    return number == HPM_NO_NAME
               ? NULL
               : &processor->events[processor->event_of[number]];
}

static bool
fill_event(struct hpm_vendor *vendor, const char *kind,
           struct hpm_vendor_event *event, const struct hpm_vendor_event *from)
{
    struct hpm_string ours = {0};

    hpm_string_add(&ours, from->code.is_of_node ? "node::"
                          : kind != NULL        ? kind
                                                : "");
    hpm_notation_add_event(&ours, from->name);
    *event = *from;
    event->name = hpm_vendor_keep(vendor, from->name);
    event->info = hpm_vendor_keep(vendor, from->info);
    event->why = hpm_vendor_keep(vendor, from->why);
    event->code.msr = hpm_vendor_keep(vendor, from->code.msr);
    event->code.pmu = hpm_vendor_keep(vendor, from->code.pmu);
    event->code.terms = hpm_vendor_keep(vendor, from->code.terms);
    event->ours = hpm_vendor_keep_string(vendor, &ours);
    return !vendor->lacks_memory;
}

struct hpm_vendor_event *
hpm_vendor_add_event(struct hpm_vendor *vendor,
                     struct hpm_vendor_processor *processor,
                     const struct hpm_vendor_event *event)
{
    struct hpm_vendor_event *there =
        hpm_vendor_find_event(processor, event->name);
    const char *small = in_small_letters(vendor, event->name);
    uint32_t number;

    if (there != NULL)
        return note_other_code(vendor, there, event) &&
                       fill_event(vendor, processor->kind, there, event)
                   ? there
                   : NULL;
    if (small == NULL)
        return NULL;
    number = hpm_names_add(&processor->event_names, small, strlen(small));
    if (number == HPM_NO_NAME ||
        !hpm_memory_grow(&processor->event_of, &processor->event_of_capacity,
                         number + 1, sizeof *processor->event_of) ||
        !hpm_memory_grow(&processor->events, &processor->events_capacity,
                         processor->n_events + 1, sizeof *event) ||
        !fill_event(vendor, processor->kind,
                    &processor->events[processor->n_events], event))
        return NULL;
    processor->event_of[number] = processor->n_events;
    return &processor->events[processor->n_events++];
}

/* ---- units that kinds of cores share --------------------------------- */

/* Is it a list of cores of one kind, and no list of all of a processor? */
static bool
is_of_cores(const struct hpm_vendor *vendor,
            const struct hpm_vendor_processor *processor)
{
    for (size_t i = 0; i < vendor->n_processors; i++) {
        if (vendor->processors[i].pmu != NULL &&
            strcmp(vendor->processors[i].key, processor->key) == 0)
            return true;
    }
    return false;
}

static bool
is_kind_of(const struct hpm_vendor *vendor,
           const struct hpm_vendor_processor *kind,
           const struct hpm_vendor_processor *all)
{
    size_t length = strlen(all->key);

    return !is_of_cores(vendor, all) && is_of_cores(vendor, kind) &&
           strncmp(kind->key, all->key, length) == 0 &&
           kind->key[length] == '_';
}

/* Is the event not of cores?  One without a code is shared for its reason. */
static bool
is_of_all(const struct hpm_vendor_event *event)
{
    return event->code.is_of_node || event->why != NULL;
}

static bool
share_with(struct hpm_vendor *vendor, struct hpm_vendor_processor *kind,
           const struct hpm_vendor_processor *all)
{
    for (size_t i = 0; i < all->n_events; i++) {
        if (is_of_all(&all->events[i]) &&
            hpm_vendor_find_event(kind, all->events[i].name) == NULL &&
            hpm_vendor_add_event(vendor, kind, &all->events[i]) == NULL)
            return false;
    }
    return true;
}

/* Do the kinds have all that the list has? */
static bool
is_nothing_left(const struct hpm_vendor_processor *all)
{
    for (size_t i = 0; i < all->n_events; i++) {
        if (!is_of_all(&all->events[i]))
            return false;
    }
    return all->n_metrics == 0;
}

static bool
share_units(struct hpm_vendor *vendor)
{
    for (size_t i = 0; i < vendor->n_processors; i++) {
        struct hpm_vendor_processor *all = &vendor->processors[i];

        for (size_t j = 0; j < vendor->n_processors; j++) {
            struct hpm_vendor_processor *kind = &vendor->processors[j];

            if (!is_kind_of(vendor, kind, all))
                continue;
            all->is_shared = is_nothing_left(all);
            if (!share_with(vendor, kind, all))
                return false;
        }
    }
    return true;
}

/* ---- metrics --------------------------------------------------------- */

struct hpm_vendor_metric *
hpm_vendor_find_metric(const struct hpm_vendor_processor *processor,
                       const char *name)
{
    for (size_t i = 0; i < processor->n_metrics; i++) {
        struct hpm_vendor_metric *here = &processor->metrics[i];

        if (hpm_string_same_word(here->name, name) ||
            (here->other_name != NULL && strcmp(here->other_name, name) == 0))
            return here;
    }
    return NULL;
}

static bool
note_other_formula(struct hpm_vendor *vendor, const char *name)
{
    struct hpm_error fault;

    hpm_error_set(&fault,
                  "%.300s: the metric '%.100s' was there with another formula; "
                  "the later one has another name",
                  vendor->path, name);
    return hpm_vendor_add_fault(vendor, &vendor->n_renamed, &fault);
}

struct hpm_vendor_metric *
hpm_vendor_add_metric(struct hpm_vendor *vendor,
                      struct hpm_vendor_processor *processor,
                      const struct hpm_vendor_metric *metric)
{
    struct hpm_vendor_metric *added =
        hpm_vendor_find_metric(processor, metric->name);

    if (added != NULL && strcmp(added->formula, metric->formula) == 0)
        return added;
    if (added != NULL && !note_other_formula(vendor, metric->name))
        return NULL;
    if (!hpm_memory_grow(&processor->metrics, &processor->metrics_capacity,
                         processor->n_metrics + 1, sizeof *added))
        return NULL;
    added = &processor->metrics[processor->n_metrics];
    *added = *metric;
    added->name = hpm_vendor_keep(vendor, metric->name);
    added->other_name = hpm_vendor_keep(vendor, metric->other_name);
    added->formula = hpm_vendor_keep(vendor, metric->formula);
    added->unit = hpm_vendor_keep(vendor, metric->unit);
    added->parent = hpm_vendor_keep(vendor, metric->parent);
    added->sample = hpm_vendor_keep(vendor, metric->sample);
    added->info = hpm_vendor_keep(vendor, metric->info);
    added->threshold = hpm_vendor_keep(vendor, metric->threshold);
    if (added->factor == 0.0)
        added->factor = 1.0;
    if (vendor->lacks_memory)
        return NULL;
    processor->n_metrics++;
    return added;
}

bool
hpm_vendor_add_alias(struct hpm_vendor *vendor,
                     struct hpm_vendor_alias **aliases, size_t *n,
                     size_t *capacity, const char *alias, const char *name)
{
    if (!hpm_arena_grow(&vendor->arena, aliases, capacity, *n + 1,
                        sizeof **aliases))
        return false;
    (*aliases)[*n].alias = hpm_vendor_keep(vendor, alias);
    (*aliases)[*n].name = hpm_vendor_keep(vendor, name);
    if ((*aliases)[*n].alias == NULL || (*aliases)[*n].name == NULL)
        return false;
    ++*n;
    return true;
}

bool
hpm_vendor_add_latency(struct hpm_vendor *vendor,
                       struct hpm_vendor_processor *processor,
                       const char *event, double cycles)
{
    struct hpm_vendor_latency *added;

    if (!hpm_memory_grow(&processor->latencies, &processor->latencies_capacity,
                         processor->n_latencies + 1, sizeof *added))
        return false;
    added = &processor->latencies[processor->n_latencies];
    added->event = hpm_vendor_keep(vendor, event);
    added->cycles = cycles;
    if (added->event == NULL)
        return false;
    processor->n_latencies++;
    return true;
}

/* ---- after all files -------------------------------------------------- */

static bool
copy_lists(struct hpm_vendor *vendor, struct hpm_vendor_processor *copy,
           const struct hpm_vendor_processor *from)
{
    for (size_t i = 0; i < from->n_events; i++) {
        struct hpm_vendor_event event = from->events[i];

        if (!event.code.is_of_node)
            event.code.pmu = copy->pmu;
        if (hpm_vendor_add_event(vendor, copy, &event) == NULL)
            return false;
    }
    for (size_t i = 0; i < from->n_metrics; i++) {
        if (hpm_vendor_add_metric(vendor, copy, &from->metrics[i]) == NULL)
            return false;
    }
    for (size_t i = 0; i < from->n_latencies; i++) {
        if (!hpm_vendor_add_latency(vendor, copy, from->latencies[i].event,
                                    from->latencies[i].cycles))
            return false;
    }
    copy->n_slots = from->n_slots;
    copy->is_copy = true;
    return true;
}

/* The index of the processor whose files the map is for; n_processors: none. */
static size_t
find_mapped(const struct hpm_vendor *vendor, const struct hpm_vendor_map *map,
            bool is_of_same_pmu)
{
    size_t i = 0;

    while (i < vendor->n_processors &&
           (strcmp(vendor->processors[i].key, map->key) != 0 ||
            same_text(vendor->processors[i].pmu, map->pmu) != is_of_same_pmu))
        i++;
    return i;
}

/* Files went to the processors of the first map of their key. */
static bool
serve_map(struct hpm_vendor *vendor, const struct hpm_vendor_map *map,
          struct hpm_error *err)
{
    size_t from = find_mapped(vendor, map, false);
    struct hpm_vendor_processor *copy;

    if (from == vendor->n_processors ||
        find_mapped(vendor, map, true) < vendor->n_processors)
        return true;
    copy = hpm_vendor_add_processor(vendor, map->key, map->ids, map->title,
                                    map->pmu, err);
    return copy != NULL &&
           (copy_lists(vendor, copy, &vendor->processors[from]) ||
            hpm_error_no_memory(err));
}

bool
hpm_vendor_share(struct hpm_vendor *vendor, struct hpm_error *err)
{
    for (size_t i = 0; vendor->name == NULL && i < vendor->n_maps; i++) {
        if (!serve_map(vendor, &vendor->maps[i], err))
            return false;
    }
    return share_units(vendor) || hpm_error_no_memory(err);
}
