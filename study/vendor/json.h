/* SPDX-License-Identifier: BSD-3-Clause
 * Access to texts and numbers of a JSON document, by name. */
#ifndef HPM_STUDY_VENDOR_JSON_H
#define HPM_STUDY_VENDOR_JSON_H

#include <json-c/json.h>
#include <stdbool.h>

#include "base/error.h"

/* Parse a document; NULL, with the reason and line, if it is not JSON.  Free it
 * with json_object_put. */
struct json_object *hpm_json_read(const char *path, const char *text,
                                  size_t length, struct hpm_error *err);

/* A member; NULL if there is none, or `object` is not an object. */
struct json_object *hpm_json_member(struct json_object *object,
                                    const char *name);

/* A member as text, numbers as written; "" if there is none. */
const char *hpm_json_text(struct json_object *object, const char *name);

/* Call `visit` with each element of an array, until it fails.  Does nothing if
 * `array` is not an array. */
typedef bool hpm_json_visit(struct json_object *element, size_t n,
                            void *context, struct hpm_error *err);
bool hpm_json_each(struct json_object *array, hpm_json_visit *visit,
                   void *context, struct hpm_error *err);

#endif
