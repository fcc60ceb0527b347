/* SPDX-License-Identifier: BSD-3-Clause
 * Parts shared by the readers of vendors' forms in JSON. */
#ifndef HPM_STUDY_VENDOR_JSONFORMS_H
#define HPM_STUDY_VENDOR_JSONFORMS_H

#include "study/vendor/json.h"
#include "study/vendor/vendor.h"

/* A file while it is read. */
struct hpm_jsonfile {
    struct hpm_vendor *vendor;
    struct hpm_vendor_processor *processor;
    struct hpm_vendor_source source;
};

/* An event in the form of Intel and the kernel; a metric in Intel's form; a
 * metric in the kernel's form. */
hpm_json_visit hpm_jsonforms_event, hpm_jsonforms_intel_metric,
    hpm_jsonforms_kernel_metric;

/* The kind of cores of the file's processor that an element is for, in
 * *ret_kind: elements of a hybrid have a Unit such as "cpu_core".  False when
 * there is no memory. */
bool hpm_jsonforms_kind(struct hpm_jsonfile *file, struct json_object *element,
                        struct hpm_vendor_processor **ret_kind,
                        struct hpm_error *err);

/* Arm's list of events, and its telemetry specification: whole documents. */
bool hpm_jsonforms_arm_events(struct hpm_jsonfile *file,
                              struct json_object *root, struct hpm_error *err);
bool hpm_jsonforms_telemetry(struct hpm_jsonfile *file,
                             struct json_object *root, struct hpm_error *err);

#endif
