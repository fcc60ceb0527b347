/* SPDX-License-Identifier: BSD-3-Clause
 * Texts and numbers of a JSON document, asked for by name. */
#ifndef HPM_STUDY_VENDOR_JSON_H
#define HPM_STUDY_VENDOR_JSON_H

#include <json-c/json.h>
#include <stdbool.h>

#include "base/error.h"

/* The document; NULL, and why, with the line, where it is none.  Give it back by
 * json_object_put. */
struct json_object *hpm_json_read(const char *path, const char *text,
                                  size_t length, struct hpm_error *err);

/* A member; NULL: none.  Of anything but an object there is none. */
struct json_object *hpm_json_member(struct json_object *object,
                                    const char *name);

/* A member as text, numbers as they are written; "" where there is none. */
const char *hpm_json_text(struct json_object *object, const char *name);

/* Call `visit` with each element of an array, or nothing of anything else, until
 * that fails. */
typedef bool hpm_json_visit(struct json_object *element, size_t n,
                            void *context, struct hpm_error *err);
bool hpm_json_each(struct json_object *array, hpm_json_visit *visit,
                   void *context, struct hpm_error *err);

#endif
