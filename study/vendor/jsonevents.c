/* SPDX-License-Identifier: BSD-3-Clause
 * Events and metrics in the JSON of Intel and the kernel. */
#include <string.h>

#include "study/vendor/forms.h"
#include "study/vendor/jsonforms.h"
#include "study/vendor/notation.h"
#include "study/vendor/words.h"

/* ---- events ---------------------------------------------------------- */

static uint64_t
code_of(struct json_object *event, const char *name)
{
    uint64_t code = 0;

    return hpm_notation_code(hpm_json_text(event, name), &code) ? code : 0;
}

static const char bad_number[] = "a number of its code is none";

/* Is each number well-formed, if it is there? */
static bool
has_good_numbers(struct json_object *event)
{
    static const char *const names[] = {
        "EventCode",  "UMask",     "UMaskExt", "CounterMask", "Invert",
        "EdgeDetect", "AnyThread", "Equal",    "MSRIndex",    "MSRValue",
        "ConfigCode", "PortMask",  "FCMask",   "ExtSel"};
    uint64_t code;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *text = hpm_json_text(event, names[i]);

        if (text[0] != '\0' && !hpm_notation_code(text, &code))
            return false;
    }
    return true;
}

/* Find the kernel's name of the field for a register that an event needs. */
static bool
read_register(struct json_object *event, struct hpm_vendor_code *code)
{
    uint64_t number = code_of(event, "MSRIndex");

    code->msr_value = code_of(event, "MSRValue");
    if (number == 0 || code->msr_value == 0)
        return true;
    code->msr = number == 0x1a6 || number == 0x1a7 ? "offcore_rsp"
                : number == 0x3f7                  ? "frontend"
                : number == 0x3f6                  ? "ldlat"
                                                   : NULL;
    return code->msr != NULL;
}

/* The kernel has codes for fixed counters that Intel's lists do not have. */
static void
fix_code(const char *name, struct hpm_vendor_code *code)
{
    if (hpm_string_same_word(name, "INST_RETIRED.ANY"))
        *code = (struct hpm_vendor_code){.pmu = code->pmu, .event = 0xc0};
    else if (hpm_string_same_word(name, "CPU_CLK_UNHALTED.THREAD") ||
             hpm_string_same_word(name, "CPU_CLK_UNHALTED.CORE"))
        *code = (struct hpm_vendor_code){.pmu = code->pmu, .event = 0x3c};
    else if (hpm_string_same_word(name, "CPU_CLK_UNHALTED.THREAD_ANY"))
        *code = (struct hpm_vendor_code){
            .pmu = code->pmu, .event = 0x3c, .is_any = true};
}

/* ---- units that cores share ------------------------------------------- */

static void
add_term(struct hpm_string *terms, const char *field, uint64_t value)
{
    if (value != 0)
        hpm_string_add_format(terms, "%s%s=0x%llx",
                              terms->length > 0 ? "," : "", field,
                              (unsigned long long)value);
}

/* Terms for ports, filters and the like.  *ret_has_ports: Intel's mask has the
 * ports again, above its eight bits. */
static const char *
read_terms(struct hpm_vendor *vendor, struct json_object *event,
           bool *ret_has_ports)
{
    static const struct {
        const char *theirs, *field;
        int shift;
    } fields[] = {
        {"PortMask", "ch_mask", 0},      {"FCMask", "fc_mask", 0},
        {"FILTER_VALUE", "config1", 32}, {"RdWrMask", "rdwrmask", 0},
        {"EnAllCores", "enallcores", 0}, {"EnAllSlices", "enallslices", 0},
        {"SliceId", "sliceid", 0},       {"ThreadMask", "threadmask", 0}};
    const char *filter = hpm_json_text(event, "Filter");
    struct hpm_string terms = {0};

    if (strchr(filter, '=') != NULL) /* the kernel's lists have terms in this
                                      * field */
        hpm_string_add(&terms, filter);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        add_term(&terms, fields[i].field,
                 code_of(event, fields[i].theirs) << fields[i].shift);
    *ret_has_ports =
        code_of(event, "PortMask") != 0 || code_of(event, "FCMask") != 0;
    return hpm_vendor_keep_string(vendor, &terms);
}

static const char *
read_unit(struct hpm_vendor *vendor, struct json_object *event,
          struct hpm_vendor_code *code)
{
    const char *unit = hpm_json_text(event, "Unit");
    struct hpm_string pmu = {0};
    bool has_ports;

    if (strncmp(unit, "CPU-M-", 6) == 0 || strncmp(unit, "PAI-", 4) == 0 ||
        strchr(unit, ',') != NULL)
        return "its unit is none that is known here";
    if (strcmp(hpm_json_text(event, "CounterType"), "FREERUN") == 0)
        return "its counter is never stopped, and has names of the kernel's "
               "own";
    hpm_words_add_unit(&pmu, unit);
    code->is_of_node = true;
    code->pmu = hpm_vendor_keep_string(vendor, &pmu);
    code->terms = read_terms(vendor, event, &has_ports);
    if (vendor->lacks_memory)
        return NULL; /* the caller does not add the event, and reports the lack
                      * of memory */
    if (!hpm_notation_are_terms(code->terms))
        return "its filter is none of the kernel's";
    code->event |= code_of(event, "ExtSel") << 8;
    if (has_ports)
        code->umask = code_of(event, "UMask");
    if (strcmp(hpm_json_text(event, "Counter"), "FIXED") == 0) {
        code->event = 0xff; /* the kernel's code for it */
        code->umask = 0;
    }
    return NULL;
}

static bool
is_core(const char *unit)
{
    return unit[0] == '\0' || strcmp(unit, "cpu") == 0 ||
           strcmp(unit, "core") == 0 || strncmp(unit, "cpu_", 4) == 0;
}

static const char *
read_code(struct hpm_vendor *vendor, struct json_object *event,
          struct hpm_vendor_code *code)
{
    const char *unit = hpm_json_text(event, "Unit");

    code->event = code_of(event, "EventCode");
    code->umask = code_of(event, "UMask") | code_of(event, "UMaskExt") << 8;
    code->cmask = code_of(event, "CounterMask");
    code->is_inverted = code_of(event, "Invert") != 0;
    code->is_edge = code_of(event, "EdgeDetect") != 0;
    code->is_any = code_of(event, "AnyThread") != 0;
    code->is_equal = code_of(event, "Equal") != 0;
    if (strncmp(unit, "cpu_", 4) == 0)
        code->pmu = unit;
    if (!is_core(unit))
        return has_good_numbers(event) ? read_unit(vendor, event, code)
                                       : bad_number;
    if (hpm_json_member(event, "ConfigCode") != NULL) {
        code->event = code_of(event, "ConfigCode");
        code->is_config = true;
    }
    if (!has_good_numbers(event))
        return bad_number;
    if (!read_register(event, code))
        return "it needs a register that the kernel has no field for";
    fix_code(hpm_json_text(event, "EventName"), code);
    return NULL;
}

/* Add an event of the architecture, under that name. */
static bool
add_standard(struct hpm_jsonfile *file, const char *name, struct hpm_error *err)
{
    const struct hpm_vendor_event *standard =
        hpm_vendor_find_event(&file->vendor->common, name);
    struct hpm_vendor_event event = {.name = name};

    if (standard != NULL)
        event = *standard;
    else
        event.why =
            "its code is in the list of the architecture's events; give "
            "common-and-microarch.json, too";
    file->source.n_events++;
    file->source.n_uncoded += event.why != NULL;
    return hpm_vendor_add_event(file->vendor, file->processor, &event) !=
               NULL ||
           hpm_error_no_memory(err);
}

bool
hpm_jsonforms_kind(struct hpm_jsonfile *file, struct json_object *element,
                   struct hpm_vendor_processor **ret_kind,
                   struct hpm_error *err)
{
    const char *unit = hpm_json_text(element, "Unit");
    const char *key = file->processor->key;
    struct hpm_vendor *vendor = file->vendor;

    *ret_kind = file->processor;
    if (hpm_words_of_kind(unit)[0] == '\0' || file->processor->pmu != NULL ||
        file->processor == &vendor->common)
        return true;
    *ret_kind = hpm_vendor_kind_of(vendor, file->processor, unit, err);
    for (size_t i = 0; i < vendor->n_processors; i++) { /* the array may have
                                                         * moved */
        if (strcmp(vendor->processors[i].key, key) == 0)
            file->processor = &vendor->processors[i];
    }
    return *ret_kind != NULL;
}

bool
hpm_jsonforms_event(struct json_object *element, size_t n, void *context,
                    struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    struct hpm_vendor_event event = {
        .name = hpm_json_text(element, "EventName"),
        .info = hpm_json_text(element, "BriefDescription")};
    const char *standard = hpm_json_text(element, "ArchStdEvent");
    struct hpm_vendor_processor *processor;

    if (standard[0] != '\0')
        return add_standard(file, standard, err);
    if (event.name[0] == '\0') {
        hpm_error_set(err, "%.300s: its event %zu has no EventName",
                      file->source.path, n + 1);
        return hpm_forms_skip(file->vendor, err);
    }
    if (!hpm_jsonforms_kind(file, element, &processor, err))
        return false;
    event.code.pmu = processor->pmu;
    event.why = read_code(file->vendor, element, &event.code);
    file->source.n_events++;
    file->source.n_uncoded += event.why != NULL;
    return hpm_vendor_add_event(file->vendor, processor, &event) != NULL ||
           hpm_error_no_memory(err);
}

/* ---- metrics of Intel ------------------------------------------------ */

struct naming {
    struct hpm_vendor *vendor;
    struct hpm_vendor_alias **aliases;
    size_t *n, *capacity;
};

/* {"Name": EVENT, "Alias": "a"}; limits have "Value" instead of "Name". */
static bool
add_alias(struct json_object *element, size_t n, void *context,
          struct hpm_error *err)
{
    struct naming *naming = context;
    const char *name = hpm_json_text(element, "Name");

    (void)n;
    if (name[0] == '\0')
        name = hpm_json_text(element, "Value");
    return hpm_vendor_add_alias(naming->vendor, naming->aliases, naming->n,
                                naming->capacity,
                                hpm_json_text(element, "Alias"), name) ||
           hpm_error_no_memory(err);
}

static bool
add_aliases(struct hpm_vendor *vendor, struct json_object *element,
            struct hpm_vendor_metric *metric, struct hpm_error *err)
{
    struct naming of_formula = {vendor, &metric->aliases, &metric->n_aliases,
                                &metric->aliases_capacity};
    struct naming of_limit = {vendor, &metric->limit_aliases,
                              &metric->n_limit_aliases,
                              &metric->limit_aliases_capacity};
    struct json_object *threshold = hpm_json_member(element, "Threshold");

    return hpm_json_each(hpm_json_member(element, "Events"), add_alias,
                         &of_formula, err) &&
           hpm_json_each(hpm_json_member(element, "Constants"), add_alias,
                         &of_formula, err) &&
           hpm_json_each(hpm_json_member(threshold, "ThresholdMetrics"),
                         add_alias, &of_limit, err);
}

bool
hpm_jsonforms_intel_metric(struct json_object *element, size_t n, void *context,
                           struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    struct hpm_vendor_metric metric = {
        .name = hpm_json_text(element, "MetricName"),
        .other_name = hpm_json_text(element, "LegacyName"),
        .formula = hpm_json_text(element, "Formula"),
        .unit = hpm_json_text(element, "UnitOfMeasure"),
        .parent = hpm_json_text(element, "ParentCategory"),
        .sample = hpm_json_text(element, "LocateWith"),
        .info = hpm_json_text(element, "BriefDescription"),
        .threshold =
            hpm_json_text(hpm_json_member(element, "Threshold"), "Formula"),
        .is_limit_shown = true,
        .source = file->vendor->n_sources};

    if (metric.name[0] == '\0' || metric.formula[0] == '\0') {
        hpm_error_set(err, "%.300s: its metric %zu has no %s",
                      file->source.path, n + 1,
                      metric.name[0] == '\0' ? "MetricName" : "Formula");
        return hpm_forms_skip(file->vendor, err);
    }
    if (strcmp(metric.unit, "percent") == 0)
        metric.unit = "%";
    if (!add_aliases(file->vendor, element, &metric, err))
        return false;
    return hpm_vendor_add_metric(file->vendor, file->processor, &metric) !=
               NULL ||
           hpm_error_no_memory(err);
}

/* ---- metrics of the kernel ------------------------------------------- */

/* In groups such as "Default;tma_L3_group;X_group", the name before _group that
 * is not a level is the metric's parent. */
static void
find_parent(const char *groups, char *parent, size_t size)
{
    static const char end[] = "_group";

    parent[0] = '\0';
    while (*groups != '\0') {
        size_t length = strcspn(groups, ";");

        if (length > strlen(end) && length < size &&
            strncmp(groups + length - strlen(end), end, strlen(end)) == 0 &&
            strncmp(groups, "tma_L", 5) != 0) {
            memcpy(parent, groups, length - strlen(end));
            parent[length - strlen(end)] = '\0';
        }
        groups += length + (groups[length] == ';');
    }
}

bool
hpm_jsonforms_kernel_metric(struct json_object *element, size_t n,
                            void *context, struct hpm_error *err)
{
    struct hpm_jsonfile *file = context;
    char parent[128];
    struct hpm_vendor_metric metric = {
        .name = hpm_json_text(element, "MetricName"),
        .formula = hpm_json_text(element, "MetricExpr"),
        .info = hpm_json_text(element, "BriefDescription"),
        .threshold = hpm_json_text(element, "MetricThreshold"),
        .source = file->vendor->n_sources};
    struct hpm_vendor_processor *processor;

    if (metric.name[0] == '\0')
        metric.name = hpm_json_text(element, "EventName");
    if (metric.name[0] == '\0') {
        hpm_error_set(err, "%.300s: its metric %zu has no MetricName",
                      file->source.path, n + 1);
        return hpm_forms_skip(file->vendor, err);
    }
    if (!hpm_jsonforms_kind(file, element, &processor, err))
        return false;
    metric.unit = hpm_forms_split_scale(hpm_json_text(element, "ScaleUnit"),
                                        &metric.factor);
    find_parent(hpm_json_text(element, "MetricGroup"), parent, sizeof parent);
    metric.parent = parent;
    return hpm_vendor_add_metric(file->vendor, processor, &metric) != NULL ||
           hpm_error_no_memory(err);
}
