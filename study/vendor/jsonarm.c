/* SPDX-License-Identifier: BSD-3-Clause
 * Arm's lists of events, and telemetry specifications. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "study/vendor/forms.h"
#include "study/vendor/jsonforms.h"
#include "study/vendor/notation.h"

/* The key of "Neoverse N3" is neoverse-n3. */
static const char *
key_of(struct hpm_vendor *vendor, const char *product)
{
    struct hpm_string key = {0};

    for (; *product != '\0'; product++)
        hpm_string_add_char(&key, *product == ' '
                                      ? '-'
                                      : (char)tolower((unsigned char)*product));
    return hpm_vendor_keep_string(vendor, &key);
}

static bool
find_processor(struct hpm_jsonfile *file, const char *product,
               unsigned long implementer, unsigned long part,
               struct hpm_error *err)
{
    struct hpm_vendor *vendor = file->vendor;
    struct hpm_string ids = {0};
    const char *key = key_of(vendor, product), *kept;

    hpm_string_add_format(&ids, "MIDR-%02lx?f%03lx?", implementer, part);
    kept = hpm_vendor_keep_string(vendor, &ids);
    if (key == NULL || kept == NULL)
        return hpm_error_no_memory(err);
    if (vendor->name != NULL) {
        key = vendor->name;
        kept = vendor->ids;
    }
    file->processor =
        hpm_vendor_add_processor(vendor, key, kept, product, NULL, err);
    return file->processor != NULL;
}

/* ---- lists of events ------------------------------------------------- */

static bool
visit_event(struct json_object *element, size_t n, void *context,
            struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    struct hpm_vendor_event event = {.name = hpm_json_text(element, "name"),
                                     .info =
                                         hpm_json_text(element, "description")};

    if (event.name[0] == '\0' ||
        !hpm_notation_code(hpm_json_text(element, "code"), &event.code.event)) {
        hpm_error_set(err, "%.300s: its event %zu has no %s", file->source.path,
                      n + 1, event.name[0] == '\0' ? "name" : "code");
        return hpm_forms_skip(file->vendor, err);
    }
    file->source.n_events++;
    return hpm_vendor_add_event(file->vendor, file->processor, &event) !=
               NULL ||
           hpm_error_no_memory(err);
}

bool
hpm_jsonforms_arm_events(struct hpm_jsonfile *file, struct json_object *root,
                         struct hpm_error *err)
{
    const char *id = hpm_json_text(root, "cpuid");
    unsigned long number = strtoul(id, NULL, 16);
    bool is_found;

    file->source.form = "Arm's list of events";
    if (id[0] != '\0')
        is_found = find_processor(file, hpm_json_text(root, "cpu"),
                                  number >> 12, number & 0xfff, err);
    else
        is_found = (file->processor = hpm_vendor_processor_of(
                        file->vendor, file->source.path, err)) != NULL;
    return is_found && hpm_json_each(hpm_json_member(root, "events"),
                                     visit_event, file, err);
}

/* ---- telemetry ------------------------------------------------------- */

static bool
read_events(struct hpm_jsonfile *file, struct json_object *events,
            struct hpm_error *err)
{
    if (!json_object_is_type(events, json_type_object))
        return true;
    json_object_object_foreach(events, name, value)
    {
        struct hpm_vendor_event event = {.name = name,
                                         .info = hpm_json_text(value, "title")};

        if (!hpm_notation_code(hpm_json_text(value, "code"),
                               &event.code.event)) {
            hpm_error_set(err, "%.300s: its event '%.60s' has no code",
                          file->source.path, name);
            if (!hpm_forms_skip(file->vendor, err))
                return false;
            continue;
        }
        file->source.n_events++;
        if (hpm_vendor_add_event(file->vendor, file->processor, &event) == NULL)
            return hpm_error_no_memory(err);
    }
    return true;
}

/* The first text of an array; "" if there is none. */
static const char *
first_of(struct json_object *array)
{
    const char *text =
        json_object_is_type(array, json_type_array) &&
                json_object_array_length(array) > 0
            ? json_object_get_string(json_object_array_get_idx(array, 0))
            : NULL;

    return text != NULL ? text : "";
}

static bool
read_metrics(struct hpm_jsonfile *file, struct json_object *metrics,
             struct hpm_error *err)
{
    if (!json_object_is_type(metrics, json_type_object))
        return true;
    json_object_object_foreach(metrics, name, value)
    {
        const char *unit = hpm_json_text(value, "units");
        struct hpm_vendor_metric metric = {
            .name = name,
            .formula = hpm_json_text(value, "formula"),
            .unit = strncmp(unit, "percent", 7) == 0 ? "%" : unit,
            .info = hpm_json_text(value, "title"),
            .sample = first_of(hpm_json_member(value, "sample_events")),
            .source = file->vendor->n_sources};

        if (metric.formula[0] == '\0') {
            hpm_error_set(err, "%.300s: its metric '%.60s' has no formula",
                          file->source.path, name);
            if (!hpm_forms_skip(file->vendor, err))
                return false;
            continue;
        }
        if (hpm_vendor_add_metric(file->vendor, file->processor, &metric) ==
            NULL)
            return hpm_error_no_memory(err);
    }
    return true;
}

struct node {
    struct hpm_jsonfile *file;
    const char *name;
};

/* An item that the decision tree names as the next to look at becomes a child
 * of the metric. */
static bool
visit_next(struct json_object *element, size_t n, void *context,
           struct hpm_error *err)
{
    struct node *node = context;
    const char *name = json_object_get_string(element);
    struct hpm_vendor_metric *metric =
        name != NULL ? hpm_vendor_find_metric(node->file->processor, name)
                     : NULL;

    (void)n;
    (void)err;
    if (metric != NULL && metric->parent == NULL &&
        strcmp(metric->name, node->name) != 0)
        metric->parent = hpm_vendor_keep(node->file->vendor, node->name);
    return true;
}

static bool
visit_node(struct json_object *element, size_t n, void *context,
           struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    struct node node = {file, hpm_json_text(element, "name")};
    struct hpm_vendor_metric *metric =
        hpm_vendor_find_metric(file->processor, node.name);
    const char *sample = first_of(hpm_json_member(element, "sample_events"));

    (void)n;
    if (metric == NULL)
        return true;
    if (sample[0] != '\0')
        metric->sample = hpm_vendor_keep(file->vendor, sample);
    return hpm_json_each(hpm_json_member(element, "next_items"), visit_next,
                         &node, err);
}

bool
hpm_jsonforms_telemetry(struct hpm_jsonfile *file, struct json_object *root,
                        struct hpm_error *err)
{
    struct json_object *product =
        hpm_json_member(root, "product_configuration");
    struct json_object *tree =
        hpm_json_member(hpm_json_member(hpm_json_member(root, "methodologies"),
                                        "topdown_methodology"),
                        "decision_tree");

    file->source.form = "Arm's telemetry specification";
    if (!find_processor(
            file, hpm_json_text(product, "product_name"),
            strtoul(hpm_json_text(product, "implementer"), NULL, 16),
            strtoul(hpm_json_text(product, "part_num"), NULL, 16), err))
        return false;
    file->processor->n_slots =
        json_object_get_double(hpm_json_member(product, "num_slots"));
    return read_events(file, hpm_json_member(root, "events"), err) &&
           read_metrics(file, hpm_json_member(root, "metrics"), err) &&
           hpm_json_each(hpm_json_member(tree, "metrics"), visit_node, file,
                         err);
}
