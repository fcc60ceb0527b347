/* SPDX-License-Identifier: BSD-3-Clause
 * The form of a JSON document. */
#include "study/vendor/jsonforms.h"

#include <string.h>

#include "study/vendor/forms.h"

/* ---- Intel ----------------------------------------------------------- */

static bool
find_processor(struct hpm_jsonfile *file, struct hpm_error *err)
{
    const char *path = file->source.path;

    file->processor = hpm_vendor_is_map(path, "")
                          ? &file->vendor->common
                          : hpm_vendor_processor_of(file->vendor, path, err);
    return file->processor != NULL;
}

static bool
read_latencies(struct hpm_jsonfile *file, struct json_object *data,
               struct hpm_error *err)
{
    file->source.form = "Intel's latencies of events";
    if (!json_object_is_type(data, json_type_object))
        return true;
    json_object_object_foreach(data, name, latency)
    {
        double cycles =
            json_object_get_double(hpm_json_member(latency, "MEAN"));

        if (!hpm_vendor_add_latency(file->vendor, file->processor, name,
                                    cycles))
            return hpm_error_no_memory(err);
    }
    return true;
}

static bool
is_list(const struct hpm_jsonfile *file, struct json_object *list,
        const char *name, struct hpm_error *err)
{
    return list == NULL || json_object_is_type(list, json_type_array) ||
           hpm_error_set(err,
                         "%.300s: its '%s' is %s; expected a list of "
                         "objects",
                         file->source.path, name,
                         json_type_to_name(json_object_get_type(list)));
}

static bool
read_intel(struct hpm_jsonfile *file, struct json_object *root,
           struct hpm_error *err)
{
    struct json_object *header = hpm_json_member(root, "Header");
    struct json_object *events = hpm_json_member(root, "Events");
    struct json_object *metrics = hpm_json_member(root, "Metrics");
    struct json_object *data = hpm_json_member(root, "Data");

    if (!find_processor(file, err))
        return false;
    file->source.copyright = hpm_json_text(header, "Copyright");
    file->source.version = hpm_json_text(header, "Version");
    if (data != NULL)
        return read_latencies(file, data, err);
    file->source.form =
        metrics != NULL ? "Intel's list of metrics" : "Intel's list of events";
    return is_list(file, events, "Events", err) &&
           is_list(file, metrics, "Metrics", err) &&
           hpm_json_each(events, hpm_jsonforms_event, file, err) &&
           hpm_json_each(metrics, hpm_jsonforms_intel_metric, file, err);
}

/* ---- the kernel ------------------------------------------------------ */

/* An event, a metric, or both. */
static bool
visit_kernel(struct json_object *element, size_t n, void *context,
             struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    bool is_event = hpm_json_member(element, "EventName") != NULL ||
                    hpm_json_member(element, "ArchStdEvent") != NULL;

    if (is_event && !hpm_jsonforms_event(element, n, context, err))
        return false;
    if (hpm_json_member(element, "MetricExpr") != NULL)
        return hpm_jsonforms_kernel_metric(element, n, context, err);
    if (is_event || hpm_json_member(element, "MetricName") != NULL)
        return true;
    hpm_error_set(err,
                  "%.300s: its element %zu has neither EventName, "
                  "ArchStdEvent nor MetricExpr",
                  file->source.path, n + 1);
    return hpm_forms_skip(file->vendor, err);
}

static bool
read_kernel(struct hpm_jsonfile *file, struct json_object *root,
            struct hpm_error *err)
{
    file->source.form = "the kernel's list";
    return find_processor(file, err) &&
           hpm_json_each(root, visit_kernel, file, err);
}

/* ---- all of them ----------------------------------------------------- */

static bool
read_document(struct hpm_jsonfile *file, struct json_object *root,
              struct hpm_error *err)
{
    const char *type = hpm_json_text(root, "_type");

    if (json_object_is_type(root, json_type_array))
        return read_kernel(file, root, err);
    if (hpm_json_member(root, "product_configuration") != NULL)
        return hpm_jsonforms_telemetry(file, root, err);
    if (strcmp(type, "Events") == 0)
        return hpm_jsonforms_arm_events(file, root, err);
    if (strcmp(type, "CPUs") == 0) {
        file->source.form = "list of processors";
        return true;
    }
    if (hpm_json_member(root, "Events") != NULL ||
        hpm_json_member(root, "Metrics") != NULL ||
        hpm_json_member(root, "Data") != NULL)
        return read_intel(file, root, err);
    return hpm_error_set(err,
                         "%.300s: is JSON of no known form; expected Intel's "
                         "'Events' or 'Metrics', Arm's 'events' with a '_type' "
                         "or a 'product_configuration', or the kernel's array",
                         file->source.path);
}

bool
hpm_forms_read_json(struct hpm_vendor *vendor, const char *path,
                    const char *text, size_t length, struct hpm_error *err)
{
    struct hpm_jsonfile file = {
        .vendor = vendor, .source.path = path, .source.form = "JSON"};
    struct json_object *root = hpm_json_read(path, text, length, err);
    bool is_good = root != NULL && read_document(&file, root, err) &&
                   hpm_forms_note(vendor, &file.source, err);

    json_object_put(root);
    return is_good;
}
